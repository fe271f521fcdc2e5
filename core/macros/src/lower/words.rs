//! Operations on words of tallies.

use super::{Lowerer, line_of};
use crate::hir::{Expr, Place};
use imminent_ir::{FaultKind, LocalId, StmtKind, WordOp};

impl Lowerer<'_, '_> {
    /// Performs an operation on a word. Declares a local with the value read.
    pub(super) fn put_word(
        &mut self,
        e: &Expr,
        into: Option<LocalId>,
        (place, op): (&Place, WordOp),
        slot: &Expr,
        value: Option<&Expr>,
    ) {
        let tally = self.place(place).0.base;
        let mut operands = self.operands(&[slot].into_iter().chain(value).collect::<Vec<_>>()).into_iter();
        if let Some(slot) = operands.next() {
            self.line = line_of(e.span);
            let site = self.site(FaultKind::TallyOutOfRange, e.span);
            let (value, into) = (operands.next(), into.filter(|_| op.reads()));
            self.push(StmtKind::Word { op, into, tally, slot, value, site });
        }
    }
}
