//! Packets on their way.

use super::events::PacketKind;

/// Packet on its way, with a header of the routing protocol.
#[derive(Clone, Debug)]
pub(super) struct Packet<H> {
    /// Number in the order of creation. A packet of a protocol gets it when it first enters a queue.
    pub number: Option<u64>,
    pub kind: PacketKind,
    pub created: u64,
    pub origin: u32,
    pub destination: u32,
    /// Number of the flow; none for packets of the protocol.
    pub flow: Option<u32>,
    pub bytes: u32,
    pub hops: u64,
    pub header: H,
}

/// Receivers of a transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    /// One node, whose failure to receive is noticed.
    Node(u32),
    /// All nodes in range at the end.
    All,
}

impl To {
    /// Returns the receiver, if there is one.
    pub(super) fn node(self) -> Option<u32> {
        match self {
            To::Node(node) => Some(node),
            To::All => None,
        }
    }
}
