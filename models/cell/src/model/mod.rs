//! Models of cells with a rule of the user's own, a function of a kernel module.
//!
//! | item | contents |
//! | --- | --- |
//! | [`here`] | kernel module with the circumstances of an evaluation, which rules import |
//! | [`cell_model!`](crate::cell_model!) | the macro that makes a model of a rule |
//! | [`CellModel`] | what the macro implements for the model's parameters |
//! | [`Cells`] | a scenario: parameters, space, initial values, zones, external events; and its runs |
//! | [`Outcome`] | final values, distinct times, outputs, digest |

mod cells;
mod class;
mod contract;
mod error;
mod macros;
mod oracle;
mod outcome;
mod run;

pub use crate::engine::kernels::here;
pub use cells::{Cells, Event};
pub use contract::{CellModel, MAX_WORDS};
pub use error::{CellsError, MAX_TIME, RunError};
pub use outcome::Outcome;
pub use run::Run;
