//! The option `--on`.

use clap::ValueEnum;
use imminent::models::events::Execution;

/// Executor of simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum On {
    /// Threads of the host if the device is the host's processor, otherwise the device.
    Auto,
    /// Kernels on the device.
    Device,
    /// Threads of the host.
    Host,
}

impl From<On> for Execution {
    fn from(on: On) -> Execution {
        match on {
            On::Auto => Execution::Auto,
            On::Device => Execution::Device,
            On::Host => Execution::Host,
        }
    }
}
