//! Names: locals, parameters, constants, variants.

use super::Checker;
use super::requirement::Need;
use super::scope::Binding;
use crate::hir::{Base, Expr, Kind, Place};
use crate::program::{Member, Program, TypeKey};
use crate::syntax::plain;
use crate::ty::{Ty, scalar_named};
use imminent_ir::{Scalar, Value};
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    /// Checks a path as an expression.
    pub(super) fn path(&mut self, path: &'a syn::ExprPath) -> Expr {
        let span = path.span();
        let names = names_of(&path.path);
        if path.qself.is_none() && crate::outside::leads_outside(&path.path) {
            return self.outside_path(path, &names);
        }
        if path.qself.is_some() || path.path.leading_colon.is_some() {
            self.over(path, "write the name as it stands in the module, or after `Type::`");
            return Expr::error(span);
        }
        if path.path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            self.over(path, "generic arguments are outside the kernel language: leave them out");
            return Expr::error(span);
        }
        match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [name] => self.name(name, path, span),
            [ty, name] => self.member_value(ty, name, path, span),
            [.., ty, "consts", name] if matches!(*ty, "f32" | "f64") => self.float_constant(ty, name, span),
            _ => {
                self.over(path, super::advice::outside_path(&names));
                Expr::error(span)
            }
        }
    }

    /// Checks a constant of the surrounding crate, by its path.
    fn outside_path(&mut self, path: &syn::ExprPath, names: &[String]) -> Expr {
        let span = path.span();
        match names.last() {
            Some(name) if crate::outside::is_constant_name(name) => self.outside(path, span),
            _ => {
                self.over(path, super::advice::outside_path(names));
                Expr::error(span)
            }
        }
    }

    /// Creates a constant whose value rustc finds; its type follows from its use.
    fn outside(&mut self, path: &syn::ExprPath, span: Span) -> Expr {
        let ty = self.infer.fresh();
        let name = path.to_token_stream().to_string().replace(' ', "");
        self.need(&ty, span, Need::Outside(name));
        Expr::new(ty, span, Kind::Outside(path.to_token_stream()))
    }

    fn name(&mut self, name: &str, path: &syn::ExprPath, span: Span) -> Expr {
        if let Some(binding) = self.lookup(name) {
            let (base, ty) = match binding {
                Binding::Param(index) => (Base::Param(index), self.params[index as usize].clone()),
                Binding::Local(index) => (Base::Local(index), self.locals[index as usize].ty.clone()),
                Binding::Bundle(lent) => return self.lent(lent, false, span),
            };
            if let Some(message) = self.not_a_value(name, &ty) {
                self.error(span, message);
                return Expr::error(span);
            }
            return Expr::new(ty, span, Kind::Place(Place { base, path: Vec::new(), site: span }));
        }
        if let Some(captured) = self.capture(name, span) {
            return captured;
        }
        if let Some(index) = self.program.const_names.get(name).copied() {
            return self.constant(index, path, span);
        }
        if self.program.outside.names.contains(name) {
            return self.outside(path, span);
        }
        let message = if self.program.function_names.contains_key(name) {
            format!("functions are not values of the kernel language: call `{name}(..)`")
        } else {
            let known =
                self.scopes.iter().flat_map(|scope| scope.keys()).chain(self.program.const_names.keys()).cloned();
            let like = Program::suggestion(name, known);
            format!(
                "`{name}` is not known in this kernel module{like}; constants of another kernel module need `use path::to::module::{name};`"
            )
        };
        self.error(span, message);
        Expr::error(span)
    }

    pub(super) fn constant(&mut self, index: usize, path: &impl ToTokens, span: Span) -> Expr {
        let Some(known) = self.program.known_const(index) else {
            if matches!(self.program.consts[index], crate::program::ConstEntry::Busy) {
                self.error(span, "this constant depends on itself");
            }
            return Expr::error(span);
        };
        let kind = match (known.id, known.value) {
            (Some(id), _) => Kind::Place(Place { base: Base::Const(id), path: Vec::new(), site: span }),
            (None, Some(value)) => Kind::Value(value),
            (None, None) => Kind::Outside(path.to_token_stream()),
        };
        Expr::new(known.ty, span, kind)
    }

    /// Returns the type that a path's first segment names.
    pub(super) fn type_key(&mut self, name: &str) -> Option<TypeKey> {
        if name == "Self" {
            return self.self_key;
        }
        self.program.named_type(name).and_then(Result::ok)
    }

    fn member_value(&mut self, ty: &str, name: &str, path: &syn::ExprPath, span: Span) -> Expr {
        if let Some(scalar) = scalar_named(ty) {
            return match scalar_constant(scalar, name) {
                Some(value) => Expr::new(Ty::Scalar(scalar), span, Kind::Value(value)),
                None => {
                    self.error(span, format!("`{ty}::{name}` is not a constant of the kernel language: there are MIN and MAX, and for floats EPSILON, MIN_POSITIVE, INFINITY, NEG_INFINITY and NAN"));
                    Expr::error(span)
                }
            };
        }
        if let Some(index) = self.program.associated_consts.get(&(ty.to_owned(), name.to_owned())).copied() {
            return self.constant(index, path, span);
        }
        let Some(key) = self.type_key(ty) else {
            let like = Program::suggestion(ty, self.program.types.keys().cloned());
            self.error(span, format!("`{ty}` is not a type of this kernel module{like}"));
            return Expr::error(span);
        };
        if let TypeKey::Enum(id) = key
            && let Some((_, value)) =
                self.program.module.enums[id.index()].variants.iter().find(|(variant, _)| variant == name)
        {
            return Expr::new(Ty::Enum(id), span, Kind::Value(Value::Enum(*value)));
        }
        match self.program.members.get(&(key, name.to_owned())) {
            Some(Member::Const(index)) => self.constant(*index, path, span),
            Some(Member::Function(_)) => {
                self.error(span, format!("functions are not values of the kernel language: call `{ty}::{name}(..)`"));
                Expr::error(span)
            }
            None => {
                self.error(span, format!("`{ty}` has no constant or variant `{name}`"));
                Expr::error(span)
            }
        }
    }

    fn float_constant(&self, ty: &str, name: &str, span: Span) -> Expr {
        let table: &[(&str, f32, f64)] = &[
            ("PI", std::f32::consts::PI, std::f64::consts::PI),
            ("TAU", std::f32::consts::TAU, std::f64::consts::TAU),
            ("E", std::f32::consts::E, std::f64::consts::E),
            ("LN_2", std::f32::consts::LN_2, std::f64::consts::LN_2),
            ("LN_10", std::f32::consts::LN_10, std::f64::consts::LN_10),
            ("LOG2_E", std::f32::consts::LOG2_E, std::f64::consts::LOG2_E),
            ("LOG10_E", std::f32::consts::LOG10_E, std::f64::consts::LOG10_E),
            ("SQRT_2", std::f32::consts::SQRT_2, std::f64::consts::SQRT_2),
            ("FRAC_1_SQRT_2", std::f32::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
            ("FRAC_PI_2", std::f32::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2),
            ("FRAC_PI_3", std::f32::consts::FRAC_PI_3, std::f64::consts::FRAC_PI_3),
            ("FRAC_PI_4", std::f32::consts::FRAC_PI_4, std::f64::consts::FRAC_PI_4),
            ("FRAC_1_PI", std::f32::consts::FRAC_1_PI, std::f64::consts::FRAC_1_PI),
        ];
        match table.iter().find(|(known, ..)| *known == name) {
            Some((_, single, _)) if ty == "f32" => {
                Expr::new(Ty::Scalar(Scalar::F32), span, Kind::Value(Value::F32(single.to_bits())))
            }
            Some((_, _, double)) => Expr::new(Ty::Scalar(Scalar::F64), span, Kind::Value(Value::F64(double.to_bits()))),
            None => {
                let names = table.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
                self.error(span, format!("`{name}` is not a constant of the kernel language: there are {names}"));
                Expr::error(span)
            }
        }
    }
}

/// Returns the segments of a path as text.
pub(super) fn names_of(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| plain(&segment.ident)).collect()
}

fn scalar_constant(scalar: Scalar, name: &str) -> Option<Value> {
    let float = |single: f32, double: f64| match scalar {
        Scalar::F32 => Some(Value::F32(single.to_bits())),
        Scalar::F64 => Some(Value::F64(double.to_bits())),
        _ => None,
    };
    match (scalar, name) {
        (Scalar::U32, "MAX") => Some(Value::U32(u32::MAX)),
        (Scalar::U32, "MIN") => Some(Value::U32(0)),
        (Scalar::I32, "MAX") => Some(Value::I32(i32::MAX)),
        (Scalar::I32, "MIN") => Some(Value::I32(i32::MIN)),
        (Scalar::U64, "MAX") => Some(Value::U64(u64::MAX)),
        (Scalar::U64, "MIN") => Some(Value::U64(0)),
        (Scalar::I64, "MAX") => Some(Value::I64(i64::MAX)),
        (Scalar::I64, "MIN") => Some(Value::I64(i64::MIN)),
        (_, "MAX") => float(f32::MAX, f64::MAX),
        (_, "MIN") => float(f32::MIN, f64::MIN),
        (_, "EPSILON") => float(f32::EPSILON, f64::EPSILON),
        (_, "MIN_POSITIVE") => float(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        (_, "INFINITY") => float(f32::INFINITY, f64::INFINITY),
        (_, "NEG_INFINITY") => float(f32::NEG_INFINITY, f64::NEG_INFINITY),
        (_, "NAN") => float(f32::NAN, f64::NAN),
        _ => None,
    }
}
