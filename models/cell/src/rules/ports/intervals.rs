//! Intervals between the inputs that a generator sends.

use imminent_core::random::Pcg32;
use libm::{cos, log, sqrt};
use std::f64::consts::TAU;

/// Distribution of the intervals of a generator, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::rules) enum Intervals {
    Constant(f64),
    Exponential { mean: f64 },
    Poisson { mean: f64 },
    Normal { mean: f64, deviation: f64 },
    Chi { degrees: f64 },
}

/// Draws a number above 0, up to 1.
fn uniform(random: &mut Pcg32) -> f64 {
    ((random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// Draws from the exponential distribution of mean 1.
fn exponential(random: &mut Pcg32) -> f64 {
    -log(uniform(random))
}

/// Draws from the normal distribution of mean 0 and deviation 1, by the method of Box and Muller.
fn normal(random: &mut Pcg32) -> f64 {
    let (radius, turns) = (uniform(random), uniform(random));
    sqrt(-2.0 * log(radius)) * cos(TAU * turns)
}

impl Intervals {
    /// Returns the mean interval, of a normal distribution that of its central part.
    pub(super) fn mean(&self) -> f64 {
        match *self {
            Intervals::Constant(mean) | Intervals::Exponential { mean } | Intervals::Poisson { mean } => mean,
            Intervals::Normal { mean, deviation } => mean.abs() + deviation.abs(),
            Intervals::Chi { degrees } => degrees,
        }
    }

    /// Draws an interval. As in CD++, a negative one counts by its size.
    fn draw(&self, random: &mut Pcg32) -> f64 {
        match *self {
            Intervals::Constant(seconds) => seconds,
            Intervals::Exponential { mean } => mean * exponential(random),
            Intervals::Poisson { mean } => {
                // As many events of rate 1 as come before the mean.
                let (mut count, mut sum) = (0.0, exponential(random));
                while sum <= mean {
                    count += 1.0;
                    sum += exponential(random);
                }
                count
            }
            Intervals::Normal { mean, deviation } => (mean + deviation * normal(random)).abs(),
            Intervals::Chi { degrees } => {
                let squares = (0..degrees as u32).map(|_| normal(random)).map(|normal| normal * normal);
                squares.sum()
            }
        }
    }

    /// Returns the times at which a generator sends until `horizon`, in milliseconds, and how many inputs it sent
    /// before each. It sends the first at time 0. Of several within a millisecond the first counts.
    pub(super) fn times(&self, random: &mut Pcg32, horizon: u32) -> Vec<(u32, u32)> {
        let (mut times, mut now, mut sent): (Vec<(u32, u32)>, f64, u32) = (Vec::new(), 0.0, 0);
        while now <= f64::from(horizon) {
            let time = now as u32;
            if times.last().is_none_or(|&(last, _)| last < time) {
                times.push((time, sent));
            }
            now += 1000.0 * self.draw(random);
            sent += 1;
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_the_moments_of_their_distribution() {
        let cases = [
            (Intervals::Exponential { mean: 3.0 }, 3.0, 9.0),
            (Intervals::Poisson { mean: 7.5 }, 7.5, 7.5),
            (Intervals::Normal { mean: 100.0, deviation: 5.0 }, 100.0, 25.0),
            (Intervals::Chi { degrees: 4.0 }, 4.0, 8.0),
        ];
        for (intervals, mean, variance) in cases {
            let mut random = Pcg32::new(1, 7);
            let drawn: Vec<f64> = (0..40_000).map(|_| intervals.draw(&mut random)).collect();
            let average = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / drawn.len() as f64;
            let found = average(&mut drawn.iter().copied());
            let spread = average(&mut drawn.iter().map(|x| (x - found) * (x - found)));
            assert!((found - mean).abs() < 0.05 * mean.sqrt(), "{intervals:?}: {found}");
            assert!((spread / variance - 1.0).abs() < 0.06, "{intervals:?}: {spread}");
        }
    }

    #[test]
    fn a_generator_sends_at_time_0_and_once_in_a_millisecond() {
        let mut random = Pcg32::new(3, 1);
        let times = Intervals::Poisson { mean: 0.7 }.times(&mut random, 100_000);
        assert_eq!(times.first(), Some(&(0, 0)));
        assert!(times.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0 && a.1 < b.1)));
        // Half of the intervals are 0, and the inputs of one time count.
        assert!(times.last().is_some_and(|&(_, sent)| sent as usize > times.len()));
    }
}
