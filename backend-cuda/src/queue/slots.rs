//! Fault slots: where kernels leave their faults, and how those are read.

use crate::driver::{Context, Stream};
use crate::memory::DeviceBuffer;
use crate::module::Kernel;
use imminent_core::backend::{SlotRing, SlotWindow};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Error, Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// What a slot holds that no row has raised a fault at.
const NO_FAULT: u32 = u32::MAX;
/// Slots of a queue. When they are used up, the queue waits for its work and looks at them.
pub(super) const SLOTS: u32 = 1 << 16;

/// The fault slots of a queue or a program: one for each site of each launch since they were last looked at, in order of
/// the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: DeviceBuffer,
    ring: SlotRing,
    launches: Vec<(u32, Arc<Kernel>)>,
}

impl FaultSlots {
    /// Empty slots, behind a head of zeros.
    pub(crate) fn new(context: &Context, stream: &Arc<Stream>, capacity: u32) -> Result<FaultSlots> {
        let words = u64::from(HEAD_WORDS) + u64::from(capacity);
        let state = DeviceBuffer::new(context, stream, "fault slots", words * 4)?;
        let slots = FaultSlots { state, ring: SlotRing::new(capacity), launches: Vec::new() };
        slots.clear_head(stream)?;
        slots.state.fill(stream, NO_FAULT, u64::from(HEAD_WORDS)..words, "clearing fault slots")?;
        Ok(slots)
    }

    /// The state buffer, whose word 0 says whose turn it is.
    #[inline]
    pub(crate) fn state(&self) -> &DeviceBuffer {
        &self.state
    }

    /// Sets the head to zero: the first turn.
    pub(crate) fn clear_head(&self, stream: &Stream) -> Result<()> {
        self.state.fill(stream, 0, 0..u64::from(HEAD_WORDS), "clearing the state of a program")
    }

    /// Whether a launch of the kernel finds slots.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        let sites = kernel.sites();
        if sites > self.ring.capacity() {
            return Err(Error::Limit {
                what: format!("places in kernel `{}` that can raise a fault", kernel.flat.name),
                requested: u64::from(sites),
                limit: u64::from(self.ring.capacity()),
            });
        }
        Ok(self.ring.has_room(sites))
    }

    /// Takes slots, for which there is room, for a launch of the kernel: the word where they start.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>) -> u32 {
        let first = self.ring.claim(kernel.sites());
        self.launches.push((first, kernel.clone()));
        HEAD_WORDS + first
    }

    /// The bytes of the slots in use in the state buffer; empty if there are none.
    pub(crate) fn used(&self) -> Range<u64> {
        bytes_of(&(0..self.ring.used()))
    }

    /// The slots that nobody has looked at, with their bytes in the state buffer.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, Range<u64>)> {
        self.ring.unseen().map(|window| (window.clone(), bytes_of(&window.slots())))
    }

    /// Looks at the bytes of a window: the fault of the earliest launch that raised one and was not looked at before. When all
    /// have been looked at they are free again.
    pub(super) fn look(&mut self, stream: &Stream, window: &SlotWindow, bytes: &[u8]) -> Result<Option<Fault>> {
        let Some(slots) = self.ring.see(window) else { return Ok(None) };
        let fault = decode(&self.launches, window.slots().start, &slots, bytes);
        let mut emptied = Ok(());
        if fault.is_some() {
            let words = bytes_of(&slots);
            emptied = self.state.fill(stream, NO_FAULT, words.start / 4..words.end / 4, "clearing fault slots");
        }
        if self.ring.all_seen() {
            self.ring.free();
            self.launches.clear();
        }
        emptied.map(|()| fault)
    }

    /// The fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        decode(&self.launches, 0, &(0..self.ring.used()), bytes)
    }

    /// Empties the slots in use, which stay in use, in the order of a stream.
    pub(crate) fn empty(&self, stream: &Stream) -> Result<()> {
        let used = self.used();
        self.state.fill(stream, NO_FAULT, used.start / 4..used.end / 4, "clearing fault slots")
    }
}

/// The bytes of slots in the state buffer.
fn bytes_of(slots: &Range<u32>) -> Range<u64> {
    u64::from(HEAD_WORDS + slots.start) * 4..u64::from(HEAD_WORDS + slots.end) * 4
}

/// The fault of the earliest launch with these slots that raised one: its lowest row, and the site of that row. The bytes begin
/// with slot `first`.
fn decode(launches: &[(u32, Arc<Kernel>)], first: u32, slots: &Range<u32>, bytes: &[u8]) -> Option<Fault> {
    let start = launches.partition_point(|(slot, _)| *slot < slots.start);
    launches.get(start..)?.iter().take_while(|(slot, _)| *slot < slots.end).find_map(|(slot, kernel)| {
        let words = bytes.get((slot - first) as usize * 4..)?.chunks_exact(4).take(kernel.flat.sites.len());
        let (site, row) = lowest(words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])))?;
        kernel.fault(site, row)
    })
}

/// The position and value of the lowest row among slots, if one is taken.
fn lowest(slots: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
    slots.enumerate().filter(|(_, row)| *row != NO_FAULT).min_by_key(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_row_wins_whatever_its_site() {
        assert_eq!(lowest([NO_FAULT, 7, 3, NO_FAULT].into_iter()), Some((2, 3)));
        assert_eq!(lowest([0].into_iter()), Some((0, 0)));
        assert_eq!(lowest([NO_FAULT; 4].into_iter()), None);
        assert_eq!(lowest(std::iter::empty()), None);
    }
}
