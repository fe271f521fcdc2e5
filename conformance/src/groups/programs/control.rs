//! Control flow of programs: order, repetition, loops, limits, cancellation.

use super::counters::{counters, values};
use crate::case::{Cases, Verdict, ensure, equal, refused};
use crate::context::Context;
use crate::kernels::programs::steps::{Clock, Entity};
use crate::kernels::programs::steps::{bump, execute, next_event, total};
use imminent_core::{Error, Outcome, Program, Stop, Table};
use std::ops::ControlFlow;

pub(super) fn add(cases: &mut Cases) {
    cases.add("an empty program ends at once", |context| {
        let mut program = Program::record(context.device, |_| Ok(()))?;
        for _ in 0..3 {
            equal("the outcome", &program.run()?, &Outcome { steps: 0, stop: Stop::End })?;
        }
        Ok(())
    });
    cases.add("every replay goes on where the last one ended", |context| {
        let mut table = counters(context.device, &[0, 10, 20])?;
        let mut most = None;
        let mut program = Program::record(context.device, |program| {
            most = Some(program.launch::<bump>((&mut table,))?);
            program.launch::<bump>((&mut table,))?;
            Ok(())
        })?;
        for replay in 1..=5_u64 {
            equal("the outcome", &program.run()?, &Outcome { steps: 0, stop: Stop::End })?;
            equal("the counters", &values(&table)?, &vec![2 * replay, 10 + 2 * replay, 20 + 2 * replay])?;
            let Some(most) = &most else { continue };
            equal("the first launch's result", &most.read()?, &(20 + 2 * replay - 1))?;
        }
        Ok(())
    });
    cases.add("`repeat` runs its nodes so many times, none for 0, and nests", |context| {
        for (times, inner) in [(0_u32, 5_u32), (1, 1), (7, 0), (3, 4), (100, 3)] {
            let mut table = counters(context.device, &[0, 5])?;
            let mut program = Program::record(context.device, |program| {
                program.repeat(times, |outer| {
                    outer.launch::<bump>((&mut table,))?;
                    outer.repeat(inner, |inner| inner.launch::<bump>((&mut table,)).map(drop))
                })
            })?;
            program.run()?;
            let expected = u64::from(times * (1 + inner));
            equal(
                &format!("counters after {times} times (1 + {inner})"),
                &values(&table)?,
                &vec![expected, expected + 5],
            )?;
        }
        Ok(())
    });
    cases.add("`loop_until` ends after the step in which its condition holds", |context| {
        for limit in [0_u64, 1, 2, 17, 1000] {
            let mut table = counters(context.device, &[0, 3, 1])?;
            let mut program = Program::record(context.device, |program| {
                program.loop_until(u64::MAX, |step| Ok(vec![step.launch::<bump>((&mut table,))?.at_least(limit)]))
            })?;
            // The greatest counter starts at 3; a step comes before its test.
            let steps = limit.saturating_sub(3).max(1);
            equal(&format!("the loop to {limit}"), &program.run()?, &Outcome { steps, stop: Stop::Condition(0) })?;
            equal("the counters", &values(&table)?, &vec![steps, 3 + steps, 1 + steps])?;
        }
        Ok(())
    });
    cases.add("a loop ends after `max_steps`, also after none", |context| {
        for max_steps in [0_u64, 1, 2, 63, 64, 65, 1000] {
            let mut table = counters(context.device, &[0])?;
            let mut program = Program::record(context.device, |program| {
                program.loop_until(max_steps, |step| Ok(vec![step.launch::<bump>((&mut table,))?.equals(u64::MAX)]))
            })?;
            let expected = Outcome { steps: max_steps, stop: Stop::StepLimit };
            equal(&format!("a loop of {max_steps} steps"), &program.run()?, &expected)?;
            equal("the counter", &values(&table)?, &vec![max_steps])?;
        }
        Ok(())
    });
    cases.add("the condition counts before the limit where both end the same step", |context| {
        let mut table = counters(context.device, &[0])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(9, |step| Ok(vec![step.launch::<bump>((&mut table,))?.at_least(9)]))
        })?;
        equal("the outcome", &program.run()?, &Outcome { steps: 9, stop: Stop::Condition(0) })
    });
    cases.add("nodes after a loop run, and loops follow one another", |context| {
        let mut table = counters(context.device, &[0])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(100, |step| Ok(vec![step.launch::<bump>((&mut table,))?.at_least(10)]))?;
            program.launch::<bump>((&mut table,))?;
            program.loop_until(100, |step| Ok(vec![step.launch::<bump>((&mut table,))?.at_least(25)]))?;
            program.launch::<bump>((&mut table,)).map(drop)
        })?;
        equal("the outcome of the last loop", &program.run()?, &Outcome { steps: 14, stop: Stop::Condition(0) })?;
        equal("the counter", &values(&table)?, &vec![26])
    });
    cases.add("a `repeat` inside a loop is one step", |context| {
        let mut table = counters(context.device, &[0, 1])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(1000, |step| {
                step.repeat(5, |inner| inner.launch::<bump>((&mut table,)).map(drop))?;
                Ok(vec![step.launch::<total>((&table,))?.above(100)])
            })
        })?;
        // Two counters: the sum is 1 + 10 a step.
        equal("the outcome", &program.run()?, &Outcome { steps: 10, stop: Stop::Condition(0) })?;
        equal("the counters", &values(&table)?, &vec![50, 51])
    });
    cases.add("a loop inside a `repeat` starts anew each time", |context| {
        let mut table = counters(context.device, &[0])?;
        let mut sum = counters(context.device, &[0])?;
        let mut program = Program::record(context.device, |program| {
            program.repeat(4, |outer| {
                outer.clear(&mut table);
                outer.launch::<bump>((&mut sum,))?;
                outer.loop_until(100, |step| Ok(vec![step.launch::<bump>((&mut table,))?.at_least(6)]))
            })
        })?;
        equal("the outcome of the last loop", &program.run()?, &Outcome { steps: 6, stop: Stop::Condition(0) })?;
        equal("the counters", &[values(&table)?, values(&sum)?], &[vec![6], vec![4]])
    });
    cases.add("a cancelled loop leaves the state of the step that it reports", cancelled);
    cases.add("a program over empty tables ends by the identities", |context| {
        let mut entities = Table::<Entity>::zeroed(context.device, 0)?;
        let mut clock = Table::<Clock>::zeroed(context.device, 1)?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(10, |step| {
                let next = step.launch_into::<next_event, _>((&entities,), &mut clock)?;
                step.launch::<execute>((&mut entities, &clock))?;
                Ok(vec![next.equals(u64::MAX)])
            })
        })?;
        equal("the outcome", &program.run()?, &Outcome { steps: 1, stop: Stop::Condition(0) })?;
        equal("the clock", &clock.read()?, &vec![Clock { time: u64::MAX }])
    });
    cases.add("a loop without a condition is refused", |context| {
        let invalid = |error: &Error| matches!(error, Error::Invalid { .. });
        let endless = Program::record(context.device, |program| program.loop_until(10, |_| Ok(Vec::new())));
        refused("a loop without a condition", endless, "`Error::Invalid`", invalid)
    });
}

fn cancelled(context: &Context<'_>) -> Verdict {
    let mut table = counters(context.device, &[0, 100])?;
    let mut program = Program::record(context.device, |program| {
        program.loop_until(1 << 22, |step| Ok(vec![step.launch::<bump>((&mut table,))?.equals(0)]))
    })?;
    let mut heard = 0;
    let mut last = 0;
    let outcome = program.run_with(|progress| {
        heard += 1;
        last = progress.steps;
        if heard == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    equal("why it ended", &outcome.stop, &Stop::Cancelled)?;
    ensure(outcome.steps >= last && outcome.steps > 0, || {
        format!("steps: expected at least the {last} that progress had told, found {}", outcome.steps)
    })?;
    equal("the counters", &values(&table)?, &vec![outcome.steps, 100 + outcome.steps])?;
    // The program continues from there.
    let again = program.run_with(|_| ControlFlow::Break(()))?;
    let steps = outcome.steps + again.steps;
    equal("the counters after another run", &values(&table)?, &vec![steps, 100 + steps])
}
