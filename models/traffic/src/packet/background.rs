//! What else is in the queues: the influence of fluid flows on packets.

use serde::{Deserialize, Serialize};

/// What packets meet in one queue at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Influence {
    /// Probability that an arriving packet is dropped, whatever the room.
    pub drop: f64,
    /// Bytes of fluid in the queue, ahead of the packets. Only where queues are shared.
    pub backlog: u64,
    /// Bytes of the packets' own backlog that have left the queue since the last arrival. Only where queues are shared.
    pub drained: u64,
}

/// The influence of what is not packets.
///
/// A queue that is not shared packets have for themselves: it drains at the link's rate, and RED looks at its own average. In one that is shared the packets
/// add up to a backlog p beside the fluid's q, which the fluid side takes over at its steps (MODELS 3.4, the paper's algorithm 1): a packet of s bytes at time t is
/// dropped if u < ρ or q + p + s > Q; otherwise p += s and it has left at t + (q + p)/C, though not before the packet ahead of it. The discipline of the queue is then the fluid
/// side's matter, whose drop probability ρ is.
pub trait Background {
    /// Whether the queue of `link` is shared with fluids. The answer is always the same.
    fn shares(&self, link: u32) -> bool;

    /// What a packet meets that arrives at the queue of `link` at `time` (picoseconds).
    fn influence(&mut self, link: u32, time: u64) -> Influence;
}

/// Nothing but packets.
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

/// Fluids that stay as they are for one step: the lock-step scheme.
///
/// At each step, run the simulator until then, take the packets' backlogs with [`take_backlog`](super::Simulator::take_backlog), let the fluid equations advance, and
/// put the new backlogs and drop probabilities here. [`coupling`](crate::coupling) does that.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// The influence on each link's queue; none for links past the end.
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
