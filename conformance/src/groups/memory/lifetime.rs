//! Creation and release of tables.

use crate::case::{Cases, ensure, equal, equal_slices};
use crate::kernels::memory::rows::{self, Small};
use imminent_core::Table;

pub(super) fn add(cases: &mut Cases) {
    cases.add("tables may be dropped while work that uses them is queued", |context| {
        let mut kept = Vec::new();
        for round in 0..50_u32 {
            let values: Vec<Small> = (0..777).map(|value| Small { value: value ^ round << 20 }).collect();
            let mut from = Table::from_rows(context.device, &values)?;
            let mut to = Table::<Small>::zeroed(context.device, values.len())?;
            context.queue().launch::<rows::add_id>((&mut from,))?;
            context.queue().launch::<rows::take>((&mut to, &from))?;
            // The next round's tables may reuse this memory, but only after the launches.
            drop(from);
            kept.push(to);
        }
        for (round, to) in (0_u32..).zip(kept) {
            let expected: Vec<Small> =
                (0..777).map(|value| Small { value: (value ^ round << 20).wrapping_add(value) }).collect();
            equal_slices(&format!("the table of round {round}"), &to.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("many small tables live side by side", |context| {
        let count = context.scaled(400, 3000);
        let rows = |number: usize| -> Vec<Small> {
            (0..number % 7).map(|row| Small { value: (number * 8 + row) as u32 }).collect()
        };
        let tables = (0..count).map(|n| Table::from_rows(context.device, &rows(n))).collect::<Result<Vec<_>, _>>()?;
        for (number, table) in tables.iter().enumerate() {
            equal_slices(&format!("table {number} of {count}"), &table.read()?, &rows(number))?;
        }
        Ok(())
    });
    cases.add("memory is taken back: use does not make it grow", |context| {
        let backend = context.device.backend();
        let round = || -> Result<(), imminent_core::Error> {
            let mut table = Table::<u64>::zeroed(context.device, 100_000)?;
            table.write(&vec![3; 100_000])?;
            let _ = table.read()?;
            context.queue().wait()
        };
        for _ in 0..4 {
            round()?;
        }
        let before = backend.allocated_bytes();
        for _ in 0..40 {
            round()?;
        }
        let after = backend.allocated_bytes();
        // A pool may keep the memory of a few rounds, not forty times a table of 800 kB.
        ensure(after <= before + 4_000_000, || {
            format!("{before} bytes were allocated before 40 tables of 800000 bytes came and went, {after} after")
        })
    });
    cases.add("native rows are offered where the device has them, and nowhere else", |context| {
        let mut table = Table::from_rows(context.device, &[Small { value: 3 }, Small { value: 4 }])?;
        let sum = table.with_native_rows(|rows| {
            rows[0].value += 10;
            rows.iter().map(|row| row.value).sum::<u32>()
        })?;
        if context.capabilities().native_rows {
            equal("sum of the native rows", &sum, &Some(17))?;
            equal_slices("the table", &table.read()?, &[Small { value: 13 }, Small { value: 4 }])
        } else {
            equal("native rows of a device without them", &sum, &None)
        }
    });
    cases.add("a hundred launches without a wait all take effect, in order", |context| {
        let mut table = Table::<Small>::zeroed(context.device, 1000)?;
        for _ in 0..100 {
            context.queue().launch::<rows::add_id>((&mut table,))?;
        }
        let expected: Vec<Small> = (0..1000).map(|id| Small { value: id * 100 }).collect();
        equal_slices("the table after 100 launches", &table.read()?, &expected)
    });
}
