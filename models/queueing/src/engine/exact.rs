//! The exact engine.

use super::error::EngineError;
use super::events;
use super::general::Simulation;
use super::schedule::Schedule;
use super::simulated::Simulated;
use super::tiles::{self, Over};
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;

/// Simulates one replication exactly on a device.
///
/// Returns the outcome of [`sequential::simulate`](crate::sequential::simulate), to the bit, on every device and by any
/// schedule. For a [simple](crate::Network::simple) network the greatest numbers waiting are missing. Determinism
/// class: exact.
///
/// # Errors
/// [`EngineError`]: the device's errors, cancellation by `progress`, a line too long for a table, and the errors of
/// [`Simulation::new`].
pub fn exact(
    device: &Device,
    scenario: &Scenario<'_>,
    schedule: Schedule,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    if scenario.simple().is_none() {
        return in_general(device, scenario, schedule, progress);
    }
    let native = device.capabilities().native_rows;
    match schedule {
        Schedule::Events if !native => Err(EngineError::NotNative { device: device.info().name.clone() }),
        Schedule::Events | Schedule::Auto if native => events::simulate(device, scenario, progress),
        _ => {
            let Over { tables, reading, steps } = tiles::simulate(device, scenario, progress)?;
            Ok(Simulated { outcome: tables.outcome(Vec::new())?, spent: reading.end(), steps })
        }
    }
}

/// Simulates a [simple](crate::Network::simple) network by tiles, and leaves the states of its nodes on the device.
pub(super) fn exact_until_its_end(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Timed, EngineError> {
    let Over { tables, reading, .. } = tiles::simulate(device, scenario, progress)?;
    Ok(Timed { ended: tables.ended()?, spent: reading.end() })
}

fn in_general(
    device: &Device,
    scenario: &Scenario<'_>,
    schedule: Schedule,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    let mut simulation = Simulation::new(device, std::slice::from_ref(scenario), schedule)?;
    let events = simulation.is_by_events();
    simulation.run_to(u64::MAX, progress)?;
    let began = Instant::now();
    let outcome = simulation.observe()?.pop().ok_or(EngineError::TooLarge { what: "nodes" })?;
    let steps = if events { 0 } else { simulation.steps() };
    Ok(Simulated { outcome, spent: Spent { simulation: simulation.wall(), reading: began.elapsed() }, steps })
}
