//! The exact engine's tiles schedule.

use super::EngineError;
use super::limits::UNCHECKED_LAUNCHES;
use super::placement::Placement;
use super::reach::reaches;
use super::tables::Tables;
use super::torus::{OfTorus, tiled};
use crate::kernels::relaxation::{Bound, Far, Lookahead, Reach, SIZE, relax};
use crate::kernels::station::RoutingArgs;
use crate::kernels::tiles::{ARRIVALS, Message, MessagesArgs, begin, serve, serve_again};
use crate::kernels::torus::SIDE;
use crate::network::Network;
use crate::scenario::{Scenario, Start};
use crate::spent::{Reading, Spent};
use imminent_common::threads::{join, start};
use imminent_core::clock::Instant;
use imminent_core::{Device, Program, Progress, Stop, Table, TallyTable};
use std::ops::ControlFlow;

/// Tables through which nodes exchange bounds and tokens.
struct Exchange {
    reaches: Table<Reach>,
    fars: Table<Far>,
    lookaheads: Table<Lookahead>,
    /// Bounds; two tables, used alternately.
    bounds: [Table<Bound>; 2],
    /// Messages sent in the first and in the last service round of a step.
    sent: [Table<Message>; 2],
    /// Flags for two launches: nonzero if a bound fell.
    fell: [TallyTable<u32>; 2],
    served: TallyTable<u32>,
}

impl Exchange {
    fn new(device: &Device, reaches: Table<Reach>, fars: Table<Far>) -> Result<Self, EngineError> {
        let nodes = reaches.len();
        Ok(Exchange {
            reaches,
            fars,
            lookaheads: Table::zeroed(device, nodes)?,
            bounds: [Table::zeroed(device, nodes)?, Table::zeroed(device, nodes)?],
            sent: [Table::zeroed(device, nodes)?, Table::zeroed(device, nodes)?],
            fell: [TallyTable::new(device, &[0])?, TallyTable::new(device, &[0])?],
            served: TallyTable::new(device, &[0])?,
        })
    }
}

/// All tables of a run.
struct Rows {
    tables: Tables,
    exchange: Exchange,
}

impl Rows {
    fn new(device: &Device, scenario: &Scenario<'_>) -> Result<Self, EngineError> {
        let network = scenario.network();
        let arrivals = u64::from(ARRIVALS) * network.max_in_neighbours() as u64;
        if let Some(torus) = tiled(scenario) {
            let OfTorus { tables, reaches, fars } = OfTorus::new(device, scenario, &torus, arrivals)?;
            return Ok(Self { tables, exchange: Exchange::new(device, reaches, fars)? });
        }
        let placement = Placement::in_groups(network, SIZE);
        let (reaches, fars) = reaches(network, &placement)?;
        let tables = Tables::placed(device, scenario, 0, arrivals, placement)?;
        let (reaches, fars) = (Table::from_rows(device, &reaches)?, Table::from_rows(device, &fars)?);
        Ok(Self { tables, exchange: Exchange::new(device, reaches, fars)? })
    }

    /// Creates the tables while other threads compile the kernels of the steps and of the end, for a network of one
    /// group, or for a torus of few tiles if that is how the tables are made.
    fn beside_compiler(device: &Device, scenario: &Scenario<'_>) -> Result<Self, EngineError> {
        let rehearse = |part: &dyn Fn(&Device, Self) -> Result<(), EngineError>| -> Result<(), EngineError> {
            let (width, height) = if tiled(scenario).is_some() { (2 * SIDE, 2 * SIDE) } else { (SIZE, 1) };
            let Ok(small) = Network::torus(width, height, 1, 1) else { return Ok(()) };
            let Ok(scenario) = Scenario::new(&small, Start::One, 1, 0, 0) else { return Ok(()) };
            part(device, Self::new(device, &scenario)?)
        };
        let steps = |device: &Device, Self { mut tables, mut exchange }: Self| -> Result<(), EngineError> {
            Ok(step(device, &mut tables, &mut exchange)?.compile()?)
        };
        let nodes = scenario.network().len();
        let end = |_: &Device, rows: Self| rows.tables.rehearse_end(nodes);
        std::thread::scope(|scope| {
            let rehearsals = [start(scope, || rehearse(&steps)), start(scope, || rehearse(&end))];
            let rows = Self::new(device, scenario);
            // If the compilation failed, it fails again in the run, which reports the error.
            let _compiled = rehearsals.map(|rehearsal| rehearsal.map(join));
            rows
        })
    }
}

/// Simulation that is over, and whose results are on the device.
pub(super) struct Over {
    pub(super) tables: Tables,
    pub(super) reading: Reading,
    pub(super) steps: u64,
}

/// Simulates by relaxation. No token is in flight at the end: the last step has received every message and sent none.
pub(super) fn simulate(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Over, EngineError> {
    let compiles = !device.capabilities().native_rows;
    let rows = if compiles { Rows::beside_compiler(device, scenario) } else { Rows::new(device, scenario) };
    let Rows { mut tables, mut exchange } = rows?;
    let mut program = step(device, &mut tables, &mut exchange)?;
    program.compile()?;
    let began = Instant::now();
    let mut steps = 0;
    loop {
        let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
        steps += outcome.steps;
        match outcome.stop {
            Stop::Condition(0) => break,
            Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
            _ => tables.grow()?,
        }
        program = step(device, &mut tables, &mut exchange)?;
    }
    Ok(Over { tables, reading: Spent::since(began), steps })
}

/// Builds the program of one step. It repeats until a step serves no token (condition 0) or a line might overflow
/// (condition 1).
fn step(device: &Device, tables: &mut Tables, exchange: &mut Exchange) -> Result<Program, EngineError> {
    let Exchange { reaches, fars, lookaheads, bounds: [bounds, others], sent: [sent, sent_last], fell, served } =
        exchange;
    let Tables { stations, targets, fullest, run, .. } = tables;
    let routing = RoutingArgs { targets, run };
    let too_full = fullest.above(0, stations.capacity());
    let program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |step| {
            let (mut now, mut then) = (&mut *bounds, &mut *others);
            let [mut fell, mut falls] = fell.each_ref();
            step.launch::<begin>((
                &mut *stations,
                &mut *lookaheads,
                reaches,
                &mut *now,
                MessagesArgs { sent: sent_last, fars },
                fullest,
                served,
            ))?;
            for _ in 0..UNCHECKED_LAUNCHES {
                step.launch::<relax>((&*lookaheads, reaches, &mut *then, &*now, fars, fell, falls))?;
                (now, then, fell, falls) = (then, now, falls, fell);
            }
            step.loop_until(u64::MAX, |again| {
                again.launch::<relax>((&*lookaheads, reaches, &mut *then, &*now, fars, fell, falls))?;
                again.launch::<relax>((&*lookaheads, reaches, &mut *now, &*then, fars, falls, fell))?;
                Ok(vec![falls.equals(0, 0)])
            })?;
            step.launch::<serve>((&mut *stations, &mut *sent, reaches, &*now, fars, routing, served))?;
            let messages = MessagesArgs { sent, fars };
            step.launch::<serve_again>((&mut *stations, &mut *sent_last, messages, reaches, &*now, routing))?;
            Ok(vec![served.equals(0, 0), too_full.clone()])
        })
    })?;
    Ok(program)
}
