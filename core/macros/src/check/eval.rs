//! Evaluates constant expressions, as rustc does: an overflow is an error.

use super::infer::Infer;
use crate::hir::{Base, Block, Expr, Kind, Place, Step, Stmt};
use crate::program::Program;
use crate::ty::Ty;
use imminent_ir::{BinaryOp, Builtin, Scalar, UnaryOp, Value};
use proc_macro2::Span;

/// Finds the first constant in an expression whose value the macro cannot know, and its position.
pub(super) fn outside_name(program: &Program<'_>, e: &Expr) -> Option<(String, Span)> {
    match &e.kind {
        Kind::Outside(tokens) => Some((tokens.to_string().replace(" :: ", "::"), e.span)),
        Kind::Place(Place { base: Base::Const(id), site, .. }) if program.outside.has(*id) => {
            Some((program.module.consts[id.index()].name.clone(), *site))
        }
        Kind::Place(Place { base: Base::Value(inner), .. })
        | Kind::Unary(_, inner)
        | Kind::Cast(inner)
        | Kind::Repeat(inner) => outside_name(program, inner),
        Kind::Binary(_, a, b) => outside_name(program, a).or_else(|| outside_name(program, b)),
        Kind::Builtin(_, args) | Kind::Array(args) => args.iter().find_map(|arg| outside_name(program, arg)),
        _ => None,
    }
}

/// Placeholder for the message of an error that was already reported.
pub(super) const REPORTED: &str = "";

type Outcome = Result<Value, (Span, String)>;

/// Returns the value of a checked constant expression.
pub(crate) fn evaluate(program: &Program<'_>, infer: &Infer, e: &Expr) -> Outcome {
    Evaluator { program, infer }.eval(e)
}

/// Returns the value of an index made of literals and constants, if it and everything in it is small: then no type can
/// change it.
pub(crate) fn small_constant(program: &Program<'_>, e: &Expr) -> Option<u32> {
    let small = |value: i128| u32::try_from(value).ok().filter(|v| *v <= i32::MAX as u32);
    match &e.kind {
        Kind::Integer(value) => small(i128::try_from(*value).ok()?),
        Kind::Value(value) => small(number(value)?),
        Kind::Place(Place { base: Base::Const(id), path, .. }) if path.is_empty() && !program.outside.has(*id) => {
            small(number(&program.module.consts[id.index()].value)?)
        }
        Kind::Cast(inner)
            if matches!(e.ty, Ty::Usize | Ty::Scalar(Scalar::U32 | Scalar::U64 | Scalar::I32 | Scalar::I64)) =>
        {
            small_constant(program, inner)
        }
        Kind::Binary(op, a, b) => {
            let (a, b) = (i128::from(small_constant(program, a)?), i128::from(small_constant(program, b)?));
            small(match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a.checked_div(b)?,
                BinaryOp::Rem => a.checked_rem(b)?,
                _ => return None,
            })
        }
        _ => None,
    }
}

/// Returns an integer value as a number; enums cannot be indices.
pub(super) fn number(value: &Value) -> Option<i128> {
    match value {
        Value::U32(v) => Some(i128::from(*v)),
        Value::I32(v) => Some(i128::from(*v)),
        Value::U64(v) => Some(i128::from(*v)),
        Value::I64(v) => Some(i128::from(*v)),
        _ => None,
    }
}

/// Converts an integer to a value of a type; `None` if it does not fit.
fn integer(ty: &Ty, n: i128) -> Option<Value> {
    match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => u64::try_from(n).ok().map(Value::U64),
        Ty::Scalar(Scalar::U32) => u32::try_from(n).ok().map(Value::U32),
        Ty::Scalar(Scalar::I32) => i32::try_from(n).ok().map(Value::I32),
        Ty::Scalar(Scalar::I64) => i64::try_from(n).ok().map(Value::I64),
        _ => None,
    }
}

/// Wraps an integer to a type, as `as` does.
fn wrapped(ty: &Ty, n: i128) -> Option<Value> {
    Some(match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => Value::U64(n as u64),
        Ty::Scalar(Scalar::U32) => Value::U32(n as u32),
        Ty::Scalar(Scalar::I32) => Value::I32(n as i32),
        Ty::Scalar(Scalar::I64) => Value::I64(n as i64),
        _ => return None,
    })
}

/// Converts a float literal to a value of a type; `None` if it cannot be read.
pub(crate) fn float(scalar: Scalar, digits: &str) -> Option<Value> {
    match scalar {
        Scalar::F32 => digits.parse::<f32>().ok().map(|v| Value::F32(v.to_bits())),
        Scalar::F64 => digits.parse::<f64>().ok().map(|v| Value::F64(v.to_bits())),
        _ => None,
    }
}

/// Returns the zero of a type of the IR.
pub(crate) fn zero(module: &imminent_ir::Module, ty: &imminent_ir::Type) -> Value {
    match ty {
        imminent_ir::Type::Scalar(scalar) => match scalar {
            Scalar::Bool => Value::Bool(false),
            Scalar::U32 => Value::U32(0),
            Scalar::I32 => Value::I32(0),
            Scalar::U64 => Value::U64(0),
            Scalar::I64 => Value::I64(0),
            Scalar::F32 => Value::F32(0),
            Scalar::F64 => Value::F64(0),
        },
        imminent_ir::Type::Enum(_) => Value::Enum(0),
        imminent_ir::Type::Unit => Value::Struct(Vec::new()),
        imminent_ir::Type::Array(element, count) => Value::Array(vec![zero(module, element); *count as usize]),
        imminent_ir::Type::Struct(id) => Value::Struct(
            module.structs[id.index()]
                .fields
                .iter()
                .filter_map(|field| match &field.ty {
                    imminent_ir::FieldType::Value(ty) => Some(zero(module, ty)),
                    imminent_ir::FieldType::Lanes(_) => None,
                })
                .collect(),
        ),
    }
}

pub(super) struct Evaluator<'e, 'a> {
    pub(super) program: &'e Program<'a>,
    pub(super) infer: &'e Infer,
}

impl Evaluator<'_, '_> {
    fn fail<T>(&self, e: &Expr, message: &str) -> Result<T, (Span, String)> {
        Err((e.span, message.to_owned()))
    }

    fn eval(&self, e: &Expr) -> Outcome {
        let ty = self.infer.deep(&e.ty);
        let overflow = "this constant overflows its type";
        if ty == Ty::Error {
            return self.fail(e, REPORTED);
        }
        match &e.kind {
            Kind::Integer(n) => match i128::try_from(*n).ok().and_then(|n| integer(&ty, n)) {
                Some(value) => Ok(value),
                None => self.fail(e, overflow),
            },
            Kind::Float(digits) => match &ty {
                Ty::Scalar(scalar) => {
                    float(*scalar, digits).map_or_else(|| self.fail(e, "this float cannot be read"), Ok)
                }
                _ => self.fail(e, "this float has no type"),
            },
            Kind::Value(value) => Ok(value.clone()),
            Kind::Place(place) => self.place(e, place),
            Kind::Unary(op, operand) => {
                if let (UnaryOp::Neg, Kind::Integer(n)) = (op, &operand.kind)
                    && let Some(value) = i128::try_from(*n).ok().and_then(|n| integer(&ty, -n))
                {
                    return Ok(value);
                }
                let operand = self.eval(operand)?;
                unary(*op, &ty, &operand).map_or_else(|| self.fail(e, overflow), Ok)
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                binary(*op, &ty, &a, &b)
                    .map_or_else(|| self.fail(e, "this constant overflows its type, or divides by zero"), Ok)
            }
            Kind::Wrapping(inner) => match &inner.kind {
                Kind::Binary(op, a, b) => {
                    let (a, b) = (self.eval(a)?, self.eval(b)?);
                    wrapping(*op, &ty, &a, &b)
                        .map_or_else(|| self.fail(e, "this cannot be computed in a constant: write its value"), Ok)
                }
                _ => self.eval(inner),
            },
            Kind::Cast(operand) => {
                let value = self.eval(operand)?;
                cast(&ty, &value).map_or_else(|| self.fail(e, "this cannot be computed in a constant"), Ok)
            }
            Kind::Builtin(op, args) => {
                let args = args.iter().map(|arg| self.eval(arg)).collect::<Result<Vec<_>, _>>()?;
                builtin(*op, &ty, &args).map_or_else(
                    || self.fail(e, "this operation is not available in constants of a kernel module: write its value"),
                    Ok,
                )
            }
            Kind::Struct(id, fields, base) => {
                let count = self.program.module.structs[id.index()].fields.len();
                let mut values = match base {
                    Some(base) => match self.eval(base)? {
                        Value::Struct(values) => values,
                        _ => return self.fail(e, "this is not a struct"),
                    },
                    None => vec![Value::Bool(false); count],
                };
                for (position, field) in fields {
                    values[*position as usize] = self.eval(field)?;
                }
                Ok(Value::Struct(values))
            }
            Kind::Array(elements) => Ok(Value::Array(elements.iter().map(|x| self.eval(x)).collect::<Result<_, _>>()?)),
            Kind::Repeat(element) => match &ty {
                Ty::Array(_, count) => Ok(Value::Array(vec![self.eval(element)?; *count as usize])),
                _ => self.fail(e, "this is not an array"),
            },
            Kind::If(condition, then, Some(otherwise)) => match self.eval(condition)? {
                Value::Bool(true) => self.eval(then),
                _ => self.eval(otherwise),
            },
            Kind::Block(Block { stmts, tail: Some(tail) })
                if !stmts.iter().any(|s| matches!(s, Stmt::Let(..))) && stmts.is_empty() =>
            {
                self.eval(tail)
            }
            _ => self.fail(e, "a constant is made of literals, other constants, operators, struct and array literals"),
        }
    }

    pub(super) fn place(&self, e: &Expr, place: &Place) -> Outcome {
        let mut value = match &place.base {
            Base::Const(id) => self.program.module.consts[id.index()].value.clone(),
            Base::Value(value) => self.eval(value)?,
            _ => return self.fail(e, "a constant is made of literals and other constants"),
        };
        for step in &place.path {
            let index = match step {
                Step::Field(index) | Step::Known(index) => *index as usize,
                Step::Index(index) => match number(&self.eval(index)?).and_then(|n| usize::try_from(n).ok()) {
                    Some(index) => index,
                    None => return self.fail(e, "this index is out of range"),
                },
            };
            value = match value {
                Value::Struct(values) | Value::Array(values) => match values.into_iter().nth(index) {
                    Some(value) => value,
                    None => return self.fail(e, "this index is out of range"),
                },
                _ => return self.fail(e, "this has no parts"),
            };
        }
        Ok(value)
    }
}

pub(super) fn unary(op: UnaryOp, ty: &Ty, operand: &Value) -> Option<Value> {
    match (op, operand) {
        (UnaryOp::Neg, Value::F32(bits)) => Some(Value::F32(bits ^ (1 << 31))),
        (UnaryOp::Neg, Value::F64(bits)) => Some(Value::F64(bits ^ (1 << 63))),
        (UnaryOp::Neg, value) => integer(ty, number(value)?.checked_neg()?),
        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
        (UnaryOp::Not, value) => wrapped(ty, !number(value)?),
    }
}

pub(super) fn binary(op: BinaryOp, ty: &Ty, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(match op {
            BinaryOp::And | BinaryOp::BitAnd => a & b,
            BinaryOp::Or | BinaryOp::BitOr => a | b,
            BinaryOp::BitXor | BinaryOp::Ne => a ^ b,
            BinaryOp::Eq => a == b,
            _ => return None,
        })),
        (Value::Enum(a), Value::Enum(b)) => compare(op, a.partial_cmp(b)),
        (Value::F32(a), Value::F32(b)) => {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(*b));
            if op.is_comparison() {
                return compare(op, a.partial_cmp(&b));
            }
            let value = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                _ => return None,
            };
            Some(Value::F32(value.to_bits()))
        }
        (Value::F64(a), Value::F64(b)) => {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            if op.is_comparison() {
                return compare(op, a.partial_cmp(&b));
            }
            let value = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                _ => return None,
            };
            Some(Value::F64(value.to_bits()))
        }
        _ => {
            let (a, b) = (number(a)?, number(b)?);
            if op.is_comparison() {
                return compare(op, a.partial_cmp(&b));
            }
            let bits = match ty {
                Ty::Scalar(scalar) => i128::from(scalar.bits()),
                _ => 64,
            };
            match op {
                BinaryOp::Add => integer(ty, a.checked_add(b)?),
                BinaryOp::Sub => integer(ty, a.checked_sub(b)?),
                BinaryOp::Mul => integer(ty, a.checked_mul(b)?),
                BinaryOp::Div => integer(ty, a.checked_div(b)?),
                BinaryOp::Rem => integer(ty, a.checked_rem(b)?),
                BinaryOp::BitAnd => wrapped(ty, a & b),
                BinaryOp::BitOr => wrapped(ty, a | b),
                BinaryOp::BitXor => wrapped(ty, a ^ b),
                BinaryOp::Shl if (0..bits).contains(&b) => wrapped(ty, a << b),
                BinaryOp::Shr if (0..bits).contains(&b) => wrapped(ty, a >> b),
                _ => None,
            }
        }
    }
}

/// Computes the operation of a wrapping method on integers.
pub(super) fn wrapping(op: BinaryOp, ty: &Ty, a: &Value, b: &Value) -> Option<Value> {
    let (a, b) = (number(a)?, number(b)?);
    let bits = match ty {
        Ty::Scalar(scalar) => i128::from(scalar.bits()),
        _ => 64,
    };
    // The low 64 bits of a product are right, whatever the higher ones.
    wrapped(
        ty,
        match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Shl => a << (b & (bits - 1)),
            BinaryOp::Shr => a >> (b & (bits - 1)),
            _ => return None,
        },
    )
}

fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<Value> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Some(Value::Bool(match op {
        BinaryOp::Eq => order == Some(Equal),
        BinaryOp::Ne => order != Some(Equal),
        BinaryOp::Lt => order == Some(Less),
        BinaryOp::Le => matches!(order, Some(Less | Equal)),
        BinaryOp::Gt => order == Some(Greater),
        BinaryOp::Ge => matches!(order, Some(Greater | Equal)),
        _ => return None,
    }))
}

pub(super) fn cast(ty: &Ty, value: &Value) -> Option<Value> {
    let from_float = |x: f64| match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => Some(Value::U64(x as u64)),
        Ty::Scalar(Scalar::U32) => Some(Value::U32(x as u32)),
        Ty::Scalar(Scalar::I32) => Some(Value::I32(x as i32)),
        Ty::Scalar(Scalar::I64) => Some(Value::I64(x as i64)),
        Ty::Scalar(Scalar::F32) => Some(Value::F32((x as f32).to_bits())),
        Ty::Scalar(Scalar::F64) => Some(Value::F64(x.to_bits())),
        _ => None,
    };
    let n = match value {
        Value::F32(bits) => return from_float(f64::from(f32::from_bits(*bits))),
        Value::F64(bits) => return from_float(f64::from_bits(*bits)),
        Value::Bool(b) if *ty == Ty::BOOL => return Some(Value::Bool(*b)),
        Value::Bool(b) => i128::from(*b),
        Value::Enum(e) => i128::from(*e),
        other => number(other)?,
    };
    match ty {
        Ty::Scalar(Scalar::F32) => Some(Value::F32((n as f32).to_bits())),
        Ty::Scalar(Scalar::F64) => Some(Value::F64((n as f64).to_bits())),
        ty => wrapped(ty, n),
    }
}

pub(super) fn builtin(op: Builtin, ty: &Ty, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Builtin::FromBits, [Value::U32(bits)]) => Some(Value::F32(*bits)),
        (Builtin::FromBits, [Value::U64(bits)]) => Some(Value::F64(*bits)),
        (Builtin::ToBits, [Value::F32(bits)]) => Some(Value::U32(*bits)),
        (Builtin::ToBits, [Value::F64(bits)]) => Some(Value::U64(*bits)),
        (Builtin::Abs, [value]) => integer(ty, number(value)?.abs()),
        (Builtin::CountOnes, [Value::U32(v)]) => Some(Value::U32(v.count_ones())),
        (Builtin::CountOnes, [Value::U64(v)]) => Some(Value::U32(v.count_ones())),
        (Builtin::LeadingZeros, [Value::U32(v)]) => Some(Value::U32(v.leading_zeros())),
        (Builtin::LeadingZeros, [Value::U64(v)]) => Some(Value::U32(v.leading_zeros())),
        (Builtin::TrailingZeros, [Value::U32(v)]) => Some(Value::U32(v.trailing_zeros())),
        (Builtin::TrailingZeros, [Value::U64(v)]) => Some(Value::U32(v.trailing_zeros())),
        _ => None,
    }
}
