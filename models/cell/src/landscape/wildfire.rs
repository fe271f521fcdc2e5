//! One fire on a landscape.

use super::error::WildfireError;
use super::layers::Landscape;
use super::outcome::{Behaviour, Outcome};
use super::plan::{Plan, Start};
use super::weather::Weather;
use super::{NEVER, device, host, oracle};
use crate::outcome::Engine;
use crate::runner::{Advance, Ended, Phase, Runner, Simulation};
use imminent_core::Progress;
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

    /// Computes the behaviour of the fire in each cell for an outcome of this fire, at the time and in the direction of
    /// the fire's arrival.
    #[must_use]
    pub fn behaviour(&self, outcome: &Outcome) -> Behaviour {
        Behaviour::new(&self.plan, 0, outcome)
    }
}

/// On hosts a calendar of burning cells runs. The event list of [`Engine::Sequential`] has a rule that is written by
/// itself.
impl Simulation for Wildfire {
    type Outcome = Outcome;
    type Error = WildfireError;
    type Report = Progress;

    fn advance(&self, by: Advance<'_>, runner: &mut Runner<'_>) -> Result<Ended<Outcome>, WildfireError> {
        let plan = &self.plan;
        let ((ignition, steps), engine) = match by {
            Advance::Sequential => (by_event_list(plan, runner)?, Engine::Sequential),
            Advance::Host(..) => (host::one(plan, runner)?, Engine::Window),
            Advance::Tiles(_, device) => (device::one(device, plan, runner)?, Engine::Window),
        };
        let outcome = Outcome::new(plan.landscape.rows(), plan.landscape.columns(), plan.horizon, ignition);
        Ok(Ended { outcome, engine, steps })
    }
}

fn by_event_list(plan: &Plan, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), WildfireError> {
    plan.prepare()?;
    runner.enter(Phase::Simulation);
    let ignition = oracle::burn(plan, 0, |steps| runner.go_on(steps))?;
    runner.enter(Phase::Reading);
    let steps = ignition.iter().filter(|&&time| time != NEVER).count() as u64;
    Ok((ignition, steps))
}
