//! Cutting work into tasks.

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// Bytes that one thread streams in the time that it takes to wake another.
const LEAST_BYTES: usize = 1 << 21;

/// Rows of a task are a multiple of this, so that blocks of the fixed tree are never cut.
const GRAIN: usize = 1 << 14;

/// The threads of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers<'p> {
    pool: &'p ThreadPool,
}

impl<'p> Workers<'p> {
    pub(crate) fn new(pool: &'p ThreadPool) -> Self {
        Workers { pool }
    }

    /// Number of threads.
    pub(crate) fn threads(self) -> usize {
        self.pool.current_num_threads()
    }

    /// Ranges for tasks over so many rows of so many bytes: one if others need not be woken.
    pub(crate) fn ranges(self, rows: usize, row_bytes: usize) -> Vec<Range<usize>> {
        if rows.saturating_mul(row_bytes) < LEAST_BYTES || self.threads() == 1 {
            return vec![0..rows; 1];
        }
        let length = rows.div_ceil(self.threads() * 4).next_multiple_of(GRAIN);
        (0..rows.div_ceil(length)).map(|i| i * length..((i + 1) * length).min(rows)).collect()
    }

    /// Runs a task for every item; the results come in order. A single task runs here and now.
    pub(crate) fn map<I: Send, T: Send>(self, items: Vec<I>, task: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
        if items.len() <= 1 {
            return items.into_iter().map(task).collect();
        }
        self.pool.install(|| items.into_par_iter().with_max_len(1).map(task).collect())
    }
}
