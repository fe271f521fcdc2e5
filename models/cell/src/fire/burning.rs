//! Burning cells on a host, whatever the order in which their ignitions are found.

use super::outcome::NEVER;
use super::{DELAYS, DIRECTION_COUNT, DIRECTIONS, STEPS, TOLERANCE, UNITS};

/// Holds the pending ignitions.
pub(super) trait Schedule {
    /// Sets the time of a cell's pending ignition. `before` is the time that it replaces; [`NEVER`] if there was none.
    fn set(&mut self, at: usize, before: u32, due: u32);
}

/// State of a cell, 16 bytes.
#[derive(Clone, Copy)]
struct Cell {
    /// Value computed last, in units.
    value: u64,
    /// Time of ignition, past or pending; [`NEVER`] while nothing is pending.
    due: u32,
    /// Rule that holds: the first direction whose neighbour burns.
    rule: u8,
    burning: bool,
}

const UNBURNT: Cell = Cell { value: 0, due: NEVER, rule: DIRECTION_COUNT as u8, burning: false };

/// A grid with a border of one cell on each side that never ignites.
pub(super) struct Burning {
    stride: usize,
    height: usize,
    width: usize,
    cells: Vec<Cell>,
    /// Distance in memory from a burning cell to the one that sees it in a direction.
    reaches: [isize; DIRECTION_COUNT],
}

impl Burning {
    /// Makes a grid in which nothing burns.
    pub(super) fn new(height: u32, width: u32) -> Self {
        let (height, width) = (height as usize, width as usize);
        let stride = width + 2;
        // The border counts as burning, so it is never evaluated; its value is never read.
        let mut cells = vec![Cell { burning: true, ..UNBURNT }; stride * (height + 2)];
        for row in 1..=height {
            if let Some(row) = cells.get_mut(row * stride + 1..row * stride + 1 + width) {
                row.fill(UNBURNT);
            }
        }
        let reaches =
            DIRECTIONS.map(|direction| -(direction.row as isize * stride as isize + direction.column as isize));
        Burning { stride, height, width, cells, reaches }
    }

    /// Returns the number of places, the border included.
    pub(super) fn places(&self) -> usize {
        self.cells.len()
    }

    /// Lets cells ignite at time 0.
    pub(super) fn light(&mut self, ignitions: &[(u32, u32)], schedule: &mut impl Schedule) {
        for &(row, column) in ignitions {
            let at = (row as usize + 1) * self.stride + column as usize + 1;
            if let Some(cell) = self.cells.get_mut(at).filter(|cell| cell.due != 0) {
                (cell.due, cell.value) = (0, UNITS);
                schedule.set(at, NEVER, 0);
            }
        }
    }

    /// Ignites a cell, if that is what it has pending.
    pub(super) fn ignite(&mut self, at: usize, now: u32) -> bool {
        let cell = self.cells.get_mut(at).filter(|cell| cell.due == now && !cell.burning);
        let ignites = cell.is_some();
        if let Some(cell) = cell {
            cell.burning = true;
        }
        ignites
    }

    /// Evaluates the cells around those that have ignited now.
    pub(super) fn spread(&mut self, now: u32, imminents: &[usize], schedule: &mut impl Schedule) {
        let reaches = self.reaches;
        for &burning in imminents {
            for (rule, &reach) in reaches.iter().enumerate() {
                let at = burning.wrapping_add_signed(reach);
                let Some(cell) = self.cells.get(at).copied() else { continue };
                if cell.burning || rule >= usize::from(cell.rule) {
                    continue;
                }
                // Of several neighbours that ignite at once the first rule counts, and the cell is evaluated once.
                let rule = self.best(at, imminents).min(rule);
                self.evaluate(at, cell, rule, now, schedule);
            }
        }
    }

    /// Finds the first rule whose neighbour is among those that ignite now.
    fn best(&self, at: usize, imminents: &[usize]) -> usize {
        if imminents.len() == 1 {
            return DIRECTION_COUNT;
        }
        let ignites = |reach: &isize| imminents.contains(&at.wrapping_add_signed(-reach));
        self.reaches.iter().position(ignites).unwrap_or(DIRECTION_COUNT)
    }

    fn evaluate(&mut self, at: usize, before: Cell, rule: usize, now: u32, schedule: &mut impl Schedule) {
        let (Some(&reach), Some(&step), Some(&delay)) = (self.reaches.get(rule), STEPS.get(rule), DELAYS.get(rule))
        else {
            return;
        };
        let from = self.cells.get(at.wrapping_add_signed(-reach)).map_or(0, |from| from.value);
        let Some(cell) = self.cells.get_mut(at) else { return };
        let value = from + step;
        cell.rule = rule as u8;
        if before.due == NEVER || value.abs_diff(before.value) > TOLERANCE {
            (cell.due, cell.value) = (now.saturating_add(delay), value);
            schedule.set(at, before.due, cell.due);
        }
    }

    /// Returns the ignition times, row by row.
    pub(super) fn ignition(&self) -> Vec<u32> {
        let mut times = Vec::with_capacity(self.height * self.width);
        for row in 1..=self.height {
            let start = row * self.stride + 1;
            let cells = self.cells.get(start..start + self.width).unwrap_or_default();
            times.extend(cells.iter().map(|cell| if cell.burning { cell.due } else { NEVER }));
        }
        times
    }
}
