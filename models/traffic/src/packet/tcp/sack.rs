//! Selective acknowledgements: blocks of received packets (RFC 2018) and the sender's scoreboard (RFC 6675).

use super::DUPLICATES;
use super::ranges::Ranges;
use std::ops::Range;

/// Largest number of blocks in an acknowledgement; that many fit beside a timestamp.
pub(super) const MAX_BLOCKS: usize = 3;

/// Blocks of packets that arrived after the first missing one, the most recent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) struct Blocks {
    /// Distance of each block from the first missing packet, and its length in packets; a length of 0 is no block.
    blocks: [(u32, u32); MAX_BLOCKS],
}

impl Blocks {
    /// Creates the blocks behind the first missing packet. Ranges lie within a window above it, which has 32 bits.
    pub(super) fn of(next: u64, ranges: impl Iterator<Item = Range<u64>>) -> Self {
        let mut blocks = Self::default();
        for (block, range) in blocks.blocks.iter_mut().zip(ranges) {
            *block = ((range.start - next) as u32, (range.end - range.start) as u32);
        }
        blocks
    }

    /// Returns the ranges of the blocks; `next` is the first missing packet.
    pub(super) fn ranges(self, next: u64) -> impl Iterator<Item = Range<u64>> {
        let given = self.blocks.into_iter().filter(|(_, length)| *length > 0);
        given.map(move |(start, length)| {
            let start = next + u64::from(start);
            start..start + u64::from(length)
        })
    }
}

/// Acknowledgement of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Acknowledgement {
    /// Number of the first missing packet.
    pub(in super::super) number: u64,
    /// Later packets that have arrived.
    pub(in super::super) blocks: Blocks,
    /// `true` if a packet was marked, and no reduced window has been told since (RFC 3168: ECN-Echo).
    pub(in super::super) echo: bool,
    /// Time at which the last packet that arrived was sent.
    pub(in super::super) sent: u64,
}

/// Knowledge of a sender about the packets between the first unacknowledged and the next new one.
///
/// A packet counts as lost once [`DUPLICATES`] packets above it have arrived, or a timeout declared it lost. Packets
/// are repaired in ascending order, so one number tells which of them were sent again.
#[derive(Debug, Clone, Default)]
pub(super) struct Scoreboard {
    /// Selectively acknowledged packets.
    arrived: Ranges,
    /// Number below which a timeout declared all packets lost that have not arrived.
    lost: u64,
    /// Number below which all missing packets were sent again (RFC 6675: `HighRxt` + 1).
    repaired: u64,
    /// Number of arrived packets below `repaired`.
    arrived_below: u64,
    /// Number below which no packet is sent as a last resort (RFC 6675: `RescueRxt`).
    rescued: u64,
}

impl Scoreboard {
    /// Adds the blocks of an acknowledgement. Returns `true` if they report the arrival of another packet.
    pub(super) fn add(&mut self, first: u64, blocks: Blocks) -> bool {
        let mut new = 0;
        for range in blocks.ranges(first) {
            // Two steps, because arrived packets below and above this number are counted separately.
            let middle = self.repaired.clamp(range.start, range.end);
            let below = self.arrived.insert(range.start..middle);
            self.arrived_below += below;
            new += below + self.arrived.insert(middle..range.end);
        }
        new > 0
    }

    /// Removes all packets below the first unacknowledged one.
    pub(super) fn advance(&mut self, first: u64) {
        let removed = self.arrived.remove_below(first);
        if first < self.repaired {
            self.arrived_below -= removed;
        } else {
            (self.repaired, self.arrived_below) = (first, 0);
        }
    }

    pub(super) fn has_arrived(&self, number: u64) -> bool {
        self.arrived.containing(number).is_some()
    }

    /// Returns the number below which every missing packet counts as lost.
    fn lost_below(&self) -> u64 {
        let third = self.arrived.greatest().nth(DUPLICATES as usize - 1);
        third.unwrap_or(0).max(self.lost)
    }

    /// Returns `true` if the first unacknowledged packet counts as lost.
    pub(super) fn is_lost(&self, first: u64) -> bool {
        self.lost_below() > first
    }

    /// Declares all packets lost that were sent and have not arrived.
    pub(super) fn lose_all(&mut self, first: u64, sent: u64) {
        (self.lost, self.repaired, self.arrived_below) = (sent, first, 0);
    }

    /// Returns the number of packets in the network (RFC 6675: `pipe`).
    pub(super) fn pipe(&self, first: u64, next: u64) -> u64 {
        let lost = self.lost_below().max(first);
        // At most three: more would have moved the number below which packets are lost.
        let arrived = self.arrived.greatest().take(DUPLICATES as usize).filter(|number| *number >= lost).count() as u64;
        let not_lost = next.saturating_sub(lost) - arrived.min(next.saturating_sub(lost));
        not_lost + (self.repaired.max(first) - first - self.arrived_below)
    }

    /// Marks the first unacknowledged packet as sent again.
    pub(super) fn repair_first(&mut self, first: u64) {
        if self.repaired <= first {
            self.repaired = first + 1;
        }
    }

    /// Returns the first lost packet that was not sent again, and marks it as sent again.
    pub(super) fn repair_lost(&mut self) -> Option<u64> {
        let below = self.lost_below();
        self.repair_below(below)
    }

    /// Returns the first missing packet below an arrived one that was not sent again, and marks it as sent again.
    pub(super) fn repair_missing(&mut self) -> Option<u64> {
        let below = self.arrived.greatest().next()?;
        self.repair_below(below)
    }

    fn repair_below(&mut self, end: u64) -> Option<u64> {
        let hole = self.arrived.containing(self.repaired).map_or(self.repaired, |range| range.end);
        if hole >= end {
            return None;
        }
        self.arrived_below += hole - self.repaired;
        self.repaired = hole + 1;
        Some(hole)
    }

    /// Returns the last packet if it is missing, once in a recovery that ends with `recover`. Nothing but a timeout
    /// would repair it, since no packet above it arrives.
    pub(super) fn rescue(&mut self, first: u64, recover: u64) -> Option<u64> {
        let last = recover.checked_sub(1)?;
        if first < self.rescued || last < self.repaired || self.has_arrived(last) {
            return None;
        }
        self.rescued = recover;
        Some(last)
    }
}
