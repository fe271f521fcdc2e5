//! The exact engine.

use super::EngineError;
use super::events;
use super::general::Simulation;
use super::tables::{Tables, sources};
use super::tiles;
use crate::queueing::kernels::exact::{Post, advance};
use crate::queueing::kernels::station::{Clock, Source};
use crate::queueing::outcome::Outcome;
use crate::queueing::scenario::Scenario;
use crate::queueing::spent::Spent;
use imminent_core::{Device, Program, Progress, Stop, Table};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Instant;

/// In which order the exact engine visits the nodes. The outcome is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// By events where the device's rows are native, in tiles elsewhere.
    #[default]
    Auto,
    /// Groups of nodes relax their bounds to the fixed point, then all nodes serve at once.
    Tiles,
    /// All nodes at once, again and again.
    Sweep,
    /// One node at a time, in the order of events.
    Events,
}

/// An outcome, and the sweeps that it took (0 for the events schedule; steps for the tiles schedule).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweeps {
    /// The result.
    pub outcome: Outcome,
    /// Wall time without set-up.
    pub spent: Spent,
    /// Sweeps over all nodes.
    pub sweeps: u64,
}

/// Simulates one replication exactly on a device.
///
/// Gives the outcome of [`sequential::simulate`](crate::queueing::sequential::simulate), to the bit, on every device and by any
/// schedule; of a [simple](crate::queueing::Network::simple) network without the greatest numbers waiting. Determinism class: exact.
///
/// # Errors
/// [`EngineError`]: the device's errors, cancellation by `progress`, a line too long for a table, what [`Simulation::new`] refuses.
pub fn exact(
    device: &Device,
    scenario: &Scenario<'_>,
    schedule: Schedule,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Sweeps, EngineError> {
    if scenario.simple().is_none() {
        return in_general(device, scenario, schedule, progress);
    }
    let native = device.capabilities().native_rows;
    match schedule {
        Schedule::Events if !native => Err(EngineError::NotNative { device: device.info().name.clone() }),
        Schedule::Events | Schedule::Auto if native => events::simulate(device, scenario, progress),
        Schedule::Sweep => sweep(device, scenario, progress),
        _ => tiles::simulate(device, scenario, progress),
    }
}

fn in_general(
    device: &Device,
    scenario: &Scenario<'_>,
    schedule: Schedule,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Sweeps, EngineError> {
    let mut simulation = Simulation::new(device, std::slice::from_ref(scenario), schedule)?;
    let events = simulation.is_by_events();
    simulation.run_to(u64::MAX, progress)?;
    let began = Instant::now();
    let outcome = simulation.observe()?.pop().ok_or(EngineError::TooLarge { what: "nodes" })?;
    let sweeps = if events { 0 } else { simulation.steps() };
    Ok(Sweeps { outcome, spent: Spent { simulation: simulation.wall(), reading: began.elapsed() }, sweeps })
}

/// What one sweep leaves for the next: used by turns, so that every sweep reads what the one before has written.
struct Turn {
    posts: Table<Post>,
    clock: Table<Clock>,
}

impl Turn {
    fn new(device: &Device, nodes: usize) -> Result<Self, EngineError> {
        Ok(Turn { posts: Table::zeroed(device, nodes)?, clock: Table::zeroed(device, 1)? })
    }
}

fn sweep(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Sweeps, EngineError> {
    let nodes = scenario.network().len();
    let newcomers = 2 * scenario.network().max_in_neighbours() as u64;
    let mut tables = Tables::new(device, scenario, 0, newcomers)?;
    let sources = sources(device, scenario.network())?;
    let (mut odd, mut even) = (Turn::new(device, nodes)?, Turn::new(device, nodes)?);
    let mut program = step(device, &mut tables, &sources, &mut odd, &mut even)?;
    program.compile()?;
    let began = Instant::now();
    let mut steps = 0;
    loop {
        let outcome = program.run_with(|now| progress(Progress { steps: 2 * (steps + now.steps) }))?;
        steps += outcome.steps;
        match outcome.stop {
            Stop::Condition(0) => break,
            Stop::Cancelled => return Err(EngineError::Cancelled { steps: 2 * steps }),
            _ => tables.grow()?,
        }
        program = step(device, &mut tables, &sources, &mut odd, &mut even)?;
    }
    let reading = Spent::since(began);
    let posts = even.posts.read()?;
    let in_flight = posts.iter().filter(|post| post.to > 0).map(|post| (post.to - 1, post.time)).collect();
    Ok(Sweeps { outcome: tables.outcome(in_flight)?, spent: reading.end(), sweeps: 2 * steps })
}

/// Two sweeps a step, until no token can move before the horizon (condition 0) or a line might overflow (condition 1).
fn step(
    device: &Device,
    tables: &mut Tables,
    sources: &Table<Source>,
    odd: &mut Turn,
    even: &mut Turn,
) -> Result<Program, EngineError> {
    let program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |step| {
            step.launch_into::<advance, _>(
                (
                    &mut tables.stations,
                    &mut odd.posts,
                    &even.posts,
                    &even.clock,
                    sources,
                    &tables.targets,
                    &tables.run,
                    &tables.fullest,
                ),
                &mut odd.clock,
            )?;
            let next = step.launch_into::<advance, _>(
                (
                    &mut tables.stations,
                    &mut even.posts,
                    &odd.posts,
                    &odd.clock,
                    sources,
                    &tables.targets,
                    &tables.run,
                    &tables.fullest,
                ),
                &mut even.clock,
            )?;
            Ok(vec![next.equals(u64::MAX), tables.too_full()])
        })
    })?;
    Ok(program)
}
