//! Measured cost of a kernel's rows, on which the size of tasks depends.

use imminent_core::reduce::BLOCK;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Least number of rows of a task, whatever their cost: a task costs about a microsecond.
const MIN_ROWS: u32 = 4 * BLOCK as u32;

/// Least work of a task, in nanoseconds.
const MIN_WORK: u32 = 20_000;

/// Rows of heavy kernels that are never divided, if a result does not depend on the division.
const MAX_UNDIVIDED_ROWS: u32 = 8;

/// Interval between measured launches.
const MEASURED: u32 = 16;

/// Measured cost of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Weight {
    /// Nanoseconds of a row, in the last launch that was measured; 0 before.
    nanoseconds: AtomicU32,
    launches: AtomicU32,
}

/// Division of a launch into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    /// Number of rows that are never divided.
    pub(crate) unit: u32,
    /// Least number of rows of a part.
    pub(crate) least: u32,
}

impl Weight {
    /// Returns the division of a launch. If the order of values matters, the boundaries are those of blocks.
    pub(crate) fn grain(&self, is_order_free: bool) -> Grain {
        let least = match self.nanoseconds.load(Relaxed) {
            0 => MIN_ROWS,
            nanoseconds => (MIN_WORK / nanoseconds).clamp(MAX_UNDIVIDED_ROWS, MIN_ROWS),
        };
        let unit = if is_order_free && least < BLOCK as u32 { MAX_UNDIVIDED_ROWS } else { BLOCK as u32 };
        Grain { unit, least: least.max(unit) }
    }

    /// Returns `true` if the next launch is to be measured.
    pub(crate) fn is_due(&self) -> bool {
        self.launches.fetch_add(1, Relaxed).is_multiple_of(MEASURED)
    }

    /// Records the time of a launch, summed over all threads.
    pub(crate) fn note(&self, rows: u32, time: Duration) {
        let of_a_row = time.as_nanos() / u128::from(rows.max(1));
        self.nanoseconds.store(u32::try_from(of_a_row).unwrap_or(u32::MAX).max(1), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_rows_are_cut_finer() {
        let weight = Weight::default();
        let block = BLOCK as u32;
        assert_eq!(weight.grain(true), Grain { unit: block, least: MIN_ROWS });
        weight.note(1_000, Duration::from_micros(5));
        assert_eq!(weight.grain(true), Grain { unit: block, least: MIN_ROWS });
        weight.note(100, Duration::from_micros(20));
        assert_eq!(weight.grain(true), Grain { unit: MAX_UNDIVIDED_ROWS, least: 100 });
        assert_eq!(weight.grain(false), Grain { unit: block, least: block });
        weight.note(100, Duration::from_secs(1));
        assert_eq!(weight.grain(true), Grain { unit: MAX_UNDIVIDED_ROWS, least: MAX_UNDIVIDED_ROWS });
        weight.note(1, Duration::from_secs(100));
        assert_eq!(weight.grain(true), Grain { unit: MAX_UNDIVIDED_ROWS, least: MAX_UNDIVIDED_ROWS });
    }

    #[test]
    fn one_launch_in_some_is_measured() {
        let weight = Weight::default();
        let due = (0..40).filter(|_| weight.is_due()).count();
        assert_eq!(due, 3);
    }
}
