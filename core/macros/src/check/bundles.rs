//! Bundles in functions: their fields, literals, and what a call is lent by one.
//!
//! A bundle is known by its parts: one place for each field. A call that is lent a bundle is lent its parts.

use super::Checker;
use super::scope::Lent;
use crate::hir::{Arg, Base, Expr, Kind, Place, ScopeField, Step};
use crate::notes::Note;
use crate::program::{Member, Program, SigParam, TypeKey};
use crate::syntax::plain;
use crate::ty::{BundleId, Ty};
use proc_macro2::Span;
use syn::spanned::Spanned;

/// Text of the error about a bundle that stands where a value is wanted.
pub(super) const NO_VALUE: &str =
    "a bundle is no value: pass it on as it stands, as in `f(net)`, or use its fields, as in `net.rows.get(i)`";

impl<'a> Checker<'_, 'a> {
    /// Returns the bundle that a name stands for.
    pub(super) fn lent(&self, lent: Lent, is_around: bool, span: Span) -> Expr {
        let parts = lent.parts.into_iter().map(|part| ScopeField { is_around: part.is_around || is_around, ..part });
        Expr::new(lent.ty, span, Kind::Bundle(parts.collect()))
    }

    /// Returns the place and the type of a part. A part of the code around a phase becomes a parameter of the phase.
    pub(super) fn part(&mut self, part: &ScopeField, span: Span) -> Option<(Place, Ty)> {
        let place = Place { site: span, ..part.place.clone() };
        if !part.is_around {
            return Some((place, part.ty.clone()));
        }
        let captured = match self.captured(&part.name) {
            Some(param) => Place { base: Base::Param(param), path: Vec::new(), site: span },
            None => match self.capture_place(&part.name, &part.ty, place, span)?.kind {
                Kind::Place(place) => place,
                _ => return None,
            },
        };
        Some((captured, part.ty.clone()))
    }

    /// Checks a reference to a bundle.
    pub(super) fn bundle_reference(&self, bundle: Ty, parts: Vec<ScopeField>, reference: &syn::ExprReference) -> Expr {
        let mutable = reference.mutability.is_some();
        let (inner, lends) = match bundle {
            Ty::Ref(inner, lends) => (*inner, lends),
            inner => (inner, true),
        };
        if mutable && !lends {
            let shown = self.show(&inner);
            self.over(reference, format!("this is behind `&{shown}`, which is read only: take `&mut {shown}`"));
            return Expr::error(reference.span());
        }
        let parts = parts.into_iter().map(|part| ScopeField { ty: part.ty.lent_by(mutable), ..part }).collect();
        Expr::new(Ty::Ref(Box::new(inner), mutable), reference.span(), Kind::Bundle(parts))
    }

    /// Checks `bundle.field`.
    pub(super) fn bundle_field(&mut self, bundle: &Ty, parts: &[ScopeField], member: &'a syn::Member) -> Expr {
        let span = member.span();
        let Ty::Bundle(id) = *bundle.behind_reference() else { return Expr::error(span) };
        let name = match member {
            syn::Member::Named(ident) => plain(ident),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        let Some(position) = self.bundle_position(id, &name, member) else { return Expr::error(span) };
        let part = &parts[position];
        if let Some(message) = self.not_a_value(&part.name, &part.ty) {
            self.error(span, message);
            return Expr::error(span);
        }
        match self.part(part, span) {
            Some((_, Ty::Error)) | None => Expr::error(span),
            Some((place, ty)) => Expr::new(ty, span, Kind::Place(place)),
        }
    }

    /// Returns the part that an expression names, if it is `name.field` of a bundle.
    pub(super) fn part_named(&mut self, e: &'a syn::Expr) -> Option<ScopeField> {
        let syn::Expr::Field(field) = crate::syntax::strip(e) else { return None };
        let syn::Expr::Path(path) = crate::syntax::strip(&field.base) else { return None };
        let Some(super::scope::Binding::Bundle(lent)) = self.lookup(&plain(path.path.get_ident()?)) else {
            return None;
        };
        let syn::Member::Named(name) = &field.member else { return None };
        let Ty::Bundle(id) = *lent.ty.behind_reference() else { return None };
        let position = self.bundle_position(id, &plain(name), &field.member)?;
        Some(lent.parts[position].clone())
    }

    fn bundle_position(&self, id: BundleId, name: &str, at: &syn::Member) -> Option<usize> {
        let bundle = &self.program.bundles[id.index()];
        let found = bundle.fields.iter().position(|(known, _)| known == name);
        if found.is_none() {
            let like = Program::suggestion(name, bundle.fields.iter().map(|(known, _)| known.clone()));
            let is_method = self.program.members.contains_key(&(TypeKey::Bundle(id), name.to_owned()));
            let like = if is_method { format!("; call the method: `.{name}(..)`") } else { like };
            self.over(at, format!("bundle `{}` has no field `{name}`{like}", bundle.name));
        }
        found
    }

    /// Checks `Bundle { field: resource, .. }`.
    pub(super) fn bundle_literal(&mut self, id: BundleId, literal: &'a syn::ExprStruct) -> Expr {
        let span = literal.path.span();
        let bundle = self.program.bundles[id.index()].clone();
        if let Some(rest) = &literal.rest {
            self.over(rest, format!("a bundle is made of all its fields: name each field of `{}`", bundle.name));
            return Expr::error(span);
        }
        let mut parts: Vec<Option<ScopeField>> = vec![None; bundle.fields.len()];
        let mut fine = true;
        for value in &literal.fields {
            let name = match &value.member {
                syn::Member::Named(ident) => plain(ident),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            let Some(position) = self.bundle_position(id, &name, &value.member) else {
                fine = false;
                continue;
            };
            let (field, ty) = &bundle.fields[position];
            let place = self.lent_place(&bundle.name, field, ty, &value.expr);
            fine &= place.is_some();
            parts[position] = place.map(|place| ScopeField {
                name: format!("{}.{field}", bundle.name),
                place,
                ty: ty.clone(),
                is_around: false,
            });
        }
        if !fine {
            return Expr::error(span);
        }
        if let Some(missing) = parts.iter().position(Option::is_none) {
            self.over(&literal.path, format!("field `{}` is missing", bundle.fields[missing].0));
            return Expr::error(span);
        }
        Expr::new(Ty::Bundle(id), span, Kind::Bundle(parts.into_iter().flatten().collect()))
    }

    /// Returns the place that a literal lends to a field.
    fn lent_place(&mut self, bundle: &str, field: &str, wanted: &Ty, e: &'a syn::Expr) -> Option<Place> {
        let Ty::Ref(inner, mutable) = wanted else {
            self.expr(e);
            return None;
        };
        let checked = self.expr(e);
        let shown = self.show(wanted);
        let Ty::Ref(found, given) = &checked.ty else {
            if checked.ty != Ty::Error {
                let m = if *mutable { "mut " } else { "" };
                self.over(e, format!("field `{field}` of `{bundle}` is `{shown}`: write `&{m}` before it"));
            }
            return None;
        };
        if *mutable && !given {
            self.over(e, format!("field `{field}` of `{bundle}` is `{shown}`, this can only be read"));
            return None;
        }
        if !self.expect(found, inner, e.span()) {
            return None;
        }
        match checked.kind {
            Kind::Place(place) if is_name(&place) => Some(place),
            _ => {
                self.over(
                    e,
                    "a field of a bundle is lent a name, or a field of one: give a row a name first, as in `let row = rows.get(i);`",
                );
                None
            }
        }
    }

    /// Returns the arguments of a call for a bundle given as a whole.
    pub(super) fn bundle_argument(
        &mut self,
        param: &SigParam,
        (id, mutable): (BundleId, bool),
        arg: &'a syn::Expr,
    ) -> Option<Vec<Arg>> {
        let checked = self.expr(arg);
        let shown = self.show(&param.ty);
        let m = if mutable { "mut " } else { "" };
        let message = match (&checked.ty, checked.kind) {
            (Ty::Error, _) => return None,
            (Ty::Ref(found, given), Kind::Bundle(parts)) if **found == Ty::Bundle(id) => {
                if *given || !mutable {
                    return self.bundle_args(&parts, id, mutable, arg.span());
                }
                format!("parameter `{}` is `{shown}`, this can only be read", param.name)
            }
            (Ty::Bundle(found), Kind::Bundle(_)) if *found == id => {
                format!("parameter `{}` is `{shown}`: write `&{m}` before it", param.name)
            }
            (found, _) => {
                let name = &self.program.bundles[id.index()].name;
                format!(
                    "parameter `{}` is the bundle `{shown}`, found `{}`: make one of what it lends, `&{m}{name} {{ .. }}`",
                    param.name,
                    self.show(found)
                )
            }
        };
        self.over(arg, message);
        None
    }

    /// Returns the arguments for the parts of a bundle.
    fn bundle_args(&mut self, parts: &[ScopeField], id: BundleId, mutable: bool, span: Span) -> Option<Vec<Arg>> {
        let fields = self.program.bundles[id.index()].fields.clone();
        let mut args = Vec::new();
        for (part, (_, ty)) in parts.iter().zip(fields) {
            let Ty::Ref(inner, own) = ty else { return None };
            let (place, _) = self.part(part, span)?;
            args.push(self.place_arg(place, &inner, own && mutable, span));
        }
        Some(args)
    }

    /// Checks a call of a method of a bundle.
    pub(super) fn bundle_method(&mut self, e: &'a syn::Expr, call: &'a syn::ExprMethodCall, receiver: Expr) -> Expr {
        let (name, span, at) = (plain(&call.method), call.method.span(), call.receiver.span());
        let (&Ty::Bundle(id), Kind::Bundle(parts)) = (receiver.ty.behind_reference(), receiver.kind) else {
            return Expr::error(span);
        };
        let key = TypeKey::Bundle(id);
        let member = self.program.members.get(&(key, name.clone())).copied();
        let function = match member {
            Some(Member::Function(function)) if self.program.signatures[function.index()].is_method => function,
            _ => {
                let shown = self.show(&key.ty());
                let known = self.program.members.keys().filter(|(k, _)| *k == key).map(|(_, n)| n.clone());
                let like = Program::suggestion(&name, known);
                self.error(span, format!("`{shown}` has no method `{name}`{like}; methods are written in an `impl {shown}` block of its kernel module"));
                return Expr::error(span);
            }
        };
        let mutable = match self.program.signatures[function.index()].params.first().map(|param| &param.ty) {
            Some(Ty::Ref(_, mutable)) => *mutable,
            _ => return Expr::error(span),
        };
        if mutable && matches!(receiver.ty, Ty::Ref(_, false)) {
            let shown = self.show(&key.ty());
            self.over(
                &call.receiver,
                format!("this is behind `&{shown}`, which is read only: take `&mut {shown}` to call `{name}`"),
            );
            return Expr::error(span);
        }
        let Some(args) = self.bundle_args(&parts, id, mutable, at) else { return Expr::error(span) };
        let note = if mutable { Note::MutReceiver } else { Note::Call };
        self.call_with(e, function, (args, note), &call.args, span)
    }

    /// Returns the name, the bundle and the field, if a parameter of the IR is a field of a bundle.
    pub(super) fn bundled(&self, param: u32) -> Option<(String, BundleId, usize)> {
        let mut first = 0;
        for declared in &self.program.signatures[self.function?.index()].params {
            let Some((id, _)) = declared.ty.lent_bundle() else {
                first += 1;
                continue;
            };
            let count = self.program.bundles[id.index()].fields.len();
            if (first..first + count).contains(&(param as usize)) {
                return Some((declared.name.clone(), id, param as usize - first));
            }
            first += count;
        }
        None
    }
}

/// Returns `true` if a place is a name, or a field of one: reading it twice has the effects of reading it once.
fn is_name(place: &Place) -> bool {
    matches!(place.base, Base::Param(_) | Base::Local(_))
        && !place.path.iter().any(|step| matches!(step, Step::Index(_)))
}
