//! Choice of the tick for the laws of a network.

use super::Law;
use super::tail::Tail;
use imminent_common::time::{MAX_TICKS, Tick};

/// Binary logarithm of the number of ticks that every mean has at least, if possible. The rounding error of a mean is
/// then at most 1/8,192 of it.
const MIN_EXPONENT: i32 = 12;

/// Binary logarithm of the number of ticks of the shortest mean, where the default tick is too coarse or too fine.
const USUAL: i32 = 20;

/// Chooses the tick for durations of these laws.
///
/// The result is the [default](Tick::DEFAULT) if that gives every mean 4,096 ticks or more and every exponential one
/// less than 2^32. Otherwise the shortest mean gets 2^20 ticks. If that makes the longest exponential mean too long,
/// the latter gets between 2^31 and 2^32 ticks, unless the shortest then has less than 4,096. No duration is longer
/// than 2^59 ticks, even if the shortest mean then has fewer ticks.
///
/// Laws with invalid parameters, or with a mean of 0, do not count.
#[must_use]
pub fn tick_of<'a>(laws: impl IntoIterator<Item = &'a Law>) -> Tick {
    let mut scale = Scale::default();
    let mut last = None;
    for law in laws {
        // In large networks, consecutive nodes often have the same law.
        if last != Some(law) && law.check().is_ok() && law.mean() > 0.0 {
            scale.add(law);
        }
        last = Some(law);
    }
    scale.tick()
}

/// Shortest and longest durations of some laws, in time units.
struct Scale {
    shortest_mean: f64,
    longest_exponential_mean: f64,
    greatest_draw: f64,
}

impl Default for Scale {
    fn default() -> Self {
        Self { shortest_mean: f64::INFINITY, longest_exponential_mean: 0.0, greatest_draw: 0.0 }
    }
}

impl Scale {
    fn add(&mut self, law: &Law) {
        self.shortest_mean = self.shortest_mean.min(law.mean());
        if let Law::Exponential { mean } = law {
            self.longest_exponential_mean = self.longest_exponential_mean.max(*mean);
        }
        self.greatest_draw = self.greatest_draw.max(law.greatest_draw());
    }

    fn tick(&self) -> Tick {
        if !self.shortest_mean.is_finite() {
            return Tick::DEFAULT;
        }
        // A duration in `[2^e, 2^(e + 1))` has less than `2^(e + 1 + bits)` ticks.
        let most_for_exponential = 31 - exponent(self.longest_exponential_mean);
        let most = (MAX_TICKS.ilog2() as i32 - 2).saturating_sub(exponent(self.greatest_draw));
        let (least, usual) = (MIN_EXPONENT - exponent(self.shortest_mean), USUAL - exponent(self.shortest_mean));
        let default = Tick::DEFAULT.bits();
        if (least..=most_for_exponential.min(most)).contains(&default) {
            return Tick::DEFAULT;
        }
        Tick::of_bits(usual.min(most_for_exponential).max(least).min(most))
    }
}

/// Returns the greatest `e` with `2^e` at most `number`; for 0 a value below every other.
fn exponent(number: f64) -> i32 {
    if number > 0.0 { (number.log2().floor() as i32).clamp(-2000, 2000) } else { -2000 }
}

impl Law {
    /// Returns the longest duration that a random word of 32 bits gives, in time units.
    pub(super) fn greatest_draw(&self) -> f64 {
        match self {
            Self::Exponential { mean } => 33.0 * std::f64::consts::LN_2 * mean,
            Self::Deterministic { value } => *value,
            Self::Uniform { high, .. } => *high,
            Self::Empirical { values } => values.iter().copied().fold(0.0, f64::max),
            law => law.distribution().quantile(Tail::Upper((-33.0_f64).exp2()), 1e-9 * law.mean(), law.mean()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn exponential(mean: f64) -> Law {
        Law::Exponential { mean }
    }

    #[test]
    fn ordinary_durations_keep_the_default() {
        let ordinary = [
            vec![],
            vec![exponential(10.0)],
            vec![exponential(0.004), exponential(4095.0)],
            vec![exponential(1.0), Law::Deterministic { value: 1e6 }],
            vec![Law::LogNormal { mean: 4000.0, cv: 100.0 }],
            vec![Law::Uniform { low: 0.0, high: 0.0 }, exponential(-1.0), exponential(f64::NAN)],
        ];
        for laws in ordinary {
            assert_eq!(tick_of(&laws), Tick::DEFAULT, "{laws:?}");
        }
    }

    #[test]
    fn short_and_long_durations_get_ticks_of_their_own() {
        // 2e-6 is between 2^-19 and 2^-18.
        assert_eq!(tick_of(&[exponential(2e-6), exponential(4e-6)]).bits(), 39);
        assert_eq!(tick_of(&[exponential(5000.0), exponential(1.0)]).bits(), 19);
        assert_eq!(tick_of(&[exponential(1e9)]).bits(), -9);
        // The longest exponential mean has room for 2^31 to 2^32 ticks, and the shortest then has at least 2^12.
        let tick = tick_of(&[exponential(1e-3), exponential(1000.0)]);
        assert_eq!(tick.bits(), 22);
        assert!(tick.mean_service(1000.0).is_ok());
        // If means are farther apart, the longer is drawn by quantiles.
        let tick = tick_of(&[exponential(1e-6), exponential(1e6)]);
        assert_eq!(tick.bits(), 32);
        assert!(matches!(exponential(1e6).sampler_at(tick).unwrap(), super::super::Sampler::Quantiles(_)));
    }

    proptest! {
        #[test]
        fn every_law_can_be_drawn_and_keeps_its_mean(
            powers in prop::collection::vec(-15.0..15.0_f64, 1..4),
            kinds in prop::collection::vec(0..4_u32, 4),
        ) {
            // Within 10^10 of each other.
            let first = powers[0];
            let laws: Vec<Law> = powers.iter().zip(&kinds).map(|(&power, kind)| {
                let mean = 10_f64.powf(power.clamp(first - 5.0, first + 5.0));
                match kind {
                    0 => exponential(mean),
                    1 => Law::Deterministic { value: mean },
                    2 => Law::Gamma { shape: 2.5, mean },
                    _ => Law::Uniform { low: 0.0, high: 2.0 * mean },
                }
            }).collect();
            let tick = tick_of(&laws);
            for law in &laws {
                let drawn = law.sampler_at(tick).unwrap().mean_ticks() / tick.per_unit();
                let error = drawn / law.mean() - 1.0;
                prop_assert!(error.abs() < 2_f64.powi(-12), "{:?} with 2^-{}: {}", law, tick.bits(), error);
            }
        }
    }
}
