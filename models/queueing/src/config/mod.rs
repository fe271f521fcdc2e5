//! Configurations of runs as TOML, and their errors.
//!
//! A configuration has a section for the model (`[torus]` or `[network]`) and one for the run (`[run]`). Every key has
//! a default, except those that only the user can know; unknown keys are errors. [`TorusConfig::experiment`] and
//! [`NetworkConfig::experiment`] turn a configuration, from a file or from options, into an
//! [`Experiment`](crate::experiment::Experiment).

mod engine;
mod error;
mod experiment;
mod network;
mod open;
mod options;
mod plan;
mod torus;
mod warm_up;

pub use engine::Engine;
pub use error::ConfigError;
pub use experiment::MAX_REPLICATIONS;
pub(crate) use network::foreign_key;
pub use network::{
    AllParts, AtNode, BatchShape, BreakdownsShape, BulkShape, ClassCostsShape, ConversionError, CostsShape, Every,
    Form, GenerateShape, JoinShape, MarkovianShape, NetworkConfig, NetworkShape, NodeEntry, NodeShape, PerClass, Place,
    PollingShape, PoolShape, RegionShape, ReplayFileError, ReplayShape, ResourceShape, RouteShape, ServerCount,
    ShiftEnd, ShiftsShape, SourceShape, VisitsShape, VisitsUntil, WhenShape,
};
pub use open::{OpenConfig, OpenShape};
pub use options::RunOptions;
pub use torus::{TorusConfig, TorusShape};
pub use warm_up::{WarmUpOption, WarmUpRule};

/// Earlier names of keys and options, each with today's.
pub(crate) const EARLIER: [(&str, &str); 4] = [
    ("run.reps", "run.replications"),
    ("run.warmup", "run.warm_up"),
    ("trace", "--record"),
    ("trace_sample", "--record-sample"),
];

#[cfg(test)]
mod tests;
