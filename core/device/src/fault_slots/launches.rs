//! Assignment of fault slots to launches, and decoding of their words.

use super::layout::{HEAD_WORDS, NO_FAULT};
use super::operands::{self, launch_slots};
use super::ring::{SlotRing, SlotWindow};
use imminent_core::{Error, Fault, Faults, Limit, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::launch::keeps_operands;
use std::ops::Range;
use std::sync::Arc;

/// The fault slots of a queue or a program: [`launch_slots`] for each launch since all were last free, in order of the
/// launches.
///
/// `K` is the backend's kernel. The slots lie in a state buffer of the backend's own, behind [`HEAD_WORDS`] words, and
/// hold [`NO_FAULT`] until a row puts its number there.
#[derive(Debug)]
pub struct LaunchSlots<K> {
    ring: SlotRing,
    faults: Faults,
    launches: Vec<Claim<K>>,
}

/// A launch with slots.
#[derive(Debug)]
struct Claim<K> {
    first: u32,
    kernel: Arc<K>,
    /// Number of the launch among the operations of its queue.
    operation: Option<u64>,
}

impl<K: AsRef<FlatKernel>> LaunchSlots<K> {
    /// Creates `capacity` free slots, for kernels that keep this much of a fault.
    #[must_use]
    pub const fn new(capacity: u32, faults: Faults) -> LaunchSlots<K> {
        LaunchSlots { ring: SlotRing::new(capacity), faults, launches: Vec::new() }
    }

    /// Returns `true` if a launch of the kernel finds free slots.
    ///
    /// # Errors
    /// [`Error::Limit`] for a kernel with more sites than there are slots.
    pub fn has_room(&self, kernel: &K) -> Result<bool> {
        let slots = launch_slots(kernel.as_ref(), self.faults);
        if slots > self.ring.capacity() {
            let what = Limit::KernelFaults { kernel: kernel.as_ref().name.clone() };
            return Err(Error::limit(what, slots, self.ring.capacity()));
        }
        Ok(self.ring.has_room(slots))
    }

    /// Takes free slots for a launch of the kernel. `operation` is its
    /// [number](imminent_core::backend::Launch::operation) on its queue.
    /// Returns the word of the state buffer where they start. The caller has checked that there is room.
    pub fn claim(&mut self, kernel: &Arc<K>, operation: Option<u64>) -> u32 {
        let first = self.ring.claim(launch_slots((**kernel).as_ref(), self.faults));
        self.launches.push(Claim { first, kernel: kernel.clone(), operation });
        HEAD_WORDS + first
    }

    /// Returns the slots in use.
    #[must_use]
    pub const fn used(&self) -> Range<u32> {
        0..self.ring.used()
    }

    /// Returns the slots that were not yet looked at, if there are any: their bytes are to be read.
    #[must_use]
    pub fn unseen(&self) -> Option<SlotWindow> {
        self.ring.unseen()
    }

    /// Decodes the bytes of a window. Returns the fault of the earliest launch that raised one and was not looked at
    /// before, and the slots that the backend has to empty. When all slots were looked at they are free again.
    pub fn look(&mut self, window: &SlotWindow, bytes: &[u8]) -> Option<(Fault, Range<u32>)> {
        let slots = self.ring.see(window)?;
        let fault = self.decode_slots(window.slots().start, &slots, bytes);
        if self.ring.all_seen() {
            self.ring.free();
            self.launches.clear();
        }
        fault.map(|fault| (fault, slots))
    }

    /// Returns the fault of the earliest launch that raised one, from the bytes of the slots in use.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.decode_slots(0, &self.used(), bytes)
    }

    /// Returns the fault of the earliest launch with these slots that raised one: its lowest row, and the site of that
    /// row. The bytes begin with slot `first`.
    fn decode_slots(&self, first: u32, slots: &Range<u32>, bytes: &[u8]) -> Option<Fault> {
        let start = self.launches.partition_point(|claim| claim.first < slots.start);
        self.launches.get(start..)?.iter().take_while(|claim| claim.first < slots.end).find_map(|claim| {
            let flat: &FlatKernel = (*claim.kernel).as_ref();
            let words = bytes.get((claim.first - first) as usize * 4..)?.chunks_exact(4);
            let rows = words.map(|word| word.try_into().map_or(NO_FAULT, u32::from_le_bytes));
            let (number, row) = lowest(rows.clone().take(flat.sites.len()))?;
            let site = &flat.sites.get(number)?.site;
            let known = keeps_operands(flat, self.faults);
            let operands = known.then(|| operands::decode(site.kind, row, rows.skip(flat.sites.len()))).flatten();
            Some(Fault { operands, operation: claim.operation, ..Fault::at_site(&flat.name, row, site) })
        })
    }
}

/// Finds the position and value of the lowest row among slots, if one is taken; of equal rows the first position.
fn lowest(slots: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
    slots.enumerate().filter(|(_, row)| *row != NO_FAULT).min_by_key(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::fault::Operands;
    use imminent_ir::flatten::FlatSite;
    use imminent_ir::{FaultKind, Site, SiteId};

    struct Kernel(FlatKernel);

    impl AsRef<FlatKernel> for Kernel {
        fn as_ref(&self) -> &FlatKernel {
            &self.0
        }
    }

    /// Creates a kernel that can raise faults in the lines from 1 on.
    fn kernel(name: &str, sites: u32) -> Arc<Kernel> {
        let site = |line| Site {
            kind: FaultKind::RowOutOfRange,
            file: "a.rs".to_owned(),
            line,
            column: 9,
            text: "`all.get(i)`".to_owned(),
        };
        let sites = (0..sites).map(|number| FlatSite { id: SiteId(number), site: site(number + 1) }).collect();
        Arc::new(Kernel(FlatKernel { sites, ..FlatKernel::empty(name.to_owned()) }))
    }

    fn bytes(slots: &[u32]) -> Vec<u8> {
        slots.iter().flat_map(|slot| slot.to_le_bytes()).collect()
    }

    #[test]
    fn the_lowest_row_wins_whatever_its_site() {
        assert_eq!(lowest([NO_FAULT, 7, 3, NO_FAULT].into_iter()), Some((2, 3)));
        assert_eq!(lowest([0].into_iter()), Some((0, 0)));
        assert_eq!(lowest([NO_FAULT; 4].into_iter()), None);
        assert_eq!(lowest(std::iter::empty()), None);
    }

    #[test]
    fn the_earliest_launch_wins_and_is_told_once() {
        let mut slots = LaunchSlots::new(8, Faults::Places);
        let (first, second) = (kernel("first", 2), kernel("second", 3));
        assert_eq!((slots.claim(&first, Some(7)), slots.claim(&second, Some(8))), (HEAD_WORDS, HEAD_WORDS + 2));
        assert!(slots.has_room(&second).unwrap());
        assert_eq!(slots.decode(&bytes(&[NO_FAULT; 5])), None);
        let words = bytes(&[NO_FAULT, NO_FAULT, 4, 2, NO_FAULT]);
        let fault = slots.decode(&words).unwrap();
        assert_eq!((fault.kernel.as_str(), fault.row, fault.line, fault.operation), ("second", 2, 2, Some(8)));
        let early = slots.unseen().unwrap();
        slots.claim(&first, None);
        assert!(!slots.has_room(&second).unwrap());
        let all = slots.unseen().unwrap();
        let (fault, seen) = slots.look(&early, &words).unwrap();
        assert_eq!((fault.row, seen), (2, 0..5));
        // Slots that were looked at are not looked at again, though their bytes still hold the fault.
        let words = bytes(&[NO_FAULT, NO_FAULT, 4, 2, NO_FAULT, 7, NO_FAULT]);
        let (fault, seen) = slots.look(&all, &words).unwrap();
        assert_eq!((fault.kernel.as_str(), fault.row, fault.line, seen), ("first", 7, 1, 5..7));
        assert_eq!((slots.used(), slots.unseen()), (0..0, None), "all are free again");
        assert_eq!(slots.look(&all, &words), None);
    }

    #[test]
    fn operands_lie_behind_the_sites_of_their_launch() {
        let mut slots = LaunchSlots::new(250, Faults::Operands);
        let (first, second) = (kernel("first", 2), kernel("second", 3));
        assert_eq!((slots.claim(&first, Some(7)), slots.claim(&second, Some(8))), (HEAD_WORDS, HEAD_WORDS + 98));
        assert_eq!(slots.used(), 0..98 + 99);
        assert!(!slots.has_room(&second).unwrap());
        // Row 4 faults with index 6 of 1, row 5 with another index, which the first bit alone tells of.
        let mut words = vec![NO_FAULT; 98 + 99];
        (words[98 + 1], words[98 + 3], words[98 + 3 + 1], words[98 + 3 + 2], words[98 + 3 + 64]) = (4, 5, 4, 4, 4);
        let fault = slots.decode(&bytes(&words)).unwrap();
        assert_eq!((fault.kernel.as_str(), fault.row, fault.line), ("second", 4, 2));
        assert_eq!(fault.operands, Some(Operands::Index { index: 6, length: 1 }));
    }

    #[test]
    fn a_kernel_with_more_sites_than_slots_is_refused() {
        let error = LaunchSlots::new(8, Faults::Places).has_room(&*kernel("many", 9)).unwrap_err().to_string();
        assert!(error.contains("`many`") && error.contains('9') && error.contains('8'), "{error}");
    }
}
