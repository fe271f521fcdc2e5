//! Division of work into tasks.

use crate::team::Team;
use std::ops::Range;

/// Number of bytes that one thread streams before a second thread, which has to wake first, is worth it.
const MIN_BYTES: usize = 1 << 22;

/// Least number of bytes of a task.
const TASK_BYTES: usize = 1 << 18;

/// Number of tasks for each thread, so that a late or interrupted thread delays the work only briefly.
const TASKS: usize = 8;

/// Rows of a task are a multiple of this, so that blocks of the fixed tree are never divided.
const GRAIN: usize = 1 << 12;

/// Threads of a device, as primitives use them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers<'t> {
    team: &'t Team,
}

impl<'t> Workers<'t> {
    pub(crate) fn new(team: &'t Team) -> Self {
        Workers { team }
    }

    /// Returns the number of threads.
    pub(crate) fn threads(self) -> usize {
        self.team.threads()
    }

    /// Returns `true` if one thread is done with the work before another arrives.
    pub(crate) fn alone(self, rows: usize, row_bytes: usize) -> bool {
        rows.saturating_mul(row_bytes) < MIN_BYTES || self.threads() == 1
    }

    /// Returns ranges for tasks over `rows` rows of `row_bytes` bytes: a single one if one thread suffices.
    pub(crate) fn ranges(self, rows: usize, row_bytes: usize) -> Vec<Range<usize>> {
        if self.alone(rows, row_bytes) {
            return vec![0..rows; 1];
        }
        let least = TASK_BYTES / row_bytes.max(1);
        tiles(rows, rows.div_ceil(self.threads() * TASKS).max(least).next_multiple_of(GRAIN))
    }

    /// Combines the results of `of` for parts of the rows. The parts start at multiples of the fixed tree's blocks and
    /// are joined in order.
    pub(crate) fn fold<A: Send>(
        self,
        (rows, row_bytes): (usize, usize),
        of: impl Fn(Range<usize>) -> A + Sync,
        join: impl Fn(A, A) -> A,
    ) -> A {
        if !self.alone(rows, row_bytes) {
            let folded = self.map(self.ranges(rows, row_bytes), &of).into_iter().reduce(join);
            if let Some(folded) = folded {
                return folded;
            }
        }
        of(0..rows)
    }

    /// Runs a task for every item; the results come in the items' order. A single task runs on the calling thread.
    pub(crate) fn map<I: Send, T: Send>(self, items: Vec<I>, task: impl Fn(I) -> T + Sync) -> Vec<T> {
        self.team.map(items, task)
    }

    /// Acts like [`Team::in_turn`].
    pub(crate) fn in_turn<A, B>(
        self,
        tiles: usize,
        first: impl Fn(usize) -> A + Sync,
        turn: impl FnMut(usize, A) -> B + Send,
        then: impl Fn(usize, B) + Sync,
    ) {
        self.team.in_turn(tiles, first, turn, then);
    }
}

/// Bytes of a tile that is traversed twice: with its results it fits the second-level cache.
const TILE_BYTES: usize = 1 << 17;

/// Returns the number of rows of such a tile, of `row_bytes` bytes each.
pub(crate) fn tile_rows(row_bytes: usize) -> usize {
    (TILE_BYTES / row_bytes.max(1)).max(GRAIN)
}

/// Divides rows into parts of equal length, except the last.
pub(crate) fn tiles(rows: usize, length: usize) -> Vec<Range<usize>> {
    (0..rows.div_ceil(length)).map(|i| i * length..((i + 1) * length).min(rows)).collect()
}
