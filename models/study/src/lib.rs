//! Parameter studies: one model, many points of its parameters, each with several repetitions.
//!
//! | module | contents |
//! | --- | --- |
//! | [`description`] | the parameters and measures of a model |
//! | [`definition`] | the definition of a study: a TOML file, or the same from code |
//! | [`plan`] | points, runs and their seeds |
//! | [`runs`] | runs by their numbers, each built when it is read |
//! | [`laboratory`] | the trait of an executor of runs |
//! | [`catalogue`] | the models that can be studied, by name |
//! | [`network`] | queueing networks as a model to study |
//! | [`events`] | event models as models to study |
//! | [`fire`] | fires on landscapes as a model to study |
//! | [`manet`] | mobile ad hoc networks as a model to study |
//! | [`conduct`] | execution of the runs that a study still lacks |
//! | [`spread`] | runs spread over several devices |
//! | [`journal`] | the file of finished runs, which survives the process |
//! | [`checkpoint`] | states of unfinished runs, from which they resume |
//! | [`results`], [`effects`] | values of runs, with means per point; effects of single parameters |

mod batch_size;
pub mod catalogue;
pub mod checkpoint;
pub mod conduct;
pub mod definition;
pub mod description;
pub mod effects;
#[cfg(test)]
mod error_texts;
pub mod events;
pub mod fire;
pub mod journal;
pub mod laboratory;
pub mod manet;
pub mod network;
pub mod plan;
pub mod results;
pub mod runs;
pub mod spread;
pub mod value;

pub use definition::{Definition, DefinitionError};
pub use description::Description;
pub use laboratory::{Failed, Finished, Laboratory, Point, Run, Update};
pub use plan::Study;
pub use results::Results;
pub use runs::{RunSet, Runs};
pub use value::Value;

#[cfg(test)]
mod tests;
