//! Parameter studies: one model, many points of its parameters, each with several repetitions.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`description`] | what a model says of itself: its parameters and its measures |
//! | [`definition`] | what a user asks for: a TOML file, or the same from code |
//! | [`plan`] | points, runs and their seeds |
//! | [`runs`] | runs by their numbers, made when they are looked at |
//! | [`laboratory`] | what carries runs out |
//! | [`catalogue`] | the models that can be studied, by name |
//! | [`network`] | queueing networks as a model to study |
//! | [`events`] | event models as models to study |
//! | [`fire`] | fires on landscapes as a model to study |
//! | [`conduct`] | carrying out what is missing of a study |
//! | [`spread`] | runs spread over several devices |
//! | [`journal`] | what is finished stays so, whatever happens to the process |
//! | [`checkpoint`] | runs under way go on where they were |
//! | [`results`], [`effects`] | values of runs; what follows for points, and for single parameters |

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
pub mod network;
pub mod plan;
pub mod results;
pub mod runs;
pub mod spread;
pub mod value;

pub use definition::{Definition, DefinitionError};
pub use description::Description;
pub use laboratory::{Failed, Finished, Laboratory, News, Point, Run};
pub use plan::Study;
pub use results::Results;
pub use runs::{RunSet, Runs};
pub use value::Value;

#[cfg(test)]
mod tests;
