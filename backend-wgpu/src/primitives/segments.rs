//! Reductions of segments, and histograms: one dispatch each.

use super::bind::{lies_well, place, same_buffer};
use super::reduce::{MINUS_ZERO, work};
use crate::launch::Work;
use crate::runtime::{BLOCK_WORDS, Form, PrimitiveShader, Runtime};
use imminent_core::Result;
use imminent_core::backend::{Reduction, View};
use imminent_core::ir::Scalar;
use imminent_core::primitives::order;

/// Invocations of a workgroup.
const INVOCATIONS: u32 = 256;
/// Most workgroups of a dispatch; more would not use any device better.
const MAX_GROUPS: u32 = 1024;
/// Mean length from which on a workgroup processes one segment at a time.
const LONG: u32 = 256;

fn form(op: Reduction, scalar: Scalar) -> Option<Form> {
    match op {
        Reduction::Min => Some(Form::Least),
        Reduction::Max => Some(Form::Greatest),
        Reduction::Sum if scalar == Scalar::F32 => None,
        Reduction::SumUnordered if scalar == Scalar::F32 => Some(Form::SumFloat),
        Reduction::Sum | Reduction::SumUnordered if scalar != Scalar::F64 => Some(Form::Sum),
        // Not supported: results of the fixed tree, `f64`, and reductions that no primitive over segments uses.
        Reduction::Sum | Reduction::SumUnordered | Reduction::ArgMin | Reduction::ArgMax => None,
    }
}

pub(super) fn supports(op: Reduction, column: &View, offsets: &View, into: &View) -> bool {
    let calculable = column.scalar() != Scalar::Bool && form(op, column.scalar()).is_some();
    let apart = !same_buffer(column, into) && !same_buffer(offsets, into);
    calculable && apart && [column, offsets, into].into_iter().all(lies_well)
}

pub(super) fn reduce(
    runtime: &Runtime,
    op: Reduction,
    column: &View,
    offsets: &View,
    into: &View,
) -> Result<Option<Vec<Work>>> {
    let scalar = column.scalar();
    let Some(form) = form(op, scalar) else { return Ok(None) };
    let none = match op {
        Reduction::Min => order::greatest(scalar),
        Reduction::Max => order::least(scalar),
        _ => 0,
    };
    let segments = into.rows();
    let lanes = if column.rows() / segments.max(1) < LONG { 1 } else { INVOCATIONS };
    let groups = segments.div_ceil(INVOCATIONS / lanes).clamp(1, MAX_GROUPS);
    let ((data, word), (starts, start_word), (results, result_word)) = (place(column)?, place(offsets)?, place(into)?);
    let mut block = [0; BLOCK_WORDS];
    (block[0], block[8], block[9], block[10]) = (segments, word, result_word, start_word);
    (block[14], block[15], block[16], block[17]) = (groups, MINUS_ZERO, column.rows(), lanes);
    (block[20], block[21]) = (none as u32, (none >> 32) as u32);
    let shader = PrimitiveShader::segments(form, scalar);
    Ok(Some(vec![work(runtime, shader, vec![data, starts, results], block, groups)?]))
}

pub(super) fn histogram_supported(column: &View, tally: &View) -> bool {
    lies_well(column) && place(tally).is_ok()
}

pub(super) fn histogram(
    runtime: &Runtime,
    column: &View,
    (lowest, width): (u64, u64),
    tally: &View,
) -> Result<Vec<Work>> {
    let ((data, word), (slots, slot_word)) = (place(column)?, place(tally)?);
    // Every workgroup adds its counts to the tally, so each should count many rows.
    let groups = column.rows().div_ceil(INVOCATIONS * 16).clamp(1, MAX_GROUPS);
    let most = if column.scalar().words() == 1 { u64::from(u32::MAX) } else { u64::MAX };
    let end = u64::from(tally.rows()).checked_mul(width).filter(|end| *end <= most);
    let mut block = [0; BLOCK_WORDS];
    (block[0], block[8], block[9], block[14]) = (column.rows(), word, slot_word, groups);
    (block[16], block[17], block[18], block[19]) =
        (lowest as u32, (lowest >> 32) as u32, width as u32, (width >> 32) as u32);
    block[20] = tally.rows();
    if let Some(end) = end {
        (block[21], block[22], block[23]) = (end as u32, (end >> 32) as u32, 1);
    }
    Ok(vec![work(runtime, PrimitiveShader::Histogram(column.scalar()), vec![data, slots], block, groups)?])
}
