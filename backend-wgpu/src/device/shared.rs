//! Buffers that tables share, and buffers that tallies share, on devices whose kernels bind few buffers.
//!
//! A kernel then binds such a buffer once and finds every table or tally in it by a place that its launch block gives.
//! WebGPU lets a dispatch use a buffer either read-only or for writing, so shared buffers are always bound for writing.

use imminent_core::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// All buffers of a device that memory of one kind shares. The first one is kept, the others as long as ranges of them
/// are in use.
#[derive(Debug)]
pub(crate) struct SharedBuffers {
    /// Bytes of the first buffer. Each further one is twice as large, up to the largest binding of the device.
    first: u64,
    all: Mutex<Vec<Arc<SharedBuffer>>>,
}

/// A buffer that tables, or tallies, share.
#[derive(Debug)]
pub(crate) struct SharedBuffer {
    /// Identifier of the buffer, unique on the device.
    pub(crate) id: u64,
    pub(crate) buffer: wgpu::Buffer,
    /// Dropped with the last owner, as for segments.
    pub(crate) life: Arc<()>,
    free: Mutex<Free>,
}

/// A range of a shared buffer, until it is dropped.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) of: Arc<SharedBuffer>,
    pub(crate) bytes: Range<u64>,
    /// `true` if the range was never used before, and so is zero.
    pub(crate) clean: bool,
}

impl SharedBuffers {
    pub(crate) fn new(first: u64) -> SharedBuffers {
        SharedBuffers { first, all: Mutex::default() }
    }

    /// Takes a range of the first buffer with room, or of a new one of at most `largest` bytes. `make` makes a buffer
    /// of a size, with its identifier. `None` if the new one is too small.
    pub(crate) fn take(
        &self,
        bytes: u64,
        (alignment, largest): (u64, u64),
        make: impl Fn(u64) -> Result<(u64, wgpu::Buffer)>,
    ) -> Result<Option<Part>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let mut number = 0;
        all.retain(|buffer| {
            number += 1;
            number == 1 || Arc::strong_count(buffer) > 1
        });
        if let Some(part) = all.iter().find_map(|buffer| buffer.take(bytes, alignment)) {
            return Ok(Some(part));
        }
        let usual = self.first.saturating_mul(1 << all.len().min(32)).min(largest).max(bytes);
        let (id, buffer) = match make(usual) {
            Err(Error::OutOfMemory { .. }) if usual > bytes => make(bytes)?,
            other => other?,
        };
        let free = Mutex::new(Free::new(buffer.size()));
        let made = Arc::new(SharedBuffer { id, buffer, life: Arc::default(), free });
        all.push(made.clone());
        Ok(made.take(bytes, alignment))
    }
}

impl SharedBuffer {
    fn free(&self) -> std::sync::MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Self>, bytes: u64, alignment: u64) -> Option<Part> {
        let (bytes, clean) = self.free().take(bytes, alignment)?;
        Some(Part { of: self.clone(), bytes, clean })
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.of.free().give_back(self.bytes.clone());
    }
}

/// Free ranges of a buffer.
#[derive(Debug)]
struct Free {
    /// End of each free range, by its start. No two of them touch.
    ranges: BTreeMap<u64, u64>,
    /// Start of the part that was never used.
    unused: u64,
}

impl Free {
    fn new(bytes: u64) -> Free {
        Free { ranges: BTreeMap::from([(0, bytes)]), unused: 0 }
    }

    /// Takes the start of the first range with room. `true` if it was never used. All starts are aligned, since lengths
    /// are.
    fn take(&mut self, bytes: u64, alignment: u64) -> Option<(Range<u64>, bool)> {
        let (&start, &end) = self.ranges.iter().find(|(start, end)| *end - *start >= bytes)?;
        let taken = start..start.checked_add(bytes)?.checked_next_multiple_of(alignment)?.min(end);
        self.ranges.remove(&start);
        if taken.end < end {
            self.ranges.insert(taken.end, end);
        }
        let clean = start >= self.unused;
        self.unused = self.unused.max(taken.end);
        Some((taken, clean))
    }

    /// Joins a range with its neighbours.
    fn give_back(&mut self, range: Range<u64>) {
        let end = self.ranges.remove(&range.end).unwrap_or(range.end);
        let before = self.ranges.range_mut(..range.start).next_back().filter(|(_, end)| **end == range.start);
        match before {
            Some((_, before)) => *before = end,
            None => {
                self.ranges.insert(range.start, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_are_aligned_and_join_when_they_are_given_back() {
        let mut free = Free::new(1 << 10);
        assert_eq!(free.take(100, 256), Some((0..256, true)));
        assert_eq!(free.take(257, 256), Some((256..768, true)));
        assert_eq!(free.take(257, 256), None);
        free.give_back(0..256);
        assert_eq!(free.take(10, 256), Some((0..256, false)));
        free.give_back(256..768);
        free.give_back(0..256);
        assert_eq!(free.ranges, BTreeMap::from([(0, 1 << 10)]));
        // Part of it was used.
        assert_eq!(free.take(1000, 256), Some((0..1024, false)));
        let mut odd = Free::new(1000);
        assert_eq!(odd.take(1000, 256), Some((0..1000, true)));
        odd.give_back(0..1000);
        assert_eq!(odd.ranges, BTreeMap::from([(0, 1000)]));
    }

    proptest! {
        /// For any order of calls: ranges in use do not overlap, those that were never used are told, and nothing is
        /// lost.
        #[test]
        fn ranges_are_apart(steps in proptest::collection::vec((0_u64..3000, 0_usize..20), 1..100)) {
            let mut free = Free::new(1 << 14);
            let (mut held, mut touched): (Vec<Range<u64>>, Vec<Range<u64>>) = Default::default();
            let overlap = |one: &Range<u64>, other: &Range<u64>| one.start < other.end && other.start < one.end;
            for (bytes, drop) in steps {
                if drop < held.len() {
                    free.give_back(held.swap_remove(drop));
                } else if let Some((range, clean)) = free.take(bytes.max(1), 256) {
                    prop_assert!(range.start % 256 == 0 && range.end - range.start >= bytes);
                    prop_assert!(!held.iter().any(|other| overlap(other, &range)));
                    prop_assert!(!clean || !touched.iter().any(|other| overlap(other, &range)));
                    touched.push(range.clone());
                    held.push(range);
                }
            }
            held.into_iter().for_each(|range| free.give_back(range));
            prop_assert_eq!(free.ranges, BTreeMap::from([(0, 1 << 14)]));
        }
    }
}
