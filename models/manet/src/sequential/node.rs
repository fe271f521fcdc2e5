//! State of a node.

use super::packet::{Packet, To};
use super::protocol::Protocol;
use super::walk::Walk;
use crate::count::NodeCount;
use crate::start::{FlowStart, NodeStart};
use rand_pcg::Pcg32;
use std::collections::VecDeque;

/// State of a node's medium access.
#[derive(Clone, Debug)]
pub(super) enum State<H> {
    Idle,
    /// An attempt is in the event list, or under way.
    Attempts,
    Transmits(Box<Transmitted<H>>),
}

/// Packet that a node transmits.
#[derive(Clone, Debug)]
pub(super) struct Transmitted<H> {
    /// Packet on the air.
    pub packet: Packet<H>,
    /// Packet as it was before it was routed.
    pub before: Packet<H>,
    pub to: To,
    /// Time at which it began.
    pub begin: u64,
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
pub(super) struct Node<P: Protocol> {
    pub walk: Walk,
    pub flows: Vec<Flow>,
    pub backoffs: Pcg32,
    pub protocol: P,
    pub queue: VecDeque<Packet<P::Header>>,
    /// Packet whose transmission has failed.
    pub held: Option<Packet<P::Header>>,
    pub state: State<P::Header>,
    /// End of the last transmission on the clock.
    pub until: u64,
    pub count: NodeCount,
}

impl<P: Protocol> Node<P> {
    pub(super) fn new(start: &NodeStart) -> Self {
        Node {
            walk: Walk::new(start),
            flows: start.flows.iter().map(Flow::new).collect(),
            backoffs: start.backoffs.rng.clone(),
            protocol: P::new(start),
            queue: VecDeque::new(),
            held: None,
            state: State::Idle,
            until: 0,
            count: NodeCount::default(),
        }
    }

    /// Takes the packet to transmit next.
    pub(super) fn take(&mut self) -> Option<Packet<P::Header>> {
        self.held.take().or_else(|| self.queue.pop_front())
    }
}
