//! Errors of coupling fluids and packets.

use crate::TrafficError;
use crate::fluid::FluidError;
use crate::packet::clock::seconds;
use thiserror::Error;

/// Error of coupling fluids and packets.
#[derive(Debug, Error)]
pub enum CouplingError {
    /// The number of launches of a batch is 0 or too large.
    #[error("a batch of {batch} launches is not possible: give 1 to {most}")]
    Batch {
        /// Number of launches of the batch.
        batch: u32,
        /// Largest number of launches.
        most: u32,
    },
    /// The number of steps of a launch is 0 or too large.
    #[error(transparent)]
    Launch(#[from] TrafficError),
    /// The packets belong to other traffic.
    #[error("the packets are not on the network of the fluids: make the simulator from the same traffic")]
    OtherTraffic,
    /// The packets are not at time 0.
    #[error("the packets were already simulated until {} s, and the fluids begin at 0: give a new simulator", seconds(*now))]
    NotNew {
        /// Time of the packets, in picoseconds.
        now: u64,
    },
    /// The fluids cannot advance.
    #[error(transparent)]
    Fluid(#[from] FluidError),
    /// The fluids failed in an earlier call.
    #[error("the fluids failed earlier, before {} s: start the simulation anew", seconds(*now))]
    Over {
        /// Time of the packets, in picoseconds.
        now: u64,
    },
}
