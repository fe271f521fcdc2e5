//! Primitives as native WGSL shaders.
//!
//! WebGPU does not order the workgroups of a dispatch, so a workgroup gets results of others only from an earlier
//! dispatch. A reduction, a scan or a selection is therefore two dispatches; a sort is three for each digit. A dispatch
//! may not read through one binding the buffer that it writes through another; such cases use the portable forms.

mod bind;
mod moves;
mod reduce;
mod scan;
mod segments;
mod sort;

use crate::launch::{Scratch, Work};
use crate::runtime::Runtime;
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use sort::Task;

/// Returns `true` if there are shaders for a primitive. Columns in several segments, and sums of `f64`, use the
/// portable forms.
pub(crate) fn supports(runtime: &Runtime, primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Reduce { op, column, into, row } => reduce::supports(*op, column, into, row.as_ref()),
        Primitive::Census { filter, into, .. } => bind::filter_lies_well(filter) && bind::takes_value(into),
        Primitive::Scan { op, column, into, .. } => scan::supports(*op, column, into),
        Primitive::Select { filter, rows, count } => {
            bind::filter_lies_well(filter) && bind::lies_well(rows) && bind::lies_well(count)
        }
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            let (values, sorted_keys) = (values.as_ref(), sorted_keys.as_ref());
            sort::supports(runtime, Task { keys, values, sorted_keys, sorted_values })
        }
        Primitive::SegmentedReduce { op, column, offsets, into } => segments::supports(*op, column, offsets, into),
        Primitive::Histogram { column, tally, .. } => segments::histogram_supported(column, tally),
        Primitive::CopyColumn { from, to } => moves::copy_supported(from, to),
        Primitive::Fill { column, value } => moves::fill_supported(column, value),
        _ => false,
    }
}

/// Returns the dispatches of a primitive.
pub(crate) fn works(runtime: &Runtime, scratch: &mut Scratch, primitive: &Primitive) -> Result<Vec<Work>> {
    match primitive {
        Primitive::Reduce { op, column, into, row } => {
            reduce::reduce(runtime, scratch, *op, (column, into, row.as_ref()))
        }
        Primitive::Census { what, filter, into } => reduce::census(runtime, scratch, *what, filter, into),
        Primitive::Scan { op, exclusive, column, into } => scan::scan(runtime, scratch, *op, *exclusive, column, into),
        Primitive::Select { filter, rows, count } => scan::select(runtime, scratch, filter, rows, count),
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            let (values, sorted_keys) = (values.as_ref(), sorted_keys.as_ref());
            sort::sort(runtime, scratch, Task { keys, values, sorted_keys, sorted_values })
        }
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            segments::reduce(runtime, *op, column, offsets, into)?.ok_or_else(|| not_overridden(primitive))
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            segments::histogram(runtime, column, (*lowest, *width), tally)
        }
        Primitive::CopyColumn { from, to } => moves::copy(runtime, from, to),
        Primitive::Fill { column, value } => moves::fill(runtime, scratch.take(&runtime.context, 0, 1)?, column, value),
        other => Err(not_overridden(other)),
    }
}
