//! Exact engine in the order of events, for devices whose rows are native structs.
//!
//! The earliest arrival of the whole network can always be processed: nothing can come before it. Each arrival is
//! therefore taken in order of time and given to its station. At a first-come, first-served server, the start and the
//! departure of an arrival are known at once. No line is needed before the end, and a station is one cache line.
//! Several threads can each take a part of the nodes ([`parallel`]).

mod alone;
mod parallel;
mod partition;
mod plan;
mod reporter;
mod servers;
mod worker;

use super::EngineError;
use super::simulated::Simulated;
use crate::kernels::server::Server;
use crate::scenario::Scenario;
use imminent_core::{Device, Progress, Table};
use plan::Plan;
use std::ops::ControlFlow;

/// Simulates one replication; the steps of its progress are events.
pub(super) fn simulate(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    let threads = device.capabilities().threads as usize;
    // The rows are native, so they are written in place.
    let mut table = Table::<Server>::zeroed(device, scenario.network().len())?;
    let simulated = table.with_native_rows(|servers| simulate_at(scenario, servers, threads, progress))?;
    simulated.unwrap_or_else(|| Err(EngineError::NotNative { device: device.info().name.clone() }))
}

/// Simulates with given servers, one per node, whatever their contents, with at most `threads` threads.
pub(super) fn simulate_at(
    scenario: &Scenario<'_>,
    servers: &mut [Server],
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    let network = scenario.simple().ok_or(EngineError::NotSimple)?;
    match Plan::new(scenario, network, threads) {
        Some(plan) => parallel::simulate(scenario, network, servers, &plan, progress),
        None => alone::simulate(scenario, network, servers, progress),
    }
}
