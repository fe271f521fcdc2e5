//! Blocks of cells, and the blocks that their cells see.

use crate::engine::kernels::blocks::{Block, SeenBlock};
use crate::space::CellSpace;

/// Cells of a block: the group of the kernel.
const BLOCK: u32 = 256;

/// Lists the blocks of a space, and for each the blocks in which its cells have neighbours, or are themselves.
///
/// External inputs come to the cells `fed`.
pub(super) fn layout(space: &CellSpace, fed: Vec<u32>) -> (Vec<Block>, Vec<SeenBlock>) {
    let mut fed: Vec<u32> = fed.into_iter().map(|cell| cell / BLOCK).collect();
    fed.sort_unstable();
    let cells = space.cells() as u32;
    let (mut blocks, mut all) = (Vec::new(), Vec::new());
    for (block, first) in (0..).zip((0..cells).step_by(BLOCK as usize)) {
        let mut seen = vec![block];
        for offset in space.neighbours() {
            for cell in first..cells.min(first + BLOCK) {
                let other = space.at(cell, offset).map(|cell| cell / BLOCK);
                if let Some(other) = other.filter(|other| seen.last() != Some(other)) {
                    seen.push(other);
                }
            }
            seen.sort_unstable();
            seen.dedup();
        }
        let first_feed = fed.partition_point(|&other| other < block) as u32;
        let feeds = fed.partition_point(|&other| other <= block) as u32 - first_feed;
        blocks.push(Block {
            next: 0,
            written: 0,
            first_source: all.len() as u32,
            sources: seen.len() as u32,
            first_feed,
            feeds,
        });
        all.extend(seen.into_iter().map(|block| SeenBlock { block }));
    }
    (blocks, all)
}
