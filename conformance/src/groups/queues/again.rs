//! Repeated launches: cached data about the last launch is valid as long as the launch is the same.

use crate::case::{Cases, Verdict, ensure, equal, equal_slices, fail, refused};
use crate::context::Context;
use crate::kernels::faults::faulty::{self, Given, Seen};
use crate::kernels::memory::rows::{self, Small};
use crate::kernels::programs::steps::{self, Counter, Line, Raise};
use imminent_core::{Error, Program, Table, TallyTable};

fn counters(context: &Context<'_>, values: &[u64]) -> Result<Table<Counter>, Error> {
    Table::from_rows(context.device, &values.iter().map(|n| Counter { n: *n }).collect::<Vec<_>>())
}

fn values(table: &Table<Counter>) -> Result<Vec<u64>, Error> {
    Ok(table.read()?.iter().map(|counter| counter.n).collect())
}

/// Computes the result of `spread`.
fn spread(me: &mut [u64], before: &[u64]) {
    for (id, n) in me.iter_mut().enumerate() {
        let left = if id == 0 { before.len() - 1 } else { id - 1 };
        *n = before[id].wrapping_mul(3).wrapping_add(before[left]).wrapping_add(1);
    }
}

fn other_tables(cases: &mut Cases) {
    cases.add("a kernel is launched with the same tables in other places", |context| {
        let mut expected = [vec![1, 2, 3, 4, 5], vec![9, 8, 7, 6, 5], vec![0; 5]];
        let mut tables = expected.iter().map(|values| counters(context, values)).collect::<Result<Vec<_>, _>>()?;
        let Ok([a, b, c]) = tables.get_disjoint_mut([0, 1, 2]) else { return fail("the suite itself is wrong") };
        let queue = context.queue();
        for round in 0..12 {
            queue.launch::<steps::spread>((a, b))?;
            queue.launch::<steps::spread>((b, a))?;
            queue.launch::<steps::spread>((b, if round % 3 == 0 { &*c } else { &*a }))?;
            queue.launch::<steps::spread>((c, b))?;
            let [x, y, z] = &mut expected;
            spread(x, y);
            spread(y, x);
            spread(y, if round % 3 == 0 { &*z } else { &*x });
            spread(z, y);
        }
        for (table, expected) in [a, b, c].into_iter().zip(&expected) {
            equal_slices("a table", &values(table)?, expected)?;
        }
        Ok(())
    });
    cases.add("more launches come by turns than any queue keeps", |context| {
        let mut tables = (0..150).map(|_| Table::<Small>::zeroed(context.device, 9)).collect::<Result<Vec<_>, _>>()?;
        for _ in 0..4 {
            for table in &mut tables {
                context.queue().launch::<rows::add_id>((table,))?;
            }
        }
        let expected: Vec<Small> = (0..9).map(|id| Small { value: id * 4 }).collect();
        tables.iter().try_for_each(|table| equal_slices("a table", &table.read()?, &expected))
    });
    cases.add("a launch finds the tables that are there now, whatever was there before", |context| {
        for round in 0..30 {
            let mut table = counters(context, &[round, round + 1])?;
            let other = counters(context, &[5, round])?;
            for _ in 0..3 {
                context.queue().launch::<steps::spread>((&mut table, &other))?;
            }
            let mut expected = [0, 0];
            spread(&mut expected, &[5, round]);
            equal_slices("the table of a round", &values(&table)?, &expected)?;
        }
        Ok(())
    });
}

fn other_values(cases: &mut Cases) {
    cases.add("a launch that comes again takes the parameters and the rows that it is given", |context| {
        let (mut table, queue) = (counters(context, &[0; 6])?, context.queue());
        let mut expected = [0_u64; 6];
        for (by, rows) in [(1, 6), (1, 6), (1, 6), (20, 6), (20, 4), (300, 4), (300, 6), (300, 0), (1, 6), (1, 2)] {
            queue.launch_rows::<steps::raise>(rows, (&mut table, &Raise { by }))?;
            queue.launch::<steps::raise>((&mut table, &Raise { by: by * 10_000 }))?;
            expected.iter_mut().take(rows).for_each(|n| *n += by);
            expected.iter_mut().for_each(|n| *n += by * 10_000);
        }
        equal_slices("the table", &values(&table)?, &expected)
    });
    cases.add("results go into the table that is given", |context| {
        let (mut table, queue) = (counters(context, &[3, 1, 2])?, context.queue());
        let (mut first, mut second) = (counters(context, &[0])?, counters(context, &[0])?);
        for round in 0..8 {
            queue.launch_into::<steps::bump, _>((&mut table,), &mut first)?;
            queue.launch_into::<steps::bump, _>((&mut table,), &mut second)?;
            let scalar = queue.launch::<steps::bump>((&mut table,))?;
            equal("the results", &(values(&first)?, values(&second)?), &(vec![round * 3 + 4], vec![round * 3 + 5]))?;
            equal("the result of its own", &scalar.read()?, &(round * 3 + 6))?;
        }
        Ok(())
    });
    cases.add("launches and errors of several queues come again in order", |context| {
        let queues = [context.queue(), context.device.new_queue()?, context.device.new_queue()?];
        let (mut a, mut b) = (counters(context, &[1, 2, 3])?, counters(context, &[0, 0, 0])?);
        let mut expected = [vec![1, 2, 3], vec![0, 0, 0]];
        for round in 0..30 {
            queues[round % 3].launch::<steps::spread>((&mut b, &a))?;
            queues[round % 2].launch::<steps::spread>((&mut a, &b))?;
            let [x, y] = &mut expected;
            spread(y, x);
            spread(x, y);
        }
        equal("the tables", &[values(&a)?, values(&b)?], &expected)
    });
}

fn other_memory(cases: &mut Cases) {
    cases.add("a launch finds a table that has grown where it is now", |context| {
        let mut lines = Table::<Line>::with_capacity(context.device, 40, 2)?;
        let fullest = TallyTable::new(context.device, &[0_u32])?;
        for used in 0..20 {
            if used >= lines.capacity() {
                lines.grow(lines.capacity() * 2)?;
            }
            context.queue().launch::<steps::push>((&mut lines, &fullest))?;
        }
        equal("the tally", &fullest.read()?, &vec![20])?;
        for (id, line) in (0_u64..).zip(lines.read()?) {
            let items: Vec<u64> = (0..20).map(|used| line.items.get(used)).collect();
            let expected: Vec<u64> = (0..20).map(|used| used * 1000 + id).collect();
            equal_slices("the items of a line", &items, &expected)?;
        }
        Ok(())
    });
    cases.add("a launch finds tables that have changed places", |context| {
        let (mut a, mut b) = (counters(context, &[1, 2])?, counters(context, &[30, 40])?);
        let mut program = Program::record(context.device, |program| program.swap(&mut a, &mut b))?;
        let mut expected = [vec![1, 2], vec![30, 40]];
        for round in 0..9 {
            for _ in 0..2 {
                context.queue().launch::<steps::raise>((&mut a, &Raise { by: 1000 }))?;
                expected[0].iter_mut().for_each(|n| *n += 1000);
            }
            if round % 3 > 0 {
                program.run()?;
                expected.swap(0, 1);
            }
            equal("the tables", &[values(&a)?, values(&b)?], &expected)?;
        }
        Ok(())
    });
    cases.add("what was launched is no reason to keep a table's memory", |context| {
        let (rows, queue) = (200_000, context.queue());
        let other = context.device.new_queue()?;
        let round = |grows: bool| -> Verdict {
            let mut table = Table::<Small>::zeroed(context.device, rows)?;
            let from = Table::<Small>::zeroed(context.device, rows)?;
            let mut lines = Table::<Line>::with_capacity(context.device, rows / 10, 1)?;
            let fullest = TallyTable::new(context.device, &[0_u32])?;
            for _ in 0..3 {
                queue.launch::<rows::take>((&mut table, &from))?;
                other.launch::<rows::take>((&mut table, &from))?;
            }
            queue.launch::<steps::push>((&mut lines, &fullest))?;
            if grows {
                lines.grow(2)?;
            }
            drop((table, from, lines));
            other.wait()?;
            Ok(queue.wait()?)
        };
        round(true)?;
        round(true)?;
        let backend = context.device.backend();
        let before = backend.allocated_bytes();
        for turn in 0..12 {
            round(turn % 2 == 0)?;
        }
        let after = backend.allocated_bytes();
        ensure(after <= before + 5_000_000, || {
            format!("{before} bytes were allocated before tables of 800000 bytes came and went, {after} after")
        })
    });
}

pub(super) fn add(cases: &mut Cases) {
    other_tables(cases);
    other_values(cases);
    other_memory(cases);
    cases.add("a poisoned table is refused though it was taken before, and taken when it is cured", |context| {
        let good = Given { a: 6, b: 2, c: 1, d: 1 };
        let mut given = Table::from_rows(context.device, &[good, good])?;
        let mut seen = Table::<Seen>::zeroed(context.device, 2)?;
        let queue = context.queue();
        for _ in 0..2 {
            for _ in 0..3 {
                queue.launch::<faulty::division>((&given, &mut seen))?;
            }
            queue.wait()?;
            given.write(&[good, Given { b: 0, ..good }])?;
            let failed = queue.launch::<faulty::division>((&given, &mut seen)).and_then(|_| queue.wait());
            refused(
                "a launch over a row that divides by zero",
                failed,
                "`Error::Fault`",
                |error| matches!(error, Error::Fault(fault) if fault.row == 1),
            )?;
            let poisoned = queue.launch::<faulty::division>((&given, &mut seen));
            let is_poisoned = |error: &Error| matches!(error, Error::Poisoned { .. });
            refused("a launch with the poisoned table", poisoned, "`Error::Poisoned`", is_poisoned)?;
            given.write(&[good, good])?;
            seen.clear()?;
            queue.launch::<faulty::division>((&given, &mut seen))?;
            equal_slices("the quotients", &seen.read()?.iter().map(|seen| seen.x).collect::<Vec<_>>(), &[3, 3])?;
        }
        Ok(())
    });
}
