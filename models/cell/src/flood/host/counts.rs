//! Lines of a band, and counts of its changes.

/// Lines of a band. A band with its halo and two lines of sums is 0.4 MB at 1024 columns and fits a core's L2 cache;
/// the halo costs an eighth of the work again.
pub(super) const LINES: usize = 32;

/// Changes that a run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::flood) struct Counts {
    /// Steps in which a cell changed.
    pub(in crate::flood) steps: u64,
    /// Changes of cells.
    pub(in crate::flood) outputs: u64,
}

impl Counts {
    /// Counts of two bands that took the same steps.
    pub(super) fn and(self, other: Counts) -> Counts {
        Counts { steps: self.steps.max(other.steps), outputs: self.outputs + other.outputs }
    }
}
