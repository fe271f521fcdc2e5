//! Many fires on one landscape.

use super::burnable::BurnableCells;
use super::burnt::{Burnt, Report};
use super::details::{Details, Traced};
use super::error::WildfireError;
use super::layers::Landscape;
use super::plan::{Plan, Start};
use super::weather::Weather;
use super::{NEVER, device, host, oracle};
use crate::outcome::{Cancelled, Engine};
use crate::runner::{Advance, Ended, Phase, Runner, Simulation};
use imminent_common::parallel::Threads;
use imminent_core::Progress;
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

    /// Tells when each fire reaches some cells, by row and column.
    ///
    /// # Errors
    /// [`WildfireError::Outside`].
    pub fn with_points(mut self, points: &[(u32, u32)]) -> Result<Self, WildfireError> {
        self.plan.points = points.iter().map(|&at| self.plan.cell(at)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Counts for each cell the fires that reach it with flames of some lengths. This takes one to two times as long
    /// as the fires themselves on a host, and many times as long on a device, from which all ignition times are read.
    #[must_use]
    pub const fn with_flames(mut self) -> Self {
        self.plan.flames = true;
        self
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
}

/// On hosts each fire has a calendar, and fires are spread over threads. Devices run rounds of as many fires as their
/// memory holds. A fire that is over is told: by hosts one by one, by other devices those together that are there at
/// once, and those too that end after a request to stop. A run that is ended early has the outcome of the fires that
/// are over.
impl Simulation for Ensemble {
    type Outcome = Burnt;
    type Error = WildfireError;
    type Report = Report;

    fn advance(&self, by: Advance<'_>, runner: &mut Runner<'_, Report>) -> Result<Ended<Burnt>, WildfireError> {
        let plan = &self.plan;
        let (outcome, steps, engine) = match by {
            Advance::Tiles(_, device) => {
                let (outcome, steps) = device::many(device, plan, self.at_once, runner)?;
                (outcome, Some(steps), Engine::Window)
            }
            Advance::Host(_, threads) => {
                let threads = Threads::new(threads);
                threads.run(|| plan.prepare())?;
                runner.enter(Phase::Simulation);
                (host::many(plan, threads.count(), &mut |report| runner.tell(report)), None, Engine::Window)
            }
            Advance::Sequential => (one_by_one(plan, runner)?, None, Engine::Sequential),
        };
        Ok(Ended { steps: steps.unwrap_or_else(|| u64::from(outcome.fires)), outcome, engine })
    }
}

/// Burns the fires one by one by the sequential event list.
fn one_by_one(plan: &Plan, runner: &mut Runner<'_, Report>) -> Result<Burnt, WildfireError> {
    plan.prepare()?;
    runner.enter(Phase::Simulation);
    let mut outcome = Burnt::empty(plan);
    let (details, mut traced) = (Details::new(plan), Traced::default());
    for fire in 0..plan.fires.len() {
        let steps = fire as u64;
        let mut go_on = |_| match runner.tell(Report::Progress(Progress { steps })) {
            ControlFlow::Break(()) => Err(Cancelled { steps }),
            ControlFlow::Continue(()) => Ok(()),
        };
        if go_on(0).is_err() {
            break;
        }
        let Ok(ignition) = oracle::burn(plan, fire, go_on) else { break };
        let size = outcome.add(&ignition);
        let burnt = ignition.iter().enumerate().filter(|&(_, &time)| time != NEVER).map(|(cell, _)| cell);
        outcome.note(fire, size, &details.of_fire(fire, &ignition, burnt, &mut traced));
        if runner.tell(Report::Ended { fire, size }).is_break() {
            break;
        }
    }
    outcome.flames = details.into_flames();
    Ok(outcome)
}

fn check_count(fires: usize) -> Result<(), WildfireError> {
    if fires > (u32::MAX / 2) as usize { Err(WildfireError::Fires { fires }) } else { Ok(()) }
}
