//! Tables that are exchanged, and parameters that change between replays.

use super::counters::{counters, values};
use crate::case::{Cases, Verdict, equal, refused};
use crate::context::Context;
use crate::kernels::programs::steps::{Counter, Raise, bump, raise, spread};
use imminent_core::{Error, Program, Result, Stop, Table};
use std::ops::ControlFlow;

pub(super) fn add(cases: &mut Cases) {
    cases.add("tables change places without a copy, in a `repeat` too", |context| {
        for times in [0_u32, 1, 2, 3, 8, 9] {
            let (mut a, mut b) = (counters(context.device, &[1, 2, 3])?, counters(context.device, &[0, 0, 0])?);
            let mut program = Program::record(context.device, |program| {
                program.repeat(times, |step| {
                    step.launch::<spread>((&mut b, &a))?;
                    step.swap(&mut a, &mut b)
                })
            })?;
            let mut expected = vec![1, 2, 3];
            for replay in 1..=3 {
                program.run()?;
                (0..times).for_each(|_| expected = spread_plainly(&expected));
                equal(&format!("after replay {replay} of {times} times"), &values(&a)?, &expected)?;
            }
        }
        Ok(())
    });
    cases.add("tables change places in every step of a loop", |context| {
        for steps in [0_u64, 1, 2, 3, 64, 65, 301] {
            let (mut a, mut b) = (counters(context.device, &[5, 0, 7, 1])?, counters(context.device, &[0; 4])?);
            let mut program = stepping(context, &mut a, &mut b, steps)?;
            let mut expected = vec![5, 0, 7, 1];
            for replay in 1..=2 {
                equal("why it ended", &program.run()?.stop, &Stop::StepLimit)?;
                (0..steps).for_each(|_| expected = spread_plainly(&expected));
                equal(&format!("after replay {replay} of {steps} steps"), &values(&a)?, &expected)?;
            }
        }
        Ok(())
    });
    cases.add("three tables rotate", |context| {
        let mut tables = [10, 20, 30].map(|n| counters(context.device, &[n]));
        let [Ok(a), Ok(b), Ok(c)] = &mut tables else { return Err(Error::invalid("tables", "no memory").into()) };
        let mut program = Program::record(context.device, |program| {
            program.loop_until(7, |step| {
                let last = step.launch::<bump>((a,))?;
                step.swap(a, b)?;
                step.swap(b, c)?;
                Ok(vec![last.equals(u64::MAX)])
            })
        })?;
        program.run()?;
        // Seven rotations of three equal one. The table that was first is last, and the first was used three times.
        equal("the tables", &[values(a)?, values(b)?, values(c)?], &[vec![22], vec![32], vec![13]])
    });
    cases.add("a cancelled loop leaves every table the rows of its last step", cancelled);
    cases.add("tables that have changed places are written and read as any other", |context| {
        let (mut a, mut b) = (counters(context.device, &[1])?, counters(context.device, &[2])?);
        let mut program = Program::record(context.device, |program| program.swap(&mut a, &mut b))?;
        program.run()?;
        equal("the tables", &[values(&a)?, values(&b)?], &[vec![2], vec![1]])?;
        a.write(&[Counter { n: 9 }])?;
        program.run()?;
        equal("the tables after a write and another exchange", &[values(&a)?, values(&b)?], &[vec![1], vec![9]])
    });
    cases.add("tables that would change places an unknown number of times are refused", |context| {
        let invalid = |error: &Error| matches!(error, Error::Invalid { .. });
        let (mut a, mut b) = (counters(context.device, &[1])?, counters(context.device, &[2])?);
        let mut inner = Program::record(context.device, |program| {
            program.loop_until(2, |outer| {
                outer.loop_until(3, |step| {
                    step.swap(&mut a, &mut b)?;
                    Ok(vec![step.launch::<bump>((&mut a,))?.equals(0)])
                })?;
                Ok(vec![outer.launch::<bump>((&mut a,))?.equals(0)])
            })
        })?;
        refused("a swap in an inner loop", inner.run(), "`Error::Invalid`", invalid)?;
        let mut early = Program::record(context.device, |program| {
            program.loop_until(3, |step| {
                step.swap(&mut a, &mut b)?;
                Ok(vec![step.launch::<bump>((&mut a,))?.equals(0)])
            })?;
            program.launch::<bump>((&mut a,)).map(drop)
        })?;
        refused("a swap in a loop that is not the last node", early.run(), "`Error::Invalid`", invalid)?;
        equal("the tables", &[values(&a)?, values(&b)?], &[vec![1], vec![2]])
    });
    cases.add("parameters change between replays", |context| {
        let mut table = counters(context.device, &[0, 100])?;
        let mut program = Program::record(context.device, |program| {
            program.launch::<raise>((&mut table, &Raise { by: 1 }))?;
            program.loop_until(3, |step| {
                step.launch::<raise>((&mut table, &Raise { by: 1 }))?;
                Ok(vec![step.launch::<bump>((&mut table,))?.equals(0)])
            })
        })?;
        let mut expected = 0;
        for by in [1_u64, 1, 7, 1 << 40] {
            program.set_params::<raise, Raise>(&Raise { by })?;
            program.run()?;
            expected += 4 * by + 3;
            equal(&format!("the counters after a replay by {by}"), &values(&table)?, &vec![expected, expected + 100])?;
        }
        let foreign = program.set_params::<bump, Raise>(&Raise { by: 1 });
        refused("a kernel without parameters", foreign, "`Error::Invalid`", |e| matches!(e, Error::Invalid { .. }))
    });
}

/// Computes the result of `spread` in plain Rust.
fn spread_plainly(before: &[u64]) -> Vec<u64> {
    let left = |i: usize| before[(i + before.len() - 1) % before.len()];
    (0..before.len()).map(|i| before[i].wrapping_mul(3).wrapping_add(left(i)).wrapping_add(1)).collect()
}

fn stepping(context: &Context<'_>, a: &mut Table<Counter>, b: &mut Table<Counter>, steps: u64) -> Result<Program> {
    let mut steps_done = counters(context.device, &[0])?;
    Program::record(context.device, |program| {
        program.loop_until(steps, |step| {
            step.launch::<spread>((b, a))?;
            step.swap(a, b)?;
            Ok(vec![step.launch::<bump>((&mut steps_done,))?.equals(0)])
        })
    })
}

fn cancelled(context: &Context<'_>) -> Verdict {
    let (mut a, mut b) = (counters(context.device, &[1, 2])?, counters(context.device, &[0, 0])?);
    let mut program = stepping(context, &mut a, &mut b, u64::MAX)?;
    let mut expected = vec![1, 2];
    for _ in 0..2 {
        let outcome = program.run_with(|_| ControlFlow::Break(()))?;
        equal("why it ended", &outcome.stop, &Stop::Cancelled)?;
        (0..outcome.steps).for_each(|_| expected = spread_plainly(&expected));
        equal("the rows", &values(&a)?, &expected)?;
    }
    Ok(())
}
