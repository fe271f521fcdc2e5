//! Delays of fire between cells, for every state of the weather.

use super::behaviour::CellFire;
use super::directions::Directions;
use super::layers::{Corners, Landscape};
use super::local::{LocalConditions, LocalState};
use super::metric::{MINUTE, Metric};
use super::stencil::{Stencil, Stencils, Way};
use super::{DIRECTION_COUNT, DIRECTIONS, NEVER};
use imminent_common::parallel;
use std::sync::Arc;

/// Delays of a cell, in whole milliseconds: of fire that reaches it travelling in each of [`DIRECTIONS`], or [`NEVER`].
type Row = [u32; DIRECTION_COUNT];

/// Bytes of the rates of a cell in a state of the weather, the number of its stencil included.
pub(crate) const RATE_BYTES: usize = if RATE > size_of::<Row>() { RATE } else { size_of::<Row>() };
const RATE: usize = size_of::<Metric>() + size_of::<u32>();

/// Delays between all cells for some states of the weather.
#[derive(Clone, Debug)]
pub(super) struct Delays {
    landscape: Arc<Landscape>,
    stencils: Stencils,
    rates: Rates,
    /// Number of the table of each state.
    pub(super) table_of: Vec<u32>,
    /// Number of the scenario of each table.
    pub(super) scenario_of: Vec<u32>,
}

/// Rates of spread of all cells, in the order of cells: one table for each distinct state of each scenario.
#[derive(Clone, Debug)]
enum Rates {
    /// By the cell that is reached.
    Eight(Vec<Vec<Row>>),
    /// By the cells that a segment crosses.
    Adaptive {
        tables: Vec<Vec<Metric>>,
        /// For each scenario, the numbers of the stencils of cells.
        stencils: Vec<Vec<u32>>,
    },
}

impl Delays {
    /// Prepares the rates of all cells in the distinct states of each scenario, on all threads. Each scenario has
    /// `bands` states.
    pub(super) fn new(landscape: Arc<Landscape>, states: &[LocalState], bands: u32) -> Self {
        let mut distinct: Vec<&LocalState> = Vec::new();
        let (mut table_of, mut scenario_of) = (Vec::with_capacity(states.len()), Vec::new());
        for (scenario, states) in states.chunks(bands.max(1) as usize).enumerate() {
            let first = distinct.len();
            for state in states {
                let known = distinct.iter().skip(first).rposition(|&other| other == state);
                table_of.push(known.map_or(distinct.len(), |known| first + known) as u32);
                if known.is_none() {
                    distinct.push(state);
                    scenario_of.push(scenario as u32);
                }
            }
        }
        let mut stencils = Stencils::new(landscape.directions(), landscape.columns());
        let fire = |conditions: &LocalConditions, cell: usize| conditions.fire(&landscape, cell);
        let conditions = distinct.into_iter().map(|state| LocalConditions::new(&landscape, state));
        let rates = match landscape.directions() {
            Directions::Eight => {
                let row = |conditions: &LocalConditions, cell: usize| match fire(conditions, cell) {
                    Some(fire) => delays(&landscape, cell, &fire),
                    None => [NEVER; DIRECTION_COUNT],
                };
                let tables =
                    conditions.map(|conditions| parallel::map(landscape.cells(), |cell| row(&conditions, cell)));
                Rates::Eight(tables.collect())
            }
            Directions::Adaptive => {
                let turns = parallel::map(landscape.cells(), |cell| landscape.turn(cell));
                let metric = |conditions: &LocalConditions, cell: usize| match fire(conditions, cell) {
                    Some(fire) => {
                        turns.get(cell).map_or(Metric::NONE, |turn| Metric::new(&fire, landscape.cell_size(), turn))
                    }
                    None => Metric::NONE,
                };
                let tables: Vec<Vec<Metric>> = conditions
                    .map(|conditions| parallel::map(landscape.cells(), |cell| metric(&conditions, cell)))
                    .collect();
                let of_scenario = |scenario: usize| {
                    let own = tables.iter().zip(&scenario_of).filter(|&(_, &of)| of as usize == scenario);
                    stencils_of(&mut stencils, &own.map(|(table, _)| table).collect::<Vec<_>>())
                };
                let stencils_of_cells = (0..states.len().div_ceil(bands.max(1) as usize)).map(of_scenario).collect();
                Rates::Adaptive { tables, stencils: stencils_of_cells }
            }
        };
        Delays { landscape, stencils, rates, table_of, scenario_of }
    }

    /// Returns the number of cells.
    pub(super) fn cells(&self) -> usize {
        self.landscape.cells()
    }

    /// Returns the number of tables.
    pub(super) fn tables(&self) -> usize {
        self.scenario_of.len()
    }

    pub(super) const fn stencils(&self) -> &Stencils {
        &self.stencils
    }

    /// Returns the number of the stencil by which fire leaves a cell in a scenario.
    #[inline]
    pub(super) fn stencil_number(&self, scenario: u32, cell: usize) -> u32 {
        match &self.rates {
            Rates::Eight(_) => 0,
            Rates::Adaptive { stencils, .. } => {
                stencils.get(scenario as usize).and_then(|cells| cells.get(cell)).copied().unwrap_or(0)
            }
        }
    }

    /// Returns the stencil by which fire leaves a cell in a scenario, at any time.
    #[inline]
    pub(super) fn stencil(&self, scenario: u32, cell: usize) -> &Stencil {
        self.stencils.get(self.stencil_number(scenario, cell))
    }

    /// Returns the segments by which fire leaves a cell in a scenario, at any time.
    #[inline]
    pub(super) fn ways(&self, scenario: u32, cell: usize) -> impl ExactSizeIterator<Item = &Way> {
        self.stencils.ways(self.stencil(scenario, cell))
    }

    /// Returns the delay of fire from a cell along a way, which ends in the landscape, from a table.
    #[inline]
    pub(super) fn along(&self, table: u32, cell: usize, way: &Way) -> u32 {
        self.along_below(table, cell, way, NEVER)
    }

    /// Returns the delay of fire from a cell along a way as [`Self::along`] does, or [`NEVER`] if it is not less than a
    /// bound.
    #[inline]
    pub(super) fn along_below(&self, table: u32, cell: usize, way: &Way, bound: u32) -> u32 {
        match &self.rates {
            Rates::Eight(tables) => {
                let row = tables.get(table as usize).and_then(|table| table.get(step(cell, way.distance)));
                way.direction.and_then(|direction| row?.get(direction).copied()).unwrap_or(NEVER)
            }
            Rates::Adaptive { tables, .. } => {
                let Some(table) = tables.get(table as usize) else { return NEVER };
                let mut time = 0.0;
                for crossing in &way.crossed {
                    let Some(metric) = table.get(step(cell, crossing.distance)) else { return NEVER };
                    time += crossing.share * metric.time(way.vector, way.square);
                    if f64::from(time) >= f64::from(bound) {
                        return NEVER;
                    }
                }
                if self.is_closed(cell, way) { NEVER } else { whole(f64::from(time)) }
            }
        }
    }

    /// Returns whether a way passes through a corner between two cells that cannot burn.
    #[inline]
    fn is_closed(&self, cell: usize, way: &Way) -> bool {
        let burns = |distance: i32| self.landscape.site(step(cell, distance)).is_some();
        way.corner.is_some_and(|beside| self.landscape.corners() == Corners::Closed && !beside.into_iter().any(burns))
    }
}

#[inline]
fn step(cell: usize, distance: i32) -> usize {
    cell.wrapping_add_signed(distance as isize)
}

/// Returns the numbers of the stencils of all cells in a scenario: the union of those in each of its tables.
///
/// With one stencil for all times, fire that leaves a cell later never arrives earlier.
fn stencils_of(stencils: &mut Stencils, tables: &[&Vec<Metric>]) -> Vec<u32> {
    let known: &Stencils = stencils;
    let numbers: Vec<Vec<u32>> = tables
        .iter()
        .map(|table| {
            parallel::map(table.len(), |cell| {
                let (eccentricity, heading) = table.get(cell).unwrap_or(&Metric::NONE).shape();
                known.number(eccentricity, heading)
            })
        })
        .collect();
    let union = |cell: usize| stencils.union(numbers.iter().filter_map(|numbers| numbers.get(cell).copied()));
    (0..tables.first().map_or(0, |table| table.len())).map(union).collect()
}

/// Returns the delays of fire to a cell from its neighbours.
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

/// Returns the time in which a fire of a rate in m/min travels a distance in metres.
fn milliseconds(distance: f64, rate: f64) -> u32 {
    whole(distance / rate * MINUTE)
}

/// Truncates a time to milliseconds as CD++ truncates delays. The least time is one millisecond.
#[inline]
fn whole(time: f64) -> u32 {
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
