//! One fire on a landscape.

use super::error::WildfireError;
use super::layers::Landscape;
use super::outcome::{Behaviour, Outcome};
use super::plan::{Plan, Start};
use super::weather::Weather;
use super::{NEVER, device, host, oracle};
use crate::outcome::{Engine, Spent};
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A fire on a landscape.
#[derive(Clone, Debug)]
pub struct Wildfire {
    plan: Plan,
}

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are rounds of relaxation on a device; on a host they are cells that ignited.
pub type Run = crate::Run<Outcome>;

impl Wildfire {
    /// Describes a fire of some hours in a landscape whose cells at `ignitions` (row, column) are lit at the start. The
    /// weather is interpolated between the hours given, and constant within bands of one hour.
    ///
    /// # Errors
    /// [`WildfireError`].
    pub fn new(
        landscape: Arc<Landscape>,
        weather: &[Weather],
        ignitions: &[(u32, u32)],
        hours: f64,
    ) -> Result<Self, WildfireError> {
        let mut plan = Plan::new(landscape, vec![weather.to_vec()], hours)?;
        let cells = ignitions.iter().map(|&at| plan.ignition(at)).collect::<Result<_, _>>()?;
        plan.fires = vec![Start { cells, scenario: 0 }];
        Ok(Wildfire { plan })
    }

    /// Cuts the weather into bands of other hours.
    ///
    /// # Errors
    /// [`WeatherError::Band`](super::WeatherError::Band).
    pub fn with_band(self, hours: f64) -> Result<Self, WildfireError> {
        Ok(Wildfire { plan: self.plan.with_band(hours)? })
    }

    /// Returns the landscape on which the fire burns.
    #[must_use]
    pub const fn landscape(&self) -> &Arc<Landscape> {
        &self.plan.landscape
    }

    /// Returns the last time that is simulated, in milliseconds.
    #[must_use]
    pub const fn horizon(&self) -> u32 {
        self.plan.horizon
    }

    /// Runs the fire on a device.
    ///
    /// On hosts with native rows, a calendar of burning cells runs on the host; other devices run tiles, as
    /// [`Wildfire::run_by_tiles`] does. [`Engine::Sequential`] is the event list. All engines give the same outcome and
    /// digest. Determinism class: exact.
    ///
    /// # Errors
    /// [`WildfireError::Memory`], [`WildfireError::TooLarge`], [`WildfireError::Device`], [`WildfireError::Cancelled`].
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, WildfireError> {
        if engine == Engine::Sequential {
            return self.run_sequentially_while(progress);
        }
        if !device.capabilities().native_rows {
            return self.run_by_tiles(device, progress);
        }
        let mut spent = Spent::default();
        let began = Instant::now();
        self.plan.prepare()?;
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let (ignition, steps) = host::one(&self.plan, progress)?;
        spent.simulation = began.elapsed();
        Ok(self.finished(ignition, Engine::Window, spent, steps))
    }

    /// Runs the fire by tiles on any device, hosts included.
    ///
    /// # Errors
    /// As for [`Wildfire::run`].
    pub fn run_by_tiles(
        &self,
        device: &Device,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, WildfireError> {
        let mut spent = Spent::default();
        let (ignition, steps) = device::one(device, &self.plan, progress, &mut spent)?;
        Ok(self.finished(ignition, Engine::Window, spent, steps))
    }

    /// Runs the fire by a sequential event list, whose rule is written by itself.
    ///
    /// # Errors
    /// [`WildfireError::Memory`].
    pub fn run_sequentially(&self) -> Result<Run, WildfireError> {
        self.run_sequentially_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Runs the fire by the sequential event list, as long as the progress function goes on.
    ///
    /// # Errors
    /// [`WildfireError::Memory`], [`WildfireError::Cancelled`].
    pub fn run_sequentially_while(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, WildfireError> {
        let mut spent = Spent::default();
        let began = Instant::now();
        self.plan.prepare()?;
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let ignition = match oracle::burn(&self.plan, 0, |steps| progress(Progress { steps })) {
            ControlFlow::Continue(ignition) => ignition,
            ControlFlow::Break(steps) => return Err(WildfireError::Cancelled { steps }),
        };
        spent.simulation = began.elapsed();
        let steps = ignition.iter().filter(|&&time| time != NEVER).count() as u64;
        Ok(self.finished(ignition, Engine::Sequential, spent, steps))
    }

    fn finished(&self, ignition: Vec<u32>, engine: Engine, mut spent: Spent, steps: u64) -> Run {
        let began = Instant::now();
        let landscape = &self.plan.landscape;
        let outcome = Outcome::new(landscape.rows(), landscape.columns(), self.plan.horizon, ignition);
        spent.reading += began.elapsed();
        Run { outcome, engine, spent, steps }
    }

    /// Computes the behaviour of the fire in each cell for an outcome of this fire, at the time and in the direction of
    /// the fire's arrival.
    #[must_use]
    pub fn behaviour(&self, outcome: &Outcome) -> Behaviour {
        Behaviour::new(&self.plan, 0, outcome)
    }
}
