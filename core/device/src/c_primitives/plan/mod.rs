//! Plans of primitives: their launches.

mod moves;
mod reduce;
mod scan;
mod segments;
mod sort;
mod step;

pub use step::{BLOCK_WORDS, COUNTERS_WORD, ColumnLocation, Machine, Plan, Step};

use imminent_core::Result;
use imminent_core::backend::{DeviceMemory, Primitive, View};
use imminent_ir::Scalar;

/// Returns `true` if there are kernels for a primitive over memory of type `M`. `float64` is `true` if the device has
/// `f64`.
#[must_use]
pub fn supports<M: DeviceMemory>(primitive: &Primitive, float64: bool) -> bool {
    // Columns of packed rows are moved by kernels made for their layout; other primitives are not given any.
    let in_one_piece =
        |view: &View| M::of(&view.buffer).is_ok_and(|memory| memory.shape().words_of(&view.span).is_ok());
    match primitive {
        Primitive::Reduce { op, column, .. } => {
            column.scalar() != Scalar::Bool && (float64 || !reduce::kernel(*op, column.scalar()).needs_float64())
        }
        Primitive::SegmentedReduce { op, column, .. } => segments::kernel(*op, column.scalar())
            .is_some_and(|kernel| column.scalar() != Scalar::Bool && (float64 || !kernel.needs_float64())),
        Primitive::Histogram { .. } => true,
        Primitive::Scan { op, column, .. } => {
            column.scalar() != Scalar::Bool && (float64 || !scan::kernel(*op, column.scalar()).needs_float64())
        }
        Primitive::Sort { keys, .. } => keys.rows() <= sort::MAX_ROWS,
        Primitive::Census { .. } | Primitive::Select { .. } => true,
        Primitive::CopyColumn { from, to } => in_one_piece(from) && in_one_piece(to),
        Primitive::Fill { column, .. } => in_one_piece(column),
        _ => false,
    }
}

/// Plans a primitive; `None` if there are no kernels for it.
///
/// # Errors
/// Errors of [`Machine::resident`].
pub fn plan(primitive: &Primitive, machine: &dyn Machine) -> Result<Option<Plan>> {
    match primitive {
        Primitive::Reduce { op, column, into, row } => {
            reduce::reduce(machine, *op, column, into, row.as_ref()).map(Some)
        }
        Primitive::Census { what, filter, into } => reduce::census(machine, *what, filter, into).map(Some),
        Primitive::Scan { op, exclusive, column, into } => scan::scan(machine, *op, *exclusive, column, into).map(Some),
        Primitive::Select { filter, rows, count } => scan::select(machine, filter, rows, count).map(Some),
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            sort::sort(machine, keys, values.as_ref(), sorted_keys.as_ref(), sorted_values).map(Some)
        }
        Primitive::CopyColumn { from, to } => moves::copy(machine, from, to).map(Some),
        Primitive::Fill { column, value } => moves::fill(machine, column, value).map(Some),
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            segments::reduce(machine, *op, column, offsets, into)
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            segments::histogram(machine, column, (*lowest, *width), tally).map(Some)
        }
        _ => Ok(None),
    }
}
