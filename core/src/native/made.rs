//! Functions that make the native resources of a kernel.

use super::erased::{ErasedTable, ErasedTally};
use super::table::NativeTable;
use crate::data::{Data, Params, Ragged, Row, Tally, TallyScalar};
use imminent_ir::Layout;
use std::any::Any;
use std::sync::Arc;

/// Resource that a kernel's native entry takes, with the functions that make it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Native {
    /// A table of native structs.
    #[non_exhaustive]
    Table {
        /// Layout of the rows.
        layout: fn() -> &'static Layout,
        /// Makes a table of so many rows, and lanes in each.
        allocate: fn(u32, u32) -> Box<dyn ErasedTable>,
        /// Makes a table whose rows have individual room.
        allocate_ragged: fn(&Ragged) -> Box<dyn ErasedTable>,
        /// `true` if the kernel may write its rows.
        mutable: bool,
    },
    /// A tally of so many slots.
    Tally(fn(u32) -> Box<dyn ErasedTally>),
    /// A parameter block of these words.
    Params(fn(&[u32]) -> Arc<dyn Any + Send + Sync>),
}

impl Native {
    pub(super) fn table<R: Row>(mutable: bool) -> Native {
        let (allocate, allocate_ragged) = (NativeTable::<R>::allocate, NativeTable::<R>::allocate_ragged);
        Native::Table { layout: R::layout, allocate, allocate_ragged, mutable }
    }

    pub(super) fn tally<T: TallyScalar>() -> Native {
        Native::Tally(|slots| Box::new(Tally::new(&vec![<T as Data>::zeroed(); slots as usize])))
    }

    pub(super) fn params<P: Params>() -> Native {
        Native::Params(|words| {
            let mut block = P::zeroed();
            for column in &P::layout().columns {
                let at = |word: u32| u64::from(words.get(word as usize).copied().unwrap_or(0));
                block.set_leaf(column.word, at(column.word) | at(column.word + 1) << 32);
            }
            Arc::new(block)
        })
    }
}
