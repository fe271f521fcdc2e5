//! Replications of simple networks on a host, several at a time.

use super::{EngineError, events};
use crate::experiment::Timed;
use crate::kernels::desk::Desk;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_common::sharing::share;
use imminent_core::{Device, Progress, Row as _};
use std::ops::ControlFlow;

/// State that a thread keeps from one scenario to the next.
#[derive(Default)]
struct Bench {
    desks: Vec<Desk>,
    /// Wall time of the thread, without set-ups.
    spent: Spent,
}

/// Simulates many scenarios of [simple](crate::Network::simple) networks exactly, event by event. As many run at a time
/// as the device has threads; with fewer scenarios, threads share one as in [`exact`](super::exact).
///
/// Returns for each scenario the outcome of [`exact`](super::exact), to the bit. The wall time, without set-ups and
/// outcomes, is that of the slowest thread, divided evenly. The steps of the progress function are events. Determinism
/// class: exact.
///
/// # Errors
/// [`EngineError::NotNative`] on a device without native rows, [`EngineError::NotSimple`] for other networks,
/// cancellation by `progress`.
pub fn side_by_side(
    device: &Device,
    scenarios: &[Scenario<'_>],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<Timed>, EngineError> {
    if !device.capabilities().native_rows {
        return Err(EngineError::NotNative { device: device.info().name.clone() });
    }
    let threads = (device.capabilities().threads as usize).max(1);
    let count = scenarios.len().max(1);
    let threads_of_each = (threads / count).max(1);
    let mut look = |steps| progress(Progress { steps });
    let shared = share(scenarios.iter(), threads, &mut look, Bench::default, |bench, scenario, report| {
        bench.desks.resize(scenario.network().len(), Desk::zeroed(0));
        let mut reported = 0;
        let ran = events::simulate_at(scenario, &mut bench.desks, threads_of_each, &mut |now| {
            let events = now.steps - reported;
            reported = now.steps;
            report(events)
        })?;
        if report(ran.outcome.events() - reported).is_break() {
            return Err(EngineError::Cancelled { steps: ran.outcome.events() });
        }
        bench.spent += ran.spent;
        Ok(ran.outcome)
    })?;
    let longest = shared.threads.iter().map(|bench| bench.spent).max_by_key(|spent| spent.total()).unwrap_or_default();
    let spent = longest.divided(count);
    Ok(shared.items.into_iter().map(|outcome| Timed { outcome, spent }).collect())
}
