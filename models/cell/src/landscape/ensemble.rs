//! Many fires on one landscape.

use super::burnable::BurnableCells;
use super::burnt::{Burnt, Report, Watch};
use super::error::WildfireError;
use super::layers::Landscape;
use super::plan::{Plan, Start};
use super::weather::Weather;
use super::{device, host, oracle};
use crate::outcome::{Engine, Spent};
use imminent_common::parallel::Threads;
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Start of a fire of an ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignition {
    /// Cells that are lit, by row and column.
    pub cells: Vec<(u32, u32)>,
    /// Number of the weather scenario, from 0.
    pub scenario: u32,
}

/// Fires that burn on one landscape, each by itself.
#[derive(Clone, Debug)]
pub struct Ensemble {
    plan: Plan,
    at_once: Option<u32>,
}

/// Outcome of an ensemble, with the steps that its engine took.
///
/// Steps are rounds of relaxation on a device; on a host they are fires.
pub type EnsembleRun = crate::Run<Burnt>;

impl Ensemble {
    /// Describes fires of some hours. `scenarios` are weathers as those of [`Wildfire`](super::Wildfire).
    ///
    /// # Errors
    /// [`WildfireError`].
    pub fn new(
        landscape: Arc<Landscape>,
        scenarios: &[Vec<Weather>],
        fires: &[Ignition],
        hours: f64,
    ) -> Result<Self, WildfireError> {
        let mut plan = Plan::new(landscape, scenarios.to_vec(), hours)?;
        check_count(fires.len())?;
        for (number, fire) in fires.iter().enumerate() {
            if fire.scenario >= plan.scenarios() {
                let (scenario, scenarios) = (fire.scenario, plan.scenarios());
                return Err(WildfireError::Scenario { fire: number, scenario, scenarios });
            }
            let cells = fire.cells.iter().map(|&at| plan.ignition(at)).collect::<Result<_, _>>()?;
            plan.fires.push(Start { cells, scenario: fire.scenario });
        }
        Ok(Ensemble { plan, at_once: None })
    }

    /// Draws `count` fires, each with one ignition and one scenario. Ignitions are uniform over the cells that can
    /// burn; scenarios are equally likely. Fire `i` draws from its own PCG32 stream of the seed, so a larger ensemble
    /// contains the fires of a smaller one.
    ///
    /// # Errors
    /// [`WildfireError`].
    pub fn drawn(
        landscape: Arc<Landscape>,
        scenarios: &[Vec<Weather>],
        count: u32,
        seed: u64,
        hours: f64,
    ) -> Result<Self, WildfireError> {
        let mut plan = Plan::new(landscape, scenarios.to_vec(), hours)?;
        check_count(count as usize)?;
        let burnable = BurnableCells::of(&plan.landscape);
        if burnable.count() == 0 {
            return Err(WildfireError::NothingBurns);
        }
        let scenarios = plan.scenarios();
        let start = |(cell, scenario)| Start { cells: vec![cell], scenario };
        plan.fires = (0..count).filter_map(|fire| burnable.draw_with(seed, fire, scenarios).map(start)).collect();
        Ok(Ensemble { plan, at_once: None })
    }

    /// Cuts the weather into bands of other hours.
    ///
    /// # Errors
    /// [`WeatherError::Band`](super::WeatherError::Band).
    pub fn with_band(self, hours: f64) -> Result<Self, WildfireError> {
        Ok(Ensemble { plan: self.plan.with_band(hours)?, ..self })
    }

    /// Limits the fires on a device at once to `fires`, even if its memory holds more. Outcomes do not depend on it.
    #[must_use]
    pub const fn at_most_at_once(mut self, fires: u32) -> Self {
        self.at_once = Some(fires);
        self
    }

    /// Returns the landscape on which the fires burn.
    #[must_use]
    pub const fn landscape(&self) -> &Arc<Landscape> {
        &self.plan.landscape
    }

    /// Returns the number of fires.
    #[must_use]
    pub fn fires(&self) -> usize {
        self.plan.fires.len()
    }

    /// Returns the start of a fire.
    #[must_use]
    pub fn ignition(&self, fire: usize) -> Option<Ignition> {
        let start = self.plan.fires.get(fire)?;
        let columns = self.plan.landscape.columns();
        let cells = start.cells.iter().map(|&cell| (cell / columns, cell % columns)).collect();
        Some(Ignition { cells, scenario: start.scenario })
    }

    /// Runs all fires on a device. A run that its progress function cancels gives the outcome of the fires that are
    /// over.
    ///
    /// On hosts with native rows, each fire has a calendar on the host, and fires are spread over threads. Other
    /// devices run tiles, as [`Ensemble::run_by_tiles`] does. All engines give the same outcome and digest. Determinism
    /// class: exact.
    ///
    /// # Errors
    /// [`WildfireError::Memory`], [`WildfireError::TooLarge`], [`WildfireError::Device`].
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<EnsembleRun, WildfireError> {
        self.run_each(device, engine, &mut of_progress(progress))
    }

    /// Runs all fires on a device, as [`Ensemble::run`] does, and reports each when it is over: on hosts one by one, on
    /// other devices those together that are there at once. Fires that end after a request to stop are reported too.
    ///
    /// # Errors
    /// As for [`Ensemble::run`].
    pub fn run_each(
        &self,
        device: &Device,
        engine: Engine,
        watch: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<EnsembleRun, WildfireError> {
        if engine == Engine::Sequential {
            return self.one_by_one(watch);
        }
        if !device.capabilities().native_rows {
            return self.by_tiles(device, watch);
        }
        let mut spent = Spent::default();
        let began = Instant::now();
        let threads = Threads::new(device.capabilities().threads);
        threads.run(|| self.plan.prepare())?;
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let outcome = host::many(&self.plan, threads.count(), watch);
        spent.simulation = began.elapsed();
        Ok(EnsembleRun { steps: u64::from(outcome.fires), outcome, engine: Engine::Window, spent })
    }

    /// Runs all fires by tiles on any device, hosts included, in rounds of as many as its memory holds.
    ///
    /// # Errors
    /// As for [`Ensemble::run`].
    pub fn run_by_tiles(
        &self,
        device: &Device,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<EnsembleRun, WildfireError> {
        self.by_tiles(device, &mut of_progress(progress))
    }

    fn by_tiles(&self, device: &Device, watch: Watch<'_>) -> Result<EnsembleRun, WildfireError> {
        let mut spent = Spent::default();
        let (outcome, steps) = device::many(device, &self.plan, self.at_once, watch, &mut spent)?;
        Ok(EnsembleRun { outcome, engine: Engine::Window, spent, steps })
    }

    /// Runs the fires one by one by the sequential event list.
    ///
    /// # Errors
    /// [`WildfireError::Memory`].
    pub fn run_sequentially(&self) -> Result<EnsembleRun, WildfireError> {
        self.run_sequentially_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Runs the fires one by one by the sequential event list, as long as the progress function goes on.
    ///
    /// # Errors
    /// [`WildfireError::Memory`].
    pub fn run_sequentially_while(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<EnsembleRun, WildfireError> {
        self.one_by_one(&mut of_progress(progress))
    }

    fn one_by_one(&self, watch: Watch<'_>) -> Result<EnsembleRun, WildfireError> {
        let mut spent = Spent::default();
        let began = Instant::now();
        self.plan.prepare()?;
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let mut outcome = Burnt::empty(&self.plan);
        for fire in 0..self.plan.fires.len() {
            let mut go_on = |_| watch(Report::Progress(Progress { steps: fire as u64 }));
            if go_on(0).is_break() {
                break;
            }
            let ControlFlow::Continue(ignition) = oracle::burn(&self.plan, fire, go_on) else { break };
            let size = outcome.add(&ignition);
            outcome.note(fire, size);
            if watch(Report::Ended { fire, size }).is_break() {
                break;
            }
        }
        spent.simulation = began.elapsed();
        Ok(EnsembleRun { steps: u64::from(outcome.fires), outcome, engine: Engine::Sequential, spent })
    }
}

/// Returns a function that passes on progress alone.
fn of_progress(
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> impl FnMut(Report) -> ControlFlow<()> + use<'_> {
    |report| match report {
        Report::Progress(now) => progress(now),
        Report::Ended { .. } => ControlFlow::Continue(()),
    }
}

fn check_count(fires: usize) -> Result<(), WildfireError> {
    if fires > (u32::MAX / 2) as usize { Err(WildfireError::Fires { fires }) } else { Ok(()) }
}
