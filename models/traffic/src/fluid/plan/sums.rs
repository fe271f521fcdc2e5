//! What is summed before it is sent: neighbouring flows by blocks, and crowds of them by blocks and what sticks out.

use super::super::kernels::ways::{Block, Crowd, Span};
use std::ops::Range;

/// Flows of a block, and blocks of a large one.
pub(super) const BLOCK: u32 = 16;

/// Pieces of so many rows.
pub(super) fn blocks(rows: u32, size: u32) -> Vec<Block> {
    pieces(0..rows, size)
}

/// Pieces of so many rows, of these.
pub(super) fn pieces(rows: Range<u32>, size: u32) -> Vec<Block> {
    let starts = rows.clone().step_by(size as usize);
    starts.map(|first| Block { rows: span(first..rows.end.min(first.saturating_add(size))) }).collect()
}

/// How many rows a crowd is the sum of.
pub(super) fn rows_of(crowd: &Crowd) -> u32 {
    let Crowd { flows, blocks, large, more_blocks, more_flows } = crowd;
    [flows, blocks, large, more_blocks, more_flows].iter().map(|span| span.end - span.first).sum()
}

/// Which flows, blocks and large blocks sum up to some flows.
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

/// The rows before the first whole block, the whole blocks, and the rows after them.
fn parts(rows: Range<u32>) -> [Range<u32>; 3] {
    let (first, end) = (rows.start.div_ceil(BLOCK), rows.end / BLOCK);
    if first >= end {
        return [rows.clone(), 0..0, rows.end..rows.end];
    }
    [rows.start..first * BLOCK, first..end, end * BLOCK..rows.end]
}

/// Rows as a kernel knows them.
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
