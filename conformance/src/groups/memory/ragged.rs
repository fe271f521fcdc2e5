//! Ragged tables, whose rows have their own numbers of lanes.

use super::mixed::mixed;
use crate::case::{Cases, Verdict, ensure, equal, equal_slices, refused};
use crate::context::Context;
use crate::kernels::memory::rows::{self, Mixed, MixedColumns as _, Small};
use imminent_core::{Error, Program, Row, Table};

/// Returns rows of random bits, with at most `most` lanes.
fn uneven(context: &Context<'_>, rows: usize, most: u32) -> Vec<Mixed> {
    let mut all = mixed(context, rows, most);
    for (id, row) in (0..).zip(&mut all) {
        row.set_capacity(room(id, most));
    }
    all
}

/// Returns numbers of lanes that neither rise nor fall with the row, and are zero for some.
fn room(id: u32, most: u32) -> u32 {
    id.wrapping_mul(2_654_435_761) % (most + 1)
}

fn invalid<T>(what: &str, result: Result<T, Error>) -> Verdict {
    refused(what, result, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("rows with room of their own are read as they were written", |context| {
        for (rows, most) in [(0, 3), (1, 0), (1, 5), (63, 2), (64, 9), (257, 3), (1000, 40), (3, 3000), (20_000, 2)] {
            let written = uneven(context, rows, most);
            let table = Table::from_ragged_rows(context.device, &written)?;
            equal("number of rows", &(table.len(), table.is_ragged()), &(rows, true))?;
            let capacities: Vec<u32> = written.iter().map(Row::capacity).collect();
            equal_slices("room of each row", &table.capacities(), &capacities)?;
            equal("room of the roomiest", &table.capacity(), &capacities.iter().copied().max().unwrap_or(0))?;
            equal_slices(&format!("{rows} rows with room for up to {most}"), &table.read()?, &written)?;
            let mut again = mixed(context, rows / 2, 7);
            table.read_into(&mut again)?;
            equal_slices("the same in memory used before", &again, &written)?;
        }
        Ok(())
    });
    cases.add("new rows with room of their own are zero, and a shorter row leaves zeros behind it", |context| {
        let capacities: Vec<u32> = (0..300).map(|id| room(id, 6)).collect();
        // The contents of reused memory must not be visible.
        drop(Table::from_ragged_rows(context.device, &uneven(context, 300, 6))?);
        let mut table = Table::<Mixed>::ragged(context.device, &capacities)?;
        let zeroed: Vec<Mixed> = capacities.iter().map(|capacity| Mixed::zeroed(*capacity)).collect();
        equal_slices("new rows", &table.read()?, &zeroed)?;
        let mut expected = uneven(context, 300, 6);
        table.write(&expected)?;
        expected.iter_mut().for_each(|row| row.set_capacity(row.times.capacity() / 2));
        table.write(&expected)?;
        (0..).zip(&mut expected).for_each(|(id, row)| row.set_capacity(room(id, 6)));
        equal_slices("rows of half their room", &table.read()?, &expected)
    });
    cases.add("columns of rows with room of their own are read and written by themselves", |context| {
        let mut expected = uneven(context, 1000, 5);
        let table = Table::from_ragged_rows(context.device, &expected)?;
        let last: Vec<u32> = expected.iter().map(|row| row.last).collect();
        equal_slices("column `last`", &table.last().read()?, &last)?;
        let new: Vec<u64> = (0..10).map(|i| u64::MAX - i).collect();
        table.wide().write_rows(990, &new)?;
        expected[990..].iter_mut().zip(&new).for_each(|(row, wide)| row.wide = *wide);
        equal_slices("the rows", &table.read()?, &expected)?;
        let sum = expected.iter().fold(0_u64, |sum, row| sum.wrapping_add(row.wide));
        equal("the sum of column `wide`", &context.queue().sum(table.wide())?.read()?, &sum)
    });
    cases.add("rows grow one by one, and what is there stays", growing);
    cases.add("loops look at each row's number of lanes in every round", looking);
    cases.add("a ragged table is cleared, copied, and changes places with its like", exchanging);
    cases.add("one long row among many short ones takes memory by its length", |context| {
        let before = context.device.memory().current;
        // One invocation moves a whole row, word by word.
        let long = if context.capabilities().long_loops { 50_000 } else { 5_000 };
        let mut capacities = vec![1; 10_000];
        capacities[5000] = long;
        let mut table = Table::<Mixed>::ragged(context.device, &capacities)?;
        let layout = Mixed::layout();
        let words =
            u64::from(layout.fixed_words + 2) * 10_000 + u64::from(layout.lane_words) * (10_000 + u64::from(long));
        let bytes = context.device.memory().current - before;
        ensure(bytes < words * 4 + 100_000, || format!("{bytes} bytes for {words} words"))?;
        capacities[1] = 100;
        table.grow_rows(&capacities)?;
        let grown = context.device.memory().current - before;
        ensure(grown > bytes && grown < bytes + 10_000, || format!("{bytes} bytes, grown to {grown}"))?;
        drop(table);
        equal("bytes in use when the table is gone", &context.device.memory().current, &before)
    });
    cases.add("what rows with room of their own cannot do is refused, and changes nothing", refusals);
}

fn growing(context: &Context<'_>) -> Verdict {
    for rows in [1_usize, 64, 300] {
        let mut expected = uneven(context, rows, 3);
        let mut table = Table::from_ragged_rows(context.device, &expected)?;
        for round in 1..5_u32 {
            // Some rows grow, one of them by much; others request less than they have.
            let wanted: Vec<u32> = (0..rows as u32)
                .map(|id| match id % 7 {
                    0 => room(id + round, 9),
                    3 if id % 100 == 3 => round * 200,
                    _ => 1,
                })
                .collect();
            table.grow_rows(&wanted)?;
            for (row, wanted) in expected.iter_mut().zip(&wanted) {
                row.set_capacity(row.times.capacity().max(*wanted));
            }
            let capacities: Vec<u32> = expected.iter().map(Row::capacity).collect();
            equal_slices("room of each row", &table.capacities(), &capacities)?;
            equal_slices(&format!("{rows} rows, grown {round} times"), &table.read()?, &expected)?;
            context.queue().launch::<rows::fill>((&mut table,))?;
            for (id, row) in (0..).zip(&mut expected) {
                for lane in 0..row.times.capacity() {
                    row.times.set(lane, row.times.get(lane).wrapping_add(u64::from(lane) + 1));
                    row.kinds.set(lane, id);
                }
            }
        }
        table.grow(12)?;
        expected.iter_mut().for_each(|row| row.set_capacity(row.times.capacity().max(12)));
        equal_slices(&format!("{rows} rows with room for 12 at least"), &table.read()?, &expected)?;
    }
    Ok(())
}

fn looking(context: &Context<'_>) -> Verdict {
    for most in [3, 20] {
        let mut expected = uneven(context, 300, most);
        let mut table = Table::from_ragged_rows(context.device, &expected)?;
        context.queue().launch::<rows::refill>((&mut table,))?;
        for (id, row) in (0..).zip(&mut expected) {
            for lane in 0..row.times.capacity() {
                row.times.set(lane, u64::from(lane) + 7);
                row.kinds.set(lane, id + lane);
            }
        }
        equal_slices(&format!("300 rows of up to {most} lanes"), &table.read()?, &expected)?;
    }
    Ok(())
}

fn exchanging(context: &Context<'_>) -> Verdict {
    let (first, mut second) = (uneven(context, 500, 8), uneven(context, 500, 8));
    second.iter_mut().for_each(|row| row.last ^= 1);
    let mut a = Table::from_ragged_rows(context.device, &first)?;
    let mut b = Table::from_ragged_rows(context.device, &second)?;
    let mut program = Program::record(context.device, |program| {
        program.repeat(3, |step| {
            step.swap(&mut a, &mut b)?;
            Ok(())
        })
    })?;
    program.run()?;
    equal_slices("the first table after three exchanges", &a.read()?, &second)?;
    equal_slices("the second table after three exchanges", &b.read()?, &first)?;
    a.copy_from(&b)?;
    b.clear()?;
    equal_slices("the copy", &a.read()?, &first)?;
    let zeroed: Vec<Mixed> = first.iter().map(|row| Mixed::zeroed(row.times.capacity())).collect();
    equal_slices("the original, cleared since", &b.read()?, &zeroed)?;
    context.queue().launch::<rows::fill>((&mut b,))?;
    let mut filled = zeroed;
    for (id, row) in (0..).zip(&mut filled) {
        for lane in 0..row.times.capacity() {
            row.times.set(lane, u64::from(lane) + 1);
            row.kinds.set(lane, id);
        }
    }
    equal_slices("cleared rows, filled by a kernel", &b.read()?, &filled)
}

fn refusals(context: &Context<'_>) -> Verdict {
    let device = context.device;
    let rows = uneven(context, 10, 4);
    let mut table = Table::from_ragged_rows(device, &rows)?;
    invalid("a ragged table of rows without lanes", Table::<Small>::ragged(device, &[1, 2]))?;
    invalid("room for nine of ten rows", table.grow_rows(&[1; 9]))?;
    invalid("room for single rows of an even table", Table::<Mixed>::zeroed(device, 10)?.grow_rows(&[1; 10]))?;
    let mut long = rows.clone();
    long[7].set_capacity(40);
    invalid("a write of a row that is too long", table.write(&long))?;
    invalid("a write of too few rows", table.write(&rows[1..]))?;
    invalid("a column of lanes", table.times(0).read())?;
    let mut even = Table::from_rows(device, &rows)?;
    invalid("a copy from an even table", table.copy_from(&even))?;
    invalid("a copy to an even table", even.copy_from(&table))?;
    let order = Table::from_rows(device, &(0..10_u32).rev().collect::<Vec<_>>())?;
    let mut other = Table::from_ragged_rows(device, &rows)?;
    invalid("a gather", context.queue().gather(&order, &table, &mut other))?;
    invalid("a scatter", context.queue().scatter(&order, &table, &mut other))?;
    let cleared = Program::record(device, |program| {
        program.clear(&mut other);
        Ok(())
    });
    invalid("a program that clears it", cleared.and_then(|mut program| program.run()))?;
    let many = Table::<Mixed>::ragged(device, &[u32::MAX, u32::MAX]);
    refused("2^33 lanes", many, "`Error::Limit`", |error| matches!(error, Error::Limit { .. }))?;
    let mut wanted = vec![0; 10];
    wanted[3] = u32::MAX;
    refused("growth to 2^32 lanes", table.grow_rows(&wanted), "`Error::Limit`", |e| matches!(e, Error::Limit { .. }))?;
    equal_slices("the table after refused calls", &table.read()?, &rows)
}
