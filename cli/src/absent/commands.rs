//! Commands that this build of the program lacks.

use super::Absent;
use clap::Args;
use imminent_console::Failure;

macro_rules! absent {
    ($($(#[$doc:meta])* $name:ident($($catalogue:ty)?): $part:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Args)]
        pub(crate) struct $name {
            /// Arguments that the command would have.
            #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
            arguments: Vec<String>,
        }

        $(#[$doc])*
        impl $name {
            /// Explains how to build a program with the command.
            pub(crate) fn run(self $(, _: $catalogue)?) -> Result<(), Failure> {
                Err(Failure::usage($part))
            }
        }
    )*};
}

absent! {
    /// A command of the conformance suite.
    #[cfg(not(feature = "conformance"))]
    Suite(&imminent::models::study::Catalogue): Absent::Suite;
    /// The command `emit`.
    #[cfg(not(feature = "models"))]
    Emit(&imminent::models::study::Catalogue): Absent::Models;
    /// The command `precompile`.
    #[cfg(not(feature = "cuda"))]
    Precompile(): Absent::Cuda;
    /// The command `completions` or `manual`.
    #[cfg(not(feature = "shell"))]
    Shell(clap::Command): Absent::Shell;
}
