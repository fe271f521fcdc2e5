//! Units of time.

/// Milliseconds of an hour.
pub const MILLISECONDS_PER_HOUR: f64 = 3_600_000.0;

/// Seconds of an hour.
pub const SECONDS_PER_HOUR: f64 = 3600.0;
