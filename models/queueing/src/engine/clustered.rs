//! The clustered-time engine: the papers' four kernels.

use super::error::EngineError;
use super::general;
use super::simulated::Simulated;
use super::tables::{Tables, sources};
use crate::interval::first_time_beyond;
use crate::kernels::clustered::{Release, depart, minimum, reschedule, update};
use crate::kernels::station::{Clock, InNeighbour, RoutingArgs, StationColumns as _};
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_core::clock::Instant;
use imminent_core::{Device, Program, Progress, Stop, Table};
use std::ops::ControlFlow;

/// Simulates one replication on a device in steps of `interval` ticks; see [`interval`](crate::interval) for the
/// definition.
///
/// Returns the result of [`interval::reference::simulate`](crate::interval::reference::simulate), to the bit.
/// Determinism class: exact.
///
/// # Errors
/// [`EngineError`]: the device's errors, cancellation by `progress`, a line too long for a table;
/// [`EngineError::Unsupported`] for a network with several servers at a node, or with blocking.
pub fn clustered(
    device: &Device,
    scenario: &Scenario<'_>,
    interval: u64,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    if scenario.simple().is_none() {
        return general::clustered(device, scenario, interval, progress);
    }
    let nodes = scenario.network().len();
    let arrivals = scenario.network().max_in_neighbours() as u64;
    let mut tables = Tables::new(device, scenario, interval, arrivals)?;
    let sources = sources(device, scenario.network())?;
    let mut releases = Table::<Release>::zeroed(device, nodes)?;
    let mut clock = Table::<Clock>::zeroed(device, 1)?;
    let began = Instant::now();
    let mut steps = 0;
    if scenario.horizon() > 0 {
        // The step at time 0: servers with a token begin.
        let routing = RoutingArgs { targets: &tables.targets, run: &tables.run };
        device.queue().launch::<reschedule>((&mut tables.stations, &clock, routing))?;
        steps = 1;
    }
    while scenario.horizon() > 0 {
        let mut program = step(device, &mut tables, &sources, &mut releases, &mut clock)?;
        let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
        steps += outcome.steps;
        match outcome.stop {
            Stop::Condition(0) => {
                // The last step found nothing to do.
                steps -= 1;
                break;
            }
            Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
            _ => tables.grow()?,
        }
    }
    let reading = Spent::since(began);
    let (serving_for, free_at) = (tables.stations.serving_for().read()?, tables.stations.free_at().read()?);
    let in_service = serving_for.iter().zip(&free_at).filter(|(to, _)| **to > 0);
    let in_flight = in_service.map(|(to, free_at)| (to - 1, *free_at)).collect();
    Ok(Simulated { outcome: tables.outcome(in_flight)?, spent: reading.end(), steps })
}

/// Builds the program of one step. It repeats until the step lies at the horizon or later (condition 0) or a line might
/// overflow (condition 1).
fn step(
    device: &Device,
    tables: &mut Tables,
    sources: &Table<InNeighbour>,
    releases: &mut Table<Release>,
    clock: &mut Table<Clock>,
) -> Result<Program, EngineError> {
    let beyond = first_time_beyond(tables.run.horizon, tables.run.interval);
    let program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |step| {
            let routing = RoutingArgs { targets: &tables.targets, run: &tables.run };
            let next = step.launch_into::<minimum, _>((&tables.stations,), clock)?;
            step.launch::<depart>((&mut tables.stations, releases, clock, &tables.run))?;
            step.launch::<update>((&mut tables.stations, releases, sources, &tables.fullest))?;
            step.launch::<reschedule>((&mut tables.stations, clock, routing))?;
            Ok(vec![next.at_least(beyond), tables.too_full()])
        })
    })?;
    Ok(program)
}
