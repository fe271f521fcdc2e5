//! The exact engine's tiles schedule.

use super::EngineError;
use super::exact::Sweeps;
use super::placement::Placement;
use super::tables::Tables;
use crate::queueing::kernels::tiles::{Bound, Parcel, SIZE, begin, relax, serve};
use crate::queueing::scenario::Scenario;
use imminent_core::{Device, Program, Progress, Stop, Table, TallyTable};
use std::ops::ControlFlow;
use std::time::Instant;

/// What the nodes tell each other.
struct Exchange {
    /// Used by turns.
    bounds: [Table<Bound>; 2],
    parcels: Table<Parcel>,
    /// Whether a bound fell, in the first and in the second of two launches.
    fell: [TallyTable<u32>; 2],
    served: TallyTable<u32>,
}

/// Simulates by relaxation.
pub(super) fn simulate(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Sweeps, EngineError> {
    let network = scenario.network();
    let nodes = network.len();
    let newcomers = network.max_in_neighbours() as u64;
    let placement = Placement::in_groups(network, SIZE);
    let mut tables = Tables::placed(device, scenario, 0, newcomers, placement)?;
    let mut exchange = Exchange {
        bounds: [Table::zeroed(device, nodes)?, Table::zeroed(device, nodes)?],
        parcels: Table::zeroed(device, nodes)?,
        fell: [TallyTable::new(device, &[0])?, TallyTable::new(device, &[0])?],
        served: TallyTable::new(device, &[0])?,
    };
    let began = Instant::now();
    let mut steps = 0;
    loop {
        let mut program = step(device, &mut tables, &mut exchange)?;
        let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
        steps += outcome.steps;
        match outcome.stop {
            Stop::Condition(0) => break,
            Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
            _ => tables.grow()?,
        }
    }
    let wall = began.elapsed();
    // The last step has taken in every parcel and sent none.
    Ok(Sweeps { outcome: tables.outcome(Vec::new())?, wall, sweeps: steps })
}

/// One step, until it serves no token (condition 0) or a line might overflow (condition 1).
fn step(device: &Device, tables: &mut Tables, exchange: &mut Exchange) -> Result<Program, EngineError> {
    let Exchange { bounds: [odd, even], parcels, fell: [first, second], served } = exchange;
    let Tables { stations, sources, targets, fullest, run, .. } = tables;
    let too_full = fullest.above(0, stations.capacity());
    let program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |step| {
            step.launch::<begin>((stations, odd, parcels, sources, fullest, served))?;
            step.loop_until(u64::MAX, |again| {
                again.launch::<relax>((stations, even, odd, sources, first, second))?;
                again.launch::<relax>((stations, odd, even, sources, second, first))?;
                Ok(vec![second.equals(0, 0)])
            })?;
            step.launch::<serve>((stations, parcels, odd, sources, targets, served, run))?;
            Ok(vec![served.equals(0, 0), too_full.clone()])
        })
    })?;
    Ok(program)
}
