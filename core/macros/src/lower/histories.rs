//! Histories.

use super::{Lowerer, line_of};
use crate::hir::{Expr, Place};
use imminent_ir::{FaultKind, LocalId, StmtKind};

impl Lowerer<'_, '_> {
    /// Declares a local with an entry.
    pub(super) fn history_get(&mut self, e: &Expr, into: LocalId, place: &Place, row: Option<&Expr>, step: &Expr) {
        let history = self.place(place).0.base;
        let mut operands = self.operands(&row.into_iter().chain([step]).collect::<Vec<_>>());
        let Some(step) = operands.pop() else { return };
        self.line = line_of(e.span);
        let [no_row, too_old, too_young] =
            [FaultKind::RowOutOfRange, FaultKind::HistoryTooOld, FaultKind::HistoryTooYoung]
                .map(|kind| self.site(kind, e.span));
        let row = operands.pop();
        self.push(StmtKind::HistoryGet { into, history, row, step, no_row, too_old, too_young });
    }

    /// Writes an entry of the own row.
    pub(super) fn history_set(&mut self, e: &Expr, place: &Place, step: &Expr, value: &Expr) {
        let history = self.place(place).0.base;
        let mut operands = self.operands(&[step, value]).into_iter();
        if let (Some(step), Some(value)) = (operands.next(), operands.next()) {
            self.line = line_of(e.span);
            let [too_early, too_far] =
                [FaultKind::HistoryTooEarly, FaultKind::HistoryTooFar].map(|kind| self.site(kind, e.span));
            self.push(StmtKind::HistorySet { history, step, value, too_early, too_far });
        }
    }
}
