//! Methods of histories and clocks.

use super::Checker;
use crate::hir::{Expr, Kind, Place};
use crate::notes::Note;
use crate::ty::Ty;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    pub(super) fn history_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        history: Place,
        entry: &Ty,
    ) -> Expr {
        let span = call.method.span();
        match name {
            "get" => {
                let Some([row, step]) = self.arguments(call, "history.get(row, step)") else {
                    return Expr::error(span);
                };
                let (row, step) = (self.value_of(row, &Ty::U32), self.value_of(step, &Ty::U32));
                self.program.notes.set(e, Note::Located);
                Expr::new(entry.clone(), span, Kind::HistoryGet(history, Some(Box::new(row)), Box::new(step)))
            }
            "own" => {
                let Some([step]) = self.arguments(call, "history.own(step)") else { return Expr::error(span) };
                let step = self.value_of(step, &Ty::U32);
                self.program.notes.set(e, Note::Located);
                Expr::new(entry.clone(), span, Kind::HistoryGet(history, None, Box::new(step)))
            }
            "set" => {
                if call.args.len() == 3 {
                    self.error(
                        span,
                        "a kernel writes the history of its own row only: write `history.set(step, value)`",
                    );
                    return Expr::error(span);
                }
                let Some([step, value]) = self.arguments(call, "history.set(step, value)") else {
                    return Expr::error(span);
                };
                self.require_writable(&history, call.receiver.span());
                let (step, value) = (self.value_of(step, &Ty::U32), self.value_of(value, entry));
                self.program.notes.set(e, Note::Located);
                Expr::new(Ty::Unit, span, Kind::HistorySet(history, Box::new(step), Box::new(value)))
            }
            _ => {
                self.error(
                    span,
                    format!(
                        "`History` has no method `{name}`: it has `get(row, step)`, `own(step)` and `set(step, value)`"
                    ),
                );
                Expr::error(span)
            }
        }
    }

    pub(super) fn clock_method(&mut self, call: &'a syn::ExprMethodCall, name: &str, clock: Place) -> Expr {
        let span = call.method.span();
        if name != "first" {
            self.error(span, format!("`Clock` has no method `{name}`: it has `first()`, the launch's first step"));
            return Expr::error(span);
        }
        let Some([]) = self.arguments(call, "clock.first()") else { return Expr::error(span) };
        Expr::new(Ty::U32, span, Kind::ClockFirst(clock))
    }
}
