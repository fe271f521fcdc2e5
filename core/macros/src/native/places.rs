//! Checked indices: reads become `lang::index`, writes go through `lang::slot`.
//!
//! The indices of a place are evaluated first, left to right, then checked, outermost first. A write evaluates the
//! value before the place.

use super::build::take;
use super::{Rewriter, operator, span_of};
use crate::notes::Note;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, UnOp, parse_quote_spanned};

/// Returns `true` if evaluating an expression can neither fault nor change anything.
pub(super) fn is_calm(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(field) => is_calm(&field.base),
        Expr::Paren(inner) => is_calm(&inner.expr),
        Expr::Group(inner) => is_calm(&inner.expr),
        Expr::Cast(cast) => is_calm(&cast.expr),
        Expr::Unary(unary) => is_calm(&unary.expr),
        Expr::Binary(binary) => {
            !matches!(binary.op, BinOp::Div(_) | BinOp::Rem(_)) && is_calm(&binary.left) && is_calm(&binary.right)
        }
        _ => false,
    }
}

/// Returns the index itself, without the cast to `usize`.
fn without_cast(index: Expr) -> Expr {
    match index {
        Expr::Paren(inner) => without_cast(*inner.expr),
        Expr::Group(inner) => without_cast(*inner.expr),
        Expr::Cast(cast) if matches!(&*cast.ty, syn::Type::Path(path) if path.path.is_ident("usize")) => *cast.expr,
        other => other,
    }
}

impl Rewriter<'_> {
    /// Returns the bracket of the outermost index of a place, at which its faults are reported.
    pub(super) fn site(e: &Expr) -> Option<Span> {
        match e {
            Expr::Index(index) => Some(index.bracket_token.span.open()),
            Expr::Field(field) => Self::site(&field.base),
            Expr::Paren(inner) => Self::site(&inner.expr),
            Expr::Group(inner) => Self::site(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Self::site(&unary.expr),
            _ => None,
        }
    }

    /// Returns the number of checked indices of a place, and `true` if evaluating them is calm.
    fn survey(&self, e: &Expr) -> (usize, bool) {
        match e {
            Expr::Index(index) => {
                let (count, calm) = self.survey(&index.expr);
                if self.notes.get(e) == Some(Note::CheckedIndex) {
                    (count + 1, calm && is_calm(&index.index))
                } else {
                    (count, calm)
                }
            }
            Expr::Field(field) => self.survey(&field.base),
            Expr::Paren(inner) => self.survey(&inner.expr),
            Expr::Group(inner) => self.survey(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.survey(&unary.expr),
            _ => (0, true),
        }
    }

    /// Returns `true` if a place has checked indices.
    pub(super) fn is_checked(&self, e: &Expr) -> bool {
        self.survey(e).0 > 0
    }

    /// Extracts the checked indices from a place, outermost first, and leaves names; rewrites the root.
    pub(super) fn lift(
        &mut self,
        e: &mut Expr,
        prefix: &str,
        lifted: &mut Vec<(Ident, Expr)>,
        root: &mut Option<Expr>,
    ) {
        let checked = self.notes.get(e) == Some(Note::CheckedIndex);
        match e {
            Expr::Index(index) => {
                self.lift(&mut index.expr, prefix, lifted, root);
                if checked {
                    let name = format_ident!("{}{}", prefix, lifted.len(), span = index.bracket_token.span.open());
                    self.visit_expr_mut(&mut index.index);
                    let value = take(&mut index.index);
                    lifted.push((name.clone(), without_cast(value)));
                    *index.index = parse_quote_spanned! { name.span() => #name };
                }
            }
            Expr::Field(field) => self.lift(&mut field.base, prefix, lifted, root),
            Expr::Paren(inner) => self.lift(&mut inner.expr, prefix, lifted, root),
            Expr::Group(inner) => self.lift(&mut inner.expr, prefix, lifted, root),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.lift(&mut unary.expr, prefix, lifted, root)
            }
            Expr::Path(_) => {}
            other => {
                self.visit_expr_mut(other);
                let span = Span::mixed_site();
                let name = Ident::new("__root", span);
                *root = Some(std::mem::replace(other, parse_quote_spanned! { span => (*#name) }));
            }
        }
    }

    /// Rewrites a read of a place whose indices are names or calm: each checked index becomes a call.
    fn read(&mut self, e: &mut Expr, at: &Expr, lifted: bool) {
        let checked = self.notes.get(e) == Some(Note::CheckedIndex);
        match e {
            Expr::Index(index) => {
                self.read(&mut index.expr, at, lifted);
                if checked {
                    if !lifted {
                        self.visit_expr_mut(&mut index.index);
                    }
                    let value = without_cast(take(&mut index.index));
                    let span = index.bracket_token.span.open();
                    let base = take(&mut index.expr);
                    let base = parse_quote_spanned! { span => &#base };
                    *e = self.build.lang(span, "index", [base, value, at.clone()]);
                }
            }
            Expr::Field(field) => self.read(&mut field.base, at, lifted),
            Expr::Paren(inner) => self.read(&mut inner.expr, at, lifted),
            Expr::Group(inner) => self.read(&mut inner.expr, at, lifted),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.read(&mut unary.expr, at, lifted),
            other if lifted => {
                let _ = other;
            }
            other => self.visit_expr_mut(other),
        }
    }

    /// Rewrites an index or field expression that is read.
    pub(super) fn rewrite_read(&mut self, e: &mut Expr) {
        let (count, calm) = self.survey(e);
        let Some(site) = Self::site(e).filter(|_| count > 0) else {
            // No index to check: the root alone may need rewriting.
            return self.visit_root(e);
        };
        let at = self.build.at(site);
        if calm {
            return self.read(e, &at, false);
        }
        let (mut lifted, mut root) = (Vec::new(), None);
        self.lift_noted(e, &mut lifted, &mut root);
        let names = lifted.iter().map(|(name, _)| name);
        let values = lifted.iter().map(|(_, value)| value);
        let place = &*e;
        *e = match root {
            Some(root) => {
                let name = Ident::new("__root", Span::mixed_site());
                parse_quote_spanned! { site => (match (&#root, #(#values,)*) { (#name, #(#names,)*) => #place }) }
            }
            None => parse_quote_spanned! { site => (match (#(#values,)*) { (#(#names,)*) => #place }) },
        };
    }

    /// Lifts and rewrites the remaining place as a read.
    fn lift_noted(&mut self, e: &mut Expr, lifted: &mut Vec<(Ident, Expr)>, root: &mut Option<Expr>) {
        let Some(site) = Self::site(e) else { return };
        let at = self.build.at(site);
        self.lift(e, "__i", lifted, root);
        // The nodes have not moved, so their notes are still valid.
        self.read(e, &at, true);
    }

    pub(super) fn visit_root(&mut self, e: &mut Expr) {
        match e {
            Expr::Index(index) => self.visit_root(&mut index.expr),
            Expr::Field(field) => self.visit_root(&mut field.base),
            Expr::Paren(inner) => self.visit_root(&mut inner.expr),
            Expr::Group(inner) => self.visit_root(&mut inner.expr),
            other => self.visit_expr_mut(other),
        }
    }

    /// Makes a place writable: collects the required slots, outermost first, and leaves the rest of the place inside
    /// them.
    fn slots(&mut self, e: &mut Expr, at: &Expr, slots: &mut Vec<(Ident, Expr)>) {
        let checked = self.notes.get(e) == Some(Note::CheckedIndex);
        match e {
            Expr::Index(index) => {
                let reborrow = self.notes.get(&index.expr) == Some(Note::Reference);
                self.slots(&mut index.expr, at, slots);
                if checked {
                    let span = index.bracket_token.span.open();
                    let name = format_ident!("__slot{}", slots.len(), span = span);
                    let base = take(&mut index.expr);
                    let base = if reborrow {
                        parse_quote_spanned! { span => &mut *#base }
                    } else {
                        parse_quote_spanned! { span => &mut #base }
                    };
                    let value = take(&mut index.index);
                    slots.push((name.clone(), self.build.lang(span, "slot", [base, value, at.clone()])));
                    *e = parse_quote_spanned! { span => (*#name) };
                }
            }
            Expr::Field(field) => self.slots(&mut field.base, at, slots),
            Expr::Paren(inner) => self.slots(&mut inner.expr, at, slots),
            Expr::Group(inner) => self.slots(&mut inner.expr, at, slots),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.slots(&mut unary.expr, at, slots),
            _ => {}
        }
    }

    /// Returns `body` inside the slots of a place. The place is left as the rest inside them.
    pub(super) fn within_slots(&mut self, place: &mut Expr, body: impl FnOnce(&Expr) -> TokenStream) -> TokenStream {
        let Some(site) = Self::site(place) else { return body(place) };
        let at = self.build.at(site);
        let mut slots = Vec::new();
        self.slots(place, &at, &mut slots);
        let mut inner = body(place);
        for (name, slot) in slots.into_iter().rev() {
            inner = quote_spanned! { site => if let ::core::option::Option::Some(#name) = #slot { #inner } };
        }
        inner
    }

    pub(super) fn rewrite_assign(&mut self, e: &mut Expr) {
        let Expr::Assign(assign) = e else { return };
        if !self.is_checked(&assign.left) {
            self.visit_expr_mut(&mut assign.right);
            self.visit_root(&mut assign.left);
            return;
        }
        let span = assign.eq_token.span;
        self.visit_expr_mut(&mut assign.right);
        let value = take(&mut assign.right);
        let (mut lifted, mut root) = (Vec::new(), None);
        self.lift(&mut assign.left, "__i", &mut lifted, &mut root);
        let stored = Ident::new("__value", Span::mixed_site());
        let write = self.within_slots(&mut assign.left, |place| quote_spanned! { span => #place = #stored; });
        let lets = lets(&lifted);
        *e = parse_quote_spanned! { span => { let #stored = #value; #lets #write } };
    }

    pub(super) fn rewrite_update(&mut self, e: &mut Expr) {
        let Expr::Binary(binary) = e else { return };
        let span = span_of(&binary.op);
        let function = operator(&binary.op);
        let op = binary.op;
        let checked = self.is_checked(&binary.left);
        if function.is_none() && !checked {
            self.visit_root(&mut binary.left);
            self.visit_expr_mut(&mut binary.right);
            return;
        }
        let calm = is_calm(&binary.right);
        self.visit_expr_mut(&mut binary.right);
        let value = take(&mut binary.right);
        let stored = Ident::new("__value", Span::mixed_site());
        let build = self.build;
        let update = |place: &Expr, operand: Expr| match function {
            Some((name, located, _)) => {
                let mut args = vec![place.clone(), operand];
                if located {
                    args.push(build.at(span));
                }
                let result = build.lang(span, name, args);
                quote_spanned! { span => #place = #result; }
            }
            None => quote_spanned! { span => #place #op #operand; },
        };
        let operand: Expr = parse_quote_spanned! { span => #stored };
        if checked {
            let (mut lifted, mut root) = (Vec::new(), None);
            self.lift(&mut binary.left, "__i", &mut lifted, &mut root);
            let write = self.within_slots(&mut binary.left, |place| update(place, operand));
            let lets = lets(&lifted);
            *e = parse_quote_spanned! { span => { let #stored = #value; #lets #write } };
            return;
        }
        self.visit_root(&mut binary.left);
        let place = take(&mut binary.left);
        if calm {
            let statement = update(&place, value);
            *e = parse_quote_spanned! { span => { #statement } };
        } else {
            let statement = update(&place, operand);
            *e = parse_quote_spanned! { span => { let #stored = #value; #statement } };
        }
    }
}

pub(super) fn lets(lifted: &[(Ident, Expr)]) -> TokenStream {
    lifted.iter().map(|(name, value)| quote_spanned! { name.span() => let #name = #value; }).collect()
}
