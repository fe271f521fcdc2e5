//! A flood to run, and the choice of its engine.

use super::host::{Counts, Grid};
use super::outcome::Outcome;
use super::rule::FloodRule;
use super::{MAX_WATER, PERIOD, amount, device, water};
use crate::outcome::{Engine, Spent};
use crate::sequential::{self, Delay};
use crate::space::{Border, CellSpace, SpaceError};
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;
use std::time::Instant;
use thiserror::Error;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// Reasons why a flood cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FloodError {
    /// The grid is empty or too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// There are more or fewer amounts than cells.
    #[error("a grid of {height} rows and {width} columns has {cells} cells, not {found}")]
    Amounts {
        /// Rows.
        height: u32,
        /// Columns.
        width: u32,
        /// Cells.
        cells: usize,
        /// Amounts given.
        found: usize,
    },
    /// An amount is no number, or all of them are too much together.
    #[error("the cells hold {water:e} units of water, which is no amount up to {MAX_WATER}")]
    TooMuch {
        /// Units given.
        water: f64,
    },
    /// The simulated time is not a number of hours that fits.
    #[error("a flood can run for 0 to {most} hours, not {hours}", most = (u32::MAX - 2) / 3_600_000)]
    Hours {
        /// Hours asked for.
        hours: f64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// A rule failed, in the sequential engine.
    #[error(transparent)]
    Rule(#[from] sequential::RuleError),
    /// The run was cancelled by its progress function.
    #[error("the run was cancelled after {steps} steps")]
    Cancelled {
        /// Steps done.
        steps: u64,
    },
}

/// Water in a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Flood {
    height: u32,
    width: u32,
    amounts: Vec<i64>,
    horizon: u32,
}

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are those in which cells changed.
pub type Run = crate::Run<Outcome>;

impl Flood {
    /// Describes a flood of some hours from the water in each cell, row by row; a negative number is a wall.
    ///
    /// # Errors
    /// [`FloodError::Space`], [`FloodError::Amounts`], [`FloodError::TooMuch`], [`FloodError::Hours`].
    pub fn new(height: u32, width: u32, cells: &[f64], hours: f64) -> Result<Self, FloodError> {
        let milliseconds = hours * HOUR;
        if !(0.0..f64::from(u32::MAX - 1)).contains(&milliseconds) {
            return Err(FloodError::Hours { hours });
        }
        let space = CellSpace::plane(height, width, Border::Open)?;
        if space.cells() != cells.len() {
            let (cells, found) = (space.cells(), cells.len());
            return Err(FloodError::Amounts { height, width, cells, found });
        }
        let sum: f64 = cells.iter().map(|&water| if water < 0.0 { 0.0 } else { water }).sum();
        if !(0.0..=MAX_WATER).contains(&sum) {
            return Err(FloodError::TooMuch { water: sum });
        }
        let amounts = cells.iter().map(|&water| amount(water)).collect();
        Ok(Flood { height, width, amounts, horizon: milliseconds as u32 })
    }

    /// Describes the dense flood: four sources at the quarter points, which would fill the grid to `depth` units when
    /// level (MODELS 1.4).
    ///
    /// # Errors
    /// As for [`Flood::new`].
    pub fn dense(height: u32, width: u32, depth: f64, hours: f64) -> Result<Self, FloodError> {
        let space = CellSpace::plane(height, width, Border::Open)?;
        let mut cells = vec![0.0; space.cells()];
        for row in [height / 4, height - 1 - height / 4] {
            for column in [width / 4, width - 1 - width / 4] {
                if let Some(cell) = space.cell(&[row, column]).and_then(|cell| cells.get_mut(cell as usize)) {
                    *cell = f64::from(height) * f64::from(width) / 4.0 * depth;
                }
            }
        }
        Self::new(height, width, &cells, hours)
    }

    /// Returns the number of rows of the grid.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of columns of the grid.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the initial amounts in steps of 2^-32 units; -1 for walls.
    #[must_use]
    pub fn amounts(&self) -> &[i64] {
        &self.amounts
    }

    /// Returns the last time that is simulated, in milliseconds.
    #[must_use]
    pub const fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Returns the number of steps until the horizon.
    #[must_use]
    pub fn steps(&self) -> u64 {
        u64::from(self.horizon / PERIOD)
    }

    fn outcome(&self, amounts: Vec<i64>, counts: Counts) -> Outcome {
        let (height, width, horizon) = (self.height, self.width, self.horizon);
        Outcome { height, width, horizon, amounts, distinct_times: counts.steps, outputs: counts.outputs }
    }

    /// Runs the flood on a device.
    ///
    /// All delays are one second, so a window is a step: [`Engine::Window`] and [`Engine::Step`] are the same advance.
    /// On hosts with native rows it proceeds by lines near which something changed, on other devices by tiles. All
    /// engines give the same outcome and digest. Determinism class: exact.
    ///
    /// # Errors
    /// [`FloodError::Device`], [`FloodError::Cancelled`].
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FloodError> {
        if engine == Engine::Sequential {
            return self.run_sequentially_while(progress);
        }
        if !device.capabilities().native_rows {
            return self.run_by_tiles(device, progress);
        }
        let mut spent = Spent::default();
        let began = Instant::now();
        let mut grid = Grid::new(self.height, self.width, &self.amounts);
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let threads = device.capabilities().threads;
        let counts = match grid.run(self.steps(), threads, |steps| progress(Progress { steps })) {
            ControlFlow::Continue(counts) => counts,
            ControlFlow::Break(steps) => return Err(FloodError::Cancelled { steps }),
        };
        spent.simulation = began.elapsed();
        let began = Instant::now();
        let outcome = self.outcome(grid.amounts(), counts);
        spent.reading = began.elapsed();
        Ok(Run { outcome, engine: Engine::Step, spent, steps: counts.steps })
    }

    /// Runs the flood by tiles on any device, hosts included, with as many steps in a launch as are best in general.
    ///
    /// # Errors
    /// As for [`Flood::run`].
    pub fn run_by_tiles(
        &self,
        device: &Device,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FloodError> {
        self.run_in_batches(device, device::STEPS, progress)
    }

    /// Runs the flood by tiles with up to `steps_per_launch` steps in each launch, from 1 to 8; other numbers are taken
    /// as the nearest of these. Tiles overlap by that many cells on each side, so more steps mean fewer launches and
    /// less memory traffic, but more cells computed twice. The outcome does not depend on it.
    ///
    /// # Errors
    /// As for [`Flood::run`].
    pub fn run_in_batches(
        &self,
        device: &Device,
        steps_per_launch: u32,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FloodError> {
        let mut spent = Spent::default();
        let (amounts, counts) = device::by_steps(device, self, steps_per_launch, progress, &mut spent)?;
        let began = Instant::now();
        let outcome = self.outcome(amounts, counts);
        spent.reading += began.elapsed();
        Ok(Run { outcome, engine: Engine::Step, spent, steps: counts.steps })
    }

    /// Runs the flood by the sequential event list.
    ///
    /// # Errors
    /// [`FloodError::Space`], [`FloodError::Rule`].
    pub fn run_sequentially(&self) -> Result<Run, FloodError> {
        self.run_sequentially_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Runs the flood by the sequential event list, as long as the progress function goes on.
    ///
    /// # Errors
    /// [`FloodError::Space`], [`FloodError::Rule`], [`FloodError::Cancelled`].
    pub fn run_sequentially_while(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FloodError> {
        let mut spent = Spent::default();
        let began = Instant::now();
        let space = CellSpace::plane(self.height, self.width, Border::Open)?;
        let go_on = &mut |steps| progress(Progress { steps });
        let (history, flow) = sequential::simulate_watched(
            &space,
            Delay::Transport,
            &mut FloodRule,
            &self.amounts,
            &[],
            self.horizon,
            &mut |_| (),
            go_on,
        )?;
        if flow.is_break() {
            return Err(FloodError::Cancelled { steps: history.distinct_times });
        }
        spent.simulation = began.elapsed();
        let counts = Counts { steps: history.distinct_times, outputs: history.outputs };
        Ok(Run {
            outcome: self.outcome(history.values, counts),
            engine: Engine::Sequential,
            spent,
            steps: counts.steps,
        })
    }

    /// Returns the water of each cell at the start, in units; -1 for walls.
    #[must_use]
    pub fn cells(&self) -> Vec<f64> {
        self.amounts.iter().map(|&amount| water(amount)).collect()
    }
}
