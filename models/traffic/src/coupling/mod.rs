//! Fluids and packets together: most flows are fluids, a few are simulated packet by packet, and both share the queues.
//!
//! Sections 3.3 and 4 of the paper. Time has batches of `B` launches of `τ` steps of `δ` seconds each. At the beginning of a batch the packets that came to a
//! queue during the last one, `p` bytes, join its fluid, `q` bytes; then the fluid equations make the steps of the batch, and packets that come meanwhile find what these
//! leave behind:
//!
//! * A packet of `s` bytes that comes in step `i` of the batch, at or after its beginning and before its end, finds the fluid's `q` and loss `ρ` as they are at the step's end (equation 15). It is dropped
//!   with probability `ρ`, or if `q + p + s` is more than the queue's capacity. Otherwise `p` grows by `s`, and the packet has left after `(q + p)/C` (equation 11), though not before the one ahead of it.
//! * Where a fluid queue is empty, packets leave instead (the *fix-up*): a step in which the link could have sent `φ = (C - Λ)δ - q > 0` bytes more (equation 12) takes as many from `p`, evenly over the step, down to 0
//!   (equations 13 and 14), also at the end of the batch, before `p` joins the fluid. `p` is whole bytes; what is taken is the whole bytes of the sum `Φ`.
//! * A batch of one step is algorithm 1: there is nothing to fix up within it.
//!
//! A queue that only packets enter is theirs alone: it drains at its link's rate, RED looks at its own average, and nothing of it is transferred. So is one that only fluids enter, but for packets.
//!
//! | scheme | what happens |
//! | --- | --- |
//! | [`Scheme::LockStep`] | algorithm 1: batches of one step; the host waits for the step before it goes on with packets |
//! | [`Scheme::Asynchronous`] | algorithms 2 and 3: a whole batch is put on the device's queue, each launch with a download of what packets may ask for behind it; the host simulates packets beside it, and waits for the launch that the next packet needs and for no later one |
//!
//! The paper has a slave thread that starts kernels and tells the main thread how far they are. Here the device's queue does that by itself: what is put on it runs in order, and each download is a
//! [`Submission`](imminent_core::Submission) which owns its memory until it is waited for.
//!
//! What packets add to a queue shows in the fluid's losses and delays from the next batch on. What does not fit any more when packets join, since the fluid has grown meanwhile, is not added; those packets are not lost.
//!
//! Determinism: which packets are dropped is a function of the seed and of the fluids, so a run repeats bit for bit wherever these do.

mod background;
mod batch;
mod coupled;
mod device;
mod error;
mod fluids;
mod host;

pub use coupled::{Coupled, Spent};
pub use device::OnDevice;
pub use error::CouplingError;
pub use fluids::{Aside, Fluids, Level};
pub use host::OnHost;

use super::fluid::{Memory, Precision, Rules};
use serde::{Deserialize, Serialize};

/// How fluids and packets wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// By turns, step by step: the paper's algorithm 1.
    LockStep,
    /// Beside each other, batch by batch: the paper's algorithms 2 and 3.
    Asynchronous {
        /// Launches of a batch, each of as many steps as the lookahead: the paper's `B`.
        batch: u32,
    },
}

impl Default for Scheme {
    /// Batches of three launches: the paper's experiments are no faster with more.
    fn default() -> Self {
        Self::Asynchronous { batch: 3 }
    }
}

/// The most launches of a batch.
pub const MOST_LAUNCHES: u32 = 10_000;

/// How fluids and packets are simulated together.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Coupling {
    /// How they wait for each other.
    pub scheme: Scheme,
    /// What a loss does to a fluid's window.
    pub rules: Rules,
    /// For how long a device remembers what was sent.
    pub memory: Memory,
    /// The numbers in which a device simulates fluids.
    pub precision: Precision,
}

#[cfg(test)]
mod tests;
