//! Rows as trees of values, read from native rows through their words.

use imminent_core::data::{Data, Row};
use imminent_core::ir::{FieldType, Module, Scalar, StructId, Type, Value, words};

/// The value of one field.
#[derive(Clone, Debug)]
pub(crate) enum Field {
    Value(Value),
    Lanes(Vec<Value>),
}

/// A row.
#[derive(Clone, Debug)]
pub(crate) struct RowTree {
    pub(crate) fields: Vec<Field>,
}

/// A row without lanes, as a value.
pub(crate) fn as_value(row: &RowTree) -> Value {
    Value::Struct(
        row.fields
            .iter()
            .map(|field| match field {
                Field::Value(value) => value.clone(),
                Field::Lanes(_) => panic!("a row with lanes is not a value"),
            })
            .collect(),
    )
}

fn value(module: &Module, ty: &Type, word: u32, leaf: &dyn Fn(u32) -> u64) -> Value {
    match ty {
        Type::Unit => panic!("no value"),
        Type::Enum(_) => Value::Enum(leaf(word) as u32),
        Type::Scalar(scalar) => match scalar {
            Scalar::Bool => Value::Bool(leaf(word) != 0),
            Scalar::U32 => Value::U32(leaf(word) as u32),
            Scalar::I32 => Value::I32(leaf(word) as i32),
            Scalar::U64 => Value::U64(leaf(word)),
            Scalar::I64 => Value::I64(leaf(word) as i64),
            Scalar::F32 => Value::F32(leaf(word) as u32),
            Scalar::F64 => Value::F64(leaf(word)),
        },
        Type::Array(element, count) => {
            let size = words(module, element);
            Value::Array((0..*count).map(|i| value(module, element, word + i * size, leaf)).collect())
        }
        Type::Struct(id) => {
            let mut at = word;
            let mut values = Vec::new();
            for field in &module.structs[id.index()].fields {
                let FieldType::Value(ty) = &field.ty else { panic!("lanes inside a value") };
                values.push(value(module, ty, at, leaf));
                at += words(module, ty);
            }
            Value::Struct(values)
        }
    }
}

/// A native row as a tree.
pub(crate) fn row<R: Row>(module: &Module, id: StructId, native: &R) -> RowTree {
    let (mut word, mut lane_word) = (0, 0);
    let mut fields = Vec::new();
    for field in &module.structs[id.index()].fields {
        fields.push(match &field.ty {
            FieldType::Value(ty) => {
                let here = word;
                word += words(module, ty);
                Field::Value(value(module, ty, here, &|w| native.leaf(w)))
            }
            FieldType::Lanes(ty) => {
                let here = lane_word;
                lane_word += words(module, ty);
                let lane = |lane: u32| value(module, ty, here, &|w| native.lane_leaf(lane, w));
                Field::Lanes((0..native.capacity()).map(lane).collect())
            }
        });
    }
    RowTree { fields }
}

/// A native value as a tree.
pub(crate) fn data<D: Data>(module: &Module, ty: &Type, native: &D) -> Value {
    value(module, ty, 0, &|w| native.leaf(w))
}

/// Whether two values are equal, a NaN being equal to any other.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => a == b || (f32::from_bits(*a).is_nan() && f32::from_bits(*b).is_nan()),
        (Value::F64(a), Value::F64(b)) => a == b || (f64::from_bits(*a).is_nan() && f64::from_bits(*b).is_nan()),
        (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => a == b,
    }
}

/// Whether two rows are equal; else the name of a field that differs.
pub(crate) fn difference(module: &Module, id: StructId, a: &RowTree, b: &RowTree) -> Option<String> {
    let fields = &module.structs[id.index()].fields;
    a.fields.iter().zip(&b.fields).zip(fields).find_map(|((x, y), field)| {
        let equal = match (x, y) {
            (Field::Value(x), Field::Value(y)) => same(x, y),
            (Field::Lanes(x), Field::Lanes(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
            _ => false,
        };
        (!equal).then(|| format!("{}: {x:?} against {y:?}", field.name))
    })
}
