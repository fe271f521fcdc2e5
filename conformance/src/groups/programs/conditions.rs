//! Conditions tested on the device: every comparison, every type, several at once.

use super::counters::counters;
use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use crate::kernels::programs::steps::{
    Line, Signed, at_twenty, bump, down, down_small, halve, least, odd, push, total,
};
use imminent_core::{Condition, Error, Outcome, Program, ProgramBuilder, Stop, Table, TallyTable};

/// Runs a loop of at most 200 steps and checks the number of steps.
fn steps(
    context: &Context<'_>,
    what: &str,
    expected: u64,
    record: impl FnOnce(&mut ProgramBuilder) -> Result<Vec<Condition>, Error>,
) -> Verdict {
    let mut program = Program::record(context.device, |program| program.loop_until(200, record))?;
    equal(what, &program.run()?, &Outcome { steps: expected, stop: Stop::Condition(0) })
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("every comparison of a u64, on both sides of 2^32", |context| {
        let start = (1 << 32) - 5;
        let run = |what: &str, expected, condition: fn(&imminent_core::Scalar<u64>) -> Condition| {
            let mut table = counters(context.device, &[start, 7])?;
            steps(context, what, expected, |step| Ok(vec![condition(&step.launch::<bump>((&mut table,))?)]))
        };
        run("at_least", 8, |n| n.at_least((1 << 32) + 3))?;
        run("above", 9, |n| n.above((1 << 32) + 3))?;
        run("equals", 5, |n| n.equals(1 << 32))?;
        run("differs", 2, |n| n.differs((1 << 32) - 4))?;
        run("below a large constant", 1, |n| n.below(1 << 33))?;
        run("at_most its first value", 1, |n| n.at_most((1 << 32) - 4))
    });
    cases.add("comparisons of signed integers cross zero", |context| {
        let table = |context: &Context<'_>| {
            Table::from_rows(
                context.device,
                &[Signed { n: 6_000_000_000, x: 8.0, small: 10 }, Signed { n: i64::MAX, x: 1.0, small: 90 }],
            )
        };
        let mut rows = table(context)?;
        // 4.5, 3, 1.5, 0, -1.5 thousand million.
        steps(context, "i64 below 0", 5, |step| Ok(vec![step.launch::<down>((&mut rows,))?.below(0)]))?;
        let mut rows = table(context)?;
        steps(context, "i64 at most 0", 4, |step| Ok(vec![step.launch::<down>((&mut rows,))?.at_most(0)]))?;
        let mut rows = table(context)?;
        // 7, 4, 1, -2, -5.
        steps(context, "i32 below -2", 5, |step| Ok(vec![step.launch::<down_small>((&mut rows,))?.below(-2)]))?;
        let mut rows = table(context)?;
        steps(context, "i32 equals -2", 4, |step| Ok(vec![step.launch::<down_small>((&mut rows,))?.equals(-2)]))
    });
    cases.add("comparisons of floats", |context| {
        let mut rows = Table::from_rows(
            context.device,
            &[Signed { n: 0, x: 8.0, small: 0 }, Signed { n: 0, x: -64.0, small: 0 }],
        )?;
        // 4, 2, 1, 0.5.
        steps(context, "f32 below 1", 4, |step| Ok(vec![step.launch::<halve>((&mut rows,))?.below(1.0)]))
    });
    cases.add("comparisons of counts, of an arg-min's value and of a condition", |context| {
        let mut table = counters(context.device, &[1, 2, 4, 6])?;
        steps(context, "count equals 3", 1, |step| {
            step.launch::<bump>((&mut table,))?;
            Ok(vec![step.launch::<odd>((&table,))?.equals(3)])
        })?;
        let mut table = counters(context.device, &[9, 3, 3])?;
        steps(context, "arg-min above 10", 8, |step| {
            step.launch::<bump>((&mut table,))?;
            Ok(vec![step.launch::<least>((&table,))?.above(imminent_core::ArgMin { value: 10, row: 0 })])
        })?;
        let mut table = counters(context.device, &[9, 3, 15])?;
        steps(context, "any is true", 5, |step| {
            step.launch::<bump>((&mut table,))?;
            Ok(vec![step.launch::<at_twenty>((&table,))?.equals(true)])
        })
    });
    cases.add("conditions on the slots of a tally", |context| {
        let mut lines = Table::<Line>::with_capacity(context.device, 70, 50)?;
        let fullest = TallyTable::new(context.device, &[0_u32, 99])?;
        steps(context, "slot 0 at least 12", 12, |step| {
            step.launch::<push>((&mut lines, &fullest))?;
            Ok(vec![fullest.at_least(0, 12)])
        })?;
        steps(context, "slot 1 equals what nobody changes", 1, |step| {
            step.launch::<push>((&mut lines, &fullest))?;
            Ok(vec![fullest.equals(1, 99)])
        })?;
        steps(context, "slot 0 above 20", 8, |step| {
            step.launch::<push>((&mut lines, &fullest))?;
            Ok(vec![fullest.above(0, 20)])
        })
    });
    cases.add("of several conditions the first that holds is reported", |context| {
        for (first, second, third, expected) in
            [(90_u64, 30, 40_u64, (1, 27)), (30, 30, 30, (0, 27)), (90, 90, 11, (2, 8)), (4, 5, 6, (0, 1))]
        {
            let mut table = counters(context.device, &[3])?;
            let mut program = Program::record(context.device, |program| {
                program.loop_until(200, |step| {
                    let most = step.launch::<bump>((&mut table,))?;
                    let sum = step.launch::<total>((&table,))?;
                    Ok(vec![most.at_least(first), sum.at_least(second), sum.above(third - 1)])
                })
            })?;
            let expected = Outcome { steps: expected.1, stop: Stop::Condition(expected.0) };
            equal(&format!("conditions at {first}, {second}, {third}"), &program.run()?, &expected)?;
        }
        Ok(())
    });
}
