//! Runs of a study spread over several devices, or machines.
//!
//! Each device has a laboratory of its own, which takes runs when it is free. A run has the same result on every
//! device. The number of devices, their order and their speed therefore do not change the table of a study. If a device
//! fails, the others execute its runs.
//!
//! | module | contents |
//! | --- | --- |
//! | [`Spread`] | several devices of one machine, a thread each |
//! | `mpi` | ranks of MPI, a device each; with the feature `mpi` |

mod direct;
mod orders;
mod pool;
mod serve;
mod tally;
mod threads;

#[cfg(feature = "mpi")]
pub mod mpi;

pub use direct::AllLost;
pub use tally::Tally;
pub use threads::Spread;

use super::laboratory::Laboratory;
use imminent_core::DeviceInfo;
use serde::{Deserialize, Serialize};

/// A laboratory and the identity of its device.
pub struct Station {
    /// Identity of the laboratory's device.
    pub identity: Identity,
    /// Laboratory, which executes runs.
    pub laboratory: Box<dyn Laboratory + Send>,
}

/// Identity of a device. Devices with the same backend and name are about as fast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Unique name of the device.
    pub name: String,
    /// The backend's name.
    pub backend: String,
    /// The device's name.
    pub device: String,
}

impl Identity {
    /// Returns the identity of a device, named by its backend and index.
    #[must_use]
    pub fn of(info: &DeviceInfo) -> Self {
        let DeviceInfo { backend, index, name, .. } = info;
        Self { name: format!("{backend} {index} ({name})"), backend: backend.clone(), device: name.clone() }
    }

    /// Returns the identity of this device in an MPI rank.
    #[cfg(feature = "mpi")]
    fn of_rank(&self, rank: usize) -> Self {
        Self { name: format!("rank {rank}, {}", self.name), ..self.clone() }
    }

    /// Returns the identity of an unknown device.
    #[cfg(feature = "mpi")]
    fn unknown() -> Self {
        Self { name: "without a device".to_owned(), backend: String::new(), device: String::new() }
    }

    fn kind(&self) -> (&str, &str) {
        (&self.backend, &self.device)
    }
}

impl std::fmt::Debug for Station {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Station").field("identity", &self.identity).finish_non_exhaustive()
    }
}
