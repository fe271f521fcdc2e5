//! The fire on a host: time windows as buckets of a calendar, burning cells only.
//!
//! No direction is faster than the lookahead, so an ignition in a window schedules nothing in the same window. Each bucket is
//! sorted once and then taken in order. A pending ignition that was pre-empted is recognized by its time.

use super::outcome::NEVER;
use super::{DELAYS, DIRECTION_COUNT, DIRECTIONS, LOOKAHEAD, STEPS, TOLERANCE, UNITS};
use std::ops::ControlFlow;

/// State of a cell, 16 bytes.
#[derive(Clone, Copy)]
struct Cell {
    /// Value computed last, in units.
    value: u64,
    /// When the cell ignites or did; [`NEVER`] while nothing is pending.
    due: u32,
    /// Rule that holds: the first direction whose neighbour burns.
    rule: u8,
    burning: bool,
}

const UNBURNT: Cell = Cell { value: 0, due: NEVER, rule: DIRECTION_COUNT as u8, burning: false };

/// A grid that burns.
pub(super) struct Calendar {
    /// Columns, with a border of one cell on each side that never burns.
    stride: usize,
    height: usize,
    width: usize,
    horizon: u32,
    cells: Vec<Cell>,
    /// Pending ignitions by time window: the time in the upper half, the cell in the lower half.
    buckets: Vec<Vec<u64>>,
}

/// Distance in memory from a burning cell to the one that sees it in a direction.
fn reaches(stride: usize) -> [isize; DIRECTION_COUNT] {
    DIRECTIONS.map(|direction| -(direction.row as isize * stride as isize + direction.column as isize))
}

impl Calendar {
    /// Makes a grid in which cells ignite at given times.
    pub(super) fn new(height: u32, width: u32, horizon: u32, ignitions: &[(u32, u32)]) -> Self {
        let (height, width) = (height as usize, width as usize);
        let stride = width + 2;
        let mut cells = vec![UNBURNT; stride * (height + 2)];
        let edge = Cell { burning: true, ..UNBURNT };
        let (last_row, rows) = (stride * (height + 1), 0..height + 2);
        cells.iter_mut().take(stride).for_each(|cell| *cell = edge);
        cells.iter_mut().skip(last_row).for_each(|cell| *cell = edge);
        for row in rows {
            for at in [row * stride, row * stride + stride - 1] {
                if let Some(cell) = cells.get_mut(at) {
                    *cell = edge;
                }
            }
        }
        let windows = (horizon / LOOKAHEAD) as usize + 1;
        let mut calendar = Calendar { stride, height, width, horizon, cells, buckets: vec![Vec::new(); windows] };
        for &(row, column) in ignitions {
            let at = calendar.place(row as usize, column as usize);
            calendar.schedule(at, 0, UNITS);
        }
        calendar
    }

    const fn place(&self, row: usize, column: usize) -> usize {
        (row + 1) * self.stride + column + 1
    }

    fn schedule(&mut self, at: usize, due: u32, value: u64) {
        let Some(cell) = self.cells.get_mut(at) else { return };
        (cell.due, cell.value) = (due, value);
        if due <= self.horizon
            && let Some(bucket) = self.buckets.get_mut((due / LOOKAHEAD) as usize)
        {
            bucket.push((u64::from(due) << 32) | at as u64);
        }
    }

    /// Burns until the horizon. `progress` is asked before each window, with the number of windows that are over.
    pub(super) fn run(&mut self, mut progress: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<u64, u64> {
        let reaches = reaches(self.stride);
        let mut imminents: Vec<usize> = Vec::new();
        for window in 0..self.buckets.len() {
            if progress(window as u64).is_break() {
                return ControlFlow::Break(window as u64);
            }
            let mut bucket = self.buckets.get_mut(window).map(std::mem::take).unwrap_or_default();
            bucket.sort_unstable();
            for same in bucket.chunk_by(|a, b| a >> 32 == b >> 32) {
                let now = same.first().map_or(0, |event| (event >> 32) as u32);
                imminents.clear();
                for &event in same {
                    let at = event as u32 as usize;
                    if let Some(cell) = self.cells.get_mut(at).filter(|cell| cell.due == now && !cell.burning) {
                        cell.burning = true;
                        imminents.push(at);
                    }
                }
                self.spread(now, &imminents, &reaches);
            }
        }
        ControlFlow::Continue(self.buckets.len() as u64)
    }

    /// Evaluates the cells around those that ignite now.
    fn spread(&mut self, now: u32, imminents: &[usize], reaches: &[isize; DIRECTION_COUNT]) {
        for &burning in imminents {
            for (rule, &reach) in reaches.iter().enumerate() {
                let at = burning.wrapping_add_signed(reach);
                let Some(cell) = self.cells.get(at).copied() else { continue };
                if cell.burning || rule >= usize::from(cell.rule) {
                    continue;
                }
                // Of several neighbours that ignite at once the first rule counts, and the cell is evaluated once.
                let rule = self.best(at, imminents, reaches).min(rule);
                self.evaluate(at, cell, rule, now, reaches);
            }
        }
    }

    /// First rule whose neighbour is among those that ignite now.
    fn best(&self, at: usize, imminents: &[usize], reaches: &[isize; DIRECTION_COUNT]) -> usize {
        if imminents.len() == 1 {
            return DIRECTION_COUNT;
        }
        let ignites = |reach: &isize| imminents.contains(&at.wrapping_add_signed(-reach));
        reaches.iter().position(ignites).unwrap_or(DIRECTION_COUNT)
    }

    fn evaluate(&mut self, at: usize, cell: Cell, rule: usize, now: u32, reaches: &[isize; DIRECTION_COUNT]) {
        let (Some(&reach), Some(&step), Some(&delay)) = (reaches.get(rule), STEPS.get(rule), DELAYS.get(rule)) else {
            return;
        };
        let from = self.cells.get(at.wrapping_add_signed(-reach)).map_or(0, |from| from.value);
        let value = from + step;
        if let Some(cell) = self.cells.get_mut(at) {
            cell.rule = rule as u8;
        }
        if cell.due == NEVER || value.abs_diff(cell.value) > TOLERANCE {
            self.schedule(at, now.saturating_add(delay), value);
        }
    }

    /// Ignition times, row by row.
    pub(super) fn ignition(&self) -> Vec<u32> {
        let mut times = Vec::with_capacity(self.height * self.width);
        for row in 0..self.height {
            let start = self.place(row, 0);
            let cells = self.cells.get(start..start + self.width).unwrap_or_default();
            times.extend(cells.iter().map(|cell| if cell.burning { cell.due } else { NEVER }));
        }
        times
    }
}
