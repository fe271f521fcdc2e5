//! Keys of `[run]`.

use super::engine::Engine;
use super::warm_up::WarmUpOption;
use crate::measures::{Counted, Measure};
use crate::scenario::Start;
use imminent_common::estimate::Confidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns `true` for the default, which files need not name.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual(confidence: &f64) -> bool {
    *confidence == Confidence::DEFAULT.level()
}

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
    pub warm_up: Option<WarmUpOption>,
    /// Number of batches into which each replication is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<u32>,
    /// Number of observations of each replication after the warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observations: Option<u32>,
    /// Length of the periods whose results are told one by one, such as an hour of a day, in time units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub every: Option<f64>,
    /// Measure to which "mser5" and the precision apply.
    pub measure: Measure,
    /// Visits whose times are averaged.
    pub count: Counted,
    /// Confidence of all intervals: the probability with which they cover the true mean.
    #[serde(skip_serializing_if = "is_usual")]
    #[schemars(range(min = 0.5, max = 0.999_999))]
    pub confidence: f64,
    /// Relative error of the measure's mean, with this confidence, at which the run ends.
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
            engine: Engine::Auto,
            interval: None,
            horizon: 1000.0,
            seed: 1,
            replications: 1,
            warm_up: None,
            batches: None,
            observations: None,
            every: None,
            measure: Measure::Sojourn,
            count: Counted::Ended,
            confidence: Confidence::DEFAULT.level(),
            precision: None,
            until_count: None,
            check: None,
        }
    }
}
