//! The flood on a device: several steps in each launch, two tables by turns.

use super::error::FloodError;
use super::host::Counts;
use super::kernels::levelling::{
    COLUMNS, Census, CensusColumns as _, Grid, Ground, LANES, LINES, Strip, Tile, Water, WaterColumns as _, changes,
    cut, join, level,
};
use super::scenario::Flood;
use crate::runner::{Phase, Runner};
use imminent_core::{Device, Program, Table};

/// Most steps of a launch: the halo at both sides of a tile leaves room for columns inside.
pub(super) const MAX_STEPS: u32 = 8;

/// Steps of a launch if nothing else is asked for. The kernel takes 64 registers on sm_90, so four groups run on a
/// multiprocessor: the 946 tiles that 1024 x 1024 cells make with this halo are just below twice those of an H200.
pub(super) const STEPS: u32 = 4;

/// Runs the steps on a device; returns the amounts and the counts.
pub(super) fn by_steps(
    device: &Device,
    flood: &Flood,
    steps_per_launch: u32,
    runner: &mut Runner<'_>,
) -> Result<(Vec<i64>, Counts), FloodError> {
    let (width, height) = (flood.width(), flood.height());
    let halo = steps_per_launch.clamp(1, MAX_STEPS);
    let grid = Grid { width, height, halo, steps: halo };
    let rows: Vec<Water> = flood.amounts().iter().map(|&amount| Water { amount }).collect();
    let mut waters = Table::from_rows(device, &rows)?;
    let number = width.div_ceil(COLUMNS - 2 * halo) as usize * height.div_ceil(LINES - 2 * halo) as usize;
    let lanes = number * LANES as usize;
    let (mut even, mut odd) = (Table::<Strip>::zeroed(device, lanes)?, Table::<Strip>::zeroed(device, lanes)?);
    let mut grounds = Table::<Ground>::zeroed(device, lanes)?;
    let mut census = Table::<Census>::zeroed(device, number)?;
    let tiles = vec![Tile { changed: 1, written: 0 }; number];
    let (mut even_tiles, mut odd_tiles) = (Table::from_rows(device, &tiles)?, Table::from_rows(device, &tiles)?);
    let queue = device.queue();
    queue.launch::<cut>((&mut even, &mut grounds, &mut census, &waters, &grid))?;
    let all = flood.steps();
    let pairs = all / u64::from(2 * halo);
    let mut program = Program::record(device, |program| {
        program.loop_until(pairs, |pair| {
            let args = (&mut odd, &mut grounds, &even, &mut odd_tiles, &even_tiles, &mut census, &grid);
            pair.launch::<level>(args)?;
            let args = (&mut even, &mut grounds, &odd, &mut even_tiles, &odd_tiles, &mut census, &grid);
            let changed = pair.launch::<level>(args)?;
            Ok(vec![changed.equals(false)])
        })
    })?;
    program.compile()?;
    runner.enter(Phase::Simulation);
    if pairs > 0 {
        runner.execute::<FloodError>(&mut program, |pairs| pairs * u64::from(2 * halo))?;
    }
    drop(program);
    let mut left = (all % u64::from(2 * halo)) as u32;
    while left > 0 {
        let grid = Grid { steps: left.min(halo), ..grid };
        queue.launch::<level>((&mut odd, &mut grounds, &even, &mut odd_tiles, &even_tiles, &mut census, &grid))?;
        std::mem::swap(&mut even, &mut odd);
        std::mem::swap(&mut even_tiles, &mut odd_tiles);
        left -= grid.steps;
    }
    // Changes come from changes in the step before, so there was one in each step up to the last.
    let steps = census.last().read()?.into_iter().max().unwrap_or(0);
    runner.enter(Phase::Reading);
    queue.launch::<join>((&mut waters, &even, &grid))?;
    let outputs = queue.launch::<changes>((&grounds,))?.read()?;
    let amounts = waters.amount().read()?;
    Ok((amounts, Counts { steps: u64::from(steps), outputs }))
}
