//! Expressions: one arm for each form of the syntax.

use super::Checker;
use super::bundles::NO_VALUE;
use super::requirement::Need;
use crate::hir::{Base, Expr, Kind, Place};
use crate::notes::Note;
use crate::program::TypeKey;
use crate::ty::Ty;
use imminent_ir::FieldType;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    /// Checks an expression that may be a reference.
    pub(super) fn expr(&mut self, e: &'a syn::Expr) -> Expr {
        let span = e.span();
        if let Some(attr) = attributes(e).first() {
            self.over(attr, "attributes on expressions are outside the kernel language: leave it out");
        }
        let message = match e {
            syn::Expr::Paren(inner) => return self.expr(&inner.expr),
            syn::Expr::Group(inner) => return self.expr(&inner.expr),
            syn::Expr::Lit(lit) => return self.literal(&lit.lit, false),
            syn::Expr::Path(path) => return self.path(path),
            syn::Expr::Unary(unary) => return self.unary(unary),
            syn::Expr::Binary(binary) => return self.binary(binary),
            syn::Expr::Assign(assign) => return self.assign(assign),
            syn::Expr::Cast(cast) => return self.cast(cast),
            syn::Expr::Call(call) => return self.call(e, call),
            syn::Expr::MethodCall(call) => return self.method_call(e, call),
            syn::Expr::Field(field) => return self.field(field),
            syn::Expr::Index(index) => return self.index(e, index),
            syn::Expr::Struct(literal) => return self.struct_literal(literal),
            syn::Expr::Array(array) => return self.array(array),
            syn::Expr::Repeat(repeat) => return self.repeat(repeat),
            syn::Expr::Reference(reference) => {
                let inner = self.expr(&reference.expr);
                if let Kind::Bundle(parts) = inner.kind {
                    return self.bundle_reference(inner.ty, parts, reference);
                }
                let (place, ty) = Self::as_place(inner);
                if let (Base::Value(_), true) = (&place.base, reference.mutability.is_some() && ty != Ty::Error) {
                    self.over(reference, "give the value a name first: `let mut x = ..; f(&mut x)`");
                }
                let ty = match ty {
                    Ty::Error => Ty::Error,
                    // `&x` of a reference coerces to the target of `x`.
                    Ty::Ref(inner, mutable) => Ty::Ref(inner, mutable && reference.mutability.is_some()),
                    value => Ty::Ref(Box::new(value), reference.mutability.is_some()),
                };
                if reference.mutability.is_some() {
                    self.require_writable(&place, reference.expr.span());
                }
                return Expr::new(ty, span, Kind::Place(place));
            }
            syn::Expr::If(branch) => return self.if_expr(branch),
            syn::Expr::Match(choice) => return self.match_expr(choice),
            syn::Expr::Block(block) => {
                self.reject_label(block.label.as_ref());
                return self.block(&block.block);
            }
            syn::Expr::Loop(repeat) => return self.loop_expr(repeat),
            syn::Expr::While(repeat) => return self.while_expr(repeat),
            syn::Expr::ForLoop(repeat) => return self.for_expr(repeat),
            syn::Expr::Break(leave) => return self.break_expr(leave),
            syn::Expr::Continue(next) => return self.continue_expr(next),
            syn::Expr::Return(leave) => return self.return_expr(leave),
            syn::Expr::Macro(mac) => return self.macro_call(&mac.mac),
            syn::Expr::Tuple(tuple) if tuple.elems.is_empty() => return Expr::new(Ty::Unit, span, Kind::Unit),
            syn::Expr::Tuple(_) => "tuples are outside the kernel language: define a struct with named fields",
            syn::Expr::Closure(_) => {
                "closures stand in the phases of a group only, as in `group.phase(rows, |lane, row| ..)`: write a function that takes what it needs"
            }
            syn::Expr::Range(_) => {
                "ranges are not values of the kernel language: they stand in `for` and in patterns only"
            }
            syn::Expr::Let(_) => {
                "`if let` and `while let` are outside the kernel language: use `match`, or compare with `==`"
            }
            syn::Expr::Try(_) => {
                "`?` is outside the kernel language: there is no Option or Result; test a `bool` and `return`"
            }
            syn::Expr::Async(_) | syn::Expr::Await(_) => "kernels do not wait: leave `async` and `.await` out",
            syn::Expr::Unsafe(_) => "kernels are safe code: leave `unsafe` out",
            syn::Expr::Const(_) => "write a `const` item in the module",
            syn::Expr::Infer(_) => "`_` is not a value",
            syn::Expr::RawAddr(_) => "raw pointers are outside the kernel language: use `&` or `&mut` in an argument",
            _ => "this expression is outside the kernel language",
        };
        self.over(e, message);
        Expr::error(span)
    }

    /// Checks an expression that must be a value.
    pub(super) fn value(&mut self, e: &'a syn::Expr) -> Expr {
        let checked = self.expr(e);
        if let Kind::Bundle(_) = checked.kind {
            self.over(e, NO_VALUE);
            return Expr::error(checked.span);
        }
        if let Ty::Ref(inner, _) = &checked.ty {
            let message = match &**inner {
                Ty::History(_) | Ty::Clock => {
                    "this is a history or a clock: it can only be passed on, or used through its methods"
                }
                Ty::Rows(_) | Ty::Tally(_) | Ty::Lanes(_) | Ty::Lane(_) => {
                    "this is a table, tally, lane array or lane: it can only be passed on, or used through its methods"
                }
                Ty::Struct(id) if self.program.has_lanes(*id) => {
                    "a row with `Lanes` is not a value: use its fields, or pass it on by reference"
                }
                _ if matches!(e, syn::Expr::Reference(_)) => {
                    "this is a reference where a value is wanted: leave the `&` out"
                }
                _ => "this is a reference where a value is wanted: write `*` before it",
            };
            self.over(e, message);
            return Expr::error(checked.span);
        }
        match &checked.ty {
            Ty::Lanes(_) => {
                self.over(e, "a lane array is not a value: use `get`, `set` and `capacity`, or pass it on as `&me.lanes` or `&mut me.lanes`");
                Expr::error(checked.span)
            }
            Ty::Struct(id) if matches!(checked.kind, Kind::Place(_)) && self.program.has_lanes(*id) => {
                self.over(e, "a row with `Lanes` cannot be copied: use its fields, or pass it on by reference");
                Expr::error(checked.span)
            }
            _ => checked,
        }
    }

    /// Checks a value of a given type.
    pub(super) fn value_of(&mut self, e: &'a syn::Expr, wanted: &Ty) -> Expr {
        let checked = self.value(e);
        if !self.expect(&checked.ty, wanted, e.span()) {
            return Expr::error(checked.span);
        }
        checked
    }

    fn cast(&mut self, cast: &'a syn::ExprCast) -> Expr {
        let to = self.program.resolve(&cast.ty, self.self_key);
        let operand = self.value(&cast.expr);
        let span = cast.as_token.span;
        // rustc knows the source type.
        if let Kind::Outside(tokens) = &operand.kind
            && let Ty::Scalar(_) = &to
            && matches!(self.infer.shallow(&operand.ty), Ty::Var(_) | Ty::Usize)
        {
            self.infer.unify(&operand.ty, &to);
            let ty = &cast.ty;
            return Expr::new(to, span, Kind::Outside(quote::quote!(#tokens as #ty)));
        }
        let known = super::eval::small_constant(self.program, &operand).is_some();
        if to == Ty::Usize && self.result.is_some() && !known && operand.ty != Ty::Error {
            self.over(
                &cast.ty,
                "`usize` differs between devices: write `x as usize` directly inside the index, as in `array[x as usize]`, and use `u32` or `u64` elsewhere",
            );
            return Expr::error(span);
        }
        // As in Rust, a literal takes the type to which it is cast if it can.
        if matches!(operand.kind, Kind::Integer(_)) && matches!(&to, Ty::Scalar(s) if s.is_integer()) {
            self.infer.unify(&operand.ty, &to);
        }
        if matches!(operand.kind, Kind::Float(_)) && matches!(&to, Ty::Scalar(s) if s.is_float()) {
            self.infer.unify(&operand.ty, &to);
        }
        self.need(&operand.ty.clone(), span, Need::CastTo(to.clone()));
        Expr::new(to, span, Kind::Cast(Box::new(operand)))
    }

    fn array(&mut self, array: &'a syn::ExprArray) -> Expr {
        let span = array.bracket_token.span.open();
        let element = self.infer.fresh();
        let mut elements = Vec::new();
        for item in &array.elems {
            elements.push(self.value_of(item, &element));
        }
        if elements.is_empty() {
            self.over(array, "an array has at least one element");
            return Expr::error(span);
        }
        let count = elements.len() as u32;
        Expr::new(Ty::Array(Box::new(element), count), span, Kind::Array(elements))
    }

    fn repeat(&mut self, repeat: &'a syn::ExprRepeat) -> Expr {
        let span = repeat.bracket_token.span.open();
        let element = self.value(&repeat.expr);
        self.program.notes.set(&repeat.len, Note::Constant);
        let Some(count) = self.program.array_length(&repeat.len, self.self_key) else { return Expr::error(span) };
        Expr::new(Ty::Array(Box::new(element.ty.clone()), count), span, Kind::Repeat(Box::new(element)))
    }

    fn struct_literal(&mut self, literal: &'a syn::ExprStruct) -> Expr {
        let span = literal.path.span();
        let key = match literal.path.get_ident() {
            Some(ident) if ident == "Self" => self.self_key,
            Some(ident) => match self.program.named_type(&crate::syntax::plain(ident)) {
                Some(Ok(key)) => Some(key),
                _ => None,
            },
            None => None,
        };
        if let Some(TypeKey::Bundle(id)) = key {
            return self.bundle_literal(id, literal);
        }
        let Some(TypeKey::Struct(id)) = key else {
            self.over(&literal.path, "this is not a struct of this kernel module");
            return Expr::error(span);
        };
        let def = self.program.module.structs[id.index()].clone();
        if self.program.has_lanes(id) {
            self.over(
                &literal.path,
                format!(
                    "`{}` has `Lanes`, so its rows are made by the table, not by kernels: assign the fields instead",
                    def.name
                ),
            );
            return Expr::error(span);
        }
        let mut fields = Vec::new();
        for value in &literal.fields {
            let name = match &value.member {
                syn::Member::Named(ident) => crate::syntax::plain(ident),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            let Some(position) = def.fields.iter().position(|field| field.name == name) else {
                let like = crate::program::Program::suggestion(&name, def.fields.iter().map(|f| f.name.clone()));
                self.over(&value.member, format!("struct `{}` has no field `{name}`{like}", def.name));
                continue;
            };
            let FieldType::Value(ty) = &def.fields[position].ty else { continue };
            fields.push((position as u32, self.value_of(&value.expr, &Ty::from_ir(ty))));
        }
        let base = literal.rest.as_ref().map(|base| Box::new(self.value_of(base, &Ty::Struct(id))));
        if base.is_none()
            && let Some(missing) = (0..def.fields.len()).find(|i| !fields.iter().any(|(p, _)| *p as usize == *i))
        {
            self.over(&literal.path, format!("field `{}` is missing", def.fields[missing].name));
            return Expr::error(span);
        }
        Expr::new(Ty::Struct(id), span, Kind::Struct(id, fields, base))
    }

    fn macro_call(&mut self, mac: &'a syn::Macro) -> Expr {
        self.over(&mac.path, super::advice::macro_value(mac));
        Expr::error(mac.path.span())
    }

    /// Returns a place for an expression that is none.
    pub(super) fn temporary(value: Expr, site: Span) -> Place {
        Place { base: Base::Value(Box::new(value)), path: Vec::new(), site }
    }
}

fn attributes(e: &syn::Expr) -> &[syn::Attribute] {
    match e {
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        _ => &[],
    }
}
