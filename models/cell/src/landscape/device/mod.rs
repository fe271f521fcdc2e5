//! Fires on a device: rounds of as many as it holds, tiles, and the way back.

mod shape;
mod words;

use super::NEVER;
use super::burnt::{BINS, Burnt, Report};
use super::details::{Details, Traced};
use super::error::WildfireError;
use super::kernels::tiles::{
    Band, Count, Fire, Grid, Lit, Size, Tile, Woken, count, goes_on, light, relax, size, wake,
};
use super::plan::{Plan, Start};
use crate::runner::{Phase, Runner, Watch, execute};
use imminent_common::free_memory;
use imminent_core::{Device, Program, Progress, Selection, Table};
use rayon::prelude::*;
use shape::{CELLS, Shape};
use std::ops::ControlFlow;
use words::Words;

/// Bytes of a tile of a fire, with its place in a selection.
const TILE_BYTES: u64 = 4 * (4 + 8 + CELLS as u64 + 1);

/// Most rounds of a loop of a kernel, where the device ends loops: what [`count`] goes round for fires.
const SHORT_LOOP: u64 = 1 << 15;

/// Returns the number of fires that a device holds at once.
fn most_fires(device: &Device, shape: Shape, words: &Words<'_>) -> Result<usize, WildfireError> {
    let capabilities = device.capabilities();
    let limits = &capabilities.limits;
    let (bytes, most) = (4 * words.count(), limits.table_bytes.min(4 * u64::from(u32::MAX - 2048)));
    if bytes > most {
        return Err(WildfireError::TooLarge { bytes, most });
    }
    let memory = limits.memory_bytes.or_else(free_memory::free).unwrap_or(1 << 30) / 2;
    let places = shape.places() as u64;
    let by_memory = memory.saturating_sub(bytes) / (4 * places * TILE_BYTES);
    let by_table = limits.table_bytes / (places * TILE_BYTES);
    let by_rows = u64::from(limits.rows.min(u32::MAX - 2048)) / places;
    let by_loops = if capabilities.long_loops { u64::MAX } else { SHORT_LOOP };
    Ok(by_memory.min(by_table).min(by_rows).min(by_loops).clamp(1, u64::from(u32::MAX / 2)) as usize)
}

/// Returns the number of fires whose tiles the host holds at once: as many as fit into a quarter of its memory, as they
/// are read and as rows.
fn most_read(shape: Shape) -> usize {
    let memory = free_memory::free().unwrap_or(1 << 30) / 4;
    let bytes = 2 * TILE_BYTES * 4 * shape.places() as u64;
    (memory / bytes.max(1)).clamp(1, u64::from(u32::MAX / 2)) as usize
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
    fn new(device: &Device, plan: &'a Plan, shape: Shape, words: &Words<'_>) -> Result<Self, WildfireError> {
        let table_of_words = words.upload(device)?;
        let rows = shape.places() * shape.fires;
        let grids = [0, 1, 2, 3].map(|colour| shape.grid(plan, words.cells(), colour));
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
                    let followed = (&mut *own, beside, above, across, &table_of_words, &bands, grid);
                    round.launch_over::<relax>(&listed, followed)?;
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

    /// Reads the tiles of a round of fires, of each colour.
    fn read(&self) -> Result<[Vec<Tile>; 4], WildfireError> {
        let [a, b, c, d] = &self.tiles;
        Ok([a.read()?, b.read()?, c.read()?, d.read()?])
    }
}

/// Returns the ignition times of a fire of a round, cell by cell.
fn ignition(plan: &Plan, shape: Shape, tiles: &[Vec<Tile>; 4], fire: usize) -> Vec<u32> {
    let mut ignition = vec![NEVER; plan.landscape.cells()];
    for (colour, tiles) in tiles.iter().enumerate() {
        for (place, tile) in tiles.iter().skip(fire).step_by(shape.fires).enumerate() {
            for (at, &left) in tile.left.iter().enumerate() {
                if let Some(time) = shape.cell(plan, colour, place, at).and_then(|cell| ignition.get_mut(cell)) {
                    *time = NEVER - left;
                }
            }
        }
    }
    ignition
}

/// Finds the details of a round of fires, the first of which has a number.
fn details(
    plan: &Plan,
    details: &Details<'_>,
    on_device: &OnDevice<'_>,
    fires: std::ops::Range<usize>,
) -> Result<Vec<Vec<u32>>, WildfireError> {
    let tiles = on_device.read()?;
    let first = fires.start;
    let of_fire = |traced: &mut Traced, fire: usize| {
        let ignition = ignition(plan, on_device.shape, &tiles, fire - first);
        let burnt = ignition.iter().enumerate().filter(|&(_, &time)| time != NEVER).map(|(cell, _)| cell);
        details.of_fire(fire, &ignition, burnt, traced)
    };
    Ok(fires.into_par_iter().map_init(Traced::default, of_fire).collect())
}

/// Computes the ignition times of the first fire of a plan; also returns the rounds of relaxation.
pub(super) fn one(device: &Device, plan: &Plan, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), WildfireError> {
    plan.prepare()?;
    let shape = Shape::new(plan, 1);
    let words = Words::new(plan, shape);
    most_fires(device, shape, &words)?;
    let mut on_device = OnDevice::new(device, plan, shape, &words)?;
    runner.enter(Phase::Simulation);
    let fire = plan.fires.get(..1).unwrap_or_default();
    let steps = on_device.burn(device, fire, 0, &mut |now| runner.tell(now))?;
    runner.enter(Phase::Reading);
    Ok((ignition(plan, shape, &on_device.read()?, 0), steps))
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
    plan.prepare()?;
    let words = Words::new(plan, Shape::new(plan, 1));
    let most =
        most_fires(device, Shape::new(plan, 1), &words)?.min(at_once.map_or(usize::MAX, |most| most.max(1) as usize));
    let need_times = Details::need_times(plan);
    let most = if need_times { most.min(most_read(Shape::new(plan, 1))) } else { most };
    let rounds = plan.fires.len().div_ceil(most).max(1);
    let shape = Shape::new(plan, plan.fires.len().div_ceil(rounds).max(1));
    let mut on_device = OnDevice::new(device, plan, shape, &words)?;
    let of_fires = Details::new(plan);
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
        let first = outcome.sizes.len();
        let fires = first..first + starts.len();
        let reached = if need_times { details(plan, &of_fires, &on_device, fires)? } else { vec![] };
        for (number, size) in found.iter().take(starts.len()).map(|size| size.cells).enumerate() {
            let fire = first + number;
            outcome.note(fire, size, reached.get(number).map_or(&[], Vec::as_slice));
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
    outcome.flames = of_fires.into_flames();
    Ok((outcome, steps))
}
