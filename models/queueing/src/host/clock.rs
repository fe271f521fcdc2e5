//! Work of the tokens of a class that share servers.

use std::collections::BTreeSet;

/// Work that each token of a class has had.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// Work at `since`, in 2^-32 ticks at speed 1.
    pub(super) work: u128,
    /// Work done in a tick, in 2^-32.
    pub(super) speed: u64,
    /// Time of the last change of the speed.
    pub(super) since: u64,
    /// Tokens in service: work at which each is over, and number of its service.
    pub(super) marks: BTreeSet<(u128, u64)>,
}

impl Clock {
    /// Returns the work at `now`.
    pub(super) fn at(&self, now: u64) -> u128 {
        self.work + u128::from(now - self.since) * u128::from(self.speed)
    }
}
