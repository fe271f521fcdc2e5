//! Memory that unfinished operations of a queue write, and operations that failed.

use super::failures::Failures;
use crate::memory::{ByAddress, Memory};
use std::sync::Weak;

/// Memory written by unfinished work, each with the last operation that writes it.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    pub(super) written: ByAddress<(Weak<Memory>, u64)>,
    /// Operations up to here have ended, and those that failed are in `failures`.
    pub(super) settled: u64,
    pub(super) failures: Failures,
    /// Size at which entries of dropped memories are removed: a program that never waits makes and drops results.
    most: usize,
}

/// Smallest number of memories in flight at which dropped ones are searched for.
const MIN_LOOKED_AT: usize = 64;

impl InFlight {
    /// Notes that an operation writes a memory.
    pub(super) fn insert(&mut self, address: usize, number: u64, memory: impl FnOnce() -> Weak<Memory>) {
        if let Some((_, last)) = self.written.get_mut(&address) {
            // The `Weak` of the entry keeps the address reserved: no other memory can have it.
            *last = number;
            return;
        }
        if self.written.len() >= self.most.max(MIN_LOOKED_AT) {
            self.written.retain(|_, (memory, _)| memory.strong_count() > 0);
            self.most = 2 * self.written.len();
        }
        self.written.insert(address, (memory(), number));
    }
}
