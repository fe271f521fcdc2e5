//! Engines of a flood.

use super::device;
use super::error::FloodError;
use super::host::{Counts, Grid};
use super::outcome::Outcome;
use super::rule::FloodRule;
use super::scenario::Flood;
use crate::outcome::{Cancelled, Engine};
use crate::runner::{Advance, Ended, Phase, Runner, Simulation, Watch};
use crate::sequential::{Delay, History};
use crate::space::{Border, CellSpace};
use imminent_core::Device;

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are those in which cells changed.
pub type Run = crate::Run<Outcome>;

/// All delays are one second, so a window is a step: [`Engine::Window`] and [`Engine::Step`] are the same advance.
/// Hosts proceed by lines near which something changed.
impl Simulation for Flood {
    type Outcome = Outcome;
    type Error = FloodError;
    type Report = imminent_core::Progress;

    fn advance(&self, by: Advance<'_>, runner: &mut Runner<'_>) -> Result<Ended<Outcome>, FloodError> {
        let ((amounts, counts), engine) = match by {
            Advance::Sequential => (self.by_event_list(runner)?, Engine::Sequential),
            Advance::Host(_, threads) => (self.by_lines(threads, runner)?, Engine::Step),
            Advance::Tiles(_, device) => (device::by_steps(device, self, device::STEPS, runner)?, Engine::Step),
        };
        Ok(self.ended(amounts, counts, engine))
    }
}

impl Flood {
    fn ended(&self, amounts: Vec<i64>, counts: Counts, engine: Engine) -> Ended<Outcome> {
        let (height, width, horizon) = (self.height, self.width, self.horizon);
        let outcome =
            Outcome { height, width, horizon, amounts, distinct_times: counts.steps, outputs: counts.outputs };
        Ended { outcome, engine, steps: counts.steps }
    }

    /// Runs the flood by tiles with up to `steps_per_launch` steps in each launch, from 1 to 8; other numbers are taken
    /// as the nearest of these. Tiles overlap by that many cells on each side, so more steps mean fewer launches and
    /// less memory traffic, but more cells computed twice. The outcome does not depend on it.
    ///
    /// # Errors
    /// [`FloodError::Device`], [`FloodError::Cancelled`].
    pub fn run_in_batches(&self, device: &Device, steps_per_launch: u32, watch: Watch<'_>) -> Result<Run, FloodError> {
        let mut runner = Runner::new(watch);
        let (amounts, counts) = device::by_steps(device, self, steps_per_launch, &mut runner)?;
        Ok(runner.finish(self.ended(amounts, counts, Engine::Step)))
    }

    fn by_lines(&self, threads: u32, runner: &mut Runner<'_>) -> Result<(Vec<i64>, Counts), Cancelled> {
        let mut grid = Grid::new(self.height, self.width, &self.amounts);
        runner.enter(Phase::Simulation);
        let counts = grid.run(self.steps(), threads, runner)?;
        runner.enter(Phase::Reading);
        Ok((grid.amounts(), counts))
    }

    fn by_event_list(&self, runner: &mut Runner<'_>) -> Result<(Vec<i64>, Counts), FloodError> {
        let space = CellSpace::plane(self.height, self.width, Border::Open)?;
        let (space, amounts) = ((&space, Delay::Transport), (&self.amounts[..], &[][..]));
        let History { values, distinct_times, outputs, .. } =
            runner.by_event_list::<_, FloodError>(space, &mut FloodRule, amounts, self.horizon, &mut |_| ())?;
        Ok((values, Counts { steps: distinct_times, outputs }))
    }
}
