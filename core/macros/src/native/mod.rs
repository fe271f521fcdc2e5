//! Rewriting of functions, so that rustc compiles the total meaning of the language.
//!
//! Only code with another meaning in Rust is changed: arithmetic operators, shifts, checked indices, `assert!`, and a
//! few methods. All other code, and every span, stays the user's own.

mod build;
mod lend;
mod places;

use crate::notes::{Note, Notes};
use crate::roots::Root;
use build::Build;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{BinOp, Expr, UnOp, parse_quote_spanned};

/// Rewrites a function's body.
pub(crate) fn function(block: &mut syn::Block, notes: &Notes, root: &Root) {
    Rewriter { notes, build: Build { root, texts: &notes.texts } }.visit_block_mut(block);
}

struct Rewriter<'n> {
    notes: &'n Notes,
    build: Build<'n>,
}

/// Returns the function of `lang` for an operator, `true` if it takes the position, and `true` if it assigns.
fn operator(op: &BinOp) -> Option<(&'static str, bool, bool)> {
    Some(match op {
        BinOp::Add(_) => ("add", false, false),
        BinOp::Sub(_) => ("sub", false, false),
        BinOp::Mul(_) => ("mul", false, false),
        BinOp::Div(_) => ("div", true, false),
        BinOp::Rem(_) => ("rem", true, false),
        BinOp::Shl(_) => ("shl", false, false),
        BinOp::Shr(_) => ("shr", false, false),
        BinOp::AddAssign(_) => ("add", false, true),
        BinOp::SubAssign(_) => ("sub", false, true),
        BinOp::MulAssign(_) => ("mul", false, true),
        BinOp::DivAssign(_) => ("div", true, true),
        BinOp::RemAssign(_) => ("rem", true, true),
        BinOp::ShlAssign(_) => ("shl", false, true),
        BinOp::ShrAssign(_) => ("shr", false, true),
        _ => return None,
    })
}

fn is_bit_assignment(op: &BinOp) -> bool {
    matches!(op, BinOp::BitAndAssign(_) | BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_))
}

fn span_of(op: &BinOp) -> Span {
    op.span()
}

impl VisitMut for Rewriter<'_> {
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        if let syn::Pat::Guard(guarded) = pattern {
            self.visit_expr_mut(&mut guarded.guard);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) | Expr::Field(_) if self.is_own(e) => self.lend_own(e),
            Expr::Index(_) | Expr::Field(_) => self.rewrite_read(e),
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Cast(cast) => self.visit_expr_mut(&mut cast.expr),
            Expr::Unary(unary) => {
                let literal = matches!(&*unary.expr, Expr::Lit(_));
                let negation = matches!(unary.op, UnOp::Neg(_));
                let UnOp::Neg(token) = unary.op else { return self.visit_expr_mut(&mut unary.expr) };
                if negation && !literal {
                    self.visit_expr_mut(&mut unary.expr);
                    let operand = build::take(&mut unary.expr);
                    *e = self.build.lang(token.span, "neg", [operand]);
                }
            }
            Expr::Binary(binary) => match operator(&binary.op) {
                Some((_, _, true)) => self.rewrite_update(e),
                Some((name, located, false)) => {
                    let span = span_of(&binary.op);
                    self.visit_expr_mut(&mut binary.left);
                    self.visit_expr_mut(&mut binary.right);
                    let mut args = vec![build::take(&mut binary.left), build::take(&mut binary.right)];
                    if located {
                        args.push(self.build.at(span));
                    }
                    *e = self.build.lang(span, name, args);
                }
                None if is_bit_assignment(&binary.op) => self.rewrite_update(e),
                None => visit_expr_mut(self, e),
            },
            Expr::Assign(_) => self.rewrite_assign(e),
            Expr::MethodCall(_) => self.rewrite_method(e),
            Expr::Call(_) => self.rewrite_call(e),
            _ => visit_expr_mut(self, e),
        }
    }
}

impl Rewriter<'_> {
    fn is_own(&self, e: &Expr) -> bool {
        matches!(self.notes.get(e), Some(Note::OwnMut | Note::Own))
    }

    /// Lends the own rows that a phase names.
    fn lend_own(&self, e: &mut Expr) {
        let mutable = (self.notes.get(e) == Some(Note::OwnMut)).then(|| quote::quote!(mut));
        *e = parse_quote_spanned! { e.span() => &#mutable *#e };
    }

    fn rewrite_method(&mut self, e: &mut Expr) {
        let note = self.notes.get(e);
        if note == Some(Note::MutReceiver) || note == Some(Note::Call) {
            return self.rewrite_lent(e);
        }
        let Expr::MethodCall(call) = e else { return };
        let span = call.method.span();
        self.visit_expr_mut(&mut call.receiver);
        for arg in &mut call.args {
            self.visit_expr_mut(arg);
        }
        match note {
            Some(Note::Located) => {
                call.method = syn::Ident::new(&format!("{}_at", call.method), span);
                call.args.push(self.build.at(span));
            }
            Some(Note::Lang) => {
                let name = call.method.to_string();
                let mut args = vec![build::take(&mut call.receiver)];
                args.extend(std::mem::take(&mut call.args));
                *e = self.build.lang(span, &name, args);
            }
            Some(Note::FloatMin | Note::FloatMax) => {
                let name = if note == Some(Note::FloatMin) { "lesser" } else { "greater" };
                let mut args = vec![build::take(&mut call.receiver)];
                args.extend(std::mem::take(&mut call.args));
                *e = self.build.call(span, &["reduce", "Reducible", name], args);
            }
            Some(Note::Clamp) => {
                let receiver = &call.receiver;
                let bounds = &call.args;
                *e = parse_quote_spanned! { span =>
                    match (#receiver, #bounds) {
                        (__x, __low, __high) => if __x < __low { __low } else if __x > __high { __high } else { __x },
                    }
                };
            }
            _ => {}
        }
    }

    fn rewrite_call(&mut self, e: &mut Expr) {
        if self.notes.get(e) == Some(Note::Assertion) {
            let Expr::Call(call) = e else { return };
            let span = call.paren_token.span.open();
            let mut args: Vec<Expr> = std::mem::take(&mut call.args).into_iter().collect();
            let position = match &*call.func {
                Expr::Path(path) => path.path.get_ident().map_or(span, proc_macro2::Ident::span),
                _ => span,
            };
            for arg in &mut args {
                self.visit_expr_mut(arg);
            }
            args.push(self.build.at(position));
            *e = self.build.lang(position, "check", args);
            return;
        }
        self.rewrite_lent(e);
    }
}
