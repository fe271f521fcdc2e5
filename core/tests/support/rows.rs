//! Native rows and values as trees, and how trees differ.

use imminent_core::data::{Data, Row};
use imminent_core::ir::interpret::{Field, RowTree, read_value};
use imminent_core::ir::{Module, StructId, Type, Value};

/// A native row as a tree.
pub(crate) fn row<R: Row>(module: &Module, id: StructId, native: &R) -> RowTree {
    let leaf = |lane: Option<u32>, word| lane.map_or_else(|| native.leaf(word), |lane| native.lane_leaf(lane, word));
    RowTree::read(module, id, native.capacity(), &leaf).unwrap()
}

/// A native value as one of the IR.
pub(crate) fn data<D: Data>(module: &Module, ty: &Type, native: &D) -> Value {
    read_value(module, ty, 0, &|word| native.leaf(word)).unwrap()
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
