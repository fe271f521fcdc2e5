//! Pipelines of three stages.

use crate::case::{Cases, ensure, equal, equal_slices, refused};
use crate::kernels::memory::rows::{self, Small, SmallColumns as _};
use imminent_core::{Batch, Device, Error, Pipeline, Result, Stages, Staging, Submission, Table};

/// A batch that adds row numbers. The items with given numbers may fault: they read past the end of a table.
struct Adding {
    rows: usize,
    faulty: Option<u32>,
    short: Table<Small>,
}

struct Slot {
    table: Table<Small>,
    staging: Option<Staging<u32>>,
    under_way: Option<Submission<Staging<u32>>>,
    input: u32,
}

impl Slot {
    fn new(device: &Device, rows: usize) -> Result<Slot> {
        let table = Table::zeroed(device, rows)?;
        Ok(Slot { table, staging: Some(device.staging(rows)?), under_way: None, input: 0 })
    }
}

impl Batch for Adding {
    type Input = u32;
    type Output = Vec<u32>;
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, input: u32) -> Result<()> {
        let mut staging = match slot.staging.take() {
            Some(staging) => staging,
            None => stages.upload.device().staging(self.rows)?,
        };
        staging.fill(input * 1000);
        slot.input = input;
        slot.under_way = Some(slot.table.value().upload(&stages.upload, 0..self.rows, staging)?);
        Ok(())
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        if self.faulty == Some(slot.input) {
            stages.execute.launch::<rows::take>((&mut slot.table, &self.short))?;
        }
        stages.execute.launch::<rows::add_id>((&mut slot.table,)).map(drop)
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        // The device owns the upload's staging until the upload is done, so the download uses another.
        let staging = stages.download.device().staging(self.rows)?;
        let upload = slot.under_way.replace(slot.table.value().download(&stages.download, 0..self.rows, staging)?);
        drop(upload);
        Ok(())
    }

    fn finish(&mut self, slot: &mut Slot) -> Result<Vec<u32>> {
        let Some(under_way) = slot.under_way.take() else { return Err(Error::invalid("slot", "nothing is under way")) };
        let staging = under_way.wait().inspect_err(|_| {
            // A table written by failed work must be cleared before an upload.
            let _ = slot.table.clear();
        })?;
        let values = staging.to_vec();
        slot.staging = Some(staging);
        Ok(values)
    }
}

fn expected(rows: usize, item: u32) -> Vec<u32> {
    (0..rows as u32).map(|id| item * 1000 + id).collect()
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a pipeline gives every item's outcome, in order, whatever its slots", |context| {
        let rows = context.scaled(10_000, 400_000);
        for count in [1, 2, 3, 7] {
            let slots = (0..count).map(|_| Slot::new(context.device, rows)).collect::<Result<Vec<_>>>()?;
            let batch = Adding { rows, faulty: None, short: Table::zeroed(context.device, 1)? };
            let mut pipeline = Pipeline::new(context.device, batch, slots)?;
            let mut outputs = Vec::new();
            for item in 0..11 {
                outputs.extend(pipeline.push(item)?);
                ensure(pipeline.len() <= count, || format!("{} items are under way in {count} slots", pipeline.len()))?;
            }
            while let Some(output) = pipeline.pop()? {
                outputs.push(output);
            }
            equal("number of outcomes", &outputs.len(), &11)?;
            for (item, output) in (0..).zip(&outputs) {
                equal_slices(&format!("item {item} with {count} slots"), output, &expected(rows, item))?;
            }
            equal("slots that are left", &pipeline.into_parts()?.1.len(), &count)?;
        }
        Ok(())
    });
    cases.add("an item of a pipeline that fails says so, and later ones are computed", |context| {
        let rows = 5000;
        let slots = (0..3).map(|_| Slot::new(context.device, rows)).collect::<Result<Vec<_>>>()?;
        let batch = Adding { rows, faulty: Some(2), short: Table::zeroed(context.device, 4999)? };
        let mut pipeline = Pipeline::new(context.device, batch, slots)?;
        let (mut good, mut failed) = (0, 0);
        for item in 0..9 {
            match pipeline.push(item) {
                Ok(output) => good += usize::from(output.is_some()),
                Err(_) => failed += 1,
            }
        }
        while !pipeline.is_empty() {
            match pipeline.pop() {
                Ok(_) => good += 1,
                Err(_) => failed += 1,
            }
        }
        ensure(failed >= 1 && good >= 3, || {
            format!("{good} items succeeded and {failed} failed, one of which faults")
        })?;
        // Items pushed after all failures behave as if there had been none.
        pipeline.push(20)?;
        equal_slices("an item after the failures", &pipeline.pop()?.unwrap_or_default(), &expected(rows, 20))
    });
    cases.add("a pipeline without slots is refused", |context| {
        let batch = Adding { rows: 1, faulty: None, short: Table::zeroed(context.device, 1)? };
        refused(
            "a pipeline without slots",
            Pipeline::new(context.device, batch, Vec::new()),
            "`Error::Invalid`",
            |error| matches!(error, Error::Invalid { .. }),
        )
    });
}
