//! Fault slots: where kernels leave their faults, and how those are read.

use crate::driver::{Context, Stream};
use crate::memory::DeviceBuffer;
use crate::module::Kernel;
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
    ring: Ring,
    launches: Vec<(u32, Arc<Kernel>)>,
}

/// Which slots are taken: the first `used`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ring {
    capacity: u32,
    used: u32,
}

impl Ring {
    fn has_room(self, sites: u32) -> bool {
        self.capacity - self.used >= sites
    }

    /// Takes so many slots, for which there is room: the first of them.
    fn claim(&mut self, sites: u32) -> u32 {
        let first = self.used;
        self.used += sites;
        first
    }
}

impl FaultSlots {
    /// Empty slots, behind a head of zeros.
    pub(crate) fn new(context: &Context, stream: &Arc<Stream>, capacity: u32) -> Result<FaultSlots> {
        let words = u64::from(HEAD_WORDS) + u64::from(capacity);
        let state = DeviceBuffer::new(context, stream, "fault slots", words * 4)?;
        let slots = FaultSlots { state, ring: Ring { capacity, used: 0 }, launches: Vec::new() };
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
        if sites > self.ring.capacity {
            return Err(Error::Limit {
                what: format!("places in kernel `{}` that can raise a fault", kernel.flat.name),
                requested: u64::from(sites),
                limit: u64::from(self.ring.capacity),
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
        let start = u64::from(HEAD_WORDS) * 4;
        start..start + u64::from(self.ring.used) * 4
    }

    /// The fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.launches.iter().find_map(|(first, kernel)| {
            let slots = bytes.get(*first as usize * 4..)?.as_chunks::<4>().0.iter().take(kernel.flat.sites.len());
            let (site, row) = lowest(slots.map(|word| u32::from_le_bytes(*word)))?;
            kernel.fault(site, row)
        })
    }

    /// Empties the slots in use, which stay in use, in the order of a stream.
    pub(crate) fn empty(&self, stream: &Stream) -> Result<()> {
        let used = self.used();
        self.state.fill(stream, NO_FAULT, used.start / 4..used.end / 4, "clearing fault slots")
    }

    /// Makes all slots free again. They are emptied only if one was written.
    pub(super) fn reset(&mut self, stream: &Stream, written: bool) -> Result<()> {
        let emptied = if written { self.empty(stream) } else { Ok(()) };
        self.ring.used = 0;
        self.launches.clear();
        emptied
    }
}

/// The position and value of the lowest row among slots, if one is taken.
fn lowest(slots: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
    slots.enumerate().filter(|(_, row)| *row != NO_FAULT).min_by_key(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_lowest_row_wins_whatever_its_site() {
        assert_eq!(lowest([NO_FAULT, 7, 3, NO_FAULT].into_iter()), Some((2, 3)));
        assert_eq!(lowest([0].into_iter()), Some((0, 0)));
        assert_eq!(lowest([NO_FAULT; 4].into_iter()), None);
        assert_eq!(lowest(std::iter::empty()), None);
    }

    proptest! {
        #[test]
        fn claims_lie_one_after_another_and_inside(capacity in 0u32..200, sites in proptest::collection::vec(0u32..40, 0..40)) {
            let mut ring = Ring { capacity, used: 0 };
            let mut end = 0;
            for sites in sites {
                if ring.has_room(sites) {
                    prop_assert_eq!(ring.claim(sites), end);
                    end += sites;
                }
                prop_assert!(end <= capacity);
                prop_assert!(ring.has_room(capacity - end) && !ring.has_room(capacity - end + 1));
            }
        }
    }
}
