//! Contents of the launch block.

use super::bind::Bound;
use super::{EXTENT_WORD, LAUNCH_WORDS, LaunchLayout};
use imminent_core::backend::DeviceMemory;

/// Begins a block for `rows` rows; word 1, the first fault slot, stays 0.
pub fn begin(block: &mut Vec<u32>, layout: &LaunchLayout, rows: u32, extent: u32) {
    block.clear();
    block.resize(layout.words.max(LAUNCH_WORDS) as usize, 0);
    put(block, 0, &[rows]);
    put(block, EXTENT_WORD, &[extent]);
}

/// Writes the block's header of one argument.
pub fn describe<M: DeviceMemory>(block: &mut [u32], layout: &LaunchLayout, position: usize, bound: Bound<'_, M>) {
    match bound {
        Bound::Memory(memory) => {
            if let Some(header) = layout.headers.get(position) {
                let shape = memory.shape();
                let stride = u32::try_from(shape.column_words()).unwrap_or(u32::MAX);
                let pool = u32::try_from(shape.pool_words()).unwrap_or(u32::MAX);
                put(block, *header, &[shape.rows(), stride, shape.capacity(), pool]);
            }
        }
        Bound::Params(words) => {
            if let Some(params) = layout.params.iter().find(|params| params.binding as usize == position) {
                put(block, params.offset, words);
            }
        }
    }
}

fn put(block: &mut [u32], at: u32, words: &[u32]) {
    if let Some(place) = block.get_mut(at as usize..).and_then(|rest| rest.get_mut(..words.len())) {
        place.copy_from_slice(words);
    }
}
