//! Moves of columns: copies, fills, and the gather that ends a sort.

use super::bind::{lies_well, place, same_buffer};
use super::reduce::work;
use crate::launch::Work;
use crate::memory::Segment;
use crate::runtime::{BLOCK_WORDS, PrimitiveShader, Runtime};
use imminent_core::Result;
use imminent_core::backend::{Operand, View};

/// Words that a workgroup moves at a time.
const TILE_WORDS: u64 = 1024;
/// Most workgroups of a dispatch; more would not use any device better.
const MAX_GROUPS: u64 = 2048;

const COPY: u32 = 0;
const GATHER: u32 = 1;
const FILL: u32 = 2;
const FILL_FROM: u32 = 3;

/// Returns the number of words of a column, if it fits the shader.
fn words(view: &View) -> Option<u32> {
    u32::try_from(u64::from(view.rows()) * u64::from(view.scalar().words())).ok()
}

pub(super) fn copy_supported(from: &View, to: &View) -> bool {
    lies_well(from) && lies_well(to) && !same_buffer(from, to) && words(to).is_some()
}

pub(super) fn fill_supported(column: &View, value: &Operand) -> bool {
    let apart = match value {
        Operand::Constant(_) => true,
        Operand::Device(view) => place(view).is_ok() && !same_buffer(view, column),
    };
    apart && lies_well(column) && words(column).is_some()
}

fn moved(
    runtime: &Runtime,
    what: u32,
    (input, input_word): (Segment, u32),
    list: Option<(Segment, u32)>,
    (to, value): (&View, u64),
) -> Result<Work> {
    let (output, word) = place(to)?;
    let words = words(to).unwrap_or(0);
    let groups = u64::from(words).div_ceil(TILE_WORDS).clamp(1, MAX_GROUPS) as u32;
    let (list, list_word) = list.unwrap_or_else(|| (input.clone(), 0));
    let mut block = [0; BLOCK_WORDS];
    (block[0], block[8], block[9], block[10], block[14]) = (words, input_word, word, list_word, groups);
    (block[16], block[17]) = (what, to.scalar().words());
    (block[18], block[19]) = (value as u32, (value >> 32) as u32);
    work(runtime, PrimitiveShader::Move, vec![input, list, output], block, groups)
}

pub(super) fn copy(runtime: &Runtime, from: &View, to: &View) -> Result<Vec<Work>> {
    Ok(vec![moved(runtime, COPY, place(from)?, None, (to, 0))?])
}

/// Gathers values of two words by a list of rows.
pub(super) fn gather(runtime: &Runtime, from: &View, list: (Segment, u32), to: &View) -> Result<Work> {
    moved(runtime, GATHER, place(from)?, Some(list), (to, 0))
}

/// Fills a column with a value; `idle` is a buffer to bind if the value is a constant.
pub(super) fn fill(runtime: &Runtime, idle: Segment, column: &View, value: &Operand) -> Result<Vec<Work>> {
    Ok(vec![match value {
        Operand::Constant(bits) => moved(runtime, FILL, (idle, 0), None, (column, *bits))?,
        Operand::Device(view) => moved(runtime, FILL_FROM, place(view)?, None, (column, 0))?,
    }])
}
