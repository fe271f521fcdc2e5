//! How much work a row is, found out launch by launch: what is worth a task of its own depends on it.

use imminent_core::reduce::BLOCK;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Fewest rows that are worth a task of their own, whatever is known of them: a task costs about a microsecond.
const LEAST_ROWS: u32 = 4 * BLOCK as u32;

/// Work that is worth a task of its own, in nanoseconds.
const LEAST_WORK: u32 = 20_000;

/// Rows of heavy kernels that are not cut, where a result does not depend on how they are cut.
const FEW: u32 = 8;

/// One launch in so many is measured.
const MEASURED: u32 = 16;

/// What is known of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Weight {
    /// Nanoseconds of a row, in the last launch that was measured; 0 before.
    nanoseconds: AtomicU32,
    launches: AtomicU32,
}

/// How a launch is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    /// Rows that are never cut.
    pub(crate) unit: u32,
    /// Fewest rows of a part.
    pub(crate) least: u32,
}

impl Weight {
    /// How a launch is to be cut. Where the order of values matters, it is cut at blocks.
    pub(crate) fn grain(&self, is_order_free: bool) -> Grain {
        let least = match self.nanoseconds.load(Relaxed) {
            0 => LEAST_ROWS,
            nanoseconds => (LEAST_WORK / nanoseconds).clamp(FEW, LEAST_ROWS),
        };
        let unit = if is_order_free && least < BLOCK as u32 { FEW } else { BLOCK as u32 };
        Grain { unit, least: least.max(unit) }
    }

    /// Whether the next launch is to be measured.
    pub(crate) fn is_due(&self) -> bool {
        self.launches.fetch_add(1, Relaxed).is_multiple_of(MEASURED)
    }

    /// Takes note of what a launch took, of all threads together.
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
        assert_eq!(weight.grain(true), Grain { unit: block, least: LEAST_ROWS });
        weight.note(1_000, Duration::from_micros(5));
        assert_eq!(weight.grain(true), Grain { unit: block, least: LEAST_ROWS });
        weight.note(100, Duration::from_micros(20));
        assert_eq!(weight.grain(true), Grain { unit: FEW, least: 100 });
        assert_eq!(weight.grain(false), Grain { unit: block, least: block });
        weight.note(100, Duration::from_secs(1));
        assert_eq!(weight.grain(true), Grain { unit: FEW, least: FEW });
        weight.note(1, Duration::from_secs(100));
        assert_eq!(weight.grain(true), Grain { unit: FEW, least: FEW });
    }

    #[test]
    fn one_launch_in_some_is_measured() {
        let weight = Weight::default();
        let due = (0..40).filter(|_| weight.is_due()).count();
        assert_eq!(due, 3);
    }
}
