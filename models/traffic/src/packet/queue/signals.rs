//! Packets by which a queue slows senders down.

use super::Packet;

/// Packets that a queue dropped, with their times of arrival, and number of those that it marked instead.
#[derive(Debug, Default)]
pub(in super::super) struct Signals {
    pub(in super::super) dropped: Vec<(u64, Packet)>,
    pub(in super::super) marked: u64,
}

impl Signals {
    /// Marks a packet of a session with ECN. Returns `false` for others, which are to be dropped.
    pub(super) fn mark(&mut self, packet: &mut Packet) -> bool {
        let is_marked = packet.mark();
        self.marked += u64::from(is_marked);
        is_marked
    }
}
