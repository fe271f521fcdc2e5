//! Elements of arrays lent by `&mut`: copied out, lent, and stored back.
//!
//! The order of evaluation stays the user's: in a call with lent elements, every argument that does more than name a
//! place is first evaluated into a local.

use super::Rewriter;
use super::build::take;
use super::places::{is_calm, lets};
use crate::notes::Note;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Expr, parse_quote_spanned};

impl Rewriter<'_> {
    /// Rewrites a call that may be lent elements of arrays by `&mut`: they are copied out, lent, and stored back.
    pub(super) fn rewrite_lent(&mut self, e: &mut Expr) {
        let receiver_lent = self.notes.get(e) == Some(Note::MutReceiver);
        let mut setup = TokenStream::new();
        let mut back = TokenStream::new();
        let mut count = 0;
        let lends = |this: &Self, arg: &Expr| matches!(arg, Expr::Reference(r) if r.mutability.is_some() && this.is_checked(&r.expr));
        let any = match e {
            Expr::MethodCall(call) => {
                (receiver_lent && self.is_checked(&call.receiver)) || call.args.iter().any(|arg| lends(self, arg))
            }
            Expr::Call(call) => call.args.iter().any(|arg| lends(self, arg)),
            _ => false,
        };
        if !any {
            match e {
                Expr::MethodCall(call) => {
                    if receiver_lent {
                        self.visit_root(&mut call.receiver);
                    } else {
                        self.visit_expr_mut(&mut call.receiver);
                    }
                    call.args.iter_mut().for_each(|arg| self.visit_arg(arg));
                }
                Expr::Call(call) => call.args.iter_mut().for_each(|arg| self.visit_arg(arg)),
                _ => {}
            }
            return;
        }
        let mut span = Span::call_site();
        match e {
            Expr::MethodCall(call) => {
                span = call.method.span();
                if receiver_lent && self.is_checked(&call.receiver) {
                    self.lend(&mut call.receiver, &mut setup, &mut back, count);
                    count += 1;
                } else {
                    self.lift_receiver(&mut call.receiver, &mut setup);
                }
                for arg in &mut call.args {
                    self.lift_argument(arg, &mut setup, &mut back, count);
                    count += 1;
                }
            }
            Expr::Call(call) => {
                for arg in &mut call.args {
                    self.lift_argument(arg, &mut setup, &mut back, count);
                    count += 1;
                }
            }
            _ => {}
        }
        let result = Ident::new("__result", Span::mixed_site());
        let call = &*e;
        *e = parse_quote_spanned! { span => ({ #setup let #result = #call; #back #result }) };
    }

    fn visit_arg(&mut self, arg: &mut Expr) {
        match arg {
            Expr::Reference(reference) if reference.mutability.is_some() => self.visit_root(&mut reference.expr),
            other => self.visit_expr_mut(other),
        }
    }

    fn lift_argument(&mut self, arg: &mut Expr, setup: &mut TokenStream, back: &mut TokenStream, number: usize) {
        match arg {
            Expr::Reference(reference) if reference.mutability.is_some() && self.is_checked(&reference.expr) => {
                self.lend(&mut reference.expr, setup, back, number);
            }
            Expr::Reference(reference) if reference.mutability.is_none() && !is_calm(&reference.expr) => {
                self.visit_expr_mut(&mut reference.expr);
                let name = format_ident!("__arg{}", number, span = Span::mixed_site());
                let value = take(arg);
                setup.extend(quote_spanned! { name.span() => let #name = #value; });
                *arg = parse_quote_spanned! { name.span() => #name };
            }
            Expr::Reference(_) | Expr::Path(_) | Expr::Lit(_) => self.visit_arg(arg),
            other => {
                self.visit_expr_mut(other);
                let name = format_ident!("__arg{}", number, span = Span::mixed_site());
                let value = take(other);
                setup.extend(quote_spanned! { name.span() => let #name = #value; });
                *other = parse_quote_spanned! { name.span() => #name };
            }
        }
    }

    /// Preserves the order of evaluation if a receiver does more than name a place.
    fn lift_receiver(&mut self, receiver: &mut Expr, setup: &mut TokenStream) {
        let calm = is_calm(receiver);
        self.visit_expr_mut(receiver);
        if !calm {
            let name = Ident::new("__receiver", Span::mixed_site());
            let value = take(receiver);
            setup.extend(quote_spanned! { name.span() => let #name = &#value; });
            *receiver = parse_quote_spanned! { name.span() => #name };
        }
    }

    /// Copies a place out before a call and stores it back afterwards.
    fn lend(&mut self, place: &mut Expr, setup: &mut TokenStream, back: &mut TokenStream, number: usize) {
        let Some(site) = Self::site(place) else { return };
        let at = self.build.at(site);
        let (mut lifted, mut root) = (Vec::new(), None);
        self.lift(place, &format!("__i{number}_"), &mut lifted, &mut root);
        let lent = format_ident!("__lent{}", number, span = Span::mixed_site());
        setup.extend(lets(&lifted));
        // Reads a copy of the place, and writes to the place itself afterwards. The copy has no notes: it is rewritten
        // by marking the checked indices with their names.
        let read = copy_read(place, &self.build, &at);
        setup.extend(quote_spanned! { site => let mut #lent = #read; });
        let write = self.within_slots(place, |place| quote_spanned! { site => #place = #lent; });
        back.extend(write);
        *place = parse_quote_spanned! { site => #lent };
    }
}

/// Returns a read of a place whose checked indices have become `__i` names.
fn copy_read(place: &Expr, build: &super::Build<'_>, at: &Expr) -> Expr {
    match place {
        Expr::Index(index) => {
            let base = copy_read(&index.expr, build, at);
            let span = index.bracket_token.span.open();
            let named = matches!(&*index.index, Expr::Path(path) if path.path.get_ident().is_some_and(|i| i.to_string().starts_with("__i")));
            if named {
                let base = parse_quote_spanned! { span => &#base };
                return build.lang(span, "index", [base, (*index.index).clone(), at.clone()]);
            }
            let position = &index.index;
            parse_quote_spanned! { span => #base[#position] }
        }
        Expr::Field(field) => {
            let mut copy = field.clone();
            *copy.base = copy_read(&field.base, build, at);
            Expr::Field(copy)
        }
        Expr::Paren(inner) => copy_read(&inner.expr, build, at),
        Expr::Group(inner) => copy_read(&inner.expr, build, at),
        other => other.clone(),
    }
}
