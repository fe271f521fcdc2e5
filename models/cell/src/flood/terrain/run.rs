//! A flood on a terrain to run, and the choice of its engine.

use super::error::{TerrainError, within};
use super::host::Host;
use super::inflow::{FRACTION, Inflow, Rain, Segment, Spring, Zone, brought, rates, segments};
use super::outcome::{Balance, NEVER, Outcome};
use super::state::{State, Terrain};
use super::{ARRIVAL_DEPTH, MAX_WATER, OUTSIDE, UNITS_PER_METRE, device, metres, units};
use crate::outcome::Engine;
use crate::runner::{Advance, Ended, Phase, Runner, Simulation};
use crate::space::{Border, CellSpace};
use crate::time::SECONDS_PER_HOUR;
use serde::{Deserialize, Serialize};

/// Rule for water at the border of the terrain: at the edge of the grid and beside cells without an elevation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// No water leaves.
    #[default]
    Closed,
    /// Water falls off: a ninth of a cell's depth leaves by each neighbour that is outside.
    Open,
}

/// Terrain, the water that comes to it, and the time to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainFlood {
    rows: u32,
    columns: u32,
    cell_size: f64,
    hours: f64,
    /// Length of a step, in seconds.
    step: f64,
    edge: Edge,
    /// Elevations in units; [`OUTSIDE`] outside.
    ground: Vec<i64>,
    /// Depths at the start, in units; -1 outside.
    depths: Vec<i64>,
    rains: Vec<Rain>,
    springs: Vec<Spring>,
}

/// Outcome of a run, with the steps that its engine took.
///
/// Steps in which nothing moved count too.
pub type Run = crate::Run<Outcome>;

impl TerrainFlood {
    /// Describes a dry terrain of square cells of `cell_size` metres, with a closed edge, steps of one second, and no
    /// inflow yet. `elevation` has a number of metres for each cell, row by row; NaN is a cell outside of the terrain.
    ///
    /// # Errors
    /// [`TerrainError::Space`], [`TerrainError::Cells`], [`TerrainError::Elevation`], [`TerrainError::Number`].
    pub fn new(rows: u32, columns: u32, cell_size: f64, elevation: &[f64], hours: f64) -> Result<Self, TerrainError> {
        let space = CellSpace::plane(rows, columns, Border::Open)?;
        within("the size of a cell in metres", cell_size, 1e-3, 1e6)?;
        within("the time in hours", hours, 0.0, f64::from(u32::MAX - 1) / SECONDS_PER_HOUR)?;
        if space.cells() != elevation.len() {
            let (cells, found) = (space.cells(), elevation.len());
            return Err(TerrainError::Cells { rows, columns, cells, found, what: "elevations" });
        }
        if let Some(cell) = elevation.iter().position(|metres| metres.abs() > 1e5) {
            let metres = elevation.get(cell).copied().unwrap_or(f64::NAN);
            return Err(TerrainError::Elevation { row: cell as u32 / columns, column: cell as u32 % columns, metres });
        }
        let ground: Vec<i64> =
            elevation.iter().map(|&metres| if metres.is_nan() { OUTSIDE } else { units(metres) }).collect();
        let depths = ground.iter().map(|&ground| if ground == OUTSIDE { -1 } else { 0 }).collect();
        let (rains, springs) = (Vec::new(), Vec::new());
        Ok(TerrainFlood {
            rows,
            columns,
            cell_size,
            hours,
            step: 1.0,
            edge: Edge::Closed,
            ground,
            depths,
            rains,
            springs,
        })
    }

    /// Adds rain.
    ///
    /// # Errors
    /// [`TerrainError::Number`] for an intensity that is negative or above 100,000 mm/h, or a time below 0;
    /// [`TerrainError::Outside`] for a zone that begins outside the grid.
    pub fn rain(mut self, rain: Rain) -> Result<Self, TerrainError> {
        within("the intensity of rain in mm/h", rain.intensity, 0.0, 1e5)?;
        hours(rain.start, rain.end)?;
        if let Zone::Rectangle { row, column, .. } = rain.zone {
            self.place(row, column)?;
        }
        self.rains.push(rain);
        Ok(self)
    }

    /// Adds a point source.
    ///
    /// # Errors
    /// [`TerrainError::Number`] for a discharge that is negative or raises its cell by more than 1000 m a second, or a
    /// time below 0; [`TerrainError::Outside`] and [`TerrainError::NoGround`] for its place.
    pub fn spring(mut self, spring: Spring) -> Result<Self, TerrainError> {
        within("the discharge of a spring in m3/s", spring.discharge, 0.0, 1000.0 * self.cell_size * self.cell_size)?;
        hours(spring.start, spring.end)?;
        let cell = self.place(spring.row, spring.column)?;
        if self.ground.get(cell).is_none_or(|&ground| ground == OUTSIDE) {
            return Err(TerrainError::NoGround { row: spring.row, column: spring.column });
        }
        self.springs.push(spring);
        Ok(self)
    }

    /// Sets the rule for water at the border of the terrain.
    #[must_use]
    pub const fn edge(mut self, edge: Edge) -> Self {
        self.edge = edge;
        self
    }

    /// Sets the length of a step, in seconds. Water moves by at most one cell a step.
    ///
    /// # Errors
    /// [`TerrainError::Number`] unless it is from 1 ms to an hour.
    pub fn step(mut self, seconds: f64) -> Result<Self, TerrainError> {
        self.step = within("the length of a step in seconds", seconds, 1e-3, SECONDS_PER_HOUR)?;
        within("the number of steps", self.hours * SECONDS_PER_HOUR / seconds, 0.0, f64::from(u32::MAX - 1))?;
        Ok(self)
    }

    /// Sets the depth of water at the start, in metres, row by row. Depths of cells outside are not looked at.
    ///
    /// # Errors
    /// [`TerrainError::Cells`], [`TerrainError::Number`].
    pub fn depths(mut self, depths: &[f64]) -> Result<Self, TerrainError> {
        if depths.len() != self.ground.len() {
            let (rows, columns, cells, found) = (self.rows, self.columns, self.ground.len(), depths.len());
            return Err(TerrainError::Cells { rows, columns, cells, found, what: "depths" });
        }
        for ((to, &ground), &depth) in self.depths.iter_mut().zip(&self.ground).zip(depths) {
            if ground != OUTSIDE {
                *to = units(within("the depth of a cell in metres", depth, 0.0, 1e5)?);
            }
        }
        Ok(self)
    }

    /// Returns the number of the cell at a place.
    fn place(&self, row: u32, column: u32) -> Result<usize, TerrainError> {
        if row < self.rows && column < self.columns {
            return Ok(row as usize * self.columns as usize + column as usize);
        }
        Err(TerrainError::Outside { row, column, rows: self.rows, columns: self.columns })
    }

    /// Returns the number of rows of the grid.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of columns of the grid.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the side of a cell, in metres.
    #[must_use]
    pub const fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Returns the number of steps until the end.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.at(self.hours)
    }

    /// Returns the step that begins at a time in hours.
    fn at(&self, hours: f64) -> u32 {
        // Half a millionth of a step, so that a whole number of steps is one although hours are rounded.
        (hours * SECONDS_PER_HOUR / self.step + 5e-7) as u32
    }

    fn inflows(&self) -> Vec<Inflow> {
        let one = UNITS_PER_METRE as f64 * f64::from(1_u32 << FRACTION);
        let rate = |metres_per_second: f64| (metres_per_second * self.step * one).round_ties_even() as u64;
        let rains = self.rains.iter().map(|rain| {
            let rate = rate(rain.intensity / 1000.0 / SECONDS_PER_HOUR);
            Inflow { zone: rain.zone, rate, from: self.at(rain.start), until: self.at(rain.end) }
        });
        let springs = self.springs.iter().map(|spring| {
            let zone = Zone::Rectangle { row: spring.row, column: spring.column, rows: 1, columns: 1 };
            let rate = rate(spring.discharge / (self.cell_size * self.cell_size));
            Inflow { zone, rate, from: self.at(spring.start), until: self.at(spring.end) }
        });
        rains.chain(springs).collect()
    }

    fn terrain(&self) -> Terrain<'_> {
        Terrain { rows: self.rows, columns: self.columns, open: self.edge == Edge::Open, ground: &self.ground }
    }

    /// Runs every segment with `run`; returns the state at the end and the water that came in.
    fn run_segments(
        &self,
        runner: &mut Runner<'_>,
        mut run: impl FnMut(&mut State, Segment, &[u64], &mut Runner<'_>) -> Result<(), TerrainError>,
    ) -> Result<(State, i128), TerrainError> {
        let (inflows, cuts) = (self.inflows(), segments(&self.inflows(), self.steps()));
        let inside: Vec<bool> = self.ground.iter().map(|&ground| ground != OUTSIDE).collect();
        let initial = stored(&self.depths);
        let mut received = 0_i128;
        for segment in &cuts {
            for rate in rates(&inflows, segment.first, self.columns, &inside) {
                received += brought(rate, segment.steps) as i128;
            }
        }
        if initial + received > MAX_WATER {
            return Err(TerrainError::TooMuch { metres: (initial + received) as f64 / UNITS_PER_METRE as f64 });
        }
        let arrival = |&depth: &i64| if depth >= ARRIVAL_DEPTH { 0 } else { NEVER };
        let mut state = State {
            depths: self.depths.clone(),
            peaks: self.depths.clone(),
            arrivals: self.depths.iter().map(arrival).collect(),
            left: 0,
        };
        for &segment in &cuts {
            runner.enter(Phase::SetUp);
            let rates = rates(&inflows, segment.first, self.columns, &inside);
            run(&mut state, segment, &rates, runner)?;
        }
        Ok((state, received))
    }

    /// Returns the elevation of a cell in metres, as it is rounded to units; `None` outside.
    #[must_use]
    pub fn elevation(&self, row: u32, column: u32) -> Option<f64> {
        let cell = self.place(row, column).ok()?;
        self.ground.get(cell).filter(|&&ground| ground != OUTSIDE).map(|&ground| metres(ground))
    }
}

/// All engines take one step after the other: on a host by rows near which water moved, elsewhere by tiles. The engine
/// [`Engine::Sequential`] runs the host's rows on any device.
impl Simulation for TerrainFlood {
    type Outcome = Outcome;
    type Error = TerrainError;
    type Report = imminent_core::Progress;

    fn advance(&self, by: Advance<'_>, runner: &mut Runner<'_>) -> Result<Ended<Outcome>, TerrainError> {
        let terrain = self.terrain();
        let (state, received) = match by {
            Advance::Tiles(_, device) => self.run_segments(runner, |state, segment, rates, runner| {
                device::run(device, terrain, state, segment, rates, runner)
            }),
            _ => {
                let mut host = Host::new(terrain);
                self.run_segments(runner, |state, segment, rates, runner| host.run(state, segment, rates, runner))
            }
        }?;
        runner.enter(Phase::Reading);
        let State { depths, peaks, arrivals, left } = state;
        let balance = Balance { initial: stored(&self.depths), received, stored: stored(&depths), left };
        let (rows, columns, step, steps) = (self.rows, self.columns, self.step, self.steps());
        let outcome = Outcome { rows, columns, step, steps, depths, peaks, arrivals, balance };
        let engine = if matches!(by, Advance::Sequential) { Engine::Sequential } else { Engine::Step };
        Ok(Ended { outcome, engine, steps: u64::from(steps) })
    }
}

fn stored(depths: &[i64]) -> i128 {
    depths.iter().filter(|&&depth| depth > 0).map(|&depth| i128::from(depth)).sum()
}

fn hours(start: f64, end: f64) -> Result<(), TerrainError> {
    within("the start in hours", start, 0.0, f64::from(u32::MAX))?;
    within("the end in hours", end, 0.0, f64::INFINITY).map(|_| ())
}
