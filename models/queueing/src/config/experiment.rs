//! Experiments from the keys of `[run]`.

use super::engine::Engine;
use super::error::ConfigError;
use super::options::RunOptions;
use super::plan::blame;
use crate::engine::EngineError;
use crate::experiment::{Experiment, SetUpError};
use crate::interval::{self, interval_ticks};
use crate::memory;
use crate::network::{Beyond, Network};
use crate::scenario::ScenarioError;
use imminent_common::free_memory::fits;
use imminent_common::number::Shown;

/// Largest number of replications of a run.
pub const MAX_REPLICATIONS: u64 = 1_000_000;

impl RunOptions {
    /// Combines a network and these options into an experiment.
    pub(super) fn experiment(&self, network: Network) -> Result<Experiment, ConfigError> {
        let tick = network.tick();
        let horizon = tick.ticks(self.horizon).map_err(|error| ConfigError::value("run.horizon", error.to_string()))?;
        if horizon == 0 {
            let (given, least) = (Shown(self.horizon), Shown(tick.units(1)));
            let problem = format!("nothing happens within a horizon of {given} time units: give {least} at least");
            return Err(ConfigError::value("run.horizon", problem));
        }
        if self.replications == 0 || self.replications > MAX_REPLICATIONS {
            let problem = format!("{} replications are not possible: give 1 to {MAX_REPLICATIONS}", self.replications);
            return Err(ConfigError::value("run.replications", problem));
        }
        let interval = match (self.engine, self.interval) {
            (Engine::Interval, Some(units)) => Some(
                interval_ticks(units, tick).map_err(|error| ConfigError::value("run.interval", error.to_string()))?,
            ),
            (Engine::Interval, None) => {
                let problem = "the engine 'interval' needs one: give its length in time units".to_owned();
                return Err(ConfigError::value("run.interval", problem));
            }
            (engine, Some(_)) => {
                let problem = format!("the engine '{engine}' takes none: remove it or use the engine 'interval'");
                return Err(ConfigError::value("run.interval", problem));
            }
            (_, None) => None,
        };
        self.check_engine(&network)?;
        let plan = self.plan(horizon, tick)?;
        fits("replications", self.replications, |replications| memory::of_replications(&plan, horizon, replications))
            .map_err(|error| ConfigError::value("run.replications", error.to_string()))?;
        let experiment = Experiment {
            network,
            start: self.start,
            horizon,
            seed: self.seed,
            first: 0,
            replications: self.replications,
            interval,
            plan,
        };
        // Errors of scenarios and plans are found here, before any work.
        experiment.check().map_err(|error| match error {
            SetUpError::Plan(error) => blame(&error, tick),
            SetUpError::UnknownEnds { .. } | SetUpError::ClusteredArrivals => {
                ConfigError::value("run.count", error.to_string())
            }
            SetUpError::Scenario(error @ ScenarioError::NotBalanced { .. }) => {
                ConfigError::value("run.start", error.to_string())
            }
            SetUpError::Scenario(error @ ScenarioError::TooManyReplications { .. }) => {
                ConfigError::value("run.replications", error.to_string())
            }
            SetUpError::Scenario(error @ ScenarioError::HorizonTooLong { .. }) => {
                ConfigError::value("run.horizon", error.to_string())
            }
        })?;
        Ok(experiment)
    }

    /// Checks that the engine can simulate such a network.
    fn check_engine(&self, network: &Network) -> Result<(), ConfigError> {
        let problem = match self.engine.of(network) {
            Engine::Auto | Engine::Host => None,
            Engine::Sequential => network.beyond_sequential().map(|Beyond { node, what }| {
                let label = network.label(node);
                format!(
                    "node '{label}' has {what}, which this engine does not carry out: use the engine 'auto' or 'host'"
                )
            }),
            Engine::Interval => interval::check(network).err().map(|error| error.to_string()),
            Engine::Exact => network
                .beyond_exact()
                .map(|Beyond { node, what }| EngineError::Beyond { label: network.label(node), what }.to_string()),
        };
        problem.map_or(Ok(()), |problem| Err(ConfigError::value("run.engine", problem)))
    }
}
