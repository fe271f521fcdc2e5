//! Result of an edit at its node, and the constants that edits put there.

use imminent_core::ir::{
    Expr, ExprKind, Field, FieldType, Local, LocalId, LocalKind, Module, Scalar, StructId, Type, Value,
};

/// Result of an edit at its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    NoSuchChoice,
    Unchanged,
    Changed,
}

/// Constants of the types of a module.
pub(super) struct Zeros<'m> {
    pub(super) module: &'m Module,
    pub(super) locals: &'m [Local],
}

impl Zeros<'_> {
    /// Returns the zero of a local's type.
    pub(super) fn of_local(&self, local: LocalId) -> Option<Expr> {
        match &self.locals.get(local.index())?.kind {
            LocalKind::Value(ty) => self.of(ty),
            LocalKind::RowRef(_) => None,
        }
    }

    /// Returns the zero of a type.
    pub(super) fn of(&self, ty: &Type) -> Option<Expr> {
        let kind = match ty {
            Type::Unit => return None,
            Type::Scalar(scalar) => ExprKind::Literal(number(*scalar, false)),
            Type::Enum(_) => ExprKind::Literal(Value::Enum(0)),
            Type::Array(element, _) => ExprKind::Repeat(Box::new(self.of(element)?)),
            Type::Struct(id) => ExprKind::Struct(self.of_fields(*id)?),
        };
        Some(Expr { ty: ty.clone(), kind })
    }

    fn of_fields(&self, id: StructId) -> Option<Vec<Expr>> {
        let fields = &self.module.structs.get(id.index())?.fields;
        let of = |field: &Field| match &field.ty {
            FieldType::Value(ty) => self.of(ty),
            FieldType::Lanes(_) => None,
        };
        fields.iter().map(of).collect()
    }
}

/// Returns zero or one of a scalar type.
pub(super) fn number(scalar: Scalar, one: bool) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(one),
        Scalar::U32 => Value::U32(one.into()),
        Scalar::I32 => Value::I32(one.into()),
        Scalar::U64 => Value::U64(one.into()),
        Scalar::I64 => Value::I64(one.into()),
        Scalar::F32 => Value::F32(f32::from(one).to_bits()),
        Scalar::F64 => Value::F64(f64::from(one).to_bits()),
    }
}
