//! Types of places.

use super::{BindingKind, FlatFunction, FlatKernel};
use crate::{Base, FieldType, Place, Scalar, Step, Type};

/// Type of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceType {
    /// A value.
    Value(Type),
    /// Lanes of a row, with the type of each.
    Lanes(Type),
}

impl FlatKernel {
    /// Returns the type of a place; `None` if it is not a place of this function.
    #[must_use]
    pub fn place_type(&self, function: &FlatFunction, place: &Place) -> Option<PlaceType> {
        let mut ty = match place.base {
            Base::Local(local) => function.locals.get(local.index())?.ty.clone(),
            Base::Const(id) => self.consts.get(id.index())?.ty.clone(),
            Base::Row { binding, index } => {
                let holds_row_number = function.locals.get(index.index())?.ty == Type::Scalar(Scalar::U32);
                match &self.bindings.get(binding as usize)?.kind {
                    BindingKind::Table { row, .. } if holds_row_number => Type::Struct(*row),
                    _ => return None,
                }
            }
            Base::Binding(binding) => match &self.bindings.get(binding as usize)?.kind {
                BindingKind::Params { block, .. } => Type::Struct(*block),
                _ => return None,
            },
            Base::Param(_) | Base::Scratch => return None,
        };
        for (at, step) in place.path.iter().enumerate() {
            ty = match (step, ty) {
                (Step::Field(field), Type::Struct(id)) => {
                    match &self.structs.get(id.index())?.fields.get(*field as usize)?.ty {
                        FieldType::Value(ty) => ty.clone(),
                        FieldType::Lanes(ty) if at + 1 == place.path.len() && is_stored(place.base) => {
                            return Some(PlaceType::Lanes(ty.clone()));
                        }
                        FieldType::Lanes(_) => return None,
                    }
                }
                (Step::Index(_), Type::Array(element, _)) => *element,
                _ => return None,
            };
        }
        Some(PlaceType::Value(ty))
    }

    /// Returns the type of the value that a place names; `None` if it names none.
    #[must_use]
    pub fn value_type(&self, function: &FlatFunction, place: &Place) -> Option<Type> {
        match self.place_type(function, place)? {
            PlaceType::Value(ty) => Some(ty),
            PlaceType::Lanes(_) => None,
        }
    }
}

fn is_stored(base: Base) -> bool {
    matches!(base, Base::Row { .. })
}
