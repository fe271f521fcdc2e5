//! Sizes of types.

use crate::{FieldType, Struct, StructId, Type};

/// Returns the number of words of a value of a type, for structs that have been checked.
pub(super) fn words(structs: &[Struct], ty: &Type) -> u32 {
    match ty {
        Type::Unit => 0,
        Type::Scalar(scalar) => scalar.words(),
        Type::Enum(_) => 1,
        Type::Array(element, count) => words(structs, element).saturating_mul(*count),
        Type::Struct(id) => structs.get(id.index()).map_or(0, |def| {
            def.fields.iter().fold(0, |sum: u32, field| match &field.ty {
                FieldType::Value(ty) => sum.saturating_add(words(structs, ty)),
                FieldType::Lanes(_) => sum,
            })
        }),
    }
}

/// Returns the first word of a field among the fixed words, or among the words of a lane.
pub(super) fn field_word(structs: &[Struct], id: StructId, field: u32) -> u32 {
    let Some(def) = structs.get(id.index()) else { return 0 };
    let is_lanes = |ty: &FieldType| matches!(ty, FieldType::Lanes(_));
    let Some(wanted) = def.fields.get(field as usize).map(|f| is_lanes(&f.ty)) else { return 0 };
    def.fields[..field as usize].iter().fold(0, |sum: u32, f| match &f.ty {
        FieldType::Value(ty) | FieldType::Lanes(ty) if is_lanes(&f.ty) == wanted => {
            sum.saturating_add(words(structs, ty))
        }
        _ => sum,
    })
}
