//! Packets for tests of queues.

use super::Packet;
use crate::packet::wire::{Cargo, Ecn};

/// Returns a datagram of some bytes.
pub(super) fn packet(owner: u32, bytes: u32) -> Packet {
    Packet { owner, bytes, cargo: Cargo::Datagram, ecn: Ecn::Incapable, born: 0, at: 0, end: 1 }
}

impl Packet {
    /// Returns the packet as one of a session with ECN.
    pub(super) fn with_ecn(self) -> Self {
        Self { ecn: Ecn::Capable, ..self }
    }

    /// Returns `true` if a queue has marked the packet.
    pub(super) fn is_marked(&self) -> bool {
        self.ecn == Ecn::Marked
    }
}
