//! Independent networks on several threads.

use super::host::OnHost;
use crate::engine::EngineError;
use crate::outcome::Outcome;
use crate::scenario::Scenario;
use imminent_common::sharing::share;
use imminent_core::Progress;
use std::ops::ControlFlow;

/// Number of events of a network between two reports to the other threads.
pub(super) const EVENTS_AT_ONCE: u64 = 1 << 16;

fn unseen() -> impl FnMut(u64) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

/// Sets up every network, on at most `threads` threads.
pub(super) fn set_up<'s>(scenarios: &[Scenario<'s>], threads: usize) -> Result<Vec<OnHost<'s>>, EngineError> {
    let made = share(
        scenarios.iter(),
        threads,
        &mut unseen(),
        || (),
        |(), scenario, _| Ok::<_, EngineError>(OnHost::new(scenario)),
    )?;
    Ok(made.items)
}

/// Runs every network to its limit on at most `threads` threads; returns the number of all events.
///
/// Only the calling thread calls `progress`, between the pieces of its own networks.
pub(super) fn run(
    networks: &mut [OnHost<'_>],
    limits: &[u64],
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<u64, EngineError> {
    let mut look = |steps| progress(Progress { steps });
    let ran = share(
        networks.iter_mut().zip(limits),
        threads,
        &mut look,
        || (),
        |(), (network, &limit), report| {
            loop {
                let (done, ended) = network.run(limit, EVENTS_AT_ONCE)?;
                // `share` has been told to stop and returns its own error, with the events of all threads.
                if report(done).is_break() {
                    return Err(EngineError::Cancelled { steps: done });
                }
                if ended {
                    return Ok(());
                }
            }
        },
    )?;
    Ok(ran.events)
}

/// Returns the outcome of every network, on at most `threads` threads.
pub(super) fn outcomes(networks: &[OnHost<'_>], threads: usize) -> Result<Vec<Outcome>, EngineError> {
    let shared = share(
        networks.iter(),
        threads,
        &mut unseen(),
        || (),
        |(), network, _| Ok::<_, EngineError>(network.outcome()),
    )?;
    Ok(shared.items)
}
