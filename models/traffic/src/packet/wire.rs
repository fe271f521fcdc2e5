//! Packets, and the packets on each link.

use super::agenda::Moment;
use super::tcp::Blocks;
use std::collections::VecDeque;

/// Content of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cargo {
    /// Data of a connection, with the packet's number.
    Data(u64),
    /// Acknowledgement of a connection, with the first missing number and blocks of later packets that have arrived.
    Ack(u64, Blocks),
    /// Datagram.
    Datagram,
}

/// A packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packet {
    /// Number of the connection, or of the source of datagrams.
    pub(super) owner: u32,
    pub(super) bytes: u32,
    pub(super) cargo: Cargo,
    /// Time at which the packet was sent.
    pub(super) born: u64,
    /// Index of the next link of its path in [`Paths`](super::paths::Paths), and the end of the path.
    pub(super) at: u32,
    pub(super) end: u32,
}

/// Packets in the queue of a link and on the link, in order of arrival.
pub(super) type Wire = VecDeque<(Moment, Packet)>;
