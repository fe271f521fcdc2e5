//! Fault slots in the memory of a device.

use super::launches::LaunchSlots;
use super::layout::{HEAD_WORDS, NO_FAULT, slot_bytes};
use super::ring::SlotWindow;
use imminent_core::{Fault, Faults, Result};
use imminent_ir::flatten::FlatKernel;
use std::ops::Range;
use std::sync::Arc;

/// Number of fault slots of a queue. When they are used up, the queue waits for its work and looks at them.
pub const QUEUE_SLOTS: u32 = 1 << 16;

/// Device memory whose words can be set, in the order of the work on a queue.
pub trait WordMemory {
    /// Queue or stream in whose order words are set; the device, if it has one order for all queues.
    type Queue;
    /// Failure of the driver.
    type Error;

    /// Sets the words of a range to a value, after earlier work. Work that comes later sees the value.
    ///
    /// # Errors
    /// Failures of the driver.
    fn fill(&self, queue: &Self::Queue, value: u32, words: Range<u64>) -> std::result::Result<(), Self::Error>;
}

impl<M: WordMemory> WordMemory for Arc<M> {
    type Queue = M::Queue;
    type Error = M::Error;

    fn fill(&self, queue: &M::Queue, value: u32, words: Range<u64>) -> std::result::Result<(), M::Error> {
        M::fill(self, queue, value, words)
    }
}

/// The state of a queue or program on the device: a head, whose word 0 names the present turn, and fault slots.
///
/// A slot holds [`NO_FAULT`] until a row with a fault puts its number there. A slot that was looked at is emptied only
/// if it held a fault, so a launch without faults costs no command beside its own.
#[derive(Debug)]
pub struct FaultSlots<M, K> {
    state: M,
    launches: LaunchSlots<K>,
}

/// Result of a call that may fail as a device's memory does.
type Outcome<T, M> = std::result::Result<T, <M as WordMemory>::Error>;

impl<M: WordMemory, K: AsRef<FlatKernel>> FaultSlots<M, K> {
    /// Returns the number of words of a state with `capacity` slots.
    #[must_use]
    pub const fn words(capacity: u32) -> u64 {
        HEAD_WORDS as u64 + capacity as u64
    }

    /// Creates `capacity` free slots in a state buffer of [that many](FaultSlots::words) words, behind a head of zeros.
    /// Kernels record as much of a fault as `faults` says.
    ///
    /// # Errors
    /// Failures of the driver.
    pub fn new(state: M, queue: &M::Queue, capacity: u32, faults: Faults) -> Outcome<Self, M> {
        state.fill(queue, NO_FAULT, u64::from(HEAD_WORDS)..Self::words(capacity))?;
        let slots = FaultSlots { state, launches: LaunchSlots::new(capacity, faults) };
        slots.clear_head(queue)?;
        Ok(slots)
    }

    /// Returns the state buffer.
    #[inline]
    pub const fn state(&self) -> &M {
        &self.state
    }

    /// Sets the head to zero: the first turn.
    ///
    /// # Errors
    /// Failures of the driver.
    pub fn clear_head(&self, queue: &M::Queue) -> Outcome<(), M> {
        self.state.fill(queue, 0, 0..u64::from(HEAD_WORDS))
    }

    /// Returns `true` if a launch of the kernel finds free slots.
    ///
    /// # Errors
    /// [`Error::Limit`](imminent_core::Error::Limit) for a kernel with more sites than there are slots.
    pub fn has_room(&self, kernel: &K) -> Result<bool> {
        self.launches.has_room(kernel)
    }

    /// Takes free slots for a launch of the kernel, an operation of the queue. Returns the word of the state buffer
    /// where they start. The caller has checked that there is room.
    pub fn claim(&mut self, kernel: &Arc<K>, operation: Option<u64>) -> u32 {
        self.launches.claim(kernel, operation)
    }

    /// Returns the bytes of the slots in use in the state buffer; an empty range if there are none.
    #[must_use]
    pub const fn used(&self) -> Range<u64> {
        slot_bytes(&self.launches.used())
    }

    /// Returns the slots that were not yet looked at, if there are any: their [bytes](SlotWindow::bytes) are to be
    /// read.
    #[must_use]
    pub fn unseen(&self) -> Option<SlotWindow> {
        self.launches.unseen()
    }

    /// Decodes the bytes of a window. Returns the fault of the earliest launch that raised one and was not looked at
    /// before, and empties its slots. When all slots were looked at they are free again.
    ///
    /// # Errors
    /// Failures of the driver.
    pub fn look(&mut self, queue: &M::Queue, window: &SlotWindow, bytes: &[u8]) -> Outcome<Option<Fault>, M> {
        let Some((fault, slots)) = self.launches.look(window, bytes) else { return Ok(None) };
        self.clear(queue, &slots)?;
        Ok(Some(fault))
    }

    /// Returns the fault of the earliest launch that raised one, from the bytes of the slots in use.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.launches.decode(bytes)
    }

    /// Empties the slots in use, which stay in use.
    ///
    /// # Errors
    /// Failures of the driver.
    pub fn empty(&self, queue: &M::Queue) -> Outcome<(), M> {
        self.clear(queue, &self.launches.used())
    }

    fn clear(&self, queue: &M::Queue, slots: &Range<u32>) -> Outcome<(), M> {
        let bytes = slot_bytes(slots);
        self.state.fill(queue, NO_FAULT, bytes.start / 4..bytes.end / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_ir::flatten::FlatSite;
    use imminent_ir::{FaultKind, Site, SiteId};
    use std::cell::RefCell;
    use std::convert::Infallible;

    /// Memory of the host.
    struct Words(RefCell<Vec<u32>>);

    impl WordMemory for Words {
        type Queue = ();
        type Error = Infallible;

        fn fill(&self, _queue: &(), value: u32, words: Range<u64>) -> std::result::Result<(), Infallible> {
            self.0.borrow_mut()[words.start as usize..words.end as usize].fill(value);
            Ok(())
        }
    }

    struct Kernel(FlatKernel);

    impl AsRef<FlatKernel> for Kernel {
        fn as_ref(&self) -> &FlatKernel {
            &self.0
        }
    }

    #[test]
    fn a_fault_is_told_once_and_its_slots_are_emptied() {
        let words = Words(RefCell::new(vec![7; FaultSlots::<Words, Kernel>::words(2) as usize]));
        let Ok(mut slots) = FaultSlots::new(words, &(), 2, Faults::Places);
        let head = HEAD_WORDS as usize;
        assert_eq!(slots.state().0.borrow()[..head], [0; HEAD_WORDS as usize]);
        assert_eq!(slots.state().0.borrow()[head..], [NO_FAULT; 2]);

        let site = Site { kind: FaultKind::Assertion, file: "a.rs".into(), line: 3, column: 1, text: String::new() };
        let sites = vec![FlatSite { id: SiteId(0), site }];
        let kernel = Arc::new(Kernel(FlatKernel { sites, ..FlatKernel::empty("serve".into()) }));
        let first = [slots.claim(&kernel, Some(1)), slots.claim(&kernel, Some(2))];
        assert_eq!(first, [HEAD_WORDS, HEAD_WORDS + 1]);
        // The device: row 5 of the second launch has a fault.
        slots.state().0.borrow_mut()[head + 1] = 5;

        let window = slots.unseen();
        let bytes = window.as_ref().map(SlotWindow::bytes);
        assert_eq!(bytes, Some((head as u64) * 4..(head as u64 + 2) * 4));
        let read: Vec<u8> = slots.state().0.borrow()[head..].iter().flat_map(|word| word.to_le_bytes()).collect();
        let Ok(fault) = window.map_or(Ok(None), |window| slots.look(&(), &window, &read));
        assert_eq!(fault.map(|fault| (fault.row, fault.line, fault.operation)), Some((5, 3, Some(2))));
        assert_eq!(slots.state().0.borrow()[head..], [NO_FAULT; 2]);
        assert_eq!((slots.unseen(), slots.used().is_empty()), (None, true));
    }
}
