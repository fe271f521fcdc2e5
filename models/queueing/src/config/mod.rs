//! Configurations of runs as TOML, and their errors.
//!
//! A configuration has a section for the model (`[torus]` or `[network]`) and one for the run (`[run]`). Every key has
//! a default, except those that only the user can know; unknown keys are errors. [`TorusConfig::experiment`] and
//! [`NetworkConfig::experiment`] turn a configuration, from a file or from options, into an [`Experiment`].

mod error;
mod network;
mod open;
mod plan;
mod torus;

pub use error::ConfigError;
pub use network::{AtNode, GenerateShape, NetworkConfig, NetworkShape, NodeShape, PerClass, RouteShape, SourceShape};
pub use open::{OpenConfig, OpenShape};
pub use plan::WarmUpOption;
use plan::WarmUpShape;
pub use torus::{TorusConfig, TorusShape};

use crate::engine::EngineError;
use crate::experiment::{Experiment, SetUpError};
use crate::interval::{self, interval_ticks};
use crate::measures::{Counted, Measure};
use crate::memory;
use crate::network::Network;
use crate::scenario::{ScenarioError, Start};
use imminent_common::free_memory::fits;
use imminent_common::number::Shown;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Largest number of replications of a run.
pub const MAX_REPLICATIONS: u64 = 1_000_000;

/// Engine that simulates a queueing network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Parallel engine with the same bits as the sequential engine.
    #[default]
    Exact,
    /// Parallel engine that clusters events by an interval of time ([`crate::interval`]).
    Interval,
    /// Engine that executes one event after the other ([`crate::sequential`]).
    Sequential,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Interval, Self::Sequential];

    /// Returns the engine's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Interval => "interval",
            Self::Sequential => "sequential",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        Self::ALL.into_iter().find(|engine| engine.name() == text).ok_or_else(|| {
            ConfigError::value("run.engine", format!("'{text}' is no engine: use 'exact', 'interval' or 'sequential'"))
        })
    }
}

/// Earlier names of keys and options, each with today's.
pub(crate) const EARLIER: [(&str, &str); 4] = [
    ("run.reps", "run.replications"),
    ("run.warmup", "run.warm_up"),
    ("trace", "--record"),
    ("trace_sample", "--record-sample"),
];

/// The `[run]` section: simulation and analysis of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunOptions {
    /// Placement of the tokens at time 0.
    pub start: Start,
    /// Engine that simulates.
    pub engine: Engine,
    /// Interval of the engine `interval`, in time units; other engines do not take one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub interval: Option<f64>,
    /// Length of a replication, in time units; an upper limit for a run that may end earlier.
    #[schemars(range(min = 0.0), extend("unit" = "time units"))]
    pub horizon: f64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of independent replications, at least 1; an upper limit for a run that adds them until it is precise.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub replications: u64,
    /// Warm-up, which is not counted: a number of time units, or "mser5".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WarmUpShape")]
    pub warm_up: Option<WarmUpOption>,
    /// Number of batches into which each replication is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<u32>,
    /// Number of observations of each replication after the warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observations: Option<u32>,
    /// Measure to which "mser5" and the precision apply.
    pub measure: Measure,
    /// Visits whose times are averaged.
    pub count: Counted,
    /// Relative error of the measure's mean, with 95 % confidence, at which the run ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Number of completed services, counted from the end of the warm-up, at which each replication ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_count: Option<u64>,
    /// Interval at which the count is checked, in time units; a thousandth of the horizon if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub check: Option<f64>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            start: Start::One,
            engine: Engine::Exact,
            interval: None,
            horizon: 1000.0,
            seed: 1,
            replications: 1,
            warm_up: None,
            batches: None,
            observations: None,
            measure: Measure::Sojourn,
            count: Counted::Ended,
            precision: None,
            until_count: None,
            check: None,
        }
    }
}

impl RunOptions {
    /// Combines a network and these options into an experiment.
    fn experiment(&self, network: Network) -> Result<Experiment, ConfigError> {
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
            replications: self.replications,
            interval,
            plan,
        };
        // Errors of scenarios and plans are found here, before any work.
        experiment.check().map_err(|error| match error {
            SetUpError::Plan(error) => plan::blame(&error, tick),
            SetUpError::BlockedStarts { .. } | SetUpError::ClusteredArrivals => {
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
}

impl RunOptions {
    /// Checks that the engine can simulate such a network.
    fn check_engine(&self, network: &Network) -> Result<(), ConfigError> {
        let problem = match self.engine {
            Engine::Sequential => None,
            Engine::Interval => interval::check(network).err().map(|error| error.to_string()),
            Engine::Exact => {
                network.blocking_node().map(|node| EngineError::Blocking { label: network.label(node) }.to_string())
            }
        };
        problem.map_or(Ok(()), |problem| Err(ConfigError::value("run.engine", problem)))
    }
}

#[cfg(test)]
mod tests;
