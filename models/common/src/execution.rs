//! Choice between a device and threads of the host.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Executor of simulations. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Execution {
    /// Threads of the host, if the device is the host's processor and the engine expects them to be faster; otherwise
    /// the device.
    #[default]
    Auto,
    /// Kernels on the device, in steps of all simulations.
    Device,
    /// Threads of the host. Each takes one simulation after another, and executes it event by event. Their memory is
    /// the host's, outside of a limit that is set for the device.
    Host,
}
