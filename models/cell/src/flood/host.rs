//! The flood on a host: rows of cells near which something changed.

use super::{PARTS, TOLERANCE, WALL};
use std::ops::ControlFlow;

/// A grid with a closed border of one cell.
pub(super) struct Grid {
    stride: usize,
    height: usize,
    width: usize,
    amounts: Vec<i64>,
    next: Vec<i64>,
    /// A ninth of each cell's amount, 0 where it is closed.
    shares: Vec<i64>,
    /// 1 where a cell is open.
    open: Vec<i64>,
    /// Open neighbours of each cell.
    neighbours: Vec<i64>,
    /// Whether a cell of the row changed in the step before.
    changed: Vec<bool>,
}

/// What a run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Steps in which a cell changed.
    pub(super) steps: u64,
    pub(super) outputs: u64,
}

impl Grid {
    pub(super) fn new(height: u32, width: u32, amounts: &[i64]) -> Self {
        let (height, width) = (height as usize, width as usize);
        let stride = width + 2;
        let mut padded = vec![WALL; stride * (height + 2)];
        for (row, cells) in amounts.chunks(width).enumerate() {
            let start = (row + 1) * stride + 1;
            if let Some(to) = padded.get_mut(start..start + cells.len()) {
                to.copy_from_slice(cells);
            }
        }
        let open: Vec<i64> = padded.iter().map(|&amount| i64::from(amount >= 0)).collect();
        let mut neighbours = vec![0; open.len()];
        for row in 1..=height {
            sums(&open, stride, row, width, &mut neighbours);
        }
        let shares = padded.iter().map(|&amount| amount.max(0) / PARTS).collect();
        let next = padded.clone();
        Grid { stride, height, width, amounts: padded, next, shares, open, neighbours, changed: vec![true; height + 2] }
    }

    /// Takes up to `steps` steps; ends early when nothing changes.
    pub(super) fn run(
        &mut self,
        steps: u64,
        mut progress: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<u64, Counts> {
        let mut counts = Counts::default();
        for step in 0..steps {
            if progress(step).is_break() {
                return ControlFlow::Break(step);
            }
            let changed = self.step();
            if changed == 0 {
                break;
            }
            counts.steps += 1;
            counts.outputs += changed;
        }
        ControlFlow::Continue(counts)
    }

    fn step(&mut self) -> u64 {
        let (stride, width) = (self.stride, self.width);
        let mut changed = vec![false; self.changed.len()];
        let mut all = 0;
        let mut touched = Vec::new();
        for row in 1..=self.height {
            if !self.changed.get(row - 1..=row + 1).is_some_and(|near| near.contains(&true)) {
                continue;
            }
            touched.push(row);
            sums(&self.shares, stride, row, width, &mut self.next);
            let range = row * stride + 1..row * stride + 1 + width;
            let parts = (
                self.next.get_mut(range.clone()),
                self.amounts.get(range.clone()),
                self.shares.get(range.clone()),
                self.open.get(range.clone()),
                self.neighbours.get(range),
            );
            let (Some(next), Some(amounts), Some(shares), Some(open), Some(neighbours)) = parts else { continue };
            let mut count = 0_u64;
            for ((((next, &amount), &share), &open), &neighbours) in
                next.iter_mut().zip(amounts).zip(shares).zip(open).zip(neighbours)
            {
                // Both sums hold the cell itself, once each.
                let flow = open * (*next - neighbours * share);
                let changes = flow.unsigned_abs() > TOLERANCE;
                *next = amount + if changes { flow } else { 0 };
                count += u64::from(changes);
            }
            all += count;
            if let Some(flag) = changed.get_mut(row) {
                *flag = count > 0;
            }
        }
        for row in touched {
            let range = row * stride + 1..row * stride + 1 + width;
            let parts = (self.amounts.get_mut(range.clone()), self.shares.get_mut(range.clone()), self.next.get(range));
            let (Some(amounts), Some(shares), Some(next)) = parts else { continue };
            for ((amount, share), &next) in amounts.iter_mut().zip(shares).zip(next) {
                *amount = next;
                *share = (next.max(0) as u64 / PARTS as u64) as i64;
            }
        }
        self.changed = changed;
        all
    }

    pub(super) fn amounts(&self) -> Vec<i64> {
        let row = |row: usize| {
            let start = (row + 1) * self.stride + 1;
            self.amounts.get(start..start + self.width).unwrap_or_default()
        };
        (0..self.height).flat_map(row).copied().collect()
    }
}

/// Sums of the nine cells around each cell of a row.
fn sums(of: &[i64], stride: usize, row: usize, width: usize, into: &mut [i64]) {
    let line = |row: usize| of.get(row * stride..(row + 1) * stride).unwrap_or_default();
    let (above, here, below) = (line(row - 1), line(row), line(row + 1));
    let Some(into) = into.get_mut(row * stride + 1..row * stride + 1 + width) else { return };
    for (((sum, a), b), c) in into.iter_mut().zip(above.windows(3)).zip(here.windows(3)).zip(below.windows(3)) {
        *sum = a.iter().sum::<i64>() + b.iter().sum::<i64>() + c.iter().sum::<i64>();
    }
}
