//! Equality of values that are scalars.

/// Equality of values: integers and truth values.
#[imminent_core::kernels(template)]
pub mod equality {
    /// Tells whether two values are equal.
    pub fn same(a: Value, b: Value, _model: &Model) -> bool {
        a == b
    }
}

/// Equality of floats: one that is undefined equals another.
#[imminent_core::kernels(template)]
pub mod float_equality {
    /// Tells whether two values are equal.
    pub fn same(a: Value, b: Value, _model: &Model) -> bool {
        a == b || a.is_nan() && b.is_nan()
    }
}
