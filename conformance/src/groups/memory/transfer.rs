//! Transfers of whole tables and tallies.

use super::mixed::mixed;
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::memory::rows::{self, Mixed, Small};
use crate::operands::{Operand, singles};
use crate::run::SIZES;
use imminent_core::{Row, Table, TallyTable};

pub(super) fn add(cases: &mut Cases) {
    cases.add("a new table is zero, lanes included", |context| {
        for rows in SIZES {
            for capacity in [0, 3] {
                // A table created before leaves memory that is not zero.
                drop(Table::from_rows(context.device, &mixed(context, rows.min(1000), capacity))?);
                let table = Table::<Mixed>::with_capacity(context.device, rows, capacity)?;
                equal("length", &(table.len(), table.is_empty(), table.capacity()), &(rows, rows == 0, capacity))?;
                equal_slices(&format!("{rows} new rows"), &table.read()?, &vec![Mixed::zeroed(capacity); rows])?;
            }
        }
        Ok(())
    });
    cases.add("rows are read as they were written, whatever their number", |context| {
        for rows in SIZES {
            let written = mixed(context, rows, 0);
            let mut table = Table::from_rows(context.device, &written)?;
            equal_slices(&format!("{rows} rows"), &table.read()?, &written)?;
            let mut reversed = written;
            reversed.reverse();
            table.write(&reversed)?;
            equal_slices(&format!("{rows} rows, written again"), &table.read()?, &reversed)?;
        }
        Ok(())
    });
    cases.add("lanes are read as they were written, whatever the capacity", |context| {
        for (rows, capacity) in [(1, 1), (65, 2), (300, 17), (1000, 5), (3, 200)] {
            let written = mixed(context, rows, capacity);
            let table = Table::from_rows(context.device, &written)?;
            equal_slices(&format!("{rows} rows of {capacity} lanes"), &table.read()?, &written)?;
        }
        Ok(())
    });
    scalars::<bool>(cases, "bool", u64::from);
    scalars::<u32>(cases, "u32", u64::from);
    scalars::<i32>(cases, "i32", |x| x as u64);
    scalars::<u64>(cases, "u64", |x| x);
    scalars::<i64>(cases, "i64", |x| x as u64);
    scalars::<f32>(cases, "f32", |x| u64::from(x.to_bits()));
    cases.add("a table of f64 keeps every bit", |context| {
        context.needs_float64()?;
        keeps_bits::<f64>(context, |x| x.to_bits())
    });
    cases.add("a copy has the rows of the moment", |context| {
        for (rows, capacity) in [(0, 0), (1, 0), (257, 3), (1000, 1)] {
            let written = mixed(context, rows, capacity);
            let mut from = Table::from_rows(context.device, &written)?;
            let mut to = Table::<Mixed>::with_capacity(context.device, rows, capacity)?;
            to.copy_from(&from)?;
            from.clear()?;
            equal_slices(&format!("the copy of {rows} rows"), &to.read()?, &written)?;
            equal_slices("the original, cleared since", &from.read()?, &vec![Mixed::zeroed(capacity); rows])?;
        }
        Ok(())
    });
    cases.add("clearing sets every row and lane to zero", |context| {
        for (rows, capacity) in [(0, 0), (1, 2), (257, 3), (100_003, 0)] {
            let mut table = Table::from_rows(context.device, &mixed(context, rows, capacity))?;
            table.clear()?;
            equal_slices(&format!("{rows} cleared rows"), &table.read()?, &vec![Mixed::zeroed(capacity); table.len()])?;
        }
        Ok(())
    });
    cases.add("growing keeps what is there, and new lanes are zero", growing);
    cases.add("tallies are read as they were written", |context| {
        for slots in [1_usize, 2, 63, 64, 257, 10_000] {
            let mut values = singles::<u64>(slots, &mut context.random(111));
            values.truncate(slots);
            let mut tally = TallyTable::new(context.device, &values)?;
            equal_slices(&format!("{slots} slots of u64"), &tally.read()?, &values)?;
            tally.fill(u64::MAX - 1)?;
            equal_slices(&format!("{slots} slots of u64, filled"), &tally.read()?, &vec![u64::MAX - 1; slots])?;
            let mut values = singles::<i32>(slots, &mut context.random(112));
            values.truncate(slots);
            let tally = TallyTable::new(context.device, &values)?;
            equal_slices(&format!("{slots} slots of i32"), &tally.read()?, &values)?;
        }
        Ok(())
    });
    cases.add("a write that comes after a launch is not seen by it", |context| {
        let old: Vec<Small> = (0..5000).map(|value| Small { value }).collect();
        let mut from = Table::from_rows(context.device, &old)?;
        let mut to = Table::<Small>::zeroed(context.device, old.len())?;
        for round in 0..10 {
            from.write(&old)?;
            context.queue().launch::<rows::take>((&mut to, &from))?;
            from.write(&vec![Small { value: u32::MAX }; old.len()])?;
            equal_slices(&format!("what round {round} copied"), &to.read()?, &old)?;
        }
        Ok(())
    });
}

fn scalars<T: Operand + Row>(cases: &mut Cases, name: &str, bits: fn(T) -> u64) {
    cases.add(format!("a table of {name} keeps every bit"), move |context| keeps_bits::<T>(context, bits));
}

/// Compares bits: a transfer changes no NaN and no subnormal, whatever the device's arithmetic does.
fn keeps_bits<T: Operand + Row>(context: &Context<'_>, bits: impl Fn(T) -> u64) -> Verdict {
    for rows in SIZES {
        let mut values = singles::<T>(rows, &mut context.random(113));
        values.truncate(rows);
        let table = Table::from_rows(context.device, &values)?;
        let found: Vec<u64> = table.read()?.into_iter().map(&bits).collect();
        let expected: Vec<u64> = values.into_iter().map(&bits).collect();
        equal_slices(&format!("bits of {rows} rows"), &found, &expected)?;
    }
    Ok(())
}

fn growing(context: &Context<'_>) -> Verdict {
    for rows in [1_usize, 64, 300] {
        let mut expected = mixed(context, rows, 0);
        let mut table = Table::from_rows(context.device, &expected)?;
        for capacity in [1, 2, 7, 7, 3, 40] {
            table.grow(capacity)?;
            let capacity = capacity.max(expected[0].times.capacity());
            expected.iter_mut().for_each(|row| row.set_capacity(capacity));
            equal("capacity", &table.capacity(), &capacity)?;
            equal_slices(&format!("{rows} rows grown to {capacity} lanes"), &table.read()?, &expected)?;
            context.queue().launch::<rows::fill>((&mut table,))?;
            for (id, row) in (0..).zip(&mut expected) {
                for lane in 0..capacity {
                    let time = row.times.get(lane) + u64::from(lane) + 1;
                    row.times.set(lane, time);
                    row.kinds.set(lane, id);
                }
            }
        }
        equal_slices(&format!("{rows} rows filled after the last growth"), &table.read()?, &expected)?;
    }
    Ok(())
}
