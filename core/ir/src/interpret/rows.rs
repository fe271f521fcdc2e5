//! Rows as trees of values, and as the words of the canonical layout.

use super::{Evaluation, stuck};
use crate::{FieldType, Module, Scalar, StructId, Type, Value, words};

/// Scalars in order: number of words and bits of each.
pub(super) type Leaves = Vec<(u32, u64)>;

/// The value of one field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A value.
    Value(Value),
    /// Elements of its lanes, as many as the table's capacity.
    Lanes(Vec<Value>),
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowTree {
    /// One for each field of the struct.
    pub fields: Vec<Field>,
}

impl RowTree {
    /// Reads a row from the bits of its scalars. `leaf` returns the scalar at a word: of the row, or of a lane.
    ///
    /// # Errors
    /// [`Stuck`](super::Stuck) for a type that no row can have.
    pub fn read(
        module: &Module,
        id: StructId,
        capacity: u32,
        leaf: &dyn Fn(Option<u32>, u32) -> u64,
    ) -> Evaluation<RowTree> {
        let (mut word, mut lane_word) = (0, 0);
        let mut fields = Vec::new();
        for field in fields_of(module, id)? {
            fields.push(match &field.ty {
                FieldType::Value(ty) => {
                    let here = word;
                    word += words(module, ty);
                    Field::Value(read_value(module, ty, here, &|word| leaf(None, word))?)
                }
                FieldType::Lanes(ty) => {
                    let here = lane_word;
                    lane_word += words(module, ty);
                    let lane = |lane: u32| read_value(module, ty, here, &|word| leaf(Some(lane), word));
                    Field::Lanes((0..capacity).map(lane).collect::<Evaluation<_>>()?)
                }
            });
        }
        Ok(RowTree { fields })
    }

    /// Returns the zeroed row.
    ///
    /// # Errors
    /// As for [`RowTree::read`].
    pub fn zeroed(module: &Module, id: StructId, capacity: u32) -> Evaluation<RowTree> {
        RowTree::read(module, id, capacity, &|_, _| 0)
    }

    /// Returns the bits of the row's scalars without its lanes, by their first words; and those of each lane.
    #[must_use]
    pub fn leaves(&self) -> (Leaves, Vec<Leaves>) {
        let (mut fixed, mut lanes, mut word, mut lane_word) = (Vec::new(), Vec::new(), 0, 0);
        for field in &self.fields {
            match field {
                Field::Value(value) => write_leaves(value, &mut word, &mut fixed),
                Field::Lanes(elements) => {
                    lanes.resize_with(elements.len().max(lanes.len()), Vec::new);
                    let start = lane_word;
                    for (element, leaves) in elements.iter().zip(&mut lanes) {
                        lane_word = start;
                        write_leaves(element, &mut lane_word, leaves);
                    }
                }
            }
        }
        (fixed, lanes)
    }

    /// Returns a row without lanes, as a value.
    ///
    /// # Errors
    /// [`Stuck`](super::Stuck) for a row with lanes.
    pub fn to_value(&self) -> Evaluation<Value> {
        let fields = self.fields.iter().map(|field| match field {
            Field::Value(value) => Ok(value.clone()),
            Field::Lanes(_) => stuck("a row with lanes is no value"),
        });
        fields.collect::<Evaluation<_>>().map(Value::Struct)
    }
}

fn fields_of(module: &Module, id: StructId) -> Evaluation<&[crate::Field]> {
    match module.structs.get(id.index()) {
        Some(def) => Ok(&def.fields),
        None => stuck(format!("there is no struct {}", id.0)),
    }
}

fn of_scalar(scalar: Scalar, bits: u64) -> Value {
    match scalar {
        // One word: the bits above it are another scalar's.
        Scalar::Bool => Value::Bool(bits as u32 != 0),
        Scalar::U32 => Value::U32(bits as u32),
        Scalar::I32 => Value::I32(bits as i32),
        Scalar::U64 => Value::U64(bits),
        Scalar::I64 => Value::I64(bits as i64),
        Scalar::F32 => Value::F32(bits as u32),
        Scalar::F64 => Value::F64(bits),
    }
}

/// Reads a value from the bits of its scalars, the first of which lies at `word`.
///
/// # Errors
/// [`Stuck`](super::Stuck) for the unit type, and for lanes inside a value.
pub fn read_value(module: &Module, ty: &Type, word: u32, leaf: &dyn Fn(u32) -> u64) -> Evaluation<Value> {
    Ok(match ty {
        Type::Unit => return stuck("the unit type has no value"),
        Type::Enum(_) => Value::Enum(leaf(word) as u32),
        Type::Scalar(scalar) => of_scalar(*scalar, leaf(word)),
        Type::Array(element, count) => {
            let size = words(module, element);
            let element = |i| read_value(module, element, word + i * size, leaf);
            Value::Array((0..*count).map(element).collect::<Evaluation<_>>()?)
        }
        Type::Struct(id) => {
            let mut at = word;
            let mut values = Vec::new();
            for field in fields_of(module, *id)? {
                let FieldType::Value(ty) = &field.ty else { return stuck("lanes inside a value") };
                values.push(read_value(module, ty, at, leaf)?);
                at += words(module, ty);
            }
            Value::Struct(values)
        }
    })
}

/// Reads a struct without lanes from its words. Words that are missing are zero.
///
/// # Errors
/// As for [`read_value`].
pub fn read_struct(module: &Module, of: StructId, words: &[u32]) -> Evaluation<Value> {
    let at = |word: u32| u64::from(words.get(word as usize).copied().unwrap_or(0));
    read_value(module, &Type::Struct(of), 0, &|word| at(word) | at(word + 1) << 32)
}

/// Returns the bits of a scalar.
#[must_use]
pub fn bits(value: &Value) -> u64 {
    match value {
        Value::Bool(v) => u64::from(*v),
        Value::U32(v) | Value::F32(v) | Value::Enum(v) => u64::from(*v),
        Value::I32(v) => u64::from(*v as u32),
        Value::U64(v) | Value::F64(v) => *v,
        Value::I64(v) => *v as u64,
        Value::Struct(_) | Value::Array(_) => 0,
    }
}

fn write_leaves(value: &Value, word: &mut u32, leaves: &mut Vec<(u32, u64)>) {
    match value {
        Value::Struct(values) | Value::Array(values) => {
            values.iter().for_each(|value| write_leaves(value, word, leaves));
        }
        scalar => {
            leaves.push((*word, bits(scalar)));
            *word += match scalar {
                Value::U64(_) | Value::I64(_) | Value::F64(_) => 2,
                _ => 1,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Field, Struct, StructRole, VERSION};

    #[test]
    fn a_bool_is_one_word_whatever_follows_it() {
        let field = |name: &str, scalar| Field { name: name.to_owned(), ty: FieldType::Value(Type::Scalar(scalar)) };
        let fields = vec![field("reverse", Scalar::Bool), field("test", Scalar::U32), field("none", Scalar::U64)];
        let (name, origin) = ("Order".to_owned(), "orders".to_owned());
        let module = Module {
            version: VERSION,
            name: "orders".to_owned(),
            file: "orders.rs".to_owned(),
            structs: vec![Struct { name, origin, role: StructRole::Params, packed: false, fields }],
            enums: Vec::new(),
            consts: Vec::new(),
            functions: Vec::new(),
            kernels: Vec::new(),
            sites: Vec::new(),
        };
        let read = read_struct(&module, StructId(0), &[0, 4, 7, 1]).unwrap();
        let expected = vec![Value::Bool(false), Value::U32(4), Value::U64((1 << 32) + 7)];
        assert_eq!(read, Value::Struct(expected));
    }
}
