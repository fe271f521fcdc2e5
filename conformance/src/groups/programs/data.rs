//! Operations of programs on tables: copies, results that feed launches, growth.

use super::counters::{counters, values};
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::programs::steps::{Clock, Counter, Line, bump, push, spread, total};
use imminent_core::{Error, Lanes, Program, Stop, Table, TallyTable};

pub(super) fn add(cases: &mut Cases) {
    cases.add("two tables by turns, and copies and clears between launches", |context| {
        let start: Vec<u64> = (0..300).map(|n| n * n).collect();
        let (mut a, mut b) = (counters(context.device, &start)?, counters(context.device, &[5; 300])?);
        let mut kept = counters(context.device, &[1; 300])?;
        let mut program = Program::record(context.device, |program| {
            program.repeat(6, |step| {
                step.launch::<spread>((&mut b, &a))?;
                step.copy(&b, &mut kept)?;
                step.launch::<spread>((&mut a, &b))?;
                step.clear(&mut b);
                Ok(())
            })
        })?;
        program.run()?;
        let (mut before, mut copied) = (start, Vec::new());
        for _ in 0..6 {
            copied = spread_once(&before);
            before = spread_once(&copied);
        }
        equal_slices("the one table", &values(&a)?, &before)?;
        equal_slices("the cleared table", &values(&b)?, &[0; 300])?;
        equal_slices("the copy", &values(&kept)?, &copied)
    });
    cases.add("a result goes into a table, which the next launch reads", |context| {
        let mut table = counters(context.device, &[1, 2, 3])?;
        let mut sum = Table::<Counter>::from_rows(context.device, &[Counter { n: 99 }])?;
        let mut other = counters(context.device, &[0])?;
        let result = context.queue().launch_into::<total, _>((&table,), &mut sum)?;
        equal("the result", &result.read()?, &6)?;
        equal("the table that took it", &values(&sum)?, &vec![6])?;
        let mut program = Program::record(context.device, |program| {
            program.repeat(3, |step| {
                step.launch::<bump>((&mut table,))?;
                step.launch_into::<total, _>((&table,), &mut sum)?;
                step.launch::<spread>((&mut other, &sum)).map(drop)
            })
        })?;
        program.run()?;
        equal("the sum of the last step", &values(&sum)?, &vec![15])?;
        equal("what the last launch made of it", &values(&other)?, &vec![15 * 4 + 1])
    });
    cases.add("a result goes only where it fits", |context| {
        let table = counters(context.device, &[1, 2, 3])?;
        let invalid = |error: &Error| matches!(error, Error::Invalid { .. });
        let mut two = counters(context.device, &[0, 0])?;
        let result = context.queue().launch_into::<total, _>((&table,), &mut two);
        crate::case::refused("a result into a table of two rows", result, "`Error::Invalid`", invalid)?;
        let mut narrow = Table::<u32>::zeroed(context.device, 1)?;
        let result = context.queue().launch_into::<total, _>((&table,), &mut narrow);
        crate::case::refused("a u64 into a column of u32", result, "`Error::Invalid`", invalid)
    });
    cases.add("a loop watches the fullest line, the host grows it, the program goes on", growth);
    cases.add("results of a loop are those of its last step", |context| {
        let mut table = counters(context.device, &[0, 1])?;
        let mut clock = Table::<Clock>::zeroed(context.device, 1)?;
        let (mut most, mut sum) = (None, None);
        let mut program = Program::record(context.device, |program| {
            program.loop_until(100, |step| {
                let greatest = step.launch_into::<bump, _>((&mut table,), &mut clock)?;
                sum = Some(step.launch::<total>((&table,))?);
                most = Some(greatest.clone());
                Ok(vec![greatest.at_least(13)])
            })
        })?;
        equal("steps", &program.run()?.steps, &12)?;
        let (Some(most), Some(sum)) = (most, sum) else { return Ok(()) };
        equal("the greatest and the sum", &(most.read()?, sum.read()?), &(13, 25))?;
        equal("the table that took the greatest", &clock.read()?, &vec![Clock { time: 13 }])
    });
}

/// Computes the result of the kernel `spread` on a table.
fn spread_once(before: &[u64]) -> Vec<u64> {
    let last = before.last().copied().unwrap_or(0);
    let lefts = std::iter::once(last).chain(before.iter().copied());
    before.iter().zip(lefts).map(|(own, left)| own.wrapping_mul(3).wrapping_add(left).wrapping_add(1)).collect()
}

fn growth(context: &Context<'_>) -> Verdict {
    let rows = 130_u32;
    let mut lines = Table::<Line>::with_capacity(context.device, rows as usize, 1)?;
    let mut fullest = TallyTable::new(context.device, &[0_u32])?;
    let mut pushed = 0;
    // Bounded, since a backend whose loops do not run must not block the suite.
    for _ in 0..40 {
        if pushed >= 40 {
            break;
        }
        if pushed >= lines.capacity() {
            lines.grow(lines.capacity() * 2)?;
        }
        let capacity = lines.capacity();
        let mut program = Program::record(context.device, |program| {
            program.loop_until(u64::from(40 - pushed), |step| {
                step.launch::<push>((&mut lines, &fullest))?;
                Ok(vec![fullest.at_least(0, capacity)])
            })
        })?;
        let outcome = program.run()?;
        pushed += outcome.steps as u32;
        equal("how full the fullest line is", &fullest.read()?, &vec![pushed])?;
        match outcome.stop {
            Stop::Condition(0) => lines.grow(capacity * 2)?,
            stop => equal("why it ended", &stop, &Stop::StepLimit)?,
        }
        // A program that was recorded before the growth continues with the grown table.
        if pushed < 40 && outcome.stop == Stop::Condition(0) {
            let again = program.run()?;
            pushed += again.steps as u32;
        }
    }
    let capacity = lines.capacity();
    let expected: Vec<Line> = (0..rows)
        .map(|id| {
            let mut items = Lanes::zeroed(capacity);
            (0..pushed).for_each(|lane| items.set(lane, u64::from(lane) * 1000 + u64::from(id)));
            Line { used: pushed, items }
        })
        .collect();
    equal_slices("the lines", &lines.read()?, &expected)?;
    fullest.fill(0)?;
    equal("the tally, filled", &fullest.read()?, &vec![0])
}
