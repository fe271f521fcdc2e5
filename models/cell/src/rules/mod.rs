//! Rule files: CD++'s `.ma` language, compiled when it is read and evaluated on the device.

mod ast;
mod dimensions;
mod error;
mod events;
mod initial;
pub mod kernels;
mod layers;
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
mod state;
mod time;
mod token;
mod tree;
mod tree_rules;
mod unit;
mod zones;

pub use error::{RuleFileError, RuleFileWarning};
pub use log::{Log, PortLog};
pub use model::Model;
pub use port_value::PortValue;
pub use postfix::CompileError;
pub use run::{Run, RunError};
pub use tree_rules::TreeRules;
pub use unit::HorizonError;

use imminent_core::{Work, WorkUnit};

/// Final state of all cells of a rule file, and the statistics of a run.
pub type Outcome = crate::model::Outcome<f64>;

/// Returns a number of a file as CD++ reads it: in single precision. It computes in double precision.
const fn single(number: f64) -> f64 {
    number as f32 as f64
}

/// Unit of the work of cells with rules of a file. One thread carries out 0.31 M in a second
/// (`run cells examples/cells/heat.ma`).
pub const CHANGES: WorkUnit = WorkUnit::new("changes of cells", 0.3e6);

/// Changes of cells that a GPU carries out in a second, a quarter of those of a hand-written kernel.
const GPU_CHANGES: f64 = 10e9;

/// Seconds of a GPU for a window: `run cells examples/cells/life.ma --horizon 5` takes 3.6 s for 180,000.
const OF_WINDOW: f64 = 20e-6;

/// Part of the cells that change in a window: one in 64 with `life.ma`, all of them with `heat.ma`.
const CHANGING: f64 = 1.0 / 32.0;

/// Returns the work of some cells in some windows, in each of which few of them change.
#[must_use]
pub fn work(cells: f64, windows: f64) -> Work {
    let changes = windows * (cells * CHANGING).max(1.0);
    Work::new(CHANGES, changes).on_gpu(changes / GPU_CHANGES).in_steps(windows * OF_WINDOW).compiling(4.0)
}
