//! Choice of the rows that a launch runs.

use crate::launch::Key;
use crate::memory::Memory;
use crate::source::KernelSource;
use crate::tables::Selection;
use std::sync::Arc;

/// Rows that a launch runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit<'s> {
    /// All rows of the own-row tables.
    All,
    /// A number of rows, from the first on.
    First(usize),
    /// The rows of a selection.
    Over(&'s Selection),
}

impl Visit<'_> {
    /// Returns the key of a launch, or `None` if it is not cached: launches over selections, and launches that allocate
    /// a result, rarely repeat.
    pub(super) fn key<'k>(
        self,
        source: &'k KernelSource,
        result: Option<&'k Arc<Memory>>,
        has_value: bool,
    ) -> Option<Key<'k>> {
        let first = match self {
            Visit::All => None,
            Visit::First(rows) => Some(rows),
            Visit::Over(_) => return None,
        };
        (result.is_some() == has_value).then_some(Key { source, first, result })
    }
}
