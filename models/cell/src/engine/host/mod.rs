//! The engine on a host: active cells only, in the order of time.
//!
//! Pending outputs lie in a calendar of time windows. The rule is evaluated by the kernels' own function, as rustc
//! compiled it.

mod calendar;
mod reach;
mod run;

use super::kernels::blocks::MOST_ROUNDS;
use super::{Asked, CellKernels, End, Failure, Task};
use crate::outcome::Spent;
use crate::sequential::{Output, Reason, RuleError};
use imminent_core::Progress;
use run::Run;
use std::time::Instant;

/// Distinct times between two looks at the progress function.
const TIMES_PER_LOOK: u64 = 1 << 12;

/// Function that receives every output after the initial ones.
pub(crate) type Observe<'a, V> = &'a mut dyn FnMut(Output<V>);

/// Runs a model. Gives its end and the number of distinct times.
pub(crate) fn by_windows<M: CellKernels>(
    task: &Task<'_, M>,
    progress: Asked<'_>,
    observe: Observe<'_, M::Value>,
    spent: &mut Spent,
) -> Result<(End<M::Value>, u64), Failure> {
    let began = Instant::now();
    let mut run = Run::new(task);
    spent.set_up += began.elapsed();
    let began = Instant::now();
    run.begin()?;
    let (mut distinct, mut before, mut rounds) = (0_u64, 0, 0);
    while let Some(now) = run.next() {
        if !run.collect(now) {
            continue;
        }
        rounds = if now == before { rounds + 1 } else { 0 };
        if rounds > MOST_ROUNDS {
            let reason = Reason::StandsStill { rounds };
            return Err(Failure::Rule(RuleError { cell: run.first_imminent(), time: now, reason }));
        }
        if now != before {
            distinct += 1;
            if distinct.is_multiple_of(TIMES_PER_LOOK) && progress(Progress { steps: distinct }).is_break() {
                return Err(Failure::Cancelled { steps: distinct });
            }
        }
        run.emit(now, observe);
        run.evaluate(now)?;
        before = now;
    }
    spent.simulation = began.elapsed();
    let began = Instant::now();
    let end = run.end(distinct);
    spent.reading = began.elapsed();
    Ok((end, distinct))
}
