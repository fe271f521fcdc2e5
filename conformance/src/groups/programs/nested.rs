//! Nested loops.

use super::counters::{counters, values};
use crate::case::{Cases, Verdict, equal, refused};
use crate::context::Context;
use crate::kernels::programs::steps::{Walk, bump, set_out, walk};
use imminent_core::{Error, Outcome, Program, Stop, Table};
use std::ops::ControlFlow;

pub(super) fn add(cases: &mut Cases) {
    cases.add("a loop inside a loop starts anew in every step", |context| {
        let mut inner = counters(context.device, &[0])?;
        let mut all = counters(context.device, &[0, 1])?;
        let mut outer = counters(context.device, &[0])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(1000, |step| {
                step.clear(&mut inner);
                step.loop_until(100, |again| {
                    again.launch::<bump>((&mut all,))?;
                    Ok(vec![again.launch::<bump>((&mut inner,))?.at_least(6)])
                })?;
                Ok(vec![step.launch::<bump>((&mut outer,))?.at_least(20)])
            })
        })?;
        equal("the outcome", &program.run()?, &Outcome { steps: 20, stop: Stop::Condition(0) })?;
        let found = [values(&inner)?, values(&all)?, values(&outer)?];
        equal("the counters", &found, &[vec![6], vec![120, 121], vec![20]])
    });
    cases.add("an inner loop may take any number of steps", any_number_of_steps);
    cases.add("an inner loop ends after its own `max_steps`, also after none", |context| {
        for limit in [0_u64, 1, 2, 63, 64, 65, 300] {
            let mut table = counters(context.device, &[0])?;
            let mut outer = counters(context.device, &[0])?;
            let mut program = Program::record(context.device, |program| {
                program.loop_until(3, |step| {
                    step.loop_until(limit, |again| Ok(vec![again.launch::<bump>((&mut table,))?.equals(u64::MAX)]))?;
                    Ok(vec![step.launch::<bump>((&mut outer,))?.equals(u64::MAX)])
                })
            })?;
            equal("the outcome", &program.run()?, &Outcome { steps: 3, stop: Stop::StepLimit })?;
            equal("the counters", &[values(&table)?, values(&outer)?], &[vec![3 * limit], vec![3]])?;
        }
        Ok(())
    });
    cases.add("loops nest three deep, and beside one another, with repetitions between", |context| {
        let mut tables = [0; 4].map(|_| counters(context.device, &[0]));
        let [a, b, c, d] = &mut tables;
        let (Ok(a), Ok(b), Ok(c), Ok(d)) = (a, b, c, d) else {
            return Err(Error::invalid("tables", "no memory").into());
        };
        let mut program = Program::record(context.device, |program| {
            program.loop_until(5, |outer| {
                outer.clear(a);
                outer.loop_until(100, |middle| {
                    middle.repeat(2, |again| {
                        again.clear(b);
                        again.loop_until(100, |inner| {
                            inner.launch::<bump>((c,))?;
                            Ok(vec![inner.launch::<bump>((b,))?.at_least(3)])
                        })
                    })?;
                    Ok(vec![middle.launch::<bump>((a,))?.at_least(4)])
                })?;
                outer.loop_until(7, |beside| Ok(vec![beside.launch::<bump>((d,))?.equals(u64::MAX)]))?;
                Ok(vec![outer.launch::<bump>((a,))?.equals(u64::MAX)])
            })
        })?;
        equal("the outcome", &program.run()?, &Outcome { steps: 5, stop: Stop::StepLimit })?;
        let found = [values(a)?, values(b)?, values(c)?, values(d)?];
        equal("the counters", &found, &[vec![5], vec![3], vec![5 * 4 * 2 * 3], vec![35]])
    });
    cases.add("a fault in an inner loop ends everything", |context| {
        let mut table = Table::from_rows(context.device, &[Walk { n: 0, start: 0, steps: 0 }])?;
        let mut after = counters(context.device, &[0])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(10, |step| {
                step.loop_until(10, |again| Ok(vec![again.launch::<walk>((&mut table,))?.equals(1)]))?;
                Ok(vec![step.launch::<bump>((&mut after,))?.equals(u64::MAX)])
            })
        })?;
        refused("the program", program.run(), "`Error::Fault`", |error| matches!(error, Error::Fault(_)))
    });
    cases.add("a cancelled loop with a loop inside stops between two steps", cancelled);
}

/// Computes in plain Rust the number of steps from each start to 1.
fn collatz(starts: u64) -> u64 {
    let mut steps = 0;
    for start in 1..=starts {
        let mut n = start;
        loop {
            steps += 1;
            n = if n % 2 == 0 {
                n / 2
            } else if n == 1 {
                1
            } else {
                3 * n + 1
            };
            if n == 1 {
                break;
            }
        }
    }
    steps
}

fn collatz_program(context: &Context<'_>, table: &mut Table<Walk>, starts: u64) -> imminent_core::Result<Program> {
    Program::record(context.device, |program| {
        program.loop_until(u64::MAX, |step| {
            let start = step.launch::<set_out>((table,))?;
            step.loop_until(u64::MAX, |again| Ok(vec![again.launch::<walk>((table,))?.equals(1)]))?;
            Ok(vec![start.at_least(starts)])
        })
    })
}

fn any_number_of_steps(context: &Context<'_>) -> Verdict {
    for starts in [1, 2, 7, 60] {
        let mut table = Table::from_rows(context.device, &[Walk { n: 0, start: 0, steps: 0 }])?;
        let outcome = collatz_program(context, &mut table, starts)?.run()?;
        equal("the outcome", &outcome, &Outcome { steps: starts, stop: Stop::Condition(0) })?;
        equal("the walk", &table.read()?, &vec![Walk { n: 1, start: starts, steps: collatz(starts) }])?;
    }
    Ok(())
}

fn cancelled(context: &Context<'_>) -> Verdict {
    let mut table = Table::from_rows(context.device, &[Walk { n: 0, start: 0, steps: 0 }])?;
    let outcome = collatz_program(context, &mut table, u64::MAX)?.run_with(|_| ControlFlow::Break(()))?;
    equal("why it ended", &outcome.stop, &Stop::Cancelled)?;
    let expected = Walk { n: 1, start: outcome.steps, steps: collatz(outcome.steps) };
    equal("the walk after whole steps", &table.read()?, &vec![expected])
}
