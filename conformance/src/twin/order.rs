//! Kernels whose results depend on the order of rows until a later launch: those that exchange words of tallies.
//!
//! A chain of exchanges leaves the same words wherever the device begins, in other places: rows that send to one
//! receiver form its list in the order in which they come. Two devices agree if one's words are a permutation of the
//! other's, in the columns that are stored by the outcome of an exchange, and if all other columns are equal. The right
//! device then takes over the order of the left one, so later launches have equal inputs.

use super::flow::{Words, free_words};
use imminent_core::ModuleSource;
use imminent_core::backend::Span;
use imminent_core::ir::flatten;

/// Facts about a kernel of which differences are told.
#[derive(Debug, Default)]
pub(super) struct KernelFacts {
    /// Name of each argument, and its words of free order.
    arguments: Vec<(String, Words)>,
}

impl KernelFacts {
    /// Returns the facts about each kernel of a module.
    pub(super) fn of(source: &ModuleSource) -> Vec<Self> {
        // A module that is no module of the macro has been refused by a device.
        let Ok(module) = source.ir() else { return vec![] };
        let facts = |kernel| {
            let flat = flatten(module, kernel).ok()?;
            let free = free_words(&flat);
            let names = flat.bindings.into_iter().map(|binding| binding.name);
            Some(Self { arguments: names.zip(free).collect() })
        };
        module.kernels.iter().map(|kernel| facts(kernel).unwrap_or_default()).collect()
    }

    /// Returns name and words of free order of an argument.
    pub(super) fn argument(&self, position: usize) -> (String, Words) {
        self.arguments.get(position).cloned().unwrap_or_default()
    }
}

/// Returns `true` if the order of a column is free.
pub(super) fn is_free(words: &Words, span: &Span) -> bool {
    words.contains(&(span.lane.is_some(), span.word))
}

/// Returns `true` if columns of both sides have the same scalars, in different places or not.
pub(super) fn is_permuted<'b>(columns: impl Iterator<Item = (&'b Span, &'b [u8], &'b [u8])>) -> bool {
    let (mut lefts, mut rights) = (vec![], vec![]);
    for (span, left, right) in columns {
        let width = span.scalar.words() as usize * 4;
        for (left, right) in
            left.chunks_exact(width).zip(right.chunks_exact(width)).filter(|(left, right)| left != right)
        {
            lefts.push((span.scalar, left));
            rights.push((span.scalar, right));
        }
    }
    lefts.sort_unstable();
    rights.sort_unstable();
    lefts == rights
}
