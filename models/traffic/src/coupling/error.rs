//! Why fluids and packets cannot be simulated together.

use crate::TrafficError;
use crate::fluid::FluidError;
use crate::packet::clock::seconds;
use thiserror::Error;

/// Fluids and packets that cannot be simulated together.
#[derive(Debug, Error)]
pub enum CouplingError {
    /// A batch has no launches, or too many.
    #[error("a batch of {batch} launches is not possible: give 1 to {most}")]
    Batch {
        /// How many it has.
        batch: u32,
        /// How many it may have.
        most: u32,
    },
    /// A launch has no steps, or too many.
    #[error(transparent)]
    Launch(#[from] TrafficError),
    /// The packets are of other traffic.
    #[error("the packets are not on the network of the fluids: make the simulator from the same traffic")]
    OtherTraffic,
    /// The packets are not at time 0.
    #[error("the packets were simulated until {} s already, and the fluids begin at 0: give a new simulator", seconds(*now))]
    NotNew {
        /// Where they are, in picoseconds.
        now: u64,
    },
    /// The fluids could not go on.
    #[error(transparent)]
    Fluid(#[from] FluidError),
    /// The fluids could not go on earlier.
    #[error("the fluids could not go on before, at a time before {} s: begin anew", seconds(*now))]
    Over {
        /// Where the packets are, in picoseconds.
        now: u64,
    },
}
