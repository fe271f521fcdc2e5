//! Limits of the engines on a device.

/// Largest number of places of one line: as many as fill a few gibibytes.
pub(super) const MAX_LANES: u64 = 1 << 26;

/// Largest number of servers of a station.
pub(super) const MAX_SERVERS: u32 = MAX_LANES as u32;

/// Number of launches of a relaxation before the first check whether bounds still fall. Afterwards launches come in
/// pairs; most steps need at most one pair.
pub(super) const UNCHECKED_LAUNCHES: usize = 3;
