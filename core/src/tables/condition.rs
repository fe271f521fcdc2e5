//! Conditions, on which loops of programs end.

use crate::backend::Comparison;
use crate::memory::Memory;
use imminent_ir::Scalar;
use std::sync::Arc;

/// A test of a device scalar against a constant, made by methods such as
/// [`Scalar::at_least`](crate::Scalar::at_least). The device evaluates it.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(crate) memory: Option<Arc<Memory>>,
    pub(crate) row: u32,
    /// First word of the tested scalar among those of its row.
    pub(crate) word: u32,
    pub(crate) scalar: Option<Scalar>,
    pub(crate) comparison: Comparison,
    pub(crate) constant: u64,
}

impl Condition {
    pub(crate) fn new(
        memory: Option<Arc<Memory>>,
        (row, word): (u32, u32),
        scalar: Option<Scalar>,
        comparison: Comparison,
        constant: u64,
    ) -> Self {
        Condition { memory, row, word, scalar, comparison, constant }
    }
}
