//! Primitives in WGSL of their own.
//!
//! WebGPU orders nothing between the workgroups of a dispatch, so what one workgroup needs of the others comes from the dispatch
//! before: a reduction is two, and so are a scan and a selection.

mod bind;
mod reduce;
mod scan;
mod shader;

pub(crate) use shader::PrimitiveShader;

use crate::device::Context;
use crate::launch::{Scratch, Work};
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};

/// Whether there are shaders for a primitive. Columns that lie in several pieces, and sums of `f64`, are left to the portable forms.
pub(crate) fn supports(primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Reduce { op, column, into, row } => reduce::supports(*op, column, into, row.as_ref()),
        Primitive::Census { filter, into, .. } => bind::filter_lies_well(filter) && bind::lies_well(into),
        Primitive::Scan { op, column, into, .. } => scan::supports(*op, column, into),
        Primitive::Select { filter, rows, count } => {
            bind::filter_lies_well(filter) && bind::lies_well(rows) && bind::lies_well(count)
        }
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
        other => Err(not_overridden(other)),
    }
}
