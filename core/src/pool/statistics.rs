//! Statistics of a pool.

use serde::Serialize;

/// What a pool holds and how well it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PoolStatistics {
    /// Bytes that the pool has taken from the driver.
    pub held: u64,
    /// The most that it held at a time.
    pub held_peak: u64,
    /// Bytes of it in use, as asked for.
    pub used: u64,
    /// The most that was in use at a time.
    pub used_peak: u64,
}

impl PoolStatistics {
    /// The share of the held bytes that is not in use, from 0 to 1: what idle places and rounding up cost.
    #[must_use]
    pub fn fragmentation(&self) -> f64 {
        share_not_in(self.used, self.held)
    }

    /// The same of the peaks: what the pool cost when memory was needed most.
    #[must_use]
    pub fn peak_fragmentation(&self) -> f64 {
        share_not_in(self.used_peak, self.held_peak)
    }
}

fn share_not_in(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 1.0 - part.min(whole) as f64 / whole as f64 }
}
