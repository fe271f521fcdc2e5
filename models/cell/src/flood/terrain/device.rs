//! The flood on a terrain on a device: one launch for each step, two tables by turns.

use super::TerrainError;
use super::inflow::Segment;
use super::kernels::runoff::{
    COLUMNS, Grid, Ground, LINES, Record, RecordColumns as _, TerrainArgs, Tile, Turn, Water, WaterColumns as _,
    run_off,
};
use super::state::{State, Terrain};
use crate::runner::{Phase, Runner};
use imminent_core::{Device, Program, Row, Table};

fn in_a_grid<R: Row>(device: &Device, terrain: Terrain<'_>, rows: &[R]) -> Result<Table<R>, imminent_core::Error> {
    let mut table = Table::grid(device, terrain.columns as usize, terrain.rows as usize)?;
    table.write(rows)?;
    Ok(table)
}

/// Tiles into which water comes.
fn turns(terrain: Terrain<'_>, rates: &[u64]) -> Vec<Turn> {
    let across = terrain.columns.div_ceil(COLUMNS) as usize;
    let mut turns = vec![Turn { pours: 0, steps: 0 }; across * terrain.rows.div_ceil(LINES) as usize];
    for (row, line) in rates.chunks(terrain.columns as usize).enumerate() {
        for (across_at, part) in line.chunks(COLUMNS as usize).enumerate() {
            if part.iter().any(|&rate| rate > 0)
                && let Some(turn) = turns.get_mut(row / LINES as usize * across + across_at)
            {
                turn.pours = 1;
            }
        }
    }
    turns
}

/// Takes the steps of a segment.
pub(super) fn run(
    device: &Device,
    terrain: Terrain<'_>,
    state: &mut State,
    segment: Segment,
    rates: &[u64],
    runner: &mut Runner<'_>,
) -> Result<(), TerrainError> {
    let waters: Vec<Water> = state.depths.iter().map(|&depth| Water { depth }).collect();
    let [mut even, mut odd] = [in_a_grid(device, terrain, &waters)?, in_a_grid(device, terrain, &waters)?];
    let grounds = terrain.ground.iter().zip(rates).map(|(&elevation, &rate)| Ground { elevation, rate });
    let ground = in_a_grid(device, terrain, &grounds.collect::<Vec<_>>())?;
    let records = state.peaks.iter().zip(&state.arrivals).map(|(&peak, &arrival)| Record { peak, left: 0, arrival });
    let mut records = in_a_grid(device, terrain, &records.collect::<Vec<_>>())?;
    let turns = turns(terrain, rates);
    let tiles = vec![Tile { moved: 1, written: 0 }; turns.len()];
    let mut turns = Table::from_rows(device, &turns)?;
    let (mut even_tiles, mut odd_tiles) = (Table::from_rows(device, &tiles)?, Table::from_rows(device, &tiles)?);
    let (width, height, open) = (terrain.columns, terrain.rows, u32::from(terrain.open));
    let grid = Grid { width, height, open, first: segment.first };
    let mut program = Program::record(device, |program| {
        program.loop_until(u64::from(segment.steps / 2), |pair| {
            let before = TerrainArgs { before: &even, ground: &ground, grid: &grid };
            pair.launch::<run_off>((&mut odd, &mut records, before, &mut odd_tiles, &even_tiles, &mut turns))?;
            let before = TerrainArgs { before: &odd, ground: &ground, grid: &grid };
            let args = (&mut even, &mut records, before, &mut even_tiles, &odd_tiles, &mut turns);
            let moved = pair.launch::<run_off>(args)?;
            Ok(vec![moved.equals(false)])
        })
    })?;
    program.compile()?;
    runner.enter(Phase::Simulation);
    if segment.steps > 1 {
        runner.execute::<TerrainError>(&mut program, |pairs| u64::from(segment.first) + 2 * pairs)?;
    }
    if segment.steps % 2 == 1 {
        let before = TerrainArgs { before: &even, ground: &ground, grid: &grid };
        let args = (&mut odd, &mut records, before, &mut odd_tiles, &even_tiles, &mut turns);
        device.queue().launch::<run_off>(args)?;
        std::mem::swap(&mut even, &mut odd);
    }
    state.depths = even.depth().read()?;
    runner.enter(Phase::Reading);
    state.peaks = records.peak().read()?;
    state.arrivals = records.arrival().read()?;
    state.left += records.left().read()?.into_iter().map(i128::from).sum::<i128>();
    Ok(())
}
