//! Steps of a plan, and the machine that it is made for.

use crate::backend::{Filter, Operand, View};
use crate::c_dialect::Dialect;
use crate::c_primitives::kernel::Kernel;
use crate::error::Result;

/// Words of the launch block of every kernel.
pub const BLOCK_WORDS: usize = 32;
/// Word of the launch block where a backend says how many counters there are in its memory.
pub const COUNTERS_WORD: usize = 31;
/// First word of what a kernel says itself.
const OWN: usize = 16;

/// What planning must know of a device.
pub trait Machine {
    /// The language of the texts.
    fn dialect(&self) -> Dialect;

    /// How many groups of a kernel the device runs at a time, at least 1.
    ///
    /// # Errors
    /// When the kernel cannot be compiled.
    fn resident(&self, kernel: Kernel) -> Result<u32>;
}

/// Where a column lies.
#[derive(Clone, Debug)]
pub enum Place {
    /// Nowhere: the kernel does not look.
    None,
    /// In a table, tally or result.
    View(View),
    /// In the scratch memory, from this word on.
    Scratch(u64),
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is launched.
    pub kernel: Kernel,
    /// Groups.
    pub groups: u32,
    /// The launch block but for words 8 to 15, which say where the columns start in what is bound: two words for each.
    pub block: [u32; BLOCK_WORDS],
    /// The columns.
    pub columns: [Place; 4],
}

/// The launches of a primitive, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The launches.
    pub steps: Vec<Step>,
    /// Words of scratch memory.
    pub scratch: u64,
    /// How many counters.
    pub counters: u64,
}

impl Step {
    pub(super) fn new(kernel: Kernel, groups: u32, rows: u32) -> Step {
        let mut block = [0; BLOCK_WORDS];
        block[0] = rows;
        Step { kernel: kernel.canonical(), groups, block, columns: [const { Place::None }; 4] }
    }

    pub(super) fn columns(mut self, columns: impl IntoIterator<Item = Place>) -> Step {
        for (place, column) in self.columns.iter_mut().zip(columns) {
            *place = column;
        }
        self
    }

    /// Sets words of the kernel's own, counted from the first of them.
    pub(super) fn words(mut self, at: usize, words: &[u32]) -> Step {
        self.block[OWN + at..OWN + at + words.len()].copy_from_slice(words);
        self
    }

    /// Says what is tested: word 0 the comparison, then the value.
    pub(super) fn test(self, filter: &Filter) -> Step {
        self.words(0, &[filter.comparison.code()]).value(&filter.value)
    }

    /// Says what a value is: word 1 whether it is column 3, else words 2 and 3.
    pub(super) fn value(mut self, value: &Operand) -> Step {
        match value {
            Operand::Constant(bits) => self.words(1, &[0, *bits as u32, (*bits >> 32) as u32]),
            Operand::Device(view) => {
                self.columns[3] = Place::View(view.clone());
                self.words(1, &[1])
            }
        }
    }
}
