//! Seam between the event loop and routing protocols.
//!
//! The event loop has the medium, the queues and the motion. A protocol decides for one node where packets go, and asks
//! for what it wants by an [`Outbox`].

use super::events::Mode;
use super::packet::{Packet, To};
use super::walk::Point;
use crate::count::Loss;
use crate::network::Network;
use crate::start::NodeStart;
use std::fmt::Debug;

/// Node and time at which a protocol acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here<'n> {
    pub network: &'n Network,
    pub node: u32,
    /// Time on the clock.
    pub time: u64,
    /// Time before it was put on the clock.
    pub original: u64,
    /// `true` if the node is there.
    pub is_there: bool,
}

/// Decision about a packet that the node may transmit.
#[derive(Debug)]
pub(super) enum Decision<H> {
    /// The packet is transmitted, with the header that it has now.
    Send(Packet<H>, To),
    /// The packet is lost.
    Lose(Loss),
    /// The protocol keeps the packet.
    Keep,
}

/// Decision about a packet whose next node has not received it.
#[derive(Debug)]
pub(super) enum Failure<H> {
    /// The node decides about the packet anew before others.
    Again(Packet<H>),
    /// The packet is lost.
    Lose(Loss),
}

/// Wishes of a protocol, which the event loop carries out.
#[derive(Debug)]
pub(super) struct Outbox<H> {
    /// Packets that enter the queue of the node.
    pub queued: Vec<Packet<H>>,
    /// Packets that are lost.
    pub lost: Vec<(Packet<H>, Loss)>,
    /// Times at which the node is woken, before they are put on the clock.
    pub timers: Vec<u64>,
    /// `true` if all nodes in range hear a beacon.
    pub beacon: bool,
}

impl<H> Outbox<H> {
    pub(super) const fn new() -> Self {
        Outbox { queued: vec![], lost: vec![], timers: vec![], beacon: false }
    }
}

/// Routing protocol of a node.
pub(super) trait Protocol: Debug + Sized {
    /// Header of packets, by which the protocol tells itself about them.
    type Header: Clone + Debug;

    /// Creates the protocol of a node at the start.
    fn new(start: &NodeStart) -> Self;

    /// Returns the time at which the node is woken first.
    fn first_timer(start: &NodeStart) -> Option<u64>;

    /// Returns the header of a new packet whose destination is at a position.
    fn header(goal: Point) -> Self::Header;

    /// Returns how the receivers of a packet with a header were found.
    fn mode(header: &Self::Header, to: To) -> Mode;

    /// Takes a packet that the node has created. It enters the queue, or waits.
    fn admit(&mut self, here: Here<'_>, packet: Packet<Self::Header>, out: &mut Outbox<Self::Header>);

    /// Decides about a packet of the queue, as the medium is free. `place` is the position of the node, `before` the
    /// packet as it came.
    fn route(
        &mut self,
        here: Here<'_>,
        place: Point,
        before: &Packet<Self::Header>,
        out: &mut Outbox<Self::Header>,
    ) -> Decision<Self::Header>;

    /// Decides about a packet that a node has not received.
    fn fail(
        &mut self,
        here: Here<'_>,
        before: Packet<Self::Header>,
        to: u32,
        out: &mut Outbox<Self::Header>,
    ) -> Failure<Self::Header>;

    /// Takes a packet from a node. Returns it if it is one of the traffic.
    fn receive(
        &mut self,
        here: Here<'_>,
        packet: Packet<Self::Header>,
        from: u32,
        out: &mut Outbox<Self::Header>,
    ) -> Option<Packet<Self::Header>>;

    /// Acts at a time that was asked for.
    fn wake(&mut self, here: Here<'_>, out: &mut Outbox<Self::Header>);

    /// Hears a beacon of a node at a position.
    fn hear(&mut self, network: &Network, time: u64, node: u32, place: Point);

    /// Memory of the protocol's lists in bytes.
    #[cfg(test)]
    fn bytes(&self) -> usize;
}
