//! The option `--on`.

use clap::ValueEnum;
use imminent::models::{events, manet};

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

impl From<On> for events::Execution {
    fn from(on: On) -> events::Execution {
        match on {
            On::Auto => events::Execution::Auto,
            On::Device => events::Execution::Device,
            On::Host => events::Execution::Host,
        }
    }
}

impl From<On> for manet::Execution {
    fn from(on: On) -> manet::Execution {
        match on {
            On::Auto => manet::Execution::Auto,
            On::Device => manet::Execution::Device,
            On::Host => manet::Execution::Host,
        }
    }
}
