//! Commands of the conformance suite in a program that was built without it.

use crate::Failure;
use clap::Args;

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct Absent {
    /// Arguments that the command would have.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

impl Absent {
    /// Explains how to build a program with the command.
    pub(crate) fn run(self) -> Result<(), Failure> {
        Err(Failure::usage(
            "this program was built without the conformance suite: build it with `--features conformance`, or `--features full` \
             for every backend too",
        ))
    }
}
