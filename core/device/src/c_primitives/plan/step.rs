//! Steps of a plan, and the machine for which it is made.

use crate::c_primitives::Dialect;
use crate::c_primitives::kernel::Kernel;
use imminent_core::Result;
use imminent_core::backend::{Filter, Operand, View};

/// Words of the launch block of every kernel.
pub const BLOCK_WORDS: usize = 32;
/// Word of the launch block in which a backend puts the number of counters in its memory.
pub const COUNTERS_WORD: usize = 31;
/// First word of the launch block that a kernel defines itself.
const OWN: usize = 16;

/// Facts about a device that planning needs.
pub trait Machine {
    /// Returns the language of the texts.
    fn dialect(&self) -> Dialect;

    /// Returns the number of groups of a kernel that the device runs at a time, at least 1.
    ///
    /// # Errors
    /// Fails if the kernel cannot be compiled.
    fn resident(&self, kernel: Kernel) -> Result<u32>;
}

/// Position of a column.
#[derive(Clone, Debug)]
pub enum ColumnLocation {
    /// No column: the kernel does not look.
    None,
    /// In a table, tally or result.
    View(View),
    /// In the scratch memory, from this word on.
    Scratch(u64),
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Step {
    /// Kernel to launch.
    pub kernel: Kernel,
    /// Number of groups.
    pub groups: u32,
    /// The launch block, except words 8 to 15: they hold the offsets of the columns in the bound buffers, two words
    /// each.
    pub block: [u32; BLOCK_WORDS],
    /// The columns.
    pub columns: [ColumnLocation; 4],
}

/// The launches of a primitive, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The launches.
    pub steps: Vec<Step>,
    /// Words of scratch memory.
    pub scratch: u64,
    /// Number of counters.
    pub counters: u64,
}

impl Step {
    pub(super) fn new(kernel: Kernel, groups: u32, rows: u32) -> Step {
        let mut block = [0; BLOCK_WORDS];
        block[0] = rows;
        Step { kernel: kernel.canonical(), groups, block, columns: [const { ColumnLocation::None }; 4] }
    }

    pub(super) fn columns(mut self, columns: impl IntoIterator<Item = ColumnLocation>) -> Step {
        for (place, column) in self.columns.iter_mut().zip(columns) {
            *place = column;
        }
        self
    }

    /// Sets words that the kernel defines itself, counted from the first of them.
    pub(super) fn words(mut self, at: usize, words: &[u32]) -> Step {
        self.block[OWN + at..OWN + at + words.len()].copy_from_slice(words);
        self
    }

    /// Stores a test: word 0 the comparison, then the value.
    pub(super) fn test(self, filter: &Filter) -> Step {
        self.words(0, &[filter.comparison.code()]).value(&filter.value)
    }

    /// Stores a value: word 1 is 1 if it is in column 3; otherwise words 2 and 3 hold it.
    pub(super) fn value(mut self, value: &Operand) -> Step {
        match value {
            Operand::Constant(bits) => self.words(1, &[0, *bits as u32, (*bits >> 32) as u32]),
            Operand::Device(view) => {
                self.columns[3] = ColumnLocation::View(view.clone());
                self.words(1, &[1])
            }
        }
    }
}
