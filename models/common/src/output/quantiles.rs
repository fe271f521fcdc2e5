//! Quantiles of a whole run, with intervals over its independent parts.
//!
//! Times of successive visits depend on each other: visits that meet in a long line share its length. The interval of
//! an order statistic assumes independent values and is therefore far too short. Replications, and batches that are
//! long enough, are independent. Each of these *sections* gives a quantile of its own, and their scatter gives
//! Student's interval. Interval and scatter are centred on the quantile of all values together: *sectioning* (Asmussen
//! and Glynn, *Stochastic Simulation*, 2007, section III.5). A quantile of `n` values has a bias of about `1 / n`, so
//! that of all values is better than the mean of the sections'. The bias of the sections appears as scatter, which
//! makes the interval longer, not wrong.

use super::sketch::Sketch;
use crate::estimate::{Confidence, Interval, of_squares};
use serde::{Deserialize, Serialize};

/// Percentages of the values that do not exceed the quantiles of a run.
pub const PERCENTS: [u32; 4] = [50, 90, 95, 99];

/// Quantile of a run, with the half-width of its confidence interval.
///
/// The interval covers chance alone, without the [error of the sketch](super::sketch::RELATIVE_ERROR).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Quantile {
    /// Quantile of all values; `None` without values.
    pub value: Option<f64>,
    /// Interval that covers the true quantile with about its confidence; without half-width for fewer than two sections
    /// with values.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Quantile {
    /// Returns the quantile in another unit, with its significant digits: five of the value, which stays within the
    /// extremes, three of the half-width.
    #[must_use]
    pub fn in_units(self, unit: f64, (least, greatest): (f64, f64)) -> Self {
        let value = self.value.map(|value| rounded(value * unit, 5).max(least * unit).min(greatest * unit));
        let half_width = self.half_width().map(|half| rounded(half * unit, 3));
        Self { value, interval: Interval { half_width, ..self.interval } }
    }

    /// Returns the half-width of the interval, if there is one.
    #[must_use]
    pub const fn half_width(&self) -> Option<f64> {
        self.interval.half_width
    }
}

/// Rounds a number to a number of significant digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// Distribution of a run's values, and the quantiles of its sections.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sections {
    all: Sketch,
    /// Quantiles at [`PERCENTS`] of each section that has values.
    quantiles: Vec<[f64; PERCENTS.len()]>,
}

impl Sections {
    /// Adds the values of a section.
    pub fn add(&mut self, section: &Sketch) {
        self.all += section;
        let [p50, p90, p95, p99] = PERCENTS.map(|percent| section.quantile(f64::from(percent) / 100.0));
        if let (Some(p50), Some(p90), Some(p95), Some(p99)) = (p50, p90, p95, p99) {
            self.quantiles.push([p50, p90, p95, p99]);
        }
    }

    /// Adds the sections of another distribution.
    pub fn add_all(&mut self, others: &Self) {
        self.all += &others.all;
        self.quantiles.extend_from_slice(&others.quantiles);
    }

    /// Returns the distribution of all values.
    #[must_use]
    pub fn all(&self) -> &Sketch {
        &self.all
    }

    /// Returns the number of sections that have values.
    #[must_use]
    pub fn sections(&self) -> usize {
        self.quantiles.len()
    }

    /// Returns the quantiles at [`PERCENTS`], in the unit of the values.
    #[must_use]
    pub fn quantiles(&self, confidence: Confidence) -> [Quantile; PERCENTS.len()] {
        let mut quantiles = PERCENTS.map(|percent| Quantile {
            value: self.all.quantile(f64::from(percent) / 100.0),
            interval: confidence.interval(None),
        });
        for (place, Quantile { value, interval }) in quantiles.iter_mut().enumerate() {
            let of_sections = self.quantiles.iter().filter_map(|of| of.get(place));
            interval.half_width = value.and_then(|value| {
                let squares = of_sections.map(|of| (of - value).powi(2)).sum();
                of_squares(self.quantiles.len() as f64, squares, confidence.level())
            });
        }
        quantiles
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_sections_about_the_quantile_of_all() {
        let mut sections = Sections::default();
        for values in [[10_u64, 20, 30], [10, 22, 30], [10, 26, 30]] {
            let mut section = Sketch::default();
            values.into_iter().for_each(|value| section.add(value));
            sections.add(&section);
        }
        let [median, ..] = sections.quantiles(Confidence::DEFAULT);
        assert_eq!((median.value, sections.all().total()), (Some(22.0), 9));
        // Medians 20, 22, 26 about 22: squares of 20; t(0.975; 2) = 4.302653.
        assert!((median.half_width().unwrap() - 4.302_653 * (20.0_f64 / 2.0 / 3.0).sqrt()).abs() < 1e-5);
    }

    #[test]
    fn digits_that_mean_nothing_are_left_out_and_extremes_are_kept() {
        let quantile = Quantile { value: Some(1_234_567.0), interval: Confidence::DEFAULT.interval(Some(98_765.0)) };
        assert_eq!(
            quantile.in_units(1e-3, (0.0, 2e6)),
            Quantile { value: Some(1234.6), interval: Confidence::DEFAULT.interval(Some(98.8)) }
        );
        assert_eq!(quantile.in_units(1.0, (1_234_567.0, 1_234_567.0)).value, Some(1_234_567.0));
    }

    #[test]
    fn one_section_has_no_interval_and_none_no_quantile() {
        let mut sections = Sections::default();
        assert_eq!(sections.quantiles(Confidence::DEFAULT), [Quantile::default(); 4]);
        sections.add(&Sketch::default());
        let mut section = Sketch::default();
        section.add(7);
        sections.add(&section);
        assert_eq!(sections.quantiles(Confidence::DEFAULT), [Quantile { value: Some(7.0), ..Quantile::default() }; 4]);
    }
}
