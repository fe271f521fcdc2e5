//! The exact engine.

use super::EngineError;
use super::events;
use super::general::Simulation;
use super::tiles;
use crate::outcome::Outcome;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Order in which the exact engine visits the nodes. The outcome does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Events if the device's rows are native structs, otherwise tiles.
    #[default]
    Auto,
    /// Tiles: groups of nodes relax their bounds to the fixed point, then all nodes serve at once.
    Tiles,
    /// Events: one node at a time, in the order of events.
    Events,
}

/// Outcome of the exact engine, with its wall time and number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Result of the replication.
    pub outcome: Outcome,
    /// Wall time, without set-up.
    pub spent: Spent,
    /// Number of steps of all nodes; 0 for the schedule [`Events`](Schedule::Events), which has none.
    pub steps: u64,
}

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
) -> Result<Exact, EngineError> {
    if scenario.simple().is_none() {
        return in_general(device, scenario, schedule, progress);
    }
    let native = device.capabilities().native_rows;
    match schedule {
        Schedule::Events if !native => Err(EngineError::NotNative { device: device.info().name.clone() }),
        Schedule::Events | Schedule::Auto if native => events::simulate(device, scenario, progress),
        _ => tiles::simulate(device, scenario, progress),
    }
}

fn in_general(
    device: &Device,
    scenario: &Scenario<'_>,
    schedule: Schedule,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Exact, EngineError> {
    let mut simulation = Simulation::new(device, std::slice::from_ref(scenario), schedule)?;
    let events = simulation.is_by_events();
    simulation.run_to(u64::MAX, progress)?;
    let began = Instant::now();
    let outcome = simulation.observe()?.pop().ok_or(EngineError::TooLarge { what: "nodes" })?;
    let steps = if events { 0 } else { simulation.steps() };
    Ok(Exact { outcome, spent: Spent { simulation: simulation.wall(), reading: began.elapsed() }, steps })
}
