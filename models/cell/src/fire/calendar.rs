//! The window advance on a host: pending ignitions in a calendar of time windows.
//!
//! No direction is faster than the lookahead, so an ignition in a window schedules nothing in the same window. Each
//! bucket is sorted once and then taken in order. A pending ignition that was pre-empted is recognized by its time. The
//! cost is that of burning cells.

use super::LOOKAHEAD;
use super::burning::{Burning, Schedule};
use super::outcome::Counts;
use crate::outcome::Cancelled;
use crate::runner::Runner;

/// Pending ignitions by time window: the time in the upper half of a number, the place in the lower half.
struct Buckets {
    horizon: u32,
    buckets: Vec<Vec<u64>>,
}

impl Schedule for Buckets {
    #[inline]
    fn set(&mut self, at: usize, _before: u32, due: u32) {
        if due <= self.horizon
            && let Some(bucket) = self.buckets.get_mut((due / LOOKAHEAD) as usize)
        {
            bucket.push((u64::from(due) << 32) | at as u64);
        }
    }
}

/// A grid and its calendar.
pub(super) struct Calendar {
    burning: Burning,
    schedule: Buckets,
    counts: Counts,
}

impl Calendar {
    /// Makes a grid in which some cells are lit.
    pub(super) fn new(height: u32, width: u32, horizon: u32, ignitions: &[(u32, u32)]) -> Self {
        let mut burning = Burning::new(height, width);
        let windows = (horizon / LOOKAHEAD) as usize + 1;
        let mut schedule = Buckets { horizon, buckets: vec![Vec::new(); windows] };
        burning.light(ignitions, &mut schedule);
        Calendar { burning, schedule, counts: Counts::default() }
    }

    /// Burns until the horizon. Returns the number of windows, of which it tells the runner.
    pub(super) fn run(&mut self, runner: &mut Runner<'_>) -> Result<u64, Cancelled> {
        let windows = self.schedule.buckets.len();
        let mut imminents: Vec<usize> = Vec::new();
        for window in 0..windows {
            runner.go_on(window as u64)?;
            let mut bucket = self.schedule.buckets.get_mut(window).map(std::mem::take).unwrap_or_default();
            bucket.sort_unstable();
            for same in bucket.chunk_by(|a, b| a >> 32 == b >> 32) {
                let now = same.first().map_or(0, |event| (event >> 32) as u32);
                imminents.clear();
                for &event in same {
                    let at = event as u32 as usize;
                    if self.burning.ignite(at, now) {
                        imminents.push(at);
                    }
                }
                self.counts.add(now, imminents.len());
                self.burning.spread(now, &imminents, &mut self.schedule);
            }
        }
        Ok(windows as u64)
    }

    /// Returns the ignition times, row by row, and their statistics.
    pub(super) fn ignition(&self) -> (Vec<u32>, Counts) {
        (self.burning.ignition(), self.counts)
    }
}
