//! Fluids and packets together: most flows are fluids, a few are simulated packet by packet, and both share the queues.
//!
//! Implements sections 3.3 and 4 of the paper. A batch has `B` launches of `τ` steps of `δ` seconds each. At the begin
//! of a batch, the packets that came to a queue during the last one, `p` bytes, join its fluid, `q` bytes. Then the
//! fluid equations compute the steps of the batch. Packets that arrive during the batch see the result:
//!
//! * A packet of `s` bytes that arrives in step `i` of the batch sees the fluid's `q` and loss `ρ` of the step's end
//!   (equation 15). It is dropped with probability `ρ`, or if `q + p + s` exceeds the queue's capacity. Otherwise `p`
//!   grows by `s`. The packet leaves after `(q + p)/C` (equation 11), but not before the packet ahead of it.
//! * If a fluid queue is empty, packets leave instead (the *fix-up*). In such a step the link could have sent
//!   `φ = (C - Λ)δ - q > 0` bytes more (equation 12). They are taken from `p`, evenly over the step, down to 0
//!   (equations 13 and 14). This also happens at the end of the batch, before `p` joins the fluid. `p` counts whole
//!   bytes; the whole bytes of the sum `Φ` are taken.
//! * A batch of one step is algorithm 1: it needs no fix-up.
//!
//! A queue that only packets enter belongs to the packet simulator: it drains at its link's rate, RED uses its own
//! average, and no data is transferred. Likewise, a queue that only fluids enter belongs to the fluids.
//!
//! | scheme | what happens |
//! | --- | --- |
//! | [`Scheme::LockStep`] | algorithm 1: batches of one step; the host waits for the step before it simulates packets |
//! | [`Scheme::Asynchronous`] | algorithms 2 and 3: a whole batch is enqueued on the device, with a download of the shared queues' levels after each launch; the host simulates packets concurrently, and waits only for the launch that the next packet needs |
//!
//! The paper has a slave thread that starts kernels and reports their progress to the main thread. Here the device's
//! queue takes this role: its commands run in order, and each download is a [`Submission`](imminent_core::Submission)
//! that owns its memory until it is waited for.
//!
//! Packets that join a queue affect the fluid's losses and delays from the next batch on. Bytes that no longer fit,
//! because the fluid has grown meanwhile, are not added; their packets are not lost, and the fluid's losses count them.
//! The used share of a shared link counts the bytes that leave its queue, and packets that leave within a batch.
//!
//! Determinism: the seed and the fluids determine which packets are dropped. A run repeats bit for bit if the fluids
//! do.

mod background;
mod batch;
mod coupled;
mod device;
mod error;
mod fluids;
mod host;
mod ledger;

pub use coupled::{Coupled, Spent};
pub use device::OnDevice;
pub use error::CouplingError;
pub use fluids::{Aside, Fluids, Level};
pub use host::OnHost;

use super::fluid::{Memory, Precision, Rules};
use serde::{Deserialize, Serialize};

/// Synchronization of fluids and packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Fluids and packets take turns at every step: the paper's algorithm 1.
    LockStep,
    /// Fluids and packets run concurrently within a batch: the paper's algorithms 2 and 3.
    Asynchronous {
        /// Launches per batch, each of as many steps as the lookahead: the paper's `B`.
        batch: u32,
    },
}

impl Default for Scheme {
    /// Returns batches of three launches: more launches did not speed up the paper's experiments.
    fn default() -> Self {
        Self::Asynchronous { batch: 3 }
    }
}

/// Largest number of launches per batch.
pub const MAX_LAUNCHES: u32 = 10_000;

/// Parameters of the hybrid simulation.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Coupling {
    /// Synchronization of fluids and packets.
    pub scheme: Scheme,
    /// Effect of losses on a fluid's window.
    pub rules: Rules,
    /// Length of the history that a device keeps.
    pub memory: Memory,
    /// Floating-point type in which a device simulates fluids.
    pub precision: Precision,
}

#[cfg(test)]
mod tests;
