//! Rule files: CD++'s `.ma` language, compiled when it is read and evaluated on the device.

mod ast;
mod device;
mod error;
mod host;
pub mod kernels;
mod model;
mod outcome;
mod parse;
mod ports;
mod postfix;
mod run;
mod sections;
mod source;
mod tables;
mod token;
mod tree;

pub use error::RuleFileError;
pub use model::Model;
pub use outcome::Outcome;
pub use postfix::CompileError;
pub use run::{Run, RunError};
pub use tree::TreeRules;
