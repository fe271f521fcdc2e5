//! Runs of a flood, and the choice of the engine.

use super::device;
use super::error::FloodError;
use super::host::{Counts, Grid};
use super::outcome::Outcome;
use super::rule::FloodRule;
use super::scenario::Flood;
use crate::outcome::{Engine, Spent};
use crate::sequential::{self, Delay};
use crate::space::{Border, CellSpace};
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are those in which cells changed.
pub type Run = crate::Run<Outcome>;

impl Flood {
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
}
