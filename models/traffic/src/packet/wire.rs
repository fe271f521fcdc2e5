//! Packets, and the packets on each link.

use super::agenda::Moment;
use super::tcp::Acknowledgement;
use std::collections::VecDeque;

/// Content of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cargo {
    /// Data of a connection.
    Data {
        /// Number of the packet.
        number: u64,
        /// `true` if the sender has reduced its window since a packet was marked (RFC 3168: CWR).
        reduced: bool,
    },
    /// Acknowledgement of a connection.
    Ack(Acknowledgement),
    /// Datagram.
    Datagram,
}

/// Explicit congestion notification of a packet (RFC 3168).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ecn {
    /// The session does not know it: queues drop the packet.
    Incapable,
    /// Queues mark the packet where they would drop it to slow its sender down.
    Capable,
    /// A queue has marked the packet.
    Marked,
}

/// A packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packet {
    /// Number of the connection, or of the source of datagrams.
    pub(super) owner: u32,
    pub(super) bytes: u32,
    pub(super) cargo: Cargo,
    pub(super) ecn: Ecn,
    /// Time at which the packet was sent.
    pub(super) born: u64,
    /// Index of the next link of its path in [`Paths`](super::paths::Paths), and the end of the path.
    pub(super) at: u32,
    pub(super) end: u32,
}

impl Packet {
    /// Marks a packet of a session with ECN. Returns `false` for others, which are to be dropped.
    pub(super) fn mark(&mut self) -> bool {
        if self.ecn != Ecn::Incapable {
            self.ecn = Ecn::Marked;
        }
        self.ecn == Ecn::Marked
    }

    /// Returns a number that packets of one session in one direction have in common, and no others.
    pub(super) fn key(&self) -> u64 {
        let kind = match self.cargo {
            Cargo::Datagram => 0,
            Cargo::Data { .. } => 1,
            Cargo::Ack(_) => 2,
        };
        u64::from(self.owner) << 2 | kind
    }
}

/// Packets in the queue of a link and on the link, in order of arrival.
pub(super) type Wire = VecDeque<(Moment, Packet)>;
