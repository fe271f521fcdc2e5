//! The program `imminent`, in this interpreter.

use imminent::models::catalogue;
use imminent_cli::Program;
use imminent_console::process::{self, CommandLine};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command that the arguments give, and returns its exit status. `program` is the command that runs this
/// program in another process, without arguments of its own. A process calls it once, before anything else.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, program: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    process::set(CommandLine { program, name: "imminent".to_owned(), arguments });
    py.detach(|| Program::new(&catalogue()).status())
}
