//! The normal law, cut at 0.

use super::tail::Tail;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Normal law of mean `location` and standard deviation `deviation`, given that it is above 0.
pub(super) struct CutNormal {
    pub(super) location: f64,
    pub(super) deviation: f64,
}

impl CutNormal {
    /// Returns the share of the normal law that is above 0, at least a half.
    fn kept(&self) -> f64 {
        Normal::standard().cdf(self.location / self.deviation)
    }

    /// Returns the inverse Mills ratio at the cut: the density of the standard normal law over the share above.
    fn ratio(&self) -> f64 {
        Normal::standard().pdf(self.location / self.deviation) / self.kept()
    }

    pub(super) fn mean(&self) -> f64 {
        self.location + self.deviation * self.ratio()
    }

    pub(super) fn variance(&self) -> f64 {
        let (cut, ratio) = (-self.location / self.deviation, self.ratio());
        self.deviation.powi(2) * (1.0 + ratio * (cut - ratio))
    }

    /// Returns the probabilities of at most `time`, which is above 0, and of more.
    pub(super) fn tails(&self, time: f64) -> (f64, f64) {
        let (normal, kept) = (Normal::standard(), self.kept());
        let z = (time - self.location) / self.deviation;
        let below = (normal.cdf(z) - normal.cdf(-self.location / self.deviation)) / kept;
        (below.max(0.0), normal.sf(z) / kept)
    }

    pub(super) fn quantile(&self, tail: Tail) -> f64 {
        let (normal, kept) = (Normal::standard(), self.kept());
        let z = match tail {
            Tail::Lower(p) => normal.inverse_cdf((1.0 - kept) + p * kept),
            Tail::Upper(p) => -normal.inverse_cdf(p * kept),
        };
        (self.location + self.deviation * z).max(0.0)
    }
}
