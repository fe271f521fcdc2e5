//! `if`, `match`, loops, and jumps out of them.

use super::Checker;
use super::scope::{Binding, LoopFrame};
use crate::hir::{Arm, Expr, For, Kind};
use crate::syntax::{plain, strip};
use crate::ty::Ty;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    pub(super) fn reject_label(&self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.over(label, "labels are outside the kernel language: put the inner loop into a function and `return`, or keep a `bool`");
        }
    }

    /// Returns the type of two branches that join.
    fn join(&mut self, a: &Ty, b: &Ty, span: Span) -> Ty {
        if *a == Ty::Never {
            return b.clone();
        }
        if *b != Ty::Never && !self.expect(b, a, span) {
            return Ty::Error;
        }
        a.clone()
    }

    pub(super) fn if_expr(&mut self, branch: &'a syn::ExprIf) -> Expr {
        let span = branch.if_token.span;
        let condition = self.value_of(&branch.cond, &Ty::BOOL);
        let then = self.block(&branch.then_branch);
        let Some((_, otherwise)) = &branch.else_branch else {
            let ty = then.ty.clone();
            self.expect(&ty, &Ty::Unit, then.span);
            return Expr::new(Ty::Unit, span, Kind::If(Box::new(condition), Box::new(then), None));
        };
        let otherwise_checked = self.value(otherwise);
        let ty = self.join(&then.ty.clone(), &otherwise_checked.ty.clone(), otherwise_checked.span);
        Expr::new(ty, span, Kind::If(Box::new(condition), Box::new(then), Some(Box::new(otherwise_checked))))
    }

    pub(super) fn match_expr(&mut self, choice: &'a syn::ExprMatch) -> Expr {
        let span = choice.match_token.span;
        let scrutinee = self.expr(&choice.expr);
        let behind_reference = matches!(scrutinee.ty, Ty::Ref(..));
        let ty = scrutinee.ty.behind_reference().clone();
        let scrutinee = Expr::new(ty.clone(), scrutinee.span, scrutinee.kind);
        match self.infer.shallow(&ty) {
            Ty::Struct(_) | Ty::Array(..) => {
                self.over(&choice.expr, "`match` works on integers, `bool` and enums: match on a field");
                return Expr::error(span);
            }
            Ty::Lanes(_) | Ty::Rows(_) | Ty::Tally(_) | Ty::History(_) | Ty::Clock => {
                self.over(&choice.expr, "`match` works on integers, `bool` and enums");
                return Expr::error(span);
            }
            _ => {}
        }
        let mut result = Ty::Never;
        let mut arms = Vec::new();
        for arm in &choice.arms {
            let (pattern, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let arm = self.scoped(|this| {
                let pattern = this.pattern(pattern, &ty, behind_reference);
                let guard = guard.map(|guard| this.value_of(guard, &Ty::BOOL));
                let body = this.value(&arm.body);
                Arm { pattern, guard, body }
            });
            result = self.join(&result, &arm.body.ty.clone(), arm.body.span);
            arms.push(arm);
        }
        if arms.is_empty() {
            self.over(choice, "a `match` has at least one arm");
            return Expr::error(span);
        }
        Expr::new(result, span, Kind::Match(Box::new(scrutinee), arms))
    }

    fn loop_body(&mut self, body: &'a syn::Block, value: Option<Ty>) -> (Expr, LoopFrame) {
        self.loops.push(LoopFrame { value, has_break: false });
        let body = self.block(body);
        let ty = body.ty.clone();
        self.expect(&ty, &Ty::Unit, body.span);
        let frame = self.loops.pop().unwrap_or(LoopFrame { value: None, has_break: false });
        (body, frame)
    }

    pub(super) fn loop_expr(&mut self, repeat: &'a syn::ExprLoop) -> Expr {
        self.reject_label(repeat.label.as_ref());
        let value = self.infer.fresh();
        let (body, frame) = self.loop_body(&repeat.body, Some(value.clone()));
        let ty = if frame.has_break { value } else { Ty::Never };
        Expr::new(ty, repeat.loop_token.span, Kind::Loop(Box::new(body)))
    }

    pub(super) fn while_expr(&mut self, repeat: &'a syn::ExprWhile) -> Expr {
        self.reject_label(repeat.label.as_ref());
        let condition = self.value_of(&repeat.cond, &Ty::BOOL);
        let (body, _) = self.loop_body(&repeat.body, None);
        Expr::new(Ty::Unit, repeat.while_token.span, Kind::While(Box::new(condition), Box::new(body)))
    }

    pub(super) fn for_expr(&mut self, repeat: &'a syn::ExprForLoop) -> Expr {
        self.reject_label(repeat.label.as_ref());
        let span = repeat.for_token.span;
        let mut over = strip(&repeat.expr);
        let mut reverse = false;
        while let syn::Expr::MethodCall(call) = over {
            if call.method != "rev" || !call.args.is_empty() {
                break;
            }
            reverse = !reverse;
            over = strip(&call.receiver);
        }
        let (start, end, inclusive) = match over {
            syn::Expr::Range(syn::ExprRange { start: Some(start), limits, end: Some(end), .. }) => {
                (start, end, matches!(limits, syn::RangeLimits::Closed(_)))
            }
            other => {
                self.over(
                    other,
                    "`for` runs over `a..b`, `a..=b`, or `.rev()` of these: loop over the indices, or use `while`",
                );
                return Expr::error(span);
            }
        };
        let start = self.value(start);
        let end = self.value(end);
        if !self.infer.unify(&start.ty, &end.ty) {
            let (a, b) = (self.show(&start.ty), self.show(&end.ty));
            self.over(over, format!("the range runs from `{a}` to `{b}`: convert one bound"));
            return Expr::error(span);
        }
        let ty = start.ty.clone();
        self.need(&ty, over.span(), super::requirement::Need::Integer("a range of `for`".to_owned()));
        self.scoped(|this| {
            let (name, at, mutable) = match &*repeat.pat {
                syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                    (plain(&pat.ident), pat.ident.span(), pat.mutability.is_some())
                }
                syn::Pat::Wild(pat) => ("_".to_owned(), pat.underscore_token.span, false),
                other => {
                    this.over(other, "the variable of a `for` is a plain name or `_`");
                    return Expr::error(span);
                }
            };
            this.need(&ty, at, super::requirement::Need::Local(name.clone()));
            let var = this.new_local(&name, ty.clone(), at);
            let copy = mutable.then(|| this.new_local(&name, ty.clone(), at));
            if name != "_" {
                this.bind(&name, Binding::Local(copy.unwrap_or(var)));
            }
            let (body, _) = this.loop_body(&repeat.body, None);
            let parts =
                For { var, copy, start: Box::new(start), end: Box::new(end), inclusive, reverse, body: Box::new(body) };
            Expr::new(Ty::Unit, span, Kind::For(parts))
        })
    }

    pub(super) fn break_expr(&mut self, leave: &'a syn::ExprBreak) -> Expr {
        let span = leave.break_token.span;
        if let Some(label) = &leave.label {
            self.over(label, "labels are outside the kernel language: put the inner loop into a function and `return`, or keep a `bool`");
        }
        let value = leave.expr.as_ref().map(|value| self.value(value));
        let Some(frame) = self.loops.last_mut() else {
            self.error(span, "`break` outside a loop");
            return Expr::error(span);
        };
        frame.has_break = true;
        let wanted = frame.value.clone();
        match (&value, wanted) {
            (Some(value), Some(wanted)) => {
                self.expect(&value.ty.clone(), &wanted, value.span);
            }
            (None, Some(wanted)) => {
                self.expect(&Ty::Unit, &wanted, span);
            }
            (Some(value), None) => self.error(value.span, "only `loop` can give a value with `break`"),
            (None, None) => {}
        }
        Expr::new(Ty::Never, span, Kind::Break(value.map(Box::new)))
    }

    pub(super) fn continue_expr(&mut self, next: &'a syn::ExprContinue) -> Expr {
        let span = next.continue_token.span;
        if let Some(label) = &next.label {
            self.over(label, "labels are outside the kernel language: put the inner loop into a function and `return`, or keep a `bool`");
        }
        if self.loops.is_empty() {
            self.error(span, "`continue` outside a loop");
        }
        Expr::new(Ty::Never, span, Kind::Continue)
    }

    pub(super) fn return_expr(&mut self, leave: &'a syn::ExprReturn) -> Expr {
        let span = leave.return_token.span;
        let value = leave.expr.as_ref().map(|value| self.value(value));
        let Some(wanted) = self.result.clone() else {
            self.error(span, "`return` outside a function");
            return Expr::error(span);
        };
        let found = value.as_ref().map_or(Ty::Unit, |value| value.ty.clone());
        let at = value.as_ref().map_or(span, |value| value.span);
        self.expect(&found, &wanted, at);
        Expr::new(Ty::Never, span, Kind::Return(value.map(Box::new)))
    }
}
