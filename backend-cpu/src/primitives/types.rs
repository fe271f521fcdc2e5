//! Types of columns.

/// Calls a function for the native type of a scalar. One list includes `bool`, the other has only numbers.
macro_rules! for_number {
    ($scalar:expr, $function:ident($($arg:expr),*)) => {
        match $scalar {
            imminent_core::ir::Scalar::U32 => $function::<u32>($($arg),*),
            imminent_core::ir::Scalar::I32 => $function::<i32>($($arg),*),
            imminent_core::ir::Scalar::U64 => $function::<u64>($($arg),*),
            imminent_core::ir::Scalar::I64 => $function::<i64>($($arg),*),
            imminent_core::ir::Scalar::F32 => $function::<f32>($($arg),*),
            imminent_core::ir::Scalar::F64 => $function::<f64>($($arg),*),
            imminent_core::ir::Scalar::Bool => Err(crate::memory::wrong_kind("a column of numbers")),
        }
    };
}
pub(super) use for_number;

/// Returns the error for buffers that contradict a primitive's types.
pub(super) fn misfit() -> imminent_core::Error {
    crate::memory::wrong_kind("what the primitive's types say")
}
