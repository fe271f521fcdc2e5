//! Evaluates constant expressions, as rustc does: an overflow is an error.

use super::infer::Infer;
use crate::hir::{Base, Block, Expr, Kind, Place, Step, Stmt};
use crate::program::Program;
use crate::ty::Ty;
use crate::values::{binary, builtin, cast, float, integer, number, unary, wrapping};
use imminent_ir::{BinaryOp, Scalar, UnaryOp, Value};
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
