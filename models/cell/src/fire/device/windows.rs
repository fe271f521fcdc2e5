//! The window advance on a device.

use crate::fire::UNITS;
use crate::fire::error::FireError;
use crate::fire::kernels::grid::{Grid, SIDE};
use crate::fire::kernels::window;
use crate::fire::outcome::NEVER;
use crate::fire::scenario::Fire;
use crate::runner::{Phase, Runner};
use imminent_core::{Device, Program, Table};

/// Launches of a round of the program's loop: two tables by turns.
const TURNS: u64 = 2;

fn grid(fire: &Fire, stride: u32) -> Grid {
    Grid { width: fire.width(), height: fire.height(), stride, horizon: fire.horizon() }
}

/// Columns and lines of a table.
type Shape = (u32, u32);

/// Returns the rows of a table with the lit cells, and the numbers of the tiles that contain them.
fn lit<R: Copy>(fire: &Fire, (columns, lines): Shape, unlit: R, lit: R) -> (Vec<R>, Vec<usize>) {
    let (columns, across) = (columns as usize, columns.div_ceil(SIDE) as usize);
    let mut rows = vec![unlit; columns * lines as usize];
    let mut tiles = Vec::new();
    for &(row, column) in fire.ignitions() {
        let (row, column) = (row as usize, column as usize);
        if let Some(cell) = rows.get_mut(row * columns + column) {
            *cell = lit;
        }
        tiles.push(row / SIDE as usize * across + column / SIDE as usize);
    }
    (rows, tiles)
}

fn tiles<R: Copy>(fire: &Fire, all: R, lit: R, which: &[usize]) -> Vec<R> {
    let number = fire.width().div_ceil(SIDE) as usize * fire.height().div_ceil(SIDE) as usize;
    let mut tiles = vec![all; number];
    for &at in which {
        if let Some(tile) = tiles.get_mut(at) {
            *tile = lit;
        }
    }
    tiles
}

/// Makes two tables of the same rows, which are used in turn.
fn twice<R: imminent_core::Row>(device: &Device, rows: &[R]) -> Result<[Table<R>; 2], imminent_core::Error> {
    Ok([Table::from_rows(device, rows)?, Table::from_rows(device, rows)?])
}

fn twice_in_a_grid<R: imminent_core::Row>(
    device: &Device,
    (columns, lines): Shape,
    rows: &[R],
) -> Result<[Table<R>; 2], imminent_core::Error> {
    let (columns, lines) = (columns as usize, lines as usize);
    let mut tables = [Table::grid(device, columns, lines)?, Table::grid(device, columns, lines)?];
    for table in &mut tables {
        table.write(rows)?;
    }
    Ok(tables)
}

/// Computes the ignition times by the window advance.
pub(in crate::fire) fn by_windows(
    device: &Device,
    fire: &Fire,
    runner: &mut Runner<'_>,
) -> Result<(Vec<u32>, u64), FireError> {
    let unlit = window::Front { time: NEVER, value: 0 };
    // Tiles are whole: PoCL 3.1 was seen to lose what lanes of a cut tile share in this kernel.
    let shape = (fire.width().next_multiple_of(SIDE), fire.height().next_multiple_of(SIDE));
    let (rows, at) = lit(fire, shape, unlit, window::Front { time: 0, value: UNITS });
    let still = window::Tile { changed: 0, written: 0 };
    let tiles = tiles(fire, still, window::Tile { changed: 2, written: 0 }, &at);
    let [mut even, mut odd] = twice_in_a_grid(device, shape, &rows)?;
    let [mut even_tiles, mut odd_tiles] = twice(device, &tiles)?;
    let grid = grid(fire, shape.0);
    let mut program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |pair| {
            pair.launch::<window::settle>((&mut odd, &even, &mut odd_tiles, &even_tiles, &grid))?;
            let changed = pair.launch::<window::settle>((&mut even, &odd, &mut even_tiles, &odd_tiles, &grid))?;
            Ok(vec![changed.equals(false)])
        })
    })?;
    program.compile()?;
    runner.enter(Phase::Simulation);
    let launches = runner.execute::<FireError>(&mut program, |rounds| rounds * TURNS)?;
    runner.enter(Phase::Reading);
    use window::FrontColumns as _;
    let times = even.time().read()?;
    let lines = times.chunks(shape.0 as usize).take(fire.height() as usize);
    let ignition = lines.flat_map(|line| line.iter().take(fire.width() as usize)).copied().collect();
    Ok((ignition, launches))
}
