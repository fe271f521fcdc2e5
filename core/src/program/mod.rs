//! Programs: launches, copies, loops and primitives, recorded once and replayed natively.
//!
//! A primitive is a command of the backend here; its portable form is unknown.

mod advance;
mod assignment;
mod builder;
mod hand_over;
mod immediate;
mod request;
mod resolve;
mod run;
mod source;
mod step;
mod used;

pub use builder::ProgramBuilder;
pub(crate) use request::{Naming, Request};
pub use run::Program;
pub(crate) use source::{ColumnRef, Value};
pub(crate) use step::Step;
