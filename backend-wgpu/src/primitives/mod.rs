//! Primitives in WGSL of their own.
//!
//! WebGPU orders nothing between the workgroups of a dispatch, so what one workgroup needs of the others comes from the dispatch
//! before: a reduction is two, and so are a scan and a selection; a sort is three for each digit. Nor may a dispatch read through one
//! binding what it writes through another: what would is left to the portable forms.

mod bind;
mod form;
mod moves;
mod reduce;
mod scan;
mod segments;
mod shader;
mod sort;

pub(crate) use shader::PrimitiveShader;

use crate::device::Context;
use crate::launch::{Scratch, Work};
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use sort::Task;

/// Whether there are shaders for a primitive. Columns that lie in several pieces, and sums of `f64`, are left to the portable forms.
pub(crate) fn supports(context: &Context, primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Reduce { op, column, into, row } => reduce::supports(*op, column, into, row.as_ref()),
        Primitive::Census { filter, into, .. } => bind::filter_lies_well(filter) && bind::takes_value(into),
        Primitive::Scan { op, column, into, .. } => scan::supports(*op, column, into),
        Primitive::Select { filter, rows, count } => {
            bind::filter_lies_well(filter) && bind::lies_well(rows) && bind::lies_well(count)
        }
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            let (values, sorted_keys) = (values.as_ref(), sorted_keys.as_ref());
            sort::supports(context, Task { keys, values, sorted_keys, sorted_values })
        }
        Primitive::SegmentedReduce { op, column, offsets, into } => segments::supports(*op, column, offsets, into),
        Primitive::Histogram { column, tally, .. } => segments::histogram_supported(column, tally),
        Primitive::CopyColumn { from, to } => moves::copy_supported(from, to),
        Primitive::Fill { column, value } => moves::fill_supported(column, value),
        _ => false,
    }
}

/// The dispatches that a primitive comes to.
pub(crate) fn works(context: &Context, scratch: &mut Scratch, primitive: &Primitive) -> Result<Vec<Work>> {
    match primitive {
        Primitive::Reduce { op, column, into, row } => {
            reduce::reduce(context, scratch, *op, (column, into, row.as_ref()))
        }
        Primitive::Census { what, filter, into } => reduce::census(context, scratch, *what, filter, into),
        Primitive::Scan { op, exclusive, column, into } => scan::scan(context, scratch, *op, *exclusive, column, into),
        Primitive::Select { filter, rows, count } => scan::select(context, scratch, filter, rows, count),
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            let (values, sorted_keys) = (values.as_ref(), sorted_keys.as_ref());
            sort::sort(context, scratch, Task { keys, values, sorted_keys, sorted_values })
        }
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            segments::reduce(context, *op, column, offsets, into)?.ok_or_else(|| not_overridden(primitive))
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            segments::histogram(context, column, (*lowest, *width), tally)
        }
        Primitive::CopyColumn { from, to } => moves::copy(context, from, to),
        Primitive::Fill { column, value } => moves::fill(context, scratch.words(context, 0, 1)?, column, value),
        other => Err(not_overridden(other)),
    }
}
