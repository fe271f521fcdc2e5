//! Primitives over native rows: blocked, over all threads, with inner loops that the compiler turns into vector code.
//!
//! Results do not depend on the number of threads: what is cut is cut by position, and every operation but the unordered sum of
//! floats is free of order or follows the fixed tree.

mod column;
mod filter;
mod fold;
mod histogram;
mod keyed;
mod moves;
mod number;
mod prefix;
mod reduce;
mod scan;
mod segments;
mod select;
mod sort;
mod vector;
mod workers;

pub(crate) use workers::Workers;

use crate::memory::wrong_kind;
use imminent_core::Result;
use imminent_core::backend::Primitive;

/// Calls a function for the native type of a scalar; `bool` and the rest in one list, numbers alone in the other.
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
use for_number;

/// Runs a primitive.
pub(crate) fn run(workers: Workers<'_>, primitive: &Primitive) -> Result<()> {
    match primitive {
        Primitive::Reduce { op, column, into, row } => {
            for_number!(column.scalar(), reduce_column(workers, *op, column, into, row.as_ref()))
        }
        Primitive::Census { what, filter, into } => select::census(workers, *what, filter, into),
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            for_number!(column.scalar(), segmented(workers, *op, column, offsets, into))
        }
        Primitive::Scan { op, exclusive, column, into } => {
            for_number!(column.scalar(), scan_column(workers, *op, *exclusive, column, into))
        }
        Primitive::Select { filter, rows, count } => select::select(workers, filter, rows, count),
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            sort::sort(workers, keys, values.as_ref(), sorted_keys.as_ref(), sorted_values)
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            histogram::histogram(workers, column, *lowest, *width, tally)
        }
        Primitive::Gather { rows, from, to } => moves::gather(workers, rows, from, to),
        Primitive::Scatter { rows, from, to } => moves::scatter(rows, from, to),
        Primitive::CopyColumn { from, to } => moves::copy_column(from, to),
        Primitive::Fill { column, value } => moves::fill(column, value),
    }
}

use reduce::reduce_column;
use scan::scan_column;
use segments::segmented;

/// The error for buffers that are not what a primitive's types say.
fn misfit() -> imminent_core::Error {
    wrong_kind("what the primitive's types say")
}
