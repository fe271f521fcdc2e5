//! Fires on a device: rounds of as many as it holds, tiles, and the way back.

use super::burnt::{BINS, Burnt, Report};
use super::error::WildfireError;
use super::kernels::SIDE;
use super::kernels::tiles::{
    Band, Count, Delay, Fire, Grid, Lit, Size, Tile, Woken, count, goes_on, light, relax, size, wake,
};
use super::plan::{Plan, Start};
use super::{DIRECTION_COUNT, NEVER};
use crate::runner::{Phase, Runner, Watch, execute};
use imminent_common::free_memory;
use imminent_core::{Device, Program, Progress, Selection, Table};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Cells of a tile.
const CELLS: usize = (SIDE * SIDE) as usize;

/// Delays of a tile.
const DELAYS: usize = CELLS * DIRECTION_COUNT;

/// Bytes of a tile of a fire, with its place in a selection.
const TILE_BYTES: u64 = 4 * (4 + CELLS as u64 + 1);

/// Most rounds of a loop of a kernel, where the device ends loops: what [`count`] goes round for fires.
const SHORT_LOOP: u64 = 1 << 15;

/// Shape of the tables.
#[derive(Clone, Copy)]
struct Shape {
    /// Tiles of all colours side by side, and one above the other.
    columns: usize,
    lines: usize,
    /// Tiles of a colour side by side, and one above the other.
    across: usize,
    down: usize,
    /// Fires of a round.
    fires: usize,
}

impl Shape {
    fn new(plan: &Plan, fires: usize) -> Self {
        let side = SIDE as usize;
        let columns = (plan.landscape.columns() as usize).div_ceil(side);
        let lines = (plan.landscape.rows() as usize).div_ceil(side);
        Shape { columns, lines, across: columns.div_ceil(2), down: lines.div_ceil(2), fires }
    }

    fn tiles(&self) -> usize {
        self.columns * self.lines
    }

    /// Returns the number of tiles of a colour.
    fn places(&self) -> usize {
        self.across * self.down
    }

    /// Parameters of the kernels for a colour.
    fn grid(&self, plan: &Plan, colour: usize) -> Grid {
        Grid {
            fires: self.fires as u32,
            across: self.across as u32,
            columns: self.columns as u32,
            lines: self.lines as u32,
            odd_x: (colour % 2) as u32,
            odd_y: (colour / 2) as u32,
            stride: (self.tiles() * DELAYS) as u32,
            band: plan.bands.length,
            bands: plan.bands.count,
            horizon: plan.horizon,
        }
    }

    /// Returns the number of the cell at a place of a tile of a colour; `None` beyond the edge of the landscape.
    fn cell(&self, plan: &Plan, colour: usize, place: usize, at: usize) -> Option<usize> {
        let side = SIDE as usize;
        let (x, y) = (2 * (place % self.across) + colour % 2, 2 * (place / self.across) + colour / 2);
        plan.landscape.cell((y * side + at / side) as u32, (x * side + at % side) as u32)
    }
}

/// Returns the number of fires that a device holds at once.
fn most_fires(device: &Device, plan: &Plan, tables: usize) -> Result<usize, WildfireError> {
    let shape = Shape::new(plan, 1);
    let capabilities = device.capabilities();
    let limits = &capabilities.limits;
    let delays = (tables * shape.tiles() * DELAYS) as u64;
    let most_delays = limits.table_bytes.min(4 * u64::from(u32::MAX - 2048));
    if 4 * delays > most_delays {
        return Err(WildfireError::TooLarge { bytes: 4 * delays, most: most_delays });
    }
    let memory = limits.memory_bytes.or_else(free_memory::free).unwrap_or(1 << 30) / 2;
    let places = shape.places() as u64;
    let by_memory = memory.saturating_sub(4 * delays) / (4 * places * TILE_BYTES);
    let by_table = limits.table_bytes / (places * TILE_BYTES);
    let by_rows = u64::from(limits.rows.min(u32::MAX - 2048)) / places;
    let by_loops = if capabilities.long_loops { u64::MAX } else { SHORT_LOOP };
    Ok(by_memory.min(by_table).min(by_rows).min(by_loops).clamp(1, u64::from(u32::MAX / 2)) as usize)
}

/// Tables of a round of fires and the program that burns them.
struct OnDevice<'a> {
    plan: &'a Plan,
    shape: Shape,
    grids: [Grid; 4],
    tiles: [Table<Tile>; 4],
    fires: Table<Fire>,
    bands: Table<Band>,
    program: Program,
}

impl<'a> OnDevice<'a> {
    fn new(device: &Device, plan: &'a Plan, shape: Shape) -> Result<Self, WildfireError> {
        let delays = delays(device, plan, shape)?;
        let rows = shape.places() * shape.fires;
        let grids = [0, 1, 2, 3].map(|colour| shape.grid(plan, colour));
        let table = || Table::zeroed(device, rows);
        let mut tiles: [Table<Tile>; 4] = [table()?, table()?, table()?, table()?];
        let fires = Table::zeroed(device, shape.fires)?;
        let bands = Table::zeroed(device, shape.fires * plan.bands.count as usize)?;
        let mut listed = Selection::with_capacity(device, rows)?;
        let woken = || Table::<Woken>::zeroed(device, 1);
        let mut woken = [woken()?, woken()?, woken()?, woken()?];
        let program = Program::record(device, |program| {
            program.loop_until(u64::MAX, |round| {
                for (colour, (grid, woken)) in grids.iter().zip(&mut woken).enumerate() {
                    // Own tiles, and those beside, above and below, and across a corner.
                    let (mut even, mut odd) = tiles.split_at_mut(2);
                    if colour >= 2 {
                        std::mem::swap(&mut even, &mut odd);
                    }
                    let ([left, right], [above_left, above_right]) = (even, odd) else { continue };
                    let (own, beside, above, across) = if colour % 2 == 0 {
                        (left, &*right, &*above_left, &*above_right)
                    } else {
                        (right, &*left, &*above_right, &*above_left)
                    };
                    use super::kernels::tiles::TileColumns as _;
                    round.launch_into::<wake, _>((&mut *own, beside, above, across, grid), woken)?;
                    round.select_into(own.wake().differs(0)?, &mut listed)?;
                    round.launch_over::<relax>(&listed, (&mut *own, beside, above, across, &delays, &bands, grid))?;
                }
                let [a, b, c, d] = &woken;
                let goes_on = round.launch::<goes_on>((a, b, c, d))?;
                Ok(vec![goes_on.equals(false)])
            })
        })?;
        program.compile()?;
        Ok(OnDevice { plan, shape, grids, tiles, fires, bands, program })
    }

    /// Burns some fires, at most those of a round. Gives the rounds of relaxation.
    fn burn(&mut self, device: &Device, starts: &[Start], done: u64, watch: Watch<'_>) -> Result<u64, WildfireError> {
        let columns = self.plan.landscape.columns();
        let (mut fires, mut lit, mut bands) = (Vec::new(), Vec::new(), Vec::new());
        for start in starts {
            fires.push(Fire { first: lit.len() as u32, count: start.cells.len() as u32 });
            lit.extend(start.cells.iter().map(|&cell| Lit { x: cell % columns, y: cell / columns }));
            bands.extend((0..self.plan.bands.count).map(|band| Band { table: self.plan.table(start.scenario, band) }));
        }
        // The last round may have fewer fires: those that it lacks are not lit.
        fires.resize(self.shape.fires, Fire { first: 0, count: 0 });
        bands.resize(self.shape.fires * self.plan.bands.count as usize, Band { table: 0 });
        if lit.is_empty() {
            lit.push(Lit { x: 0, y: 0 });
        }
        self.fires.write(&fires)?;
        self.bands.write(&bands)?;
        let lit = Table::from_rows(device, &lit)?;
        for (tiles, grid) in self.tiles.iter_mut().zip(&self.grids) {
            device.queue().launch::<light>((tiles, &self.fires, &lit, grid))?;
        }
        Ok(execute::<WildfireError>(&mut self.program, |steps| done + steps, watch)? - done)
    }
}

/// Returns the delays of fire that leaves each cell, tile by tile, for all states of the weather.
fn delays(device: &Device, plan: &Plan, shape: Shape) -> Result<Table<Delay>, WildfireError> {
    use super::kernels::tiles::DelayColumns as _;
    let delays = plan.delays();
    let stride = shape.tiles() * DELAYS;
    let table = Table::<Delay>::zeroed(device, delays.tables.len().max(1) * stride)?;
    let side = SIDE as usize;
    let mut staging = device.staging::<u32>(stride)?;
    for number in 0..delays.tables.len() {
        staging.par_chunks_mut(DELAYS).enumerate().for_each(|(tile, of_tile)| {
            let (x, y) = (tile % shape.columns * side, tile / shape.columns * side);
            for (at, of_cell) in of_tile.chunks_mut(DIRECTION_COUNT).enumerate() {
                let place = ((y + at / side) as u32, (x + at % side) as u32);
                let is_inside = plan.landscape.cell(place.0, place.1).is_some();
                for (direction, delay) in of_cell.iter_mut().enumerate() {
                    let to = plan.after(place, direction).filter(|_| is_inside);
                    *delay = to.map_or(NEVER, |to| delays.get(number as u32, to, direction));
                }
            }
        });
        let rows = number * stride..(number + 1) * stride;
        staging = table.milliseconds().upload(&device.queue(), rows, staging)?.wait()?;
    }
    Ok(table)
}

/// Computes the ignition times of the first fire of a plan; also returns the rounds of relaxation.
pub(super) fn one(device: &Device, plan: &Plan, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), WildfireError> {
    let tables = plan.prepare()?.tables.len();
    most_fires(device, plan, tables)?;
    let shape = Shape::new(plan, 1);
    let mut on_device = OnDevice::new(device, plan, shape)?;
    runner.enter(Phase::Simulation);
    let fire = plan.fires.get(..1).unwrap_or_default();
    let steps = on_device.burn(device, fire, 0, &mut |now| runner.tell(now))?;
    runner.enter(Phase::Reading);
    let mut ignition = vec![NEVER; plan.landscape.cells()];
    for (colour, tiles) in on_device.tiles.iter().enumerate() {
        for (place, tile) in tiles.read()?.iter().enumerate() {
            for (at, &left) in tile.left.iter().enumerate() {
                if let Some(time) = shape.cell(plan, colour, place, at).and_then(|cell| ignition.get_mut(cell)) {
                    *time = NEVER - left;
                }
            }
        }
    }
    Ok((ignition, steps))
}

/// Counts of the fires of a plan, and the rounds of relaxation; of the rounds before a cancellation. At most `at_once`
/// fires are on the device together.
pub(super) fn many(
    device: &Device,
    plan: &Plan,
    at_once: Option<u32>,
    runner: &mut Runner<'_, Report>,
) -> Result<(Burnt, u64), WildfireError> {
    let mut outcome = Burnt::empty(plan);
    let tables = plan.prepare()?.tables.len();
    let most = most_fires(device, plan, tables)?.min(at_once.map_or(usize::MAX, |most| most.max(1) as usize));
    let rounds = plan.fires.len().div_ceil(most).max(1);
    let shape = Shape::new(plan, plan.fires.len().div_ceil(rounds).max(1));
    let mut on_device = OnDevice::new(device, plan, shape)?;
    let table = || Table::<Count>::zeroed(device, shape.places() * CELLS);
    let mut counts = [table()?, table()?, table()?, table()?];
    let mut sizes = Table::<Size>::zeroed(device, shape.fires)?;
    runner.enter(Phase::Simulation);
    let (mut steps, mut flow) = (0, ControlFlow::Continue(()));
    for starts in plan.fires.chunks(shape.fires) {
        let mut progress = |now| runner.tell(Report::Progress(now));
        if flow.is_break() || progress(Progress { steps }).is_break() {
            break;
        }
        steps += match on_device.burn(device, starts, steps, &mut progress) {
            Ok(more) => more,
            // Rounds that are over have been counted.
            Err(WildfireError::Cancelled { .. }) => break,
            Err(error) => return Err(error),
        };
        sizes.clear()?;
        let queue = device.queue();
        for ((tiles, grid), counts) in on_device.tiles.iter().zip(&on_device.grids).zip(&mut counts) {
            queue.launch::<count>((counts, tiles, grid))?;
            queue.launch::<size>((&mut sizes, tiles, grid))?;
        }
        let found = sizes.read()?;
        for size in found.iter().take(starts.len()).map(|size| size.cells) {
            let fire = outcome.sizes.len();
            outcome.note(fire, size);
            if runner.tell(Report::Ended { fire, size }).is_break() {
                flow = ControlFlow::Break(());
            }
        }
    }
    runner.enter(Phase::Reading);
    for (colour, counts) in counts.iter().enumerate() {
        for (row, found) in counts.read()?.iter().enumerate() {
            let Some(cell) = shape.cell(plan, colour, row / CELLS, row % CELLS) else { continue };
            if let Some(burnt) = outcome.burnt.get_mut(cell) {
                *burnt = found.burnt;
            }
            if let Some(arrivals) = outcome.arrivals.get_mut(cell * BINS..(cell + 1) * BINS) {
                arrivals.copy_from_slice(&found.arrivals);
            }
        }
    }
    Ok((outcome, steps))
}
