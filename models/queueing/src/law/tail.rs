//! Points of distribution functions, and probabilities measured from their nearer end.

/// Distribution function and density at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Curve {
    /// Probability of a duration of at most that time.
    pub(super) lower: f64,
    /// Probability of a longer duration.
    pub(super) upper: f64,
    /// Density, per time unit.
    pub(super) density: f64,
}

/// A probability measured from the nearer end, which preserves the digits of small ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tail {
    /// Probability of a value at or below the quantile.
    Lower(f64),
    /// Probability of a value above the quantile.
    Upper(f64),
}

impl Tail {
    pub(super) fn pick(self, curve: Curve) -> f64 {
        match self {
            Self::Lower(_) => curve.lower,
            Self::Upper(_) => curve.upper,
        }
    }

    pub(super) fn probability(self) -> f64 {
        match self {
            Self::Lower(p) | Self::Upper(p) => p,
        }
    }

    /// Returns minus the logarithm of the upper tail.
    pub(super) fn hazard(self) -> f64 {
        match self {
            Self::Lower(p) => -(-p).ln_1p(),
            Self::Upper(p) => -p.ln(),
        }
    }

    /// Returns `true` if a point with these tails lies at the quantile or above it.
    pub(super) fn is_reached(self, curve: Curve) -> bool {
        match self {
            Self::Lower(p) => curve.lower >= p,
            Self::Upper(p) => curve.upper <= p,
        }
    }
}
