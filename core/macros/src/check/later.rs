//! Requirements on types that can be judged only when everything is inferred.

use super::Checker;
use super::infer::Class;
use super::requirement::{Later, Need};
use crate::ty::Ty;
use imminent_ir::Scalar;
use proc_macro2::Span;

/// Suggests a type for a constant of the surrounding crate whose type is unknown.
fn untyped_message(name: &str) -> String {
    let last = name.rsplit("::").next().unwrap_or(name);
    let path = if last == name { format!("super::{name}") } else { name.to_owned() };
    format!(
        "the macro cannot see the type of `{name}`, and nothing here says it: declare it in this module with its type, as in `const {last}: u32 = {path};`"
    )
}

impl Checker<'_, '_> {
    pub(super) fn need(&mut self, ty: &Ty, span: Span, need: Need) {
        self.later.push(Later { ty: ty.clone(), span, need });
    }

    /// Settles every open type, then judges the requirements.
    pub(super) fn finish(&mut self) {
        let untyped: Vec<(Ty, Span, String)> = self
            .later
            .iter()
            .filter_map(|later| match &later.need {
                Need::Outside(name) => Some((later.ty.clone(), later.span, name.clone())),
                _ => None,
            })
            .collect();
        for (ty, span, name) in untyped {
            if let Ty::Var(_) = self.infer.shallow(&ty) {
                self.error(span, untyped_message(&name));
                self.infer.poison(&ty);
            }
        }
        self.infer.default_integers();
        for later in std::mem::take(&mut self.later) {
            let ty = self.infer.deep(&later.ty);
            if matches!(ty, Ty::Error | Ty::Never) {
                continue;
            }
            if let Some(message) = self.judge(&ty, &later.need) {
                self.error(later.span, message);
            }
        }
    }

    fn judge(&self, ty: &Ty, need: &Need) -> Option<String> {
        let class = self.infer.class(ty);
        let scalar = match class {
            Class::Exactly(scalar) => Some(scalar),
            _ => None,
        };
        let shown = self.show(ty);
        let is_usize = *ty == Ty::Usize;
        let integer = scalar.is_some_and(Scalar::is_integer) || is_usize;
        let float = scalar.is_some_and(Scalar::is_float);
        let hint = if matches!(ty, Ty::Ref(..)) { " (write `*` before a reference)" } else { "" };
        let wrong = |ok: bool, message: String| if ok { None } else { Some(message) };
        match need {
            // The float literal itself is reported.
            _ if class == Class::SomeFloat && !matches!(need, Need::FloatLiteral) => None,
            Need::Number(op) => wrong(integer || float, format!("`{op}` wants numbers, this is `{shown}`{hint}")),
            Need::Integer(what) => wrong(integer, format!("{what} wants an integer, this is `{shown}`{hint}")),
            Need::Float(what) => wrong(float, format!("{what} wants a float, this is `{shown}`{hint}")),
            Need::Signed(what) => wrong(
                float || scalar.is_some_and(Scalar::is_signed),
                format!("{what} wants a signed integer or a float, this is `{shown}`{hint}"),
            ),
            Need::SignedInteger(what) => wrong(
                scalar.is_some_and(Scalar::is_signed),
                format!("{what} wants `i32` or `i64`, this is `{shown}`{hint}"),
            ),
            Need::Unsigned(what) => wrong(
                integer && !scalar.is_some_and(Scalar::is_signed),
                format!("{what} wants `u32` or `u64`, this is `{shown}`{hint}"),
            ),
            Need::Bits(op) => wrong(
                integer || scalar == Some(Scalar::Bool),
                format!("`{op}` wants integers or `bool`, this is `{shown}`{hint}"),
            ),
            Need::Equality => wrong(
                scalar.is_some() || is_usize || matches!(ty, Ty::Enum(_)),
                format!(
                    "only scalars and enums can be compared, this is `{shown}`{hint}: compare the fields or elements"
                ),
            ),
            Need::Order => wrong(integer || float, format!("only numbers have an order, this is `{shown}`{hint}")),
            Need::CastTo(to) => self.judge_cast(ty, to),
            Need::Fits(value, negative) => {
                let limit: u128 = match (ty, scalar) {
                    (Ty::Usize, _) => u128::from(u64::MAX),
                    (_, Some(Scalar::U32)) => u128::from(u32::MAX),
                    (_, Some(Scalar::U64)) => u128::from(u64::MAX),
                    (_, Some(Scalar::I32)) => i32::MAX as u128 + u128::from(*negative),
                    (_, Some(Scalar::I64)) => i64::MAX as u128 + u128::from(*negative),
                    _ => return None,
                };
                wrong(*value <= limit, format!("the literal does not fit `{shown}`"))
            }
            Need::FloatLiteral => wrong(
                class != Class::SomeFloat,
                "is this an `f32` or an `f64`? Add a suffix, as in `1.0f32`, or a type annotation".to_owned(),
            ),
            Need::Outside(name) => match ty {
                // Constants and lengths are judged where they are evaluated.
                Ty::Usize if self.result.is_some() => {
                    Some(format!("`usize` differs between devices: write `{name} as u32`"))
                }
                _ => None,
            },
            Need::Local(name) => match ty {
                Ty::Usize => Some(format!(
                    "`{name}` would be a `usize`, which differs between devices: make it a `u32`, and write `{name} as usize` inside the index only"
                )),
                Ty::Var(_) if class == Class::Unknown => {
                    Some(format!("the type of `{name}` is not known: annotate it"))
                }
                _ => None,
            },
        }
    }

    fn judge_cast(&self, from: &Ty, to: &Ty) -> Option<String> {
        let (shown_from, shown_to) = (self.show(from), self.show(to));
        let to = match to {
            Ty::Scalar(scalar) => *scalar,
            Ty::Usize => {
                return if *from == Ty::Usize || self.is_integer(from) {
                    None
                } else {
                    Some(format!("`{shown_from}` cannot be an index"))
                };
            }
            Ty::Error => return None,
            _ => return Some(format!("`as` converts between scalars, not to `{shown_to}`")),
        };
        let fine = match from {
            Ty::Usize => to != Scalar::Bool,
            Ty::Enum(_) => to.is_integer(),
            Ty::Scalar(Scalar::Bool) => !to.is_float(),
            Ty::Scalar(_) => to != Scalar::Bool,
            _ => false,
        };
        if fine {
            return None;
        }
        Some(match (from, to) {
            (Ty::Scalar(_) | Ty::Enum(_), Scalar::Bool) => "a number is no `bool`: write `x != 0`".to_owned(),
            (Ty::Scalar(Scalar::Bool), _) => {
                format!("`bool` converts to integers only: write `if c {{ 1.0 }} else {{ 0.0 }}` for `{shown_to}`")
            }
            (Ty::Ref(..), _) => format!("`{shown_from}` is a reference: write `*` before it"),
            _ => format!("`as` converts between scalars, not from `{shown_from}` to `{shown_to}`"),
        })
    }

    fn is_integer(&self, ty: &Ty) -> bool {
        matches!(self.infer.class(ty), Class::Exactly(scalar) if scalar.is_integer())
    }
}
