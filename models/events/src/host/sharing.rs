//! Runs of many simulations by several threads, each of which takes one after another.

use super::look::Look;
use super::simulation::Simulation;
use crate::contract::Events;
use imminent_common::sharing::{self, Report, Stopped};
use imminent_core::fault::NativeFault;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Runs simulations until all are over or the run is cancelled. Returns the first fault that a thread reports.
pub(super) fn share<E: Events>(
    simulations: Vec<&mut Simulation<E>>,
    threads: usize,
    look: &mut Look<'_>,
) -> Option<NativeFault> {
    // A fault counts even if it comes after a cancellation: the simulation is lost.
    let first = Mutex::new(None);
    let run = |(): &mut (), simulation: &mut Simulation<E>, report: Report<'_>| {
        let mut reported = 0;
        let ran = simulation.run(&mut |steps| report(steps - std::mem::replace(&mut reported, steps)).is_break());
        let _ = report(ran.steps - reported);
        let Some(fault) = ran.fault else { return Ok(()) };
        first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        Err(())
    };
    let mut see = |steps| if look.at(steps) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let steps = match sharing::share(simulations.into_iter(), threads, &mut see, || (), run) {
        Ok(shared) => shared.events,
        Err(Stopped::Cancelled { events }) => events,
        Err(Stopped::Failed(())) => 0,
    };
    look.add(steps);
    first.into_inner().unwrap_or_else(PoisonError::into_inner)
}
