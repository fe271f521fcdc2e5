//! Commands that have moved to another program.

use crate::Failure;
use clap::Args;

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct Moved {
    /// Arguments that the command would have.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

impl Moved {
    /// Explains which program has the command.
    pub(crate) fn run(self, command: &str) -> Result<(), Failure> {
        let given: String = self.arguments.iter().map(|argument| format!(" {argument}")).collect();
        Err(Failure::usage(format!(
            "`{command}` is a command of the program `lab`: `cargo run --release -p imminent-lab -- {command}{given}`"
        )))
    }
}
