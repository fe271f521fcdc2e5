//! Measurement of one primitive over a column.

use super::column::Column;
use crate::bench::timing::{Timing, time};
use imminent::{Device, Error, Queue, Result};
use imminent_core::ir::Scalar;
use std::time::{Duration, Instant};

/// Function that enqueues work.
pub(super) type OnQueue<'t> = Box<dyn FnMut(&Queue) -> Result<()> + 't>;

/// A primitive over a column, bound to its tables.
pub(super) struct Call<'t> {
    /// Enqueues the primitive once.
    pub(super) put: OnQueue<'t>,
    /// Enqueues the primitive and reads a part of its result.
    pub(super) read: OnQueue<'t>,
}

/// A primitive of one type, for columns of any size.
pub(super) struct Subject {
    pub(super) what: &'static str,
    pub(super) scalar: Scalar,
    /// Number of bytes to be read and written, by the number of rows.
    pub(super) bytes: fn(u64) -> u64,
    /// Creates tables and measures.
    pub(super) measure: fn(&Runner<'_>, u32) -> Result<[Timing; 3]>,
}

/// Common data of all measurements.
pub(super) struct Runner<'d> {
    pub(super) device: &'d Device,
    pub(super) budget: Duration,
}

/// Minimum duration of a run of queued calls, unless 65,536 calls are faster.
const QUEUED: Duration = Duration::from_millis(20);

impl Runner<'_> {
    /// Measures a call with read-back, one of many queued calls, and a copy of the column.
    pub(super) fn time<T: Column>(&self, table: &imminent::Table<T>, mut call: Call<'_>) -> Result<[Timing; 3]> {
        let queue = self.device.queue();
        let single = time(self.budget, || (call.read)(&queue))?;
        let queued = self.queued(&queue, &mut call.put)?;
        drop(call);
        let mut copy = imminent::Table::<T>::zeroed(self.device, table.len())?;
        let copied = self.queued(&queue, &mut |_| copy.copy_from(table))?;
        Ok([single, queued, copied])
    }

    /// Measures the time per call of a run of queued calls.
    fn queued(&self, queue: &Queue, put: &mut dyn FnMut(&Queue) -> Result<()>) -> Result<Timing> {
        let mut run = |calls: u32| {
            let clock = Instant::now();
            for _ in 0..calls {
                put(queue)?;
            }
            queue.wait()?;
            Ok::<_, Error>(clock.elapsed())
        };
        let mut calls = 1;
        while run(calls)? < QUEUED.min(self.budget) && calls < 1 << 16 {
            calls *= 2;
        }
        Ok(time(self.budget, || run(calls).map(drop))?.each(u64::from(calls)))
    }
}
