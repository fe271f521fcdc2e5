//! Rule files: CD++'s `.ma` language, compiled when it is read and evaluated on the device.

mod ast;
mod error;
mod events;
mod initial;
pub mod kernels;
mod lines;
mod log;
mod model;
mod parse;
mod port_value;
mod ports;
mod postfix;
mod prepared;
mod programs;
mod render;
mod run;
mod sections;
mod source;
mod time;
mod token;
mod tree;
mod tree_rules;
mod zones;

pub use error::{RuleFileError, RuleFileWarning};
pub use log::{Log, PortLog};
pub use model::Model;
pub use port_value::PortValue;
pub use postfix::CompileError;
pub use run::{Run, RunError};
pub use tree_rules::TreeRules;

use imminent_core::WorkUnit;

/// Final state of all cells of a rule file, and the statistics of a run.
pub type Outcome = crate::model::Outcome<f64>;

/// Unit of the work of cells with rules of a file. One thread carries out 0.31 M in a second
/// (`run cells examples/cells/heat.ma`).
pub const CHANGES: WorkUnit = WorkUnit::new("changes of cells", 0.3e6);
