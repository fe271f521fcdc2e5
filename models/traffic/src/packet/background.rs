//! Influence of fluid flows on packets.

use serde::{Deserialize, Serialize};

/// Influence of fluid on packets in one queue at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Influence {
    /// Drop probability of an arriving packet, independent of the free capacity.
    pub drop: f64,
    /// Bytes of fluid in the queue, ahead of the packets; only for shared queues.
    pub backlog: u64,
    /// Bytes of the packets' own backlog that left the queue since the last arrival; only for shared queues.
    pub drained: u64,
}

/// Source of the influence of fluids on packets.
///
/// A queue that is not shared belongs to the packets: it drains at the link's rate, and RED uses its own average. In a
/// shared queue the packets add up to a backlog p beside the fluid's q. The fluid side takes it over at its steps
/// (MODELS 3.4, the paper's algorithm 1). A packet of s bytes at time t is dropped if u < ρ or q + p + s > Q. Otherwise
/// p += s, and it leaves at t + (q + p)/C, but not before the packet ahead of it. The fluid side then applies the
/// discipline of the queue, through the drop probability ρ.
pub trait Background {
    /// Returns `true` if the queue of `link` is shared with fluids. The answer never changes.
    fn shares(&self, link: u32) -> bool;

    /// Returns the influence on a packet that arrives at the queue of `link` at `time` (picoseconds).
    fn influence(&mut self, link: u32, time: u64) -> Influence;
}

/// Packets without fluids.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Background for Alone {
    fn shares(&self, _: u32) -> bool {
        false
    }

    fn influence(&mut self, _: u32, _: u64) -> Influence {
        Influence::default()
    }
}

/// Fluids that stay constant for one step: the lock-step scheme.
///
/// At each step, run the simulator to that time, and take the packets' backlogs with
/// [`take_backlog`](super::Simulator::take_backlog). Then advance the fluid equations, and store the new backlogs and
/// drop probabilities here. [`coupling`](crate::coupling) does this.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Influence on each link's queue; none for links beyond the end.
    pub links: Vec<Influence>,
}

impl Background for Step {
    fn shares(&self, _: u32) -> bool {
        true
    }

    fn influence(&mut self, link: u32, _: u64) -> Influence {
        self.links.get(link as usize).copied().unwrap_or_default()
    }
}
