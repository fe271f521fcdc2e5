//! Scans and selections.

use super::bind::{lies_well, place};
use super::reduce::{MINUS_ZERO, operand, work};
use crate::launch::{Scratch, Work};
use crate::runtime::{BLOCK_WORDS, Form, PrimitiveShader, Runtime};
use imminent_core::Result;
use imminent_core::backend::{Filter, ScanOp, View};
use imminent_core::ir::Scalar;
use imminent_core::primitives::order;

/// Granule of chunks, in rows.
const TILE: u32 = 2048;
/// Most chunks; more would take longer to sum than they save.
const MAX_CHUNKS: u32 = 1024;
/// Words for a partial result.
const PARTIAL_WORDS: u64 = 4;

pub(super) fn supports(op: ScanOp, column: &View, into: &View) -> bool {
    let calculable = !matches!((op, column.scalar()), (ScanOp::Sum, Scalar::F64) | (_, Scalar::Bool));
    calculable && lies_well(column) && lies_well(into)
}

/// Returns the launch block of both dispatches, and the number of chunks.
fn chunks(rows: u32, word: u32) -> ([u32; BLOCK_WORDS], u32) {
    let chunk = rows.div_ceil(TILE).div_ceil(MAX_CHUNKS).max(1) * TILE;
    let chunks = rows.div_ceil(chunk).max(1);
    let mut block = [0; BLOCK_WORDS];
    (block[0], block[8], block[14], block[15], block[24]) = (rows, word, chunks, MINUS_ZERO, chunk);
    (block, chunks)
}

pub(super) fn scan(
    runtime: &Runtime,
    scratch: &mut Scratch,
    op: ScanOp,
    exclusive: bool,
    column: &View,
    into: &View,
) -> Result<Vec<Work>> {
    let scalar = column.scalar();
    let (form, none) = match op {
        ScanOp::Sum if scalar == Scalar::F32 => (Form::SumFloat, 0),
        ScanOp::Sum => (Form::Sum, 0),
        ScanOp::Min => (Form::Least, order::greatest(scalar)),
        ScanOp::Max => (Form::Greatest, order::least(scalar)),
    };
    let (data, word) = place(column)?;
    let (output, output_word) = place(into)?;
    let (mut block, chunks) = chunks(column.rows(), word);
    block[9] = output_word;
    (block[20], block[21], block[25]) = (none as u32, (none >> 32) as u32, u32::from(exclusive));
    let partials = scratch.take(&runtime.context, 0, u64::from(chunks) * PARTIAL_WORDS)?;
    let mut works = Vec::with_capacity(2);
    if chunks > 1 {
        let buffers = vec![data.clone(), partials.clone()];
        works.push(work(runtime, PrimitiveShader::totals(form, scalar), buffers, block, chunks)?);
    }
    let buffers = vec![data, partials, output];
    works.push(work(runtime, PrimitiveShader::scan(form, scalar), buffers, block, chunks)?);
    Ok(works)
}

pub(super) fn select(
    runtime: &Runtime,
    scratch: &mut Scratch,
    filter: &Filter,
    rows: &View,
    count: &View,
) -> Result<Vec<Work>> {
    let scalar = filter.column.scalar();
    let (data, word) = place(&filter.column)?;
    let (list, list_word) = place(rows)?;
    let (count, count_word) = place(count)?;
    let (mut block, chunks) = chunks(filter.column.rows(), word);
    (block[9], block[11]) = (list_word, count_word);
    let operand = operand(filter, &data, &mut block)?;
    let partials = scratch.take(&runtime.context, 0, u64::from(chunks) * PARTIAL_WORDS)?;
    let mut works = Vec::with_capacity(2);
    if chunks > 1 {
        let buffers = vec![data.clone(), partials.clone(), operand.clone()];
        works.push(work(runtime, PrimitiveShader::totals(Form::Count, scalar), buffers, block, chunks)?);
    }
    let buffers = vec![data, partials, list, count, operand];
    works.push(work(runtime, PrimitiveShader::select(scalar), buffers, block, chunks)?);
    Ok(works)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_the_rows_and_none_is_empty() {
        for rows in [0, 1, TILE, TILE + 1, TILE * MAX_CHUNKS, TILE * MAX_CHUNKS + 1, 1 << 30] {
            let (block, chunks) = chunks(rows, 0);
            let chunk = u64::from(block[24]);
            assert!((1..=MAX_CHUNKS).contains(&chunks));
            assert!(u64::from(chunks) * chunk >= u64::from(rows), "{rows}");
            assert!(rows == 0 || u64::from(chunks - 1) * chunk < u64::from(rows), "{rows}");
        }
    }
}
