//! Statistics of a pool.

use serde::{Deserialize, Serialize};

/// Memory of a pool and its use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolStatistics {
    /// Bytes that the pool has taken from the driver.
    pub held: u64,
    /// Largest number of bytes held at one time.
    pub held_peak: u64,
    /// Bytes of it in use, as requested.
    pub used: u64,
    /// Largest number of bytes in use at one time.
    pub used_peak: u64,
}

impl PoolStatistics {
    /// Returns the share of the held bytes that is not in use, from 0 to 1: the cost of idle places and rounding up.
    #[must_use]
    pub fn fragmentation(&self) -> f64 {
        share_not_in(self.used, self.held)
    }

    /// Returns the fragmentation by the peaks: the cost of the pool when most memory was needed.
    #[must_use]
    pub fn peak_fragmentation(&self) -> f64 {
        share_not_in(self.used_peak, self.held_peak)
    }
}

fn share_not_in(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 1.0 - part.min(whole) as f64 / whole as f64 }
}
