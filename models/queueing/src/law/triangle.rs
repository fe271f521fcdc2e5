//! The triangular law.

use super::tail::Tail;

/// Triangular law from `low` to `high`, likeliest at `mode`.
pub(super) struct Triangle {
    pub(super) low: f64,
    pub(super) mode: f64,
    pub(super) high: f64,
}

impl Triangle {
    /// Returns the variance over the square of the mean.
    pub(super) fn squared_variation(&self) -> f64 {
        let Self { low, mode, high } = self;
        // Sum of the squares of the sides, which does not cancel.
        let sides = (high - low).powi(2) + (high - mode).powi(2) + (mode - low).powi(2);
        sides / 36.0 / ((low + mode + high) / 3.0).powi(2)
    }

    /// Returns the probabilities of at most `time` and of more.
    pub(super) fn tails(&self, time: f64) -> (f64, f64) {
        let Self { low, mode, high } = *self;
        if time >= high {
            (1.0, 0.0)
        } else if time < low {
            (0.0, 1.0)
        } else if time < mode {
            let below = (time - low) / (high - low) * ((time - low) / (mode - low));
            (below, 1.0 - below)
        } else {
            let above = (high - time) / (high - low) * ((high - time) / (high - mode));
            (1.0 - above, above)
        }
    }

    pub(super) fn quantile(&self, tail: Tail) -> f64 {
        let Self { low, mode, high } = *self;
        let width = high - low;
        if width <= 0.0 {
            return low;
        }
        let at_mode = (mode - low) / width;
        let from_low = |p: f64| low + (p * width * (mode - low)).sqrt();
        let from_high = |p: f64| high - (p * width * (high - mode)).sqrt();
        match tail {
            Tail::Lower(p) if p < at_mode => from_low(p),
            Tail::Lower(p) => from_high(1.0 - p),
            Tail::Upper(p) if p < 1.0 - at_mode => from_high(p),
            Tail::Upper(p) => from_low(1.0 - p),
        }
    }
}
