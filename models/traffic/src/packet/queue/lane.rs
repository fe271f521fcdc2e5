//! Packets in order of arrival.

use super::Packet;
use std::collections::VecDeque;

/// Packets that wait, with their times of arrival.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Lane {
    packets: VecDeque<(u64, Packet)>,
    bytes: u64,
}

impl Lane {
    pub(super) fn add(&mut self, packet: Packet, now: u64) {
        self.bytes += u64::from(packet.bytes);
        self.packets.push_back((now, packet));
    }

    /// Removes the packet that has waited longest, with its time of arrival.
    pub(super) fn remove_first(&mut self) -> Option<(u64, Packet)> {
        let first = self.packets.pop_front()?;
        self.bytes -= u64::from(first.1.bytes);
        Some(first)
    }

    /// Removes the packet that arrived last, with its time of arrival.
    pub(super) fn remove_last(&mut self) -> Option<(u64, Packet)> {
        let last = self.packets.pop_back()?;
        self.bytes -= u64::from(last.1.bytes);
        Some(last)
    }

    /// Returns all packets.
    pub(super) fn into_packets(self) -> Vec<Packet> {
        self.packets.into_iter().map(|(_, packet)| packet).collect()
    }

    /// Number of bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of packets.
    pub(super) fn len(&self) -> usize {
        self.packets.len()
    }
}
