//! Checks structs, enums and constants, so that later passes may follow their references.

use super::FlattenError;
use super::sizes::words;
use crate::{Enum, FieldType, Module, Scalar, Struct, Type, Value};

/// Largest number of words of a row, a constant or a local. Far above practical sizes, far below what would exhaust
/// memory.
pub(super) const MAX_WORDS: u32 = 1 << 16;
/// Greatest nesting of types and expressions.
pub(super) const MAX_DEPTH: u32 = 200;

/// Checks the declarations of a module.
pub(super) fn check(module: &Module, kernel: &str) -> Result<(), FlattenError> {
    let ill = |place: String, what: &str| {
        Err(FlattenError::IllFormed { kernel: kernel.to_owned(), place, what: what.to_owned() })
    };
    let too_large =
        |what: &str| Err(FlattenError::TooLarge { kernel: kernel.to_owned(), what: what.to_owned(), limit: MAX_WORDS });
    let types = Types { structs: &module.structs, enums: &module.enums };
    for (at, def) in module.structs.iter().enumerate() {
        let place = || format!("struct `{}`", def.name);
        if def.fields.is_empty() {
            return ill(place(), "it has no field");
        }
        let mut total = [0_u32; 2];
        for field in &def.fields {
            let (ty, lane) = match &field.ty {
                FieldType::Value(ty) => (ty, 0),
                FieldType::Lanes(ty) => (ty, 1),
            };
            if !types.is_value_below(ty, at, 0) {
                return ill(
                    place(),
                    &format!("the type of field `{}` is not that of a value declared before", field.name),
                );
            }
            if lane == 1 && def.role != crate::StructRole::Row {
                return ill(place(), &format!("field `{}` holds lanes, which only a row struct may", field.name));
            }
            total[lane] = total[lane].saturating_add(words(&module.structs, ty));
        }
        if total.iter().any(|&n| n > MAX_WORDS) {
            return too_large(&def.name);
        }
    }
    for def in &module.enums {
        if !def.variants.iter().any(|(_, discriminant)| *discriminant == 0) {
            return ill(format!("enum `{}`", def.name), "no variant has discriminant 0");
        }
    }
    for def in &module.consts {
        let place = || format!("constant `{}`", def.name);
        if !types.is_value(&def.ty) {
            return ill(place(), "its type is not that of a value");
        }
        if words(&module.structs, &def.ty) > MAX_WORDS {
            return too_large(&def.name);
        }
        if !types.value_has_type(&def.value, &def.ty) {
            return ill(place(), "its value is not of its type");
        }
    }
    Ok(())
}

/// Declarations to which types refer.
#[derive(Clone, Copy)]
pub(super) struct Types<'a> {
    pub(super) structs: &'a [Struct],
    pub(super) enums: &'a [Enum],
}

impl Types<'_> {
    /// Returns `true` if a type is that of a value: no unit, no lanes, no empty array.
    pub(super) fn is_value(self, ty: &Type) -> bool {
        self.is_value_below(ty, self.structs.len(), 0)
    }

    /// Returns `true` if a type is that of a value and uses only structs before a given one.
    fn is_value_below(self, ty: &Type, structs_below: usize, depth: u32) -> bool {
        depth < MAX_DEPTH
            && match ty {
                Type::Unit => false,
                Type::Scalar(_) => true,
                Type::Enum(id) => id.index() < self.enums.len(),
                Type::Array(element, count) => *count > 0 && self.is_value_below(element, structs_below, depth + 1),
                Type::Struct(id) => {
                    id.index() < structs_below
                        && self
                            .structs
                            .get(id.index())
                            .is_some_and(|def| def.fields.iter().all(|field| matches!(field.ty, FieldType::Value(_))))
                }
            }
    }

    /// Returns `true` if a value has a type whose references have been checked.
    pub(super) fn value_has_type(self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (Value::Bool(_), Type::Scalar(Scalar::Bool))
            | (Value::U32(_), Type::Scalar(Scalar::U32))
            | (Value::I32(_), Type::Scalar(Scalar::I32))
            | (Value::U64(_), Type::Scalar(Scalar::U64))
            | (Value::I64(_), Type::Scalar(Scalar::I64))
            | (Value::F32(_), Type::Scalar(Scalar::F32))
            | (Value::F64(_), Type::Scalar(Scalar::F64))
            | (Value::Enum(_), Type::Enum(_)) => true,
            (Value::Array(elements), Type::Array(element, count)) => {
                elements.len() == *count as usize && elements.iter().all(|v| self.value_has_type(v, element))
            }
            (Value::Struct(values), Type::Struct(id)) => self.structs.get(id.index()).is_some_and(|def| {
                def.fields.len() == values.len()
                    && def.fields.iter().zip(values).all(|(field, value)| match &field.ty {
                        FieldType::Value(ty) => self.value_has_type(value, ty),
                        FieldType::Lanes(_) => false,
                    })
            }),
            _ => false,
        }
    }
}
