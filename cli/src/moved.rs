//! Commands that have moved to another program.

use clap::Args;
use imminent_console::Failure;

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
        Err(Failure::usage(Self::text(command, &self.arguments)))
    }

    /// Returns the text for a command and its arguments.
    pub(crate) fn text(command: &str, arguments: &[String]) -> String {
        let given: String = arguments.iter().map(|argument| format!(" {argument}")).collect();
        format!(
            "`{command}` is a command of the program `lab`: `cargo run --release -p imminent-lab -- {command}{given}`"
        )
    }
}
