//! Limits of the general engine.

/// Largest number of places of one line: as many as fill a few gibibytes.
pub(super) const MAX_LANES: u64 = 1 << 26;

/// Largest number of servers of a station.
pub(super) const MAX_SERVERS: u32 = MAX_LANES as u32;
