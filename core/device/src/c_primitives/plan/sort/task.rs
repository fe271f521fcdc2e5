//! Task of a sort, and the scratch memory that it goes through.

use crate::c_primitives::kernel::{Kernel, SortStep};
use crate::c_primitives::plan::step::{ColumnLocation, Step};
use imminent_ir::Scalar;

/// Rows of the largest sort: its scratch memory is addressed in 32 bits, and sums of digits have 30 bits.
pub(in crate::c_primitives::plan) const MAX_ROWS: u32 = 1 << 29;

/// Layout of the scratch memory: two halves between which keys and payloads alternate, and the area behind them.
pub(super) struct Room {
    pub(super) keys: [u64; 2],
    pub(super) payloads: [u64; 2],
    pub(super) rest: u64,
}

impl Room {
    pub(super) fn new(rows: u32, words: u32) -> Room {
        let keys = (u64::from(rows) * u64::from(words)).next_multiple_of(4);
        let payloads = u64::from(rows).next_multiple_of(4);
        Room { keys: [0, keys], payloads: [2 * keys, 2 * keys + payloads], rest: 2 * (keys + payloads) }
    }

    /// Returns the places of the keys and payloads of a half.
    pub(super) fn half(&self, half: usize) -> [ColumnLocation; 2] {
        [ColumnLocation::Scratch(self.keys[half % 2]), ColumnLocation::Scratch(self.payloads[half % 2])]
    }
}

/// Input of a sort, and the places of its results.
pub(super) struct Task {
    pub(super) rows: u32,
    pub(super) scalar: Scalar,
    pub(super) keys: ColumnLocation,
    /// Payloads of one word; none for the row numbers.
    pub(super) payloads: ColumnLocation,
    pub(super) numbers: bool,
    /// Place of the sorted keys, if they are wanted.
    pub(super) sorted_keys: ColumnLocation,
    pub(super) sorted_payloads: ColumnLocation,
    /// `true` if results may lie where keys or payloads do.
    pub(super) in_place: bool,
    pub(super) room: Room,
}

impl Task {
    pub(super) fn step(&self, step: SortStep, groups: u32) -> Step {
        Step::new(Kernel::Sort(step, self.scalar), groups, self.rows)
    }

    /// Returns the places of a pass from the columns to the results.
    pub(super) fn columns(&self) -> [ColumnLocation; 4] {
        [self.keys.clone(), self.payloads.clone(), self.sorted_keys.clone(), self.sorted_payloads.clone()]
    }

    pub(super) fn keys_wanted(&self) -> u32 {
        u32::from(!matches!(self.sorted_keys, ColumnLocation::None))
    }

    /// Returns the rows of a tile.
    pub(super) fn tile(&self, step: SortStep) -> u32 {
        Kernel::Sort(step, self.scalar).threads() * step.items(self.scalar.words())
    }
}
