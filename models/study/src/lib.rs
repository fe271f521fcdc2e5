//! Parameter studies: one model, many points of its parameters, each with several repetitions.
//!
//! | module | contents |
//! | --- | --- |
//! | [`description`] | the parameters and measures of a model |
//! | [`definition`] | the definition of a study: a TOML file, or the same from code |
//! | [`plan`] | points, runs and their seeds |
//! | [`Single`] | models whose runs are executed one after the other |
//! | [`runs`] | runs by their numbers, each built when it is read |
//! | [`laboratory`] | the trait of an executor of runs |
//! | [`Model`], [`Catalogue`] | models, and the models of a program by name |
//! | [`Keys`] | the keys of a model's configuration, which its type describes |
//! | [`Configuration`] | a configuration: a file or defaults, with keys that are given values |
//! | [`experiment`], [`Outcome`] | replications of one configuration, whose outcome is told in full |
//! | [`check`] | statements about engines, which the conformance suite tests |
//! | [`benchmark`], [`figures`] | measurements of engines, and of what publications show |
//! | [`Base`] | the configuration from which points start |
//! | [`conduct`] | execution of the runs that a study still lacks |
//! | [`spread`] | runs spread over several devices |
//! | [`journal`] | the file of finished runs, which survives the process |
//! | [`checkpoint`] | states of unfinished runs, from which they resume |
//! | [`compared`] | differences between configurations, replication by replication |
//! | [`results`], [`effects`] | values of runs, with means per point; effects of single parameters |
//! | [`sheets`] | tables of runs and points |

mod base;
mod batch_size;
pub mod benchmark;
mod catalogue;
pub mod check;
pub mod checkpoint;
pub mod compared;
pub mod conduct;
mod configuration;
pub mod definition;
pub mod description;
pub mod effects;
#[cfg(test)]
mod error_texts;
pub mod experiment;
pub mod figures;
pub mod journal;
mod key;
mod keys;
pub mod laboratory;
mod measured;
mod model;
pub mod options;
pub mod outcome;
pub mod plan;
mod planned;
mod point;
pub mod results;
pub mod runs;
pub mod sheets;
mod singly;
pub mod spread;
mod unused;
pub mod value;

pub use base::Base;
pub use batch_size::BatchSize;
pub use benchmark::Benchmark;
pub use catalogue::Catalogue;
pub use check::Check;
pub use configuration::Configuration;
pub use definition::{Definition, DefinitionError};
pub use description::Description;
pub use experiment::{Experiment, Experiments};
pub use figures::Figures;
pub use key::Alternatives;
pub use keys::{Element, Key, Keys};
pub use laboratory::{Failed, Finished, Laboratory, Point, Run, Update};
pub use measured::MeasuredExperiments;
pub use model::{Means, Model, Possible};
pub use outcome::Outcome;
pub use plan::Study;
pub use planned::{Executed, Planned};
pub use results::Results;
pub use runs::{RunSet, Runs};
pub use singly::{GoOn, Measured, Single, Singly};
pub use unused::Unused;
pub use value::Value;

#[cfg(test)]
mod tests;
