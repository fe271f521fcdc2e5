//! Packets, and those on their way over a link.

use super::agenda::Moment;
use std::collections::VecDeque;

/// What a packet is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cargo {
    /// Data of a connection, by number.
    Data(u64),
    /// An acknowledgement of a connection, with the first number that has not come.
    Ack(u64),
    /// A datagram.
    Datagram,
}

/// A packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packet {
    /// The connection, or the source of datagrams.
    pub(super) owner: u32,
    pub(super) bytes: u32,
    pub(super) cargo: Cargo,
    /// When it was sent.
    pub(super) born: u64,
    /// The next link of its way, among the [`Roads`](super::roads::Roads), and where the way ends.
    pub(super) at: u32,
    pub(super) end: u32,
}

/// The packets in the queue of a link and on the link, first come, first served.
pub(super) type Wire = VecDeque<(Moment, Packet)>;
