//! Expressions, and the types of their values.

use super::numbers::truth;
use super::operators::{binary, builtin, cast, unary};
use super::rows::read_value;
use super::{Bound, Evaluation, Frame, Machine, require, stuck};
use crate::{Base, Expr, ExprKind, FieldType, Module, Scalar, Type, Value};

/// Returns the zero of a type.
///
/// # Errors
/// [`Stuck`](super::Stuck) for the unit type and for rows with lanes.
pub fn zero(module: &Module, ty: &Type) -> Evaluation<Value> {
    read_value(module, ty, 0, &|_| 0)
}

pub(super) fn has_type(module: &Module, value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Bool(_), Type::Scalar(Scalar::Bool))
        | (Value::U32(_), Type::Scalar(Scalar::U32))
        | (Value::I32(_), Type::Scalar(Scalar::I32))
        | (Value::U64(_), Type::Scalar(Scalar::U64))
        | (Value::I64(_), Type::Scalar(Scalar::I64))
        | (Value::F32(_), Type::Scalar(Scalar::F32))
        | (Value::F64(_), Type::Scalar(Scalar::F64))
        | (Value::Enum(_), Type::Enum(_)) => true,
        (Value::Array(values), Type::Array(element, count)) => {
            values.len() == *count as usize && values.iter().all(|v| has_type(module, v, element))
        }
        (Value::Struct(values), Type::Struct(id)) => module.structs.get(id.index()).is_some_and(|def| {
            values.len() == def.fields.len()
                && values.iter().zip(&def.fields).all(|(v, field)| match &field.ty {
                    FieldType::Value(ty) => has_type(module, v, ty),
                    FieldType::Lanes(_) => false,
                })
        }),
        _ => false,
    }
}

impl<'m> Machine<'m> {
    pub(super) fn eval(&mut self, frame: &Frame<'m>, e: &Expr) -> Evaluation<Value> {
        let value = match &e.kind {
            ExprKind::Literal(value) => value.clone(),
            ExprKind::Load(place) => match self.read(frame, place)? {
                Some(value) => value,
                None => return stuck(format!("{}: an unchecked index is out of range", frame.function.name)),
            },
            ExprKind::Unary(op, x) => unary(*op, &self.eval(frame, x)?)?,
            ExprKind::Binary(op, a, b) => binary(*op, &self.eval(frame, a)?, &self.eval(frame, b)?)?,
            ExprKind::Cast(x) => cast(&e.ty, &self.eval(frame, x)?)?,
            ExprKind::Builtin(op, args) => builtin(*op, &e.ty, &self.all(frame, args)?)?,
            ExprKind::Struct(fields) => Value::Struct(self.all(frame, fields)?),
            ExprKind::Array(elements) => Value::Array(self.all(frame, elements)?),
            ExprKind::Repeat(x) => match &e.ty {
                Type::Array(_, count) => Value::Array(vec![self.eval(frame, x)?; *count as usize]),
                other => return stuck(format!("{other:?} is no array")),
            },
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (self.eval(frame, c)?, self.eval(frame, a)?, self.eval(frame, b)?);
                if truth(&c)? { a } else { b }
            }
            ExprKind::RowsLen(base) => {
                let table = self.whole(frame, *base)?;
                // The last row is the one past the end.
                Value::U32(self.table(table)?.rows.len().saturating_sub(1) as u32)
            }
            ExprKind::LanesCapacity(place) => {
                let lanes = self.lanes(frame, place)?;
                Value::U32(self.lane_slots(lanes)?.len() as u32)
            }
            ExprKind::TallyLen(base) => {
                let Base::Param(param) = base else { return stuck(format!("{base:?} is no tally")) };
                match frame.param(*param)? {
                    Bound::Tally(tally) => Value::U32(self.tallies.get(*tally).map_or(0, Vec::len) as u32),
                    other => return stuck(format!("{other:?} is no tally")),
                }
            }
            ExprKind::ClockFirst(base) => {
                let Base::Param(param) = base else { return stuck(format!("{base:?} is no clock")) };
                match frame.param(*param)? {
                    Bound::Clock => Value::U32(self.first),
                    other => return stuck(format!("{other:?} is no clock")),
                }
            }
            ExprKind::Group(query) => Value::U32(self.group_mut()?.answer(*query)?),
        };
        require(has_type(self.module, &value, &e.ty), || {
            format!("{}: {value:?} is not of type {:?}", frame.function.name, e.ty)
        })?;
        Ok(value)
    }

    fn all(&mut self, frame: &Frame<'m>, exprs: &[Expr]) -> Evaluation<Vec<Value>> {
        exprs.iter().map(|e| self.eval(frame, e)).collect()
    }
}
