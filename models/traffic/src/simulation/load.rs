//! Load that is proposed for a network.

/// Load of the busiest link, as a share of its bandwidth.
pub(super) const LOAD: f64 = 0.8;

/// Rounds a number to two decimal digits of precision.
pub(super) fn round(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}
