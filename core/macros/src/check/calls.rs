//! Calls of functions and methods of kernel modules, and of the few built-in functions of the language.

use super::Checker;
use super::paths::names_of;
use super::requirement::Need;
use crate::hir::{Arg, Base, Expr, Kind, Place};
use crate::notes::Note;
use crate::program::{Member, Program, SigParam};
use crate::ty::{Ty, scalar_named};
use imminent_ir::{Builtin, FunctionId, Scalar, StructRole};
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Comma;

impl<'a> Checker<'_, 'a> {
    pub(super) fn call(&mut self, e: &'a syn::Expr, call: &'a syn::ExprCall) -> Expr {
        let span = call.func.span();
        let syn::Expr::Path(path) = &*call.func else {
            self.over(
                &call.func,
                "only functions can be called: closures and function values are outside the kernel language",
            );
            return Expr::error(span);
        };
        if path.qself.is_some() || path.path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            self.over(path, "generic arguments are outside the kernel language: leave them out");
            return Expr::error(span);
        }
        let names = names_of(&path.path);
        if let [name] = names.as_slice()
            && matches!(self.lookup(name), Some(super::scope::Binding::Local(local)) if self.locals[local as usize].ty == Ty::Error)
        {
            return Expr::error(span);
        }
        if crate::outside::leads_outside(&path.path) {
            self.over(&call.func, super::advice::outside_path(&names));
            return Expr::error(span);
        }
        match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [crate::assertions::NAME] => self.assertion(e, call, span),
            ["mul_high"] if !self.program.function_names.contains_key("mul_high") => self.mul_high(call, span),
            [name] => match self.program.function_names.get(*name).copied() {
                Some(id) => self.call_with(e, id, (Vec::new(), Note::Call), &call.args, span),
                None if super::advice::library_type(name).is_some() => {
                    self.over(&call.func, super::advice::library_type(name).unwrap_or_default());
                    Expr::error(span)
                }
                None => {
                    let like = Program::suggestion(name, self.program.function_names.keys().cloned());
                    self.over(
                        &call.func,
                        format!("`{name}` is not a function of this kernel module{like}; functions of another kernel module need `use path::to::module::{name};`"),
                    );
                    Expr::error(span)
                }
            },
            [ty, name] => self.call_member(e, call, ty, name, span),
            _ => {
                self.over(&call.func, super::advice::outside_path(&names));
                Expr::error(span)
            }
        }
    }

    fn assertion(&mut self, e: &'a syn::Expr, call: &'a syn::ExprCall, span: Span) -> Expr {
        self.program.notes.set(e, Note::Assertion);
        match call.args.first() {
            Some(condition) => {
                let condition = self.value_of(condition, &Ty::BOOL);
                Expr::new(Ty::Unit, span, Kind::Assert(Box::new(condition)))
            }
            None => Expr::error(span),
        }
    }

    fn mul_high(&mut self, call: &'a syn::ExprCall, span: Span) -> Expr {
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.value(arg));
        }
        let [a, b] = args.as_slice() else {
            self.over(call, "write `mul_high(a, b)`");
            return Expr::error(span);
        };
        self.expect(&b.ty.clone(), &a.ty.clone(), b.span);
        let ty = a.ty.clone();
        self.need(&ty, span, Need::Unsigned("`mul_high`"));
        Expr::new(ty, span, Kind::Builtin(Builtin::MulHigh, args))
    }

    fn call_member(&mut self, e: &'a syn::Expr, call: &'a syn::ExprCall, ty: &str, name: &str, span: Span) -> Expr {
        if let Some(scalar) = scalar_named(ty) {
            return self.call_scalar(call, scalar, name, span);
        }
        let Some(key) = self.type_key(ty) else {
            if let Some(advice) = super::advice::library_type(ty) {
                self.over(&call.func, advice);
                return Expr::error(span);
            }
            let like = Program::suggestion(ty, self.program.types.keys().cloned());
            self.over(&call.func, format!("`{ty}` is not a type of this kernel module{like}"));
            return Expr::error(span);
        };
        match self.program.members.get(&(key, name.to_owned())).copied() {
            Some(Member::Function(id)) => self.call_with(e, id, (Vec::new(), Note::Call), &call.args, span),
            None if name == "default" => {
                self.over(
                    &call.func,
                    format!("there are no traits in the kernel language: write the value, as in `{ty} {{ .. }}`, or a function in an `impl {ty}` block of its module"),
                );
                Expr::error(span)
            }
            _ => {
                self.over(&call.func, format!("`{ty}` has no function `{name}` in a kernel module: write it in an `impl {ty}` block of its module"));
                Expr::error(span)
            }
        }
    }

    fn call_scalar(&mut self, call: &'a syn::ExprCall, scalar: Scalar, name: &str, span: Span) -> Expr {
        if name == "default" {
            self.over(
                call,
                format!("there are no traits in the kernel language: write `0` with its type, as in `0{scalar}`"),
            );
            return Expr::error(span);
        }
        let Some(arg) = call.args.first().filter(|_| call.args.len() == 1) else {
            self.over(call, format!("write it as a method: `a.{name}(..)`"));
            return Expr::error(span);
        };
        let operand = self.value(arg);
        let ty = Ty::Scalar(scalar);
        match (name, scalar) {
            ("from_bits", Scalar::F32 | Scalar::F64) => {
                let bits = Ty::Scalar(if scalar == Scalar::F32 { Scalar::U32 } else { Scalar::U64 });
                self.expect(&operand.ty.clone(), &bits, arg.span());
                Expr::new(ty, span, Kind::Builtin(Builtin::FromBits, vec![operand]))
            }
            ("from", _) => {
                let from = match self.infer.class(&operand.ty) {
                    super::infer::Class::Exactly(from) => from,
                    _ => {
                        self.over(
                            arg,
                            format!("the type of this is not known: write a literal with its suffix, or `as {scalar}`"),
                        );
                        return Expr::error(span);
                    }
                };
                let lossless = from == scalar
                    || match scalar {
                        Scalar::U64 => matches!(from, Scalar::U32 | Scalar::Bool),
                        Scalar::I64 => matches!(from, Scalar::U32 | Scalar::I32 | Scalar::Bool),
                        Scalar::U32 | Scalar::I32 => from == Scalar::Bool,
                        Scalar::F64 => matches!(from, Scalar::U32 | Scalar::I32 | Scalar::F32),
                        Scalar::F32 | Scalar::Bool => false,
                    };
                if !lossless {
                    self.over(call, format!("`{scalar}::from` of `{from}` could lose something: write `as {scalar}`"));
                    return Expr::error(span);
                }
                Expr::new(ty, span, Kind::Cast(Box::new(operand)))
            }
            _ => {
                self.over(
                    call,
                    format!(
                        "`{scalar}::{name}` is outside the kernel language; operations are methods, as in `a.min(b)`"
                    ),
                );
                Expr::error(span)
            }
        }
    }

    /// Returns the argument for the receiver of a method, with the note for the call.
    pub(super) fn receiver(&mut self, id: FunctionId, place: Place, ty: &Ty, at: Span) -> Option<(Arg, Note)> {
        let wanted = self.program.signatures[id.index()].params.first()?.ty.clone();
        Some(match &wanted {
            Ty::Ref(inner, mutable) => {
                if *mutable {
                    self.require_writable(&place, at);
                }
                let note = if *mutable { Note::MutReceiver } else { Note::Call };
                (self.place_arg(place, inner, *mutable, at), note)
            }
            value => {
                self.require_copy(ty, at);
                (Arg::Value(loaded(place, value.clone(), at)), Note::Call)
            }
        })
    }

    /// Checks a call of a function of a kernel module. The arguments for the receiver of a method are checked already.
    pub(super) fn call_with(
        &mut self,
        e: &'a syn::Expr,
        id: FunctionId,
        (receiver, note): (Vec<Arg>, Note),
        args: &'a Punctuated<syn::Expr, Comma>,
        span: Span,
    ) -> Expr {
        self.program.notes.set(e, note);
        if let Some(caller) = self.function {
            self.program.calls.push((caller, id, span));
        } else {
            self.error(span, "functions run on devices, not in the compiler: a constant cannot call one");
            return Expr::error(span);
        }
        let signature = self.program.signatures[id.index()].clone();
        let params = &signature.params[usize::from(!receiver.is_empty())..];
        let mut checked = Vec::new();
        for arg in receiver {
            self.pass(id, &mut checked, arg, span);
        }
        if params.len() != args.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            self.error(
                span,
                format!("`{}` takes {} argument{plural}, {} given", signature.name, params.len(), args.len()),
            );
            return Expr::error(span);
        }
        for (param, arg) in params.iter().zip(args) {
            let lowered = match param.ty.lent_bundle() {
                Some(bundle) => self.bundle_argument(param, bundle, arg),
                None => self.argument(param, arg).map(|arg| vec![arg]),
            };
            let Some(lowered) = lowered else { return Expr::error(span) };
            for one in lowered {
                self.pass(id, &mut checked, one, arg.span());
            }
        }
        Expr::new(signature.result, span, Kind::Call(id, checked))
    }

    /// Adds an argument of a call, and records a resource that it passes on.
    fn pass(&mut self, callee: FunctionId, args: &mut Vec<Arg>, arg: Arg, span: Span) {
        if let (Arg::Resource(Place { base: Base::Param(own), .. }, _), Some(caller)) = (&arg, self.function) {
            let passed = crate::program::TallyUse::Passed(callee, args.len() as u32, span);
            self.program.tally_uses.entry((caller, *own)).or_default().push(passed);
        }
        args.push(arg);
    }

    fn require_copy(&mut self, ty: &Ty, span: Span) {
        if let Ty::Struct(id) = ty.behind_reference()
            && self.program.has_lanes(*id)
        {
            self.error(span, "a row with `Lanes` cannot be copied: take `&self` or `&mut self`");
        }
    }

    fn argument(&mut self, param: &SigParam, arg: &'a syn::Expr) -> Option<Arg> {
        match &param.ty {
            Ty::Error => None,
            Ty::Ref(inner, mutable) => {
                let checked = self.expr(arg);
                let Ty::Ref(found, given) = &checked.ty else {
                    if checked.ty != Ty::Error {
                        let m = if *mutable { "mut " } else { "" };
                        let shown = self.show(&param.ty);
                        self.over(arg, format!("parameter `{}` is `{shown}`: write `&{m}` before it", param.name));
                    }
                    return None;
                };
                if *mutable && !given {
                    let shown = self.show(&param.ty);
                    self.over(arg, format!("parameter `{}` is `{shown}`, this can only be read", param.name));
                    return None;
                }
                if !self.expect(found, inner, arg.span()) {
                    return None;
                }
                let place = match checked.kind {
                    Kind::Place(place) => place,
                    _ => return None,
                };
                Some(self.place_arg(place, inner, *mutable, arg.span()))
            }
            value => {
                let checked = self.value_of(arg, value);
                (checked.ty != Ty::Error).then_some(Arg::Value(checked))
            }
        }
    }

    /// Returns the argument for a place given for a reference parameter.
    pub(super) fn place_arg(&mut self, place: Place, inner: &Ty, mutable: bool, span: Span) -> Arg {
        match inner {
            Ty::Rows(_) | Ty::Tally(_) | Ty::Lanes(_) | Ty::Lane(_) | Ty::History(_) | Ty::Clock => {
                Arg::Resource(place, mutable)
            }
            Ty::Struct(id) if self.program.role(*id) == StructRole::Params => {
                if !matches!(place.base, Base::Param(_)) || !place.path.is_empty() {
                    self.error(span, "a parameter block is passed on as a whole, from a parameter `&T`");
                }
                Arg::Resource(place, false)
            }
            Ty::Struct(id) if self.program.role(*id) == StructRole::Row => {
                if self.is_row(&place) {
                    Arg::Resource(place, mutable)
                } else if self.program.has_lanes(*id) {
                    self.error(span, "a row with `Lanes` is passed on as the whole row of a table");
                    Arg::Resource(place, mutable)
                } else {
                    Arg::InOut(place, mutable)
                }
            }
            _ if mutable => Arg::InOut(place, true),
            value => Arg::Value(loaded(place, value.clone(), span)),
        }
    }
}

/// Returns the value of a place. A temporary stays the original expression, with its own position.
fn loaded(place: Place, ty: Ty, span: Span) -> Expr {
    match place {
        Place { base: Base::Value(value), path, .. } if path.is_empty() => *value,
        place => Expr::new(ty, span, Kind::Place(place)),
    }
}
