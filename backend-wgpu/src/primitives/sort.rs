//! Stable sorts: one dispatch for few rows, three dispatches for each digit of four bits otherwise.

use super::bind::{lies_well, place, same_buffer};
use super::moves;
use super::reduce::work;
use crate::launch::{Scratch, Work};
use crate::memory::Segment;
use crate::runtime::{BLOCK_WORDS, PrimitiveShader, Runtime};
use imminent_core::Result;
use imminent_core::backend::View;

/// Rows that one workgroup sorts in its own memory.
const MAX_LOCAL_ROWS: u32 = 1024;
/// Rows of a tile.
const TILE: u32 = 4096;
/// Most chunks; more would take longer to sum than they save.
const MAX_CHUNKS: u32 = 1024;
const DIGIT_BITS: u32 = 4;
const DIGITS: u32 = 1 << DIGIT_BITS;

/// Sources and targets of a sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'v> {
    pub(super) keys: &'v View,
    pub(super) values: Option<&'v View>,
    pub(super) sorted_keys: Option<&'v View>,
    pub(super) sorted_values: &'v View,
}

/// Indices of scratch buffers: the halves between which keys and payloads alternate, and the counts.
const KEYS: [usize; 2] = [0, 1];
const PAYLOADS: [usize; 2] = [2, 3];
const MATRIX: usize = 4;

pub(super) fn supports(runtime: &Runtime, task: Task<'_>) -> bool {
    let sources = [Some(task.keys), task.values];
    let targets = [task.sorted_keys, Some(task.sorted_values)];
    // A buffer that a dispatch writes is bound once, and not read through another binding.
    let apart = targets.iter().flatten().all(|target| sources.iter().flatten().all(|s| !same_buffer(s, target)))
        && task.sorted_keys.is_none_or(|keys| !same_buffer(keys, task.sorted_values));
    let bytes = u64::from(task.keys.rows()) * u64::from(task.keys.scalar().words()) * 4;
    let fits = bytes.max(u64::from(task.keys.rows()) * 8) <= runtime.context.limits.binding_bytes;
    apart && fits && sources.iter().chain(&targets).flatten().all(|view| lies_well(view))
}

pub(super) fn sort(runtime: &Runtime, scratch: &mut Scratch, task: Task<'_>) -> Result<Vec<Work>> {
    if task.keys.rows() <= MAX_LOCAL_ROWS { small(runtime, scratch, task) } else { passes(runtime, scratch, task) }
}

fn words_of(view: &View) -> u32 {
    view.scalar().words()
}

fn small(runtime: &Runtime, scratch: &mut Scratch, task: Task<'_>) -> Result<Vec<Work>> {
    let (keys, word) = place(task.keys)?;
    let (payloads, payload_word) = task.values.map_or_else(|| Ok((keys.clone(), 0)), place)?;
    let (sorted_keys, key_word) =
        task.sorted_keys.map_or_else(|| Ok((scratch.take(&runtime.context, KEYS[0], 1)?, 0)), place)?;
    let (sorted, sorted_word) = place(task.sorted_values)?;
    let mut block = [0; BLOCK_WORDS];
    (block[0], block[8], block[9], block[10], block[11]) =
        (task.keys.rows(), word, key_word, sorted_word, payload_word);
    (block[17], block[18]) = (u32::from(task.values.is_none()), u32::from(task.sorted_keys.is_some()));
    (block[19], block[24]) = (task.values.map_or(1, words_of), task.keys.rows().next_power_of_two());
    let buffers = vec![keys, payloads, sorted_keys, sorted];
    Ok(vec![work(runtime, PrimitiveShader::SortSmall(task.keys.scalar()), buffers, block, 1)?])
}

/// Keys and payloads, with their start words in their buffers.
type Pair = [(Segment, u32); 2];

fn passes(runtime: &Runtime, scratch: &mut Scratch, task: Task<'_>) -> Result<Vec<Work>> {
    let (rows, scalar) = (task.keys.rows(), task.keys.scalar());
    let tiles = rows.div_ceil(TILE);
    let chunk = tiles.div_ceil(MAX_CHUNKS).saturating_mul(TILE);
    let chunks = rows.div_ceil(chunk);
    let key_words = u64::from(rows) * u64::from(scalar.words());
    let mut half = |half: usize| -> Result<Pair> {
        let keys = scratch.take(&runtime.context, KEYS[half], key_words)?;
        Ok([(keys, 0), (scratch.take(&runtime.context, PAYLOADS[half], u64::from(rows))?, 0)])
    };
    let halves = [half(0)?, half(1)?];
    let matrix = scratch.take(&runtime.context, MATRIX, u64::from(DIGITS) * (u64::from(chunks) + 1))?;
    // Values of two words are gathered at the end, by their row numbers.
    let wide = task.values.filter(|values| words_of(values) == 2);
    let payload = task.values.filter(|_| wide.is_none());
    let keys = place(task.keys)?;
    let payloads = payload.map_or_else(|| Ok(keys.clone()), place)?;
    let [_, (_, numbers_word)] = &halves[1];
    let passes = scalar.words() * 32 / DIGIT_BITS;
    let mut works = Vec::with_capacity(passes as usize * 3 + 1);
    for pass in 0..passes {
        let (first, last) = (pass == 0, pass + 1 == passes);
        let [from, to] = [&halves[(pass as usize + 1) % 2], &halves[pass as usize % 2]];
        let [from_keys, from_payloads] = if first { [keys.clone(), payloads.clone()] } else { from.clone() };
        let [mut to_keys, mut to_payloads] = to.clone();
        if last {
            // Keys that are not asked for are not written: any buffer can be bound.
            to_keys = task.sorted_keys.map_or_else(|| Ok(to_keys), place)?;
            if wide.is_none() {
                to_payloads = place(task.sorted_values)?;
            }
        }
        let mut block = [0; BLOCK_WORDS];
        (block[0], block[8], block[14], block[24]) = (rows, from_keys.1, chunks, chunk);
        (block[9], block[10], block[11]) = (to_keys.1, to_payloads.1, from_payloads.1);
        block[16] = pass * DIGIT_BITS;
        block[17] = u32::from(first && payload.is_none());
        block[18] = u32::from(!last || task.sorted_keys.is_some());
        let count = vec![from_keys.0.clone(), matrix.clone()];
        works.push(work(runtime, PrimitiveShader::SortCount(scalar), count, block, chunks)?);
        works.push(work(runtime, PrimitiveShader::SortOffsets, vec![matrix.clone()], block, DIGITS)?);
        let placed = vec![from_keys.0, from_payloads.0, matrix.clone(), to_keys.0, to_payloads.0];
        works.push(work(runtime, PrimitiveShader::SortPlace(scalar), placed, block, chunks)?);
    }
    if let Some(values) = wide {
        let [_, (numbers, _)] = &halves[(passes as usize + 1) % 2];
        works.push(moves::gather(runtime, values, (numbers.clone(), *numbers_word), task.sorted_values)?);
    }
    Ok(works)
}
