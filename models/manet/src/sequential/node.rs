//! State of a node.

use super::routing::Header;
use super::walk::{Point, Walk};
use crate::count::NodeCount;
use crate::start::{FlowStart, NodeStart};
use rand_pcg::Pcg32;
use std::collections::VecDeque;

/// Packet on its way.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    /// Number in the order of creation.
    pub number: u64,
    pub header: Header,
    pub created: u64,
    pub origin: u32,
    /// Kind of traffic: data, request, response.
    pub kind: usize,
    /// Number of the flow.
    pub flow: u32,
    pub bytes: u32,
    pub hops: u64,
}

/// Entry of a neighbour table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub node: u32,
    pub place: Point,
    pub heard: u64,
}

/// State of a node's medium access.
#[derive(Clone, Debug)]
pub(super) enum State {
    Idle,
    /// An attempt is in the event list.
    Attempts,
    Transmits(Box<Transmitted>),
}

/// Packet that a node transmits.
#[derive(Clone, Debug)]
pub(super) struct Transmitted {
    /// Packet on the air.
    pub packet: Packet,
    /// Packet as it was before it was routed.
    pub before: Packet,
    /// Next node.
    pub to: u32,
    /// Time at which it began.
    pub begin: u64,
    /// Number of failed transmissions of the packet by this node.
    pub failures: u32,
}

/// Flow of packets of a node.
#[derive(Debug)]
pub(super) struct Flow {
    pub number: u32,
    pub packets: Pcg32,
    pub destination: u32,
    pub gap: u64,
    pub bytes: u32,
    pub stop: u64,
}

impl Flow {
    fn new(start: &FlowStart) -> Self {
        let FlowStart { number, destination, gap, bytes, stop, .. } = *start;
        Flow { number, packets: start.packets.rng.clone(), destination, gap, bytes, stop }
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub walk: Walk,
    pub beacons: Pcg32,
    pub flows: Vec<Flow>,
    pub backoffs: Pcg32,
    pub table: Vec<Entry>,
    pub queue: VecDeque<Packet>,
    /// Packet whose transmission has failed, with the number of failures.
    pub held: Option<(Packet, u32)>,
    pub state: State,
    /// End of the last transmission on the clock.
    pub until: u64,
    pub count: NodeCount,
}

impl Node {
    pub(super) fn new(start: &NodeStart) -> Self {
        Node {
            walk: Walk::new(start),
            beacons: start.beacons.rng.clone(),
            flows: start.flows.iter().map(Flow::new).collect(),
            backoffs: start.backoffs.rng.clone(),
            table: vec![],
            queue: VecDeque::new(),
            held: None,
            state: State::Idle,
            until: 0,
            count: NodeCount::default(),
        }
    }

    /// Enters a beacon into the table. Instead of growing, a table forgets neighbours from before a time.
    pub(super) fn hear(&mut self, entry: Entry, oldest: u64) {
        match self.table.iter_mut().find(|known| known.node == entry.node) {
            Some(known) => *known = entry,
            None => {
                if self.table.len() == self.table.capacity() {
                    self.forget(oldest);
                }
                self.table.push(entry);
            }
        }
    }

    /// Takes the packet to transmit next, with the number of its failures.
    pub(super) fn take(&mut self) -> Option<(Packet, u32)> {
        self.held.take().or_else(|| Some((self.queue.pop_front()?, 0)))
    }

    /// Forgets the neighbours that were heard last before a time.
    pub(super) fn forget(&mut self, oldest: u64) {
        self.table.retain(|entry| entry.heard >= oldest);
    }
}
