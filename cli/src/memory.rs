//! A device's memory, as commands tell of it.

use imminent::Device;
use imminent_core::pool::PoolStatistics;
use serde::Serialize;

/// Figures of a device's memory. All but the shares are bytes.
#[derive(Debug, Serialize)]
pub(crate) struct MemoryFigures {
    /// What tables, tallies and results take.
    current: u64,
    /// The most that they took at a time.
    peak: u64,
    /// What the backend keeps from others.
    reserved: u64,
    /// What they may take together, where an option limits it.
    limit: Option<u64>,
    /// What nobody uses, where the driver tells.
    pub(crate) free: Option<u64>,
    /// What the pool holds, where the backend has one.
    pool: Option<Pool>,
}

#[derive(Debug, Serialize)]
struct Pool {
    #[serde(flatten)]
    statistics: PoolStatistics,
    /// The share of the held bytes that is not in use.
    fragmentation: f64,
    /// The same of the peaks.
    peak_fragmentation: f64,
}

impl MemoryFigures {
    /// The figures of a device at this moment.
    pub(crate) fn of(device: &Device) -> MemoryFigures {
        let memory = device.memory();
        let pool = memory.pool.map(|statistics| Pool {
            statistics,
            fragmentation: statistics.fragmentation(),
            peak_fragmentation: statistics.peak_fragmentation(),
        });
        let (current, peak, reserved) = (memory.current, memory.peak, memory.reserved);
        MemoryFigures { current, peak, reserved, limit: memory.limit, free: memory.free, pool }
    }
}
