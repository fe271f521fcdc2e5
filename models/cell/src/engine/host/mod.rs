//! The engine on a host: active cells only, in the order of time.
//!
//! Pending outputs lie in a calendar of time windows. The rule is evaluated by the kernels' own function, as rustc
//! compiled it.

mod calendar;
mod reach;
mod run;

pub(crate) use run::Observe;

use super::kernels::blocks::MAX_ROUNDS;
use super::{CellKernels, End, Failure, Task};
use crate::runner::{Phase, Runner};
use crate::sequential::{Reason, RuleError};
use run::Run;

/// Evaluations between two looks at the progress function: some hundredths of a second.
const EVALUATIONS_PER_LOOK: usize = 1 << 16;

/// Runs a model. Gives its end and the number of distinct times.
pub(crate) fn by_windows<M: CellKernels>(
    task: &Task<'_, M>,
    runner: &mut Runner<'_>,
    observe: Observe<'_, M::Value>,
) -> Result<(End<M::Value>, u64), Failure> {
    let mut run = Run::new(task);
    runner.enter(Phase::Simulation);
    run.begin()?;
    let (mut distinct, mut before, mut rounds, mut evaluations) = (0_u64, 0, 0, 0);
    while let Some(now) = run.next() {
        if !run.collect(now) {
            continue;
        }
        rounds = if now == before { rounds + 1 } else { 0 };
        if rounds > MAX_ROUNDS {
            let reason = Reason::StandsStill { rounds };
            return Err(Failure::Rule(RuleError { cell: run.first_imminent(), time: now.into(), reason }));
        }
        distinct += u64::from(now != before);
        run.emit(now, observe);
        // A time may have one receiver or all cells.
        evaluations += run.receivers() + 8;
        if evaluations >= EVALUATIONS_PER_LOOK {
            evaluations = 0;
            runner.go_on(distinct)?;
        }
        run.evaluate(now)?;
        before = now;
    }
    runner.enter(Phase::Reading);
    Ok((run.end(distinct), distinct))
}
