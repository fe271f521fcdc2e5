//! Kernels whose results depend on the order of rows until a later launch: those that exchange words of tallies.
//!
//! A chain of exchanges leaves the same words wherever the device begins, in other places: rows that send to one
//! receiver form its list in the order in which they come. Two devices agree if one's words are a permutation of the
//! other's. The right device then takes over the order of the left one, so later launches have equal inputs.

use imminent_core::ModuleSource;
use imminent_core::ir::flatten::visit::{Visitor, walk};
use imminent_core::ir::{Scalar, Stmt, StmtKind, WordOp, flatten};

/// Facts about a kernel of which differences are told.
#[derive(Debug, Default)]
pub(super) struct KernelFacts {
    /// Names of its arguments.
    pub(super) arguments: Vec<String>,
    /// `true` if it exchanges words of a tally.
    pub(super) exchanges: bool,
}

struct Exchanges(bool);

impl Visitor for Exchanges {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Word { op: WordOp::Exchange, .. });
    }
}

impl KernelFacts {
    /// Returns the facts about each kernel of a module.
    pub(super) fn of(source: &ModuleSource) -> Vec<Self> {
        // A module that is no module of the macro has been refused by a device.
        let Ok(module) = source.ir() else { return vec![] };
        let facts = |kernel| {
            let flat = flatten(module, kernel).ok()?;
            let mut exchanges = Exchanges(false);
            flat.functions.iter().for_each(|function| walk(&function.body, &mut exchanges));
            let arguments = flat.bindings.into_iter().map(|binding| binding.name).collect();
            Some(Self { arguments, exchanges: exchanges.0 })
        };
        module.kernels.iter().map(|kernel| facts(kernel).unwrap_or_default()).collect()
    }
}

/// Returns `true` if columns of both sides have the same words, in different places or not, and nothing else differs.
pub(super) fn is_permuted<'b>(columns: impl Iterator<Item = (Scalar, &'b [u8], &'b [u8])>) -> bool {
    let (mut lefts, mut rights) = (vec![], vec![]);
    for (scalar, left, right) in columns.filter(|(_, left, right)| left != right) {
        if scalar != Scalar::U32 {
            return false;
        }
        for (left, right) in left.chunks_exact(4).zip(right.chunks_exact(4)).filter(|(left, right)| left != right) {
            lefts.push(left);
            rights.push(right);
        }
    }
    lefts.sort_unstable();
    rights.sort_unstable();
    lefts == rights
}
