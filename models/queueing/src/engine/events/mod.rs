//! Exact engine in the order of events, for devices whose rows are native structs.
//!
//! The earliest arrival of the whole network can always be processed: nothing can come before it. Each arrival is
//! therefore taken in order of time and given to its station. At a first-come, first-served server, the start and the
//! departure of an arrival are known at once. No line is needed before the end, and a station is one cache line.
//! Several threads can each take a part of the nodes ([`parallel`]).

mod alone;
mod ended;
mod parallel;
mod partition;
mod plan;
mod reporter;
mod servers;
mod worker;

use super::EngineError;
use super::simulated::Simulated;
use crate::kernels::server::Server;
use crate::network::Simple;
use crate::scenario::Scenario;
use crate::spent::Timed;
use imminent_common::parallel as loops;
use imminent_core::{Device, Progress, Table};
use plan::Plan;
use servers::{Over, begin, station};
use std::ops::ControlFlow;

/// Simulates one replication; the steps of its progress are events.
pub(super) fn simulate(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    let threads = device.capabilities().threads as usize;
    let network = scenario.simple().ok_or(EngineError::NotSimple)?;
    // The rows are native, so they are written in place.
    let mut table = Table::<Server>::zeroed(device, scenario.network().len())?;
    let simulated = table.with_native_rows(|servers| {
        begin(servers, scenario, network);
        let Over { logs, reading } = run(scenario, network, servers, threads, progress)?;
        let outcome = ended::outcome(servers, &logs, scenario.horizon());
        Ok(Simulated { outcome, spent: reading.end(), steps: 0 })
    })?;
    simulated.unwrap_or_else(|| Err(EngineError::NotNative { device: device.info().name.clone() }))
}

/// Simulates one replication with at most `threads` threads, and returns what a run keeps of it. `servers` is memory
/// for the stations, which those of a large network keep.
pub(super) fn simulate_until_its_end(
    scenario: &Scenario<'_>,
    servers: &mut Vec<Server>,
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Timed, EngineError> {
    let (network, nodes) = (scenario.simple().ok_or(EngineError::NotSimple)?, scenario.network().len());
    if servers.len() == nodes {
        begin(servers, scenario, network);
    } else {
        *servers = loops::map(nodes, |node| station(node as u32, scenario, network));
    }
    let Over { logs, reading } = run(scenario, network, servers, threads, progress)?;
    let ended = ended::ended(servers, logs, scenario.horizon());
    Ok(Timed { ended, spent: reading.end() })
}

/// Simulates from the state of the stations at time 0, with at most `threads` threads.
fn run(
    scenario: &Scenario<'_>,
    network: Simple<'_>,
    servers: &mut [Server],
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Over, EngineError> {
    match Plan::new(scenario, network, threads) {
        Some(plan) => parallel::simulate(scenario, network, servers, &plan, progress),
        None => alone::simulate(scenario, network, servers, progress),
    }
}
