//! Patterns of `match`.

use super::Checker;
use super::scope::Binding;
use crate::hir::{Expr, Kind, Pattern};
use crate::syntax::plain;
use crate::ty::Ty;
use syn::spanned::Spanned;
use syn::{Pat, RangeLimits};

impl<'a> Checker<'_, 'a> {
    pub(super) fn pattern(&mut self, pattern: &'a Pat, ty: &Ty, behind_reference: bool) -> Pattern {
        let message = match pattern {
            Pat::Wild(_) => return Pattern::Any,
            Pat::Paren(inner) => return self.pattern(&inner.pat, ty, behind_reference),
            Pat::Lit(lit) => {
                let value = self.literal(&lit.lit, false);
                return self.equals(value, ty, lit);
            }
            Pat::Path(path) => {
                let value = self.path(path);
                return self.equals(value, ty, path);
            }
            Pat::Ident(binding) => {
                let name = plain(&binding.ident);
                if binding.subpat.is_none()
                    && let Some(value) = self.constant_named(&name, &binding.ident)
                {
                    return self.equals(value, ty, binding);
                }
                if binding.by_ref.is_some() || behind_reference {
                    self.over(binding, "this would bind a reference: match on `*x`, and leave `ref` out");
                    return Pattern::Any;
                }
                let inner = match &binding.subpat {
                    Some((_, inner)) => self.pattern(inner, ty, behind_reference),
                    None => Pattern::Any,
                };
                let local = self.new_local(&name, ty.clone(), binding.ident.span());
                self.bind(&name, Binding::Local(local));
                return Pattern::Bind(local, Box::new(inner));
            }
            Pat::Or(either) => {
                let cases =
                    either.cases.iter().map(|case| self.pattern(case, ty, behind_reference)).collect::<Vec<_>>();
                if cases.iter().any(binds) {
                    self.over(either, "bind the value around the alternatives: `x @ (1 | 2)`");
                }
                return Pattern::OneOf(cases);
            }
            Pat::Range(range) => {
                let start = range.start.as_ref().map(|bound| self.value_of(bound, ty));
                let end = range.end.as_ref().map(|bound| self.value_of(bound, ty));
                return Pattern::Range(start, end, matches!(range.limits, RangeLimits::Closed(_)));
            }
            Pat::Tuple(_) => {
                "tuples are outside the kernel language: match on one value, and test the other in a guard"
            }
            Pat::Struct(_) | Pat::TupleStruct(_) => {
                "enums of the kernel language have no fields, and structs are not matched: match on a field"
            }
            Pat::Reference(_) => "match on `*x`, and leave `&` out of the pattern",
            Pat::Slice(_) => "slices are outside the kernel language: match on an element",
            _ => {
                "this pattern is outside the kernel language: there are literals, ranges, `|`, constants, variants, `_` and bindings"
            }
        };
        self.over(pattern, message);
        Pattern::Any
    }

    /// Returns the constant that a name in a pattern denotes, if it denotes one.
    fn constant_named(&mut self, name: &str, ident: &proc_macro2::Ident) -> Option<Expr> {
        let span = ident.span();
        if let Some(index) = self.program.const_names.get(name).copied() {
            let value = self.program.known_const(index).and_then(|known| Some((known.ty, known.value?)));
            return Some(match value {
                Some((ty, value)) => Expr::new(ty, span, Kind::Value(value)),
                None => self.constant(index, ident, span),
            });
        }
        if !self.program.outside.names.contains(name) {
            return None;
        }
        let ty = self.infer.fresh();
        self.need(&ty, span, super::requirement::Need::Outside(name.to_owned()));
        Some(Expr::new(ty, span, Kind::Outside(quote::quote!(#ident))))
    }

    fn equals(&mut self, value: Expr, ty: &Ty, pattern: &impl quote::ToTokens) -> Pattern {
        self.expect(&value.ty.clone(), ty, pattern.span());
        if matches!(self.infer.class(ty), super::infer::Class::SomeFloat)
            || matches!(self.infer.class(ty), super::infer::Class::Exactly(scalar) if scalar.is_float())
        {
            self.over(pattern, "floats are not matched: compare with `if`");
        }
        Pattern::Equals(value)
    }

    /// Binds the names of a refused pattern, to avoid further errors about them.
    pub(super) fn poison(&mut self, pattern: &Pat) {
        struct Names(Vec<proc_macro2::Ident>);
        impl syn::visit_mut::VisitMut for Names {
            fn visit_pat_ident_mut(&mut self, binding: &mut syn::PatIdent) {
                self.0.push(binding.ident.clone());
                syn::visit_mut::visit_pat_ident_mut(self, binding);
            }
        }
        let mut names = Names(Vec::new());
        syn::visit_mut::VisitMut::visit_pat_mut(&mut names, &mut pattern.clone());
        for ident in names.0 {
            let name = plain(&ident);
            let local = self.new_local(&name, Ty::Error, ident.span());
            self.bind(&name, Binding::Local(local));
        }
    }

    /// Returns the name of a binding, or reports the forms that a `let` may bind.
    pub(super) fn let_name(&mut self, pattern: &'a Pat) -> Option<(String, proc_macro2::Span)> {
        let message = match pattern {
            Pat::Ident(binding) if binding.by_ref.is_none() && binding.subpat.is_none() => {
                return Some((plain(&binding.ident), binding.ident.span()));
            }
            Pat::Wild(wild) => return Some(("_".to_owned(), wild.underscore_token.span)),
            Pat::Paren(inner) => return self.let_name(&inner.pat),
            Pat::Tuple(_) | Pat::TupleStruct(_) => "tuples are outside the kernel language: write one `let` for each",
            Pat::Struct(_) => "structs are not taken apart by patterns: write one `let` for each field",
            Pat::Slice(_) => "slices are outside the kernel language: write one `let` for each element",
            _ => "`let` binds a plain name",
        };
        self.over(pattern, message);
        None
    }
}

fn binds(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind(..) => true,
        Pattern::OneOf(cases) => cases.iter().any(binds),
        _ => false,
    }
}
