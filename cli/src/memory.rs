//! Memory of a device in the output of commands.

use imminent::Device;
use imminent_core::backend::PoolStatistics;
use serde::{Deserialize, Serialize};

/// Memory of a device. All figures but the shares are in bytes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MemoryFigures {
    /// Memory of tables, tallies and results.
    current: u64,
    /// Peak of `current`.
    peak: u64,
    /// Memory that the backend has reserved.
    reserved: u64,
    /// Limit for `current`, if an option sets one.
    limit: Option<u64>,
    /// Unused memory, if the driver reports it.
    pub(crate) free: Option<u64>,
    /// Statistics of the pool, if the backend has one.
    pool: Option<Pool>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pool {
    #[serde(flatten)]
    statistics: PoolStatistics,
    /// Share of the held bytes that is not in use.
    fragmentation: f64,
    /// Fragmentation computed from the peaks of held and used bytes.
    peak_fragmentation: f64,
}

impl MemoryFigures {
    /// Reads the figures of a device.
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
