//! Which launches a primitive comes to.

mod moves;
mod reduce;
mod scan;
mod segments;
mod sort;

use super::kernel::Kernel;
use crate::backend::{Filter, Operand, Primitive, View};
use crate::c_dialect::Dialect;
use crate::error::Result;
use imminent_ir::Scalar;

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
    fn new(kernel: Kernel, groups: u32, rows: u32) -> Step {
        let mut block = [0; BLOCK_WORDS];
        block[0] = rows;
        Step { kernel: kernel.canonical(), groups, block, columns: [const { Place::None }; 4] }
    }

    fn columns(mut self, columns: impl IntoIterator<Item = Place>) -> Step {
        for (place, column) in self.columns.iter_mut().zip(columns) {
            *place = column;
        }
        self
    }

    /// Sets words of the kernel's own, counted from the first of them.
    fn words(mut self, at: usize, words: &[u32]) -> Step {
        self.block[OWN + at..OWN + at + words.len()].copy_from_slice(words);
        self
    }

    /// Says what is tested: word 0 the comparison, then the value.
    fn test(self, filter: &Filter) -> Step {
        self.words(0, &[filter.comparison.code()]).value(&filter.value)
    }

    /// Says what a value is: word 1 whether it is column 3, else words 2 and 3.
    fn value(mut self, value: &Operand) -> Step {
        match value {
            Operand::Constant(bits) => self.words(1, &[0, *bits as u32, (*bits >> 32) as u32]),
            Operand::Device(view) => {
                self.columns[3] = Place::View(view.clone());
                self.words(1, &[1])
            }
        }
    }
}

/// Whether there are kernels for a primitive. `float64` says whether the device has that.
#[must_use]
pub fn supports(primitive: &Primitive, float64: bool) -> bool {
    match primitive {
        Primitive::Reduce { op, column, .. } => {
            column.scalar() != Scalar::Bool && (float64 || !reduce::kernel(*op, column.scalar()).needs_float64())
        }
        Primitive::SegmentedReduce { op, column, .. } => segments::kernel(*op, column.scalar())
            .is_some_and(|kernel| column.scalar() != Scalar::Bool && (float64 || !kernel.needs_float64())),
        Primitive::Histogram { .. } => true,
        Primitive::Scan { op, column, .. } => {
            column.scalar() != Scalar::Bool && (float64 || !scan::kernel(*op, column.scalar()).needs_float64())
        }
        Primitive::Sort { keys, .. } => keys.rows() <= sort::MOST_ROWS,
        Primitive::Census { .. } | Primitive::Select { .. } | Primitive::CopyColumn { .. } | Primitive::Fill { .. } => {
            true
        }
        _ => false,
    }
}

/// Plans a primitive; `None` if there are no kernels for it.
///
/// # Errors
/// Those of [`Machine::resident`].
pub fn plan(primitive: &Primitive, machine: &dyn Machine) -> Result<Option<Plan>> {
    match primitive {
        Primitive::Reduce { op, column, into, row } => {
            reduce::reduce(machine, *op, column, into, row.as_ref()).map(Some)
        }
        Primitive::Census { what, filter, into } => reduce::census(machine, *what, filter, into).map(Some),
        Primitive::Scan { op, exclusive, column, into } => scan::scan(machine, *op, *exclusive, column, into).map(Some),
        Primitive::Select { filter, rows, count } => scan::select(machine, filter, rows, count).map(Some),
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            sort::sort(machine, keys, values.as_ref(), sorted_keys.as_ref(), sorted_values).map(Some)
        }
        Primitive::CopyColumn { from, to } => moves::copy(machine, from, to).map(Some),
        Primitive::Fill { column, value } => moves::fill(machine, column, value).map(Some),
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            segments::reduce(machine, *op, column, offsets, into)
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            segments::histogram(machine, column, (*lowest, *width), tally).map(Some)
        }
        _ => Ok(None),
    }
}
