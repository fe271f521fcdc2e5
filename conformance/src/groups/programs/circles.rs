//! Loops in groups, which a device may let go on without one another.

use super::counters::{counters, values};
use crate::case::{Cases, ensure, equal, equal_slices};
use crate::context::Context;
use crate::kernels::programs::steps::{CIRCLE, CounterColumns as _, bump, count, pass};
use imminent_core::{Outcome, Program, Stop, TallyTable};

/// Number of circles.
const CIRCLES: usize = 5;

/// Largest number of steps of an inner loop.
const STEPS: u64 = 13;

pub(super) fn add(cases: &mut Cases) {
    cases.add("a loop in groups makes all of its steps in every group", |context| {
        let made = run(context, &[u64::MAX; CIRCLES], 3, false)?;
        equal("steps of the circles", &made, &vec![3 * STEPS; CIRCLES])
    });
    cases.add("a loop in groups may copy a column", |context| {
        let made = run(context, &[u64::MAX; CIRCLES], 2, true)?;
        equal("steps of the circles", &made, &vec![2 * STEPS; CIRCLES])
    });
    cases.add(
        "a condition ends a loop in groups for a group that made it hold, and for others at any step",
        |context| {
            for first in [1, 2, 7, STEPS] {
                let mut enough = [u64::MAX; CIRCLES];
                (enough[1], enough[4]) = (first, first + 3);
                let made = run(context, &enough, 1, false)?;
                let are_allowed =
                    made.iter().zip(&enough).all(|(made, enough)| (1..=STEPS.min(*enough)).contains(made));
                let has_ended = (made[1] == first) || (made[4] == first + 3);
                ensure(are_allowed && has_ended, || format!("steps of the circles to {enough:?}: found {made:?}"))?;
            }
            Ok(())
        },
    );
}

/// Runs a loop in groups in each of some steps of another loop, until a circle has made enough steps. Returns the steps
/// of the circles, each of which has the values that it has after as many. A step may copy what it has passed.
fn run(
    context: &Context<'_>,
    enough: &[u64; CIRCLES],
    outer: u64,
    copies: bool,
) -> Result<Vec<u64>, crate::verdict::Stop> {
    let start: Vec<u64> = (0..CIRCLES as u64 * u64::from(CIRCLE)).map(|row| row * row % 1009).collect();
    let of_rows: Vec<u64> = enough.iter().flat_map(|enough| [*enough; CIRCLE as usize]).collect();
    let table = || counters(context.device, &start);
    let (mut a, mut b, copy) = (table()?, table()?, table()?);
    let (enough, mut made) = (counters(context.device, &of_rows)?, counters(context.device, &[0; CIRCLES])?);
    let (mut rounds, full) = (counters(context.device, &[0])?, TallyTable::new(context.device, &[0_u32])?);
    let mut program = Program::record(context.device, |program| {
        program.loop_until(outer, |round| {
            let step = |step: &mut imminent_core::ProgramBuilder| {
                step.launch::<pass>((&mut b, &a))?;
                if copies {
                    step.copy_column(b.n(), copy.n())?;
                }
                step.launch::<pass>((&mut a, if copies { &copy } else { &b }))?;
                step.launch::<count>((&mut made, &a, &enough, &full))?;
                Ok(vec![full.at_least(0, 1)])
            };
            // SAFETY: rows read those of their circle, which is a group.
            unsafe { round.loop_in_groups(STEPS, step) }?;
            Ok(vec![round.launch::<bump>((&mut rounds,))?.equals(u64::MAX)])
        })
    })?;
    equal("the outcome", &program.run()?, &Outcome { steps: outer, stop: Stop::StepLimit })?;
    let made = values(&made)?;
    let (found, circle) = (values(&a)?, CIRCLE as usize);
    for (number, made) in made.iter().enumerate() {
        let mut rows = start[number * circle..][..circle].to_vec();
        let mut odd = 0;
        for _ in 0..*made as u32 {
            for _ in 0..2 {
                let next = |row: usize| rows[(row + 1) % circle];
                rows =
                    (0..circle).map(|row| rows[row].wrapping_mul(3).wrapping_add(next(row)).wrapping_add(1)).collect();
            }
            odd += rows.iter().filter(|row| *row % 2 == 1).count() as u64;
        }
        equal_slices(
            &format!("circle {number} after {} steps", *made as u32),
            &found[number * circle..][..circle],
            &rows[..],
        )?;
        equal(&format!("odd values of circle {number}"), &(made >> 32), &odd)?;
    }
    Ok(made.into_iter().map(|made| u64::from(made as u32)).collect())
}
