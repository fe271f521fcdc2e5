//! Sums of flows before they are sent: blocks of neighbouring flows, and crowds of blocks and single flows.

use super::super::kernels::paths::{Block, Crowd, Span};
use std::ops::Range;

/// Number of flows in a block, and of blocks in a large block.
pub(super) const BLOCK: u32 = 16;

/// Splits `rows` rows into blocks of `size` rows.
pub(super) fn blocks(rows: u32, size: u32) -> Vec<Block> {
    pieces(0..rows, size)
}

/// Splits a range of rows into blocks of `size` rows.
pub(super) fn pieces(rows: Range<u32>, size: u32) -> Vec<Block> {
    let starts = rows.clone().step_by(size as usize);
    starts.map(|first| Block { rows: span(first..rows.end.min(first.saturating_add(size))) }).collect()
}

/// Returns the number of rows that a crowd sums.
pub(super) fn rows_of(crowd: &Crowd) -> u32 {
    let Crowd { flows, blocks, large, more_blocks, more_flows } = crowd;
    [flows, blocks, large, more_blocks, more_flows].iter().map(|span| span.end - span.first).sum()
}

/// Returns the flows, blocks and large blocks that sum up to a range of flows.
pub(super) fn crowd(flows: &Range<u32>) -> Crowd {
    let [head, inner, tail] = parts(flows.clone());
    let [blocks, large, more] = parts(inner);
    Crowd {
        flows: span(head),
        blocks: span(blocks),
        large: span(large),
        more_blocks: span(more),
        more_flows: span(tail),
    }
}

/// Splits a range into the rows before the first whole block, the whole blocks, and the rows after them.
fn parts(rows: Range<u32>) -> [Range<u32>; 3] {
    let (first, end) = (rows.start.div_ceil(BLOCK), rows.end / BLOCK);
    if first >= end {
        return [rows.clone(), 0..0, rows.end..rows.end];
    }
    [rows.start..first * BLOCK, first..end, end * BLOCK..rows.end]
}

/// Converts a range of rows to the kernels' type.
pub(super) fn span(rows: Range<u32>) -> Span {
    Span { first: rows.start, end: rows.end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(span: &Span, size: u32) -> impl Iterator<Item = u32> {
        span.first * size..span.end * size
    }

    proptest! {
        #[test]
        fn a_crowd_is_all_its_flows_and_no_other(first in 0_u32..2000, count in 0_u32..3000) {
            let flows = first..first + count;
            let crowd = crowd(&flows);
            let mut found: Vec<u32> = rows(&crowd.flows, 1)
                .chain(rows(&crowd.blocks, BLOCK))
                .chain(rows(&crowd.large, BLOCK * BLOCK))
                .chain(rows(&crowd.more_blocks, BLOCK))
                .chain(rows(&crowd.more_flows, 1))
                .collect();
            found.sort_unstable();
            prop_assert_eq!(found, flows.collect::<Vec<_>>());
        }
    }
}
