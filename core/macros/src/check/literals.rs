//! Literals.

use super::Checker;
use super::requirement::Need;
use crate::hir::{Expr, Kind};
use crate::ty::{Ty, scalar_named};
use imminent_ir::{Scalar, Value};
use syn::Lit;

impl Checker<'_, '_> {
    /// Checks a literal; `negative` is `true` after a minus sign.
    pub(super) fn literal(&mut self, lit: &Lit, negative: bool) -> Expr {
        let span = lit.span();
        match lit {
            Lit::Bool(lit) => Expr::new(Ty::BOOL, span, Kind::Value(Value::Bool(lit.value))),
            Lit::Int(lit) => self.integer(lit, negative),
            Lit::Float(lit) => self.float(lit.base10_digits(), lit.suffix(), span),
            Lit::Byte(_) => self
                .not_a_literal(span, "byte literals are outside the kernel language: write the number, as in `0x41`"),
            Lit::Char(_) => {
                self.not_a_literal(span, "characters are outside the kernel language: write the number, as in `0x41`")
            }
            _ => self.not_a_literal(span, "strings are outside the kernel language: use numbers or a field-less enum"),
        }
    }

    fn not_a_literal(&self, span: proc_macro2::Span, message: &str) -> Expr {
        self.error(span, message);
        Expr::error(span)
    }

    fn integer(&mut self, lit: &syn::LitInt, negative: bool) -> Expr {
        let span = lit.span();
        let digits = lit.base10_digits();
        // In patterns the sign is part of the literal.
        let (digits, signed) = match digits.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (digits, false),
        };
        let ty = match lit.suffix() {
            "" => self.infer.fresh_integer(),
            "usize" => Ty::Usize,
            suffix => match scalar_named(suffix) {
                Some(scalar) if scalar.is_float() => return self.float(digits, suffix, span),
                Some(scalar) if scalar != Scalar::Bool => Ty::Scalar(scalar),
                _ => {
                    self.error(
                        span,
                        format!("`{suffix}` is not a type of the kernel language: use u32, i32, u64, i64, f32 or f64"),
                    );
                    return Expr::error(span);
                }
            },
        };
        let Ok(value) = digits.parse::<u128>() else {
            self.error(span, "the literal is too large");
            return Expr::error(span);
        };
        self.need(&ty, span, Need::Fits(value, negative || signed));
        let literal = Expr::new(ty.clone(), span, Kind::Integer(value));
        if signed { Expr::new(ty, span, Kind::Unary(imminent_ir::UnaryOp::Neg, Box::new(literal))) } else { literal }
    }

    fn float(&mut self, digits: &str, suffix: &str, span: proc_macro2::Span) -> Expr {
        let ty = match suffix {
            "" => {
                let ty = self.infer.fresh_float();
                self.need(&ty, span, Need::FloatLiteral);
                ty
            }
            "f32" => Ty::Scalar(Scalar::F32),
            "f64" => Ty::Scalar(Scalar::F64),
            _ => {
                self.error(span, format!("`{suffix}` is not a float type of the kernel language: use f32 or f64"));
                return Expr::error(span);
            }
        };
        Expr::new(ty, span, Kind::Float(digits.to_owned()))
    }
}
