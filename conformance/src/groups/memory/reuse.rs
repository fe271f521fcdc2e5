//! Memory that previously belonged to another table.

use super::mixed::mixed;
use crate::case::{Cases, ensure, equal_slices};
use crate::kernels::memory::rows::{self, Mixed, Small};
use imminent_core::{Table, TallyTable};

pub(super) fn add(cases: &mut Cases) {
    cases.add("released memory is zero for its next owner, whatever its size", |context| {
        let most = context.scaled(200_000, 3_000_000);
        for rows in [0, 1, 63, 64, 1000, 20_000, 100_000, most] {
            let full = vec![Small { value: u32::MAX }; rows];
            for round in 0..3 {
                let used = [Table::from_rows(context.device, &full)?, Table::from_rows(context.device, &full)?];
                drop(used);
                // As large as before, and slightly smaller: both may get reused memory.
                for rows in [rows, rows - rows / 20] {
                    let table = Table::<Small>::zeroed(context.device, rows)?;
                    let what = format!("round {round} of a table of {rows} rows");
                    equal_slices(&what, &table.read()?, &vec![Small { value: 0 }; rows])?;
                }
            }
        }
        Ok(())
    });
    cases.add("lanes that are added are zero where memory had another owner", |context| {
        for rows in [1, 100, 5000] {
            for _ in 0..3 {
                drop(Table::from_rows(context.device, &mixed(context, rows, 6))?);
                let values = mixed(context, rows, 2);
                let mut table = Table::<Mixed>::with_capacity(context.device, rows, 2)?;
                table.write(&values)?;
                table.grow(6)?;
                let grown: Vec<Mixed> = table.read()?;
                for (before, after) in values.iter().zip(&grown) {
                    let times: Vec<u64> = (0..6).map(|lane| after.times.get(lane)).collect();
                    equal_slices("the lanes", &times, &[before.times.get(0), before.times.get(1), 0, 0, 0, 0])?;
                }
            }
        }
        Ok(())
    });
    cases.add("memory that several queues use goes to nobody before all of them are past it", |context| {
        let rows = context.scaled(20_000, 200_000);
        let queues = [context.queue(), context.device.new_queue()?, context.device.new_queue()?];
        let other = vec![Small { value: 7 << 24 }; rows];
        let mut kept = Vec::new();
        for round in 0..24_usize {
            let values: Vec<Small> = (0..rows as u32).map(|row| Small { value: row ^ (round as u32) << 20 }).collect();
            let mut from = Table::from_rows(context.device, &values)?;
            let mut to = Table::<Small>::zeroed(context.device, rows)?;
            queues[round % 3].launch::<rows::add_id>((&mut from,))?;
            queues[(round + 1) % 3].launch::<rows::take>((&mut to, &from))?;
            drop(from);
            // This table may take over the memory of `from`, and is written by a queue that has used neither.
            let mut next = Table::from_rows(context.device, &other)?;
            queues[(round + 2) % 3].launch::<rows::add_id>((&mut next,))?;
            kept.push((values, to, next));
        }
        let written: Vec<Small> = (0..rows as u32).map(|row| Small { value: (7 << 24) + row }).collect();
        for (round, (values, to, next)) in kept.into_iter().enumerate() {
            let expected: Vec<Small> =
                (0_u32..).zip(values).map(|(row, was)| Small { value: was.value.wrapping_add(row) }).collect();
            equal_slices(&format!("what was read in round {round}"), &to.read()?, &expected)?;
            equal_slices(&format!("what was written in round {round}"), &next.read()?, &written)?;
        }
        Ok(())
    });
    cases.add("a pool, where there is one, holds what is in use", |context| {
        let device = context.device;
        let tables = (1..60)
            .map(|number| Table::from_rows(device, &vec![Small { value: number }; number as usize * 40]))
            .collect::<Result<Vec<_>, _>>()?;
        let tally = TallyTable::new(device, &[0_u64; 200])?;
        let memory = device.memory();
        if let Some(pool) = memory.pool {
            // A result counts as 16 bytes, but is smaller.
            let current = memory.current.saturating_sub(16 * memory.allocations);
            ensure(pool.used >= current && pool.held >= pool.used, || format!("{memory:?}"))?;
            ensure(pool.used_peak >= pool.used && pool.held_peak >= pool.held, || format!("{memory:?}"))?;
            ensure((0.0..1.0).contains(&pool.fragmentation()), || format!("{memory:?}"))?;
            ensure((0.0..1.0).contains(&pool.peak_fragmentation()), || format!("{memory:?}"))?;
        }
        for (number, table) in (1..60).zip(&tables) {
            equal_slices("a small table", &table.read()?, &vec![Small { value: number }; number as usize * 40])?;
        }
        drop((tables, tally));
        Ok(())
    });
}
