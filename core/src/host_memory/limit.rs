//! Limit of memory.

/// Upper bound of memory, and the part that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) bytes: u64,
    pub(super) used: u64,
}

impl Limit {
    pub(super) const fn rest(&self) -> u64 {
        self.bytes.saturating_sub(self.used)
    }
}
