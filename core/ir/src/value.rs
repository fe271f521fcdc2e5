//! Values of constants.

use serde::{Deserialize, Serialize};

/// A constant value. Floats are kept as their bits, which makes equality and hashing exact.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// A `u32`.
    U32(u32),
    /// An `i32`.
    I32(i32),
    /// A `u64`.
    U64(u64),
    /// An `i64`.
    I64(i64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
    /// The discriminant of an enum.
    Enum(u32),
    /// The fields of a struct, in declaration order.
    Struct(Vec<Value>),
    /// The elements of an array.
    Array(Vec<Value>),
}
