//! Values that come to ports of cells.

/// Values that a source sends to a port of a cell, and the rules that the cell then evaluates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortValue {
    /// Number of the rules that the cell evaluates instead of its own.
    pub rules: u32,
    /// First value; NaN if it is undefined.
    pub value: f64,
    /// Increment of the value from one input to the next.
    pub increment: f64,
}

impl PortValue {
    /// Returns the value of an input before which the source sent `sent` others.
    #[must_use]
    pub fn after(&self, sent: u32) -> f64 {
        self.value + self.increment * f64::from(sent)
    }
}

/// An external input of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellEvent {
    /// Time, in milliseconds.
    pub(super) time: u64,
    pub(super) cell: u32,
    /// Rules that the cell then evaluates.
    pub(super) rules: u32,
    pub(super) value: f64,
}
