//! Figures: transfers through page-locked staging, and a pipeline of three stages beside its slowest stage.

use crate::cases::common::device;
use cudarc::driver::result;
use imminent_core::{Batch, Device, Pipeline, Result, Stages, Staging, Submission, Table};
use imminent_testkit::device::machines::machines::{self, Number, NumberColumns as _};
use std::time::{Duration, Instant};

/// Times paired runs: every round measures each way once, so that disturbances affect both. Returns the medians in
/// seconds.
fn paired<const N: usize>(rounds: usize, mut ways: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let clock = Instant::now();
            way();
            times.push(clock.elapsed().as_secs_f64());
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Measures uploads and downloads of a column, beside the driver's copy of page-locked memory of the same size. The
/// target is 0.95 of its speed from 16 MiB on.
pub(crate) fn staging() {
    let device = device("");
    let queue = device.queue();
    for mebibytes in [1_usize, 4, 16, 64, 256, 1024] {
        let (bytes, rows) = (mebibytes << 20, (mebibytes << 20) / 4);
        let table = Table::<Number>::zeroed(&device, rows).unwrap();
        let mut staging: Staging<u32> = device.staging(rows).unwrap();
        staging.iter_mut().zip(0..).for_each(|(to, value)| *to = value);
        let mut held = Some(table.value().upload(&queue, 0..rows, staging).unwrap().wait().unwrap());
        // SAFETY: the context is current on this thread; both sides are `bytes` long and freed once, below.
        let (pointer, locked) = unsafe {
            let locked: *mut u32 = result::malloc_host(bytes, 0).unwrap().cast();
            locked.write_bytes(1, rows);
            (result::malloc_sync(bytes).unwrap(), locked)
        };
        // SAFETY: as above, and all of it has been written.
        let host = unsafe { std::slice::from_raw_parts_mut(locked, rows) };
        let rounds = if mebibytes < 64 { 31 } else { 11 };
        let [up, plain_up] = paired(
            rounds,
            [
                &mut || {
                    held = Some(table.value().upload(&queue, 0..rows, held.take().unwrap()).unwrap().wait().unwrap())
                },
                // SAFETY: as above.
                &mut || unsafe { result::memcpy_htod_sync(pointer, host) }.unwrap(),
            ],
        );
        let [down, plain_down] = paired(
            rounds,
            [
                &mut || {
                    held = Some(table.value().download(&queue, 0..rows, held.take().unwrap()).unwrap().wait().unwrap())
                },
                // SAFETY: as above.
                &mut || unsafe { result::memcpy_dtoh_sync(host, pointer) }.unwrap(),
            ],
        );
        let right = held.unwrap().iter().zip(0_u32..).all(|(found, value)| *found == value);
        assert!(right, "what was downloaded is not what was uploaded");
        // SAFETY: allocated above, freed once, and no copy of them is in progress.
        unsafe {
            result::free_host(locked.cast()).unwrap();
            result::free_sync(pointer).unwrap();
        }
        let rate = |seconds: f64| bytes as f64 / seconds / 1e9;
        let mark = |ratio: f64| if mebibytes < 16 || ratio >= 0.95 { "" } else { " (BELOW the mark of 0.95)" };
        let (ratio_up, ratio_down) = (plain_up / up, plain_down / down);
        println!(
            "staging {mebibytes} MiB: up {:.1} GB/s, {ratio_up:.3} of a plain copy's{}; down {:.1} GB/s, {ratio_down:.3}{}",
            rate(up),
            mark(ratio_up),
            rate(down),
            mark(ratio_down),
        );
    }
}

/// A batch that adds row numbers a number of times.
struct Adding {
    rows: usize,
    launches: u32,
}

struct Slot {
    table: Table<Number>,
    staging: Option<Staging<u32>>,
    back: Option<Staging<u32>>,
    coming: Option<Submission<Staging<u32>>>,
    sent: Option<Submission<Staging<u32>>>,
}

impl Adding {
    fn slot(&self, device: &Device) -> Slot {
        let staging = || Some(device.staging(self.rows).unwrap());
        let table = Table::zeroed(device, self.rows).unwrap();
        Slot { table, staging: staging(), back: staging(), coming: None, sent: None }
    }
}

impl Batch for &Adding {
    type Input = u32;
    type Output = u32;
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, input: u32) -> Result<()> {
        if let Some(mut staging) = slot.staging.take() {
            staging[self.rows - 1] = input;
            slot.sent = Some(slot.table.value().upload(&stages.upload, 0..self.rows, staging)?);
        }
        Ok(())
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        for _ in 0..self.launches {
            stages.execute.launch::<machines::double>((&mut slot.table,))?;
        }
        Ok(())
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        if let Some(back) = slot.back.take() {
            slot.coming = Some(slot.table.value().download(&stages.download, 0..self.rows, back)?);
        }
        Ok(())
    }

    fn finish(&mut self, slot: &mut Slot) -> Result<u32> {
        slot.staging = slot.sent.take().map(Submission::wait).transpose()?;
        slot.back = slot.coming.take().map(Submission::wait).transpose()?;
        Ok(slot.back.as_ref().map_or(0, |back| back[self.rows - 1]))
    }
}

/// Measures a pipeline whose transfers take longest, and one whose kernels do. The bound is the slowest stage, run by
/// itself as often. The target is 0.9 of the bound's speed.
pub(crate) fn pipeline() {
    const ITEMS: u32 = 60;
    let device = device("");
    for (name, mebibytes, launches) in [("transfer-bound", 64_usize, 1_u32), ("compute-bound", 16, 400)] {
        let batch = Adding { rows: (mebibytes << 20) / 4, launches };
        let queue = device.new_queue().unwrap();
        let mut alone = batch.slot(&device);
        let mut stage = |run: &mut dyn FnMut(&mut Slot)| {
            let clock = Instant::now();
            (0..ITEMS).for_each(|_| run(&mut alone));
            queue.wait().unwrap();
            clock.elapsed()
        };
        let rows = batch.rows;
        let mut slowest = || -> (Duration, &'static str) {
            let up = stage(&mut |slot| {
                let staging = slot.staging.take().unwrap();
                slot.staging = Some(slot.table.value().upload(&queue, 0..rows, staging).unwrap().wait().unwrap());
            });
            let run = stage(&mut |slot| {
                for _ in 0..launches {
                    queue.launch::<machines::double>((&mut slot.table,)).unwrap();
                }
            });
            let down = stage(&mut |slot| {
                let back = slot.back.take().unwrap();
                slot.back = Some(slot.table.value().download(&queue, 0..rows, back).unwrap().wait().unwrap());
            });
            [(up, "upload"), (run, "execution"), (down, "download")].into_iter().max().unwrap()
        };
        let whole = || {
            let slots = (0..4).map(|_| batch.slot(&device)).collect();
            let mut pipeline = Pipeline::new(&device, &batch, slots).unwrap();
            let clock = Instant::now();
            for item in 0..ITEMS {
                pipeline.push(item).unwrap();
            }
            while pipeline.pop().unwrap().is_some() {}
            clock.elapsed()
        };
        let mut rounds: Vec<(f64, f64, &str)> = (0..7)
            .map(|_| {
                let (bound, which) = slowest();
                let whole = whole();
                (bound.as_secs_f64() / whole.as_secs_f64(), whole.as_secs_f64() / f64::from(ITEMS), which)
            })
            .collect();
        rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, item, which) = rounds[rounds.len() / 2];
        let mark = if ratio >= 0.9 { "" } else { " (BELOW the mark of 0.9)" };
        println!(
            "pipeline, {name}: {:.2} ms an item of {mebibytes} MiB, {ratio:.3} of the speed of {which} alone{mark}",
            item * 1e3
        );
    }
}
