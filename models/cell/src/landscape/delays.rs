//! Delays of fire between neighbouring cells, for every state of the weather.

use super::behaviour::{CellFire, Conditions};
use super::layers::Landscape;
use super::weather::State;
use super::{DIRECTION_COUNT, DIRECTIONS, NEVER};
use imminent_common::parallel;

/// Milliseconds of a minute.
const MINUTE: f64 = 60_000.0;

/// Delays of a cell, in whole milliseconds: of fire that reaches it travelling in each of [`DIRECTIONS`], or [`NEVER`].
pub(super) type Row = [u32; DIRECTION_COUNT];

/// Delays of all cells for some states of the weather.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Delays {
    /// One table for each distinct state, its rows in the order of cells.
    pub(super) tables: Vec<Vec<Row>>,
    /// Number of the table of each state.
    pub(super) table_of: Vec<u32>,
}

impl Delays {
    /// Computes the delays for the distinct ones of some states, on all threads.
    pub(super) fn new(landscape: &Landscape, states: &[State]) -> Self {
        let mut distinct: Vec<&State> = Vec::new();
        let mut table_of = Vec::with_capacity(states.len());
        for state in states {
            let found = distinct.iter().rposition(|&other| other == state);
            table_of.push(found.unwrap_or(distinct.len()) as u32);
            if found.is_none() {
                distinct.push(state);
            }
        }
        let table = |state: &State| {
            let conditions = Conditions::new(state);
            let row = |cell: usize| {
                let fire = landscape.site(cell).and_then(|site| conditions.fire(site));
                fire.map_or([NEVER; DIRECTION_COUNT], |fire| delays(landscape, cell, &fire))
            };
            parallel::map(landscape.cells(), row)
        };
        Delays { tables: distinct.into_iter().map(table).collect(), table_of }
    }

    /// Returns the delay of fire that reaches a cell travelling in a direction, from a table.
    #[inline]
    pub(super) fn get(&self, table: u32, cell: usize, direction: usize) -> u32 {
        let row = self.tables.get(table as usize).and_then(|table| table.get(cell));
        row.and_then(|row| row.get(direction)).copied().unwrap_or(NEVER)
    }
}

/// Returns the delays of a cell with a fire.
fn delays(landscape: &Landscape, cell: usize, fire: &CellFire) -> Row {
    let mut row = [NEVER; DIRECTION_COUNT];
    let toward = landscape.azimuths(cell);
    for ((direction, delay), toward) in row.iter_mut().enumerate().zip(toward) {
        if landscape.lets_pass(cell, direction) {
            let steps = DIRECTIONS.get(direction).map_or(1.0, |way| way.steps);
            *delay = milliseconds(landscape.cell_size() * steps, fire.horizontal_rate(toward));
        }
    }
    row
}

/// Returns the time in which a fire of a rate in m/min travels a distance in metres, truncated to milliseconds as CD++
/// truncates delays. The least time is one millisecond.
fn milliseconds(distance: f64, rate: f64) -> u32 {
    let time = distance / rate * MINUTE;
    // A time that is no number comes from a rate of 0 and is not less.
    if time < f64::from(NEVER) { (time as u32).max(1) } else { NEVER }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_truncated_to_milliseconds() {
        // The paper's cells: 15.24 m and 5.106976 m/min give 179,049 ms (MODELS 1.2).
        assert_eq!(milliseconds(15.24, 5.106_976), 179_049);
        assert_eq!(milliseconds(30.0, 0.0), NEVER);
        assert_eq!(milliseconds(30.0, 1e-9), NEVER);
        assert_eq!(milliseconds(1.0, 1e9), 1);
    }
}
