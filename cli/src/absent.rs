//! Commands in a program that was built without them.

use crate::Failure;
use crate::selection::DeviceArgs;
use clap::Args;

macro_rules! absent {
    ($($(#[$doc:meta])* $name:ident: $what:literal, $feature:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Args)]
        pub(crate) struct $name {
            /// Arguments that the command would have.
            #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
            arguments: Vec<String>,
            #[arg(skip)]
            device: DeviceArgs,
        }

        $(#[$doc])*
        impl $name {
            /// Explains how to build a program with the command.
            pub(crate) fn run(self) -> Result<(), Failure> {
                Err(Failure::usage(concat!(
                    "this program was built without ", $what, ": build it with `--features ", $feature,
                    "`, or `--features full` for every backend too, for instance `cargo run --release --features full --`"
                )))
            }

            /// Returns options that nobody reads.
            #[allow(dead_code, reason = "only models have a device")]
            pub(crate) fn device_mut(&mut self) -> &mut DeviceArgs {
                &mut self.device
            }
        }
    )*};
}

absent! {
    /// A command of the conformance suite.
    #[cfg(not(feature = "conformance"))]
    Suite: "the conformance suite", "conformance";
    /// A model, or a command that is for all models.
    #[cfg(not(feature = "models"))]
    Models: "this command", "models";
}
