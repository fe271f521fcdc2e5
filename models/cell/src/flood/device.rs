//! The flood on a device: one launch for each step, two tables by turns.

use super::host::Counts;
use super::kernels::levelling::{
    COLUMNS, Census, CensusColumns as _, Grid, LINES, Tile, Water, WaterColumns as _, level,
};
use super::run::{Flood, FloodError};
use crate::outcome::Spent;
use imminent_core::{Device, Program, Progress, Stop, Table};
use std::ops::ControlFlow;
use std::time::Instant;

/// Amounts after a run, and what it counted.
pub(super) fn by_steps(
    device: &Device,
    flood: &Flood,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    spent: &mut Spent,
) -> Result<(Vec<i64>, Counts), FloodError> {
    let began = Instant::now();
    let (width, height) = (flood.width(), flood.height());
    let rows: Vec<Water> = flood.amounts().iter().map(|&amount| Water { amount }).collect();
    let number = width.div_ceil(COLUMNS) as usize * height.div_ceil(LINES) as usize;
    let tiles = vec![Tile { changed: 1, written: 0 }; number];
    let grid = Grid { width, height };
    let mut even = Table::grid(device, width as usize, height as usize)?;
    let mut odd = Table::grid(device, width as usize, height as usize)?;
    even.write(&rows)?;
    odd.write(&rows)?;
    let (mut even_tiles, mut odd_tiles) = (Table::from_rows(device, &tiles)?, Table::from_rows(device, &tiles)?);
    let mut census = Table::<Census>::zeroed(device, number)?;
    let all = flood.steps();
    let mut program = Program::record(device, |program| {
        program.loop_until(all / 2, |pair| {
            pair.launch::<level>((&mut odd, &even, &mut odd_tiles, &even_tiles, &mut census, &grid))?;
            let changed = pair.launch::<level>((&mut even, &odd, &mut even_tiles, &odd_tiles, &mut census, &grid))?;
            Ok(vec![changed.equals(0)])
        })
    })?;
    program.compile()?;
    spent.set_up = began.elapsed();
    let began = Instant::now();
    if all > 1 {
        let outcome = program.run_with(|now| progress(Progress { steps: 2 * now.steps }))?;
        if outcome.stop == Stop::Cancelled {
            return Err(FloodError::Cancelled { steps: 2 * outcome.steps });
        }
    }
    let amounts = if all % 2 == 1 {
        device.queue().launch::<level>((&mut odd, &even, &mut odd_tiles, &even_tiles, &mut census, &grid))?;
        odd.amount().read()?
    } else {
        even.amount().read()?
    };
    spent.simulation = began.elapsed();
    let outputs = census.outputs().read()?.into_iter().sum();
    // Changes come from changes in the step before, so there was one in each step up to the last.
    let steps = census.last().read()?.into_iter().max().unwrap_or(0);
    Ok((amounts, Counts { steps: u64::from(steps), outputs }))
}
