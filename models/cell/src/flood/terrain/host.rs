//! The flood on a terrain on a host: rows of cells near which water moved.

use super::inflow::{FRACTION, Segment};
use super::state::{State, Terrain};
use super::{ARRIVAL_DEPTH, NEVER, OUTSIDE, TerrainError};
use crate::runner::{Phase, Runner};

/// Parts that a difference of levels is divided into: eight neighbours and the cell itself.
const PARTS: i64 = 9;

/// A grid with a border of one cell on each side that is outside.
pub(super) struct Host {
    rows: usize,
    columns: usize,
    stride: usize,
    open: bool,
    ground: Vec<i64>,
    levels: Vec<i64>,
    next: Vec<i64>,
}

impl Host {
    pub(super) fn new(terrain: Terrain<'_>) -> Self {
        let (rows, columns) = (terrain.rows as usize, terrain.columns as usize);
        let stride = columns + 2;
        let mut ground = vec![OUTSIDE; stride * (rows + 2)];
        for (row, cells) in terrain.ground.chunks(columns).enumerate() {
            let start = (row + 1) * stride + 1;
            if let Some(to) = ground.get_mut(start..start + cells.len()) {
                to.copy_from_slice(cells);
            }
        }
        let levels = ground.clone();
        Host { rows, columns, stride, open: terrain.open, next: levels.clone(), ground, levels }
    }

    /// Takes the steps of a segment; the rows that stay as they are, are not looked at.
    pub(super) fn run(
        &mut self,
        state: &mut State,
        segment: Segment,
        rates: &[u64],
        runner: &mut Runner<'_>,
    ) -> Result<(), TerrainError> {
        for (row, depths) in state.depths.chunks(self.columns).enumerate() {
            let start = (row + 1) * self.stride + 1;
            for (at, &depth) in (start..).zip(depths) {
                if let (Some(level), Some(&ground)) = (self.levels.get_mut(at), self.ground.get(at)) {
                    *level = ground.saturating_add(depth.max(0));
                }
            }
        }
        let pours: Vec<bool> = rates.chunks(self.columns).map(|row| row.iter().any(|&rate| rate > 0)).collect();
        let mut moved = vec![true; self.rows + 2];
        runner.enter(Phase::Simulation);
        for step in 0..segment.steps {
            let done = u64::from(segment.first) + u64::from(step);
            runner.go_on(done)?;
            let mut now = vec![false; self.rows + 2];
            let mut looked_at = Vec::new();
            for (row, &pours) in pours.iter().enumerate() {
                if !pours && !moved.get(row..row + 3).is_some_and(|near| near.contains(&true)) {
                    continue;
                }
                looked_at.push(row);
                let moves = self.row(state, row, step, segment.first + step + 1, rates);
                if let Some(now) = now.get_mut(row + 1) {
                    *now = moves || pours;
                }
            }
            for &row in &looked_at {
                let range = (row + 1) * self.stride + 1..(row + 1) * self.stride + 1 + self.columns;
                if let (Some(to), Some(from)) = (self.levels.get_mut(range.clone()), self.next.get(range)) {
                    to.copy_from_slice(from);
                }
            }
            moved = now;
            if looked_at.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// One step of a row. Returns whether water flowed.
    fn row(&mut self, state: &mut State, row: usize, step: u32, number: u32, rates: &[u64]) -> bool {
        let mut moves = false;
        for column in 0..self.columns {
            let (cell, at) = (row * self.columns + column, (row + 1) * self.stride + column + 1);
            let ground = self.ground.get(at).copied().unwrap_or(OUTSIDE);
            if ground == OUTSIDE {
                continue;
            }
            let level = self.levels.get(at).copied().unwrap_or(ground);
            let (depth, mut next) = (level - ground, level);
            for line in [at - self.stride, at, at + self.stride] {
                for other in (line - 1..=line + 1).filter(|&other| other != at) {
                    let other_ground = self.ground.get(other).copied().unwrap_or(OUTSIDE);
                    if other_ground == OUTSIDE {
                        if self.open {
                            next -= depth / PARTS;
                            state.left += i128::from(depth / PARTS);
                            moves |= depth >= PARTS;
                        }
                        continue;
                    }
                    let other_level = self.levels.get(other).copied().unwrap_or(other_ground);
                    let flow = if level > other_level {
                        -((level - other_level).min(depth) / PARTS)
                    } else {
                        (other_level - level).min(other_level - other_ground) / PARTS
                    };
                    next += flow;
                    moves |= flow != 0;
                }
            }
            let rate = rates.get(cell).copied().unwrap_or(0);
            next += added(rate, step);
            if let Some(to) = self.next.get_mut(at) {
                *to = next;
            }
            let depth = next - ground;
            if let Some(to) = state.depths.get_mut(cell) {
                *to = depth;
            }
            if let Some(peak) = state.peaks.get_mut(cell) {
                *peak = depth.max(*peak);
            }
            if let Some(arrival) = state.arrivals.get_mut(cell)
                && *arrival == NEVER
                && depth >= ARRIVAL_DEPTH
            {
                *arrival = number;
            }
        }
        moves
    }
}

/// Returns the units that a rate brings in a step of a segment, counted from 0.
fn added(rate: u64, step: u32) -> i64 {
    let part = rate & ((1 << FRACTION) - 1);
    let so_far = |steps: u64| (part * steps) >> FRACTION;
    ((rate >> FRACTION) + so_far(u64::from(step) + 1) - so_far(u64::from(step))) as i64
}
