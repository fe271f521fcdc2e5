//! Primitives over native rows: blocked, over all threads, with inner loops that the compiler vectorises.
//!
//! Results do not depend on the number of threads. Work is divided by position, and every operation except the
//! unordered sum of floats either does not depend on the order or follows the fixed tree.

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
mod types;
mod vector;
mod workers;

pub(crate) use workers::Workers;

use imminent_core::Result;
use imminent_core::backend::Primitive;
use reduce::reduce_column;
use scan::scan_column;
use segments::segmented;
use types::for_number;

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
