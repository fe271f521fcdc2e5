//! Networks that have nothing to do with each other, on several threads.

use super::host::OnHost;
use crate::queueing::engine::EngineError;
use imminent_core::Progress;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Events of a network between two looks at what the others do.
const EVENTS_AT_ONCE: u64 = 1 << 16;

/// Runs every network to its limit on at most `threads` threads; gives the events of all.
///
/// The calling thread alone calls `progress`, between the pieces of its own networks.
pub(super) fn run(
    networks: &mut [OnHost],
    limits: &[u64],
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<u64, EngineError> {
    let threads = threads.min(networks.len()).max(1);
    let work = Mutex::new(networks.iter_mut().zip(limits));
    let (events, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
    // One network after the other, until none is left or somebody stops.
    let work_off = |look: &mut dyn FnMut(u64) -> ControlFlow<()>| -> Result<(), EngineError> {
        while let Some((network, &limit)) = take() {
            loop {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let ran = network.run(limit, EVENTS_AT_ONCE);
                let (done, ended) = ran.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                let all = events.fetch_add(done, Ordering::Relaxed) + done;
                if look(all).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(EngineError::Cancelled { steps: all });
                }
                if ended {
                    break;
                }
            }
        }
        Ok(())
    };
    let outcome = std::thread::scope(|scope| {
        let work_off = &work_off;
        let others: Vec<_> =
            (1..threads).map(|_| scope.spawn(move || work_off(&mut |_| ControlFlow::Continue(())))).collect();
        let mine = work_off(&mut |steps| progress(Progress { steps }));
        let others = others.into_iter().map(|other| match other.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        others.fold(mine, |first, other| first.and(other))
    });
    outcome.map(|()| events.into_inner())
}
