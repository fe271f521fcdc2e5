//! Complete input of a run.

use super::error::SetUpError;
use crate::analysis::{Ending, Plan};
use crate::bounds::Growth;
use crate::measures::Counted;
use crate::network::{Beyond, Network};
use crate::scenario::{Scenario, ScenarioError, Start};

/// A network, and the number and length of its replications: the complete input of a run.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Network to simulate.
    pub network: Network,
    /// Placement of the tokens at time 0.
    pub start: Start,
    /// Length of each replication, in ticks; an upper limit where the plan may end it earlier.
    pub horizon: u64,
    /// Seed given by the user.
    pub seed: u64,
    /// Number of the first replication, usually 0: streams go by it.
    pub first: u64,
    /// Number of replications; an upper limit where the plan may end the run earlier.
    pub replications: u64,
    /// Interval by which the engine clusters events, in ticks; `None` for exact engines.
    pub interval: Option<u64>,
    /// Plan for the analysis of the output.
    pub plan: Plan,
}

impl Experiment {
    /// Returns the scenario of replication `replication`, from 0.
    ///
    /// # Errors
    /// [`ScenarioError`], as for [`Scenario::new`].
    pub fn scenario(&self, replication: u64) -> Result<Scenario<'_>, ScenarioError> {
        self.scenario_of(self.seed, replication)
    }

    /// Returns the scenario of a replication under another seed.
    ///
    /// # Errors
    /// [`ScenarioError`], as for [`Scenario::new`].
    pub fn scenario_of(&self, seed: u64, replication: u64) -> Result<Scenario<'_>, ScenarioError> {
        let scenario = Scenario::new(&self.network, self.start, self.horizon, seed, replication)?;
        Ok(match self.plan.counted {
            Counted::Arrived => scenario.counting_from(self.plan.fixed_warm_up()),
            Counted::Ended | Counted::Started => scenario,
        })
    }

    /// Returns `true` if the run may have several samples, from which intervals follow: batches or replications.
    #[must_use]
    pub fn has_samples(&self) -> bool {
        self.replications > 1 || self.plan.batches.is_some()
    }

    /// Checks that replications can be set up and observed as planned. The result is the same for all replications.
    ///
    /// # Errors
    /// [`SetUpError`].
    pub fn check(&self) -> Result<(), SetUpError> {
        Scenario::check(&self.network, self.start, self.horizon)?;
        let (horizon, tick) = (self.horizon, self.network.tick());
        // Replications that are added one by one are checked as they come.
        let adding = matches!(self.plan.ending, Ending::Precision(_)) && self.plan.batches.is_none();
        let replications = if adding { 1 } else { self.replications };
        let growth = Growth::of(&self.network, horizon, replications);
        let tokens = growth.tokens(horizon);
        if horizon > growth.longest(1) {
            return Err(ScenarioError::HorizonTooLong { horizon, tokens, limit: growth.longest(1), tick }.into());
        }
        let limit = growth.longest(replications);
        if horizon > limit {
            return Err(ScenarioError::TooManyReplications { replications, horizon, tokens, limit, tick }.into());
        }
        self.plan.check(self.network.len(), self.horizon, self.replications)?;
        match (self.plan.counted, self.network.beyond_exact()) {
            (Counted::Started, Some(Beyond { node, what })) => {
                Err(SetUpError::UnknownEnds { label: self.network.label(node), what })
            }
            (Counted::Arrived, _) if self.interval.is_some() => Err(SetUpError::ClusteredArrivals),
            _ => Ok(()),
        }
    }
}
