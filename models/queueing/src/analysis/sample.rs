//! Sums over a span of time, and the measures that follow from them.

use crate::costs::{Part, Spending};
use crate::measures::{Basis, Flow, Measure, Measures};
use crate::outcome::NodeStatistics;
use imminent_common::estimate::{Confidence, Estimate};
use std::collections::BTreeMap;

/// Statistics of stations in a span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Sum of the stations' statistics, without sources.
    pub sums: NodeStatistics,
    /// Meaning of the sums.
    pub basis: Basis,
    /// Length of the span, in ticks.
    pub span: u64,
    /// Tokens that came into the network and that left it; `None` for a closed network, and for a part of one.
    pub flow: Option<Flow>,
    /// Money that was spent, if the run has costs; `None` for a part of the network.
    pub spending: Option<Spending>,
}

impl Sample {
    /// Adds a sample of other tokens at the same stations in the same span.
    pub(super) fn add(&mut self, other: &Self) {
        self.sums += other.sums;
        if let Some((sum, more)) = self.flow.as_mut().zip(other.flow) {
            *sum += more;
        }
    }

    /// Returns the measures of the average station.
    #[must_use]
    pub fn measures(&self) -> Measures {
        Measures::of_sums(&self.sums, self.basis, self.span)
    }

    /// Returns the value of one measure; `None` if its denominator is zero.
    #[must_use]
    pub fn value(&self, measure: Measure) -> Option<f64> {
        let (numerator, denominator) = self.ratio(measure);
        (denominator > 0.0).then(|| numerator / denominator)
    }

    /// Returns the numerator and denominator of one measure.
    fn ratio(&self, measure: Measure) -> (f64, f64) {
        if measure == Measure::Cost {
            return self.cost(Spending::total);
        }
        measure.ratio_with(&self.sums, self.flow, self.basis, self.span)
    }

    /// Returns the money of a part of the costs in a time unit, if the run has costs.
    #[must_use]
    pub fn spent(&self, part: Part) -> Option<f64> {
        let (money, time) = self.cost(|spending| spending.of(part));
        (time > 0.0).then(|| money / time)
    }

    /// Returns some of the money that was spent, and the time in which it was, in time units; no time without costs.
    pub(super) fn cost(&self, of: impl Fn(&Spending) -> f64) -> (f64, f64) {
        self.spending.map_or((0.0, 0.0), |spending| (of(&spending), self.basis.tick.units(self.span)))
    }

    /// Returns the value of `measure` in each sample. A sample without a completed service, where times have no value,
    /// takes the value of a neighbour.
    #[must_use]
    pub fn series(samples: &[Self], measure: Measure) -> Vec<f64> {
        let mut values: Vec<_> = samples.iter().map(|sample| sample.value(measure)).collect();
        let mut last = values.iter().flatten().next().copied();
        for value in &mut values {
            last = value.or(last);
            *value = last;
        }
        values.into_iter().flatten().collect()
    }

    /// Estimates `measure` from independent samples, as a ratio of means: longer samples, and those with more services,
    /// weigh more.
    ///
    /// For samples of equal length, the estimate of a rate or a number is its mean. The estimate of a time is the
    /// quotient of the sums.
    #[must_use]
    pub fn estimate(samples: &[Self], measure: Measure, confidence: Confidence) -> Estimate {
        confidence.of_ratios(&Self::ratios(samples, measure))
    }

    /// Returns the numerator and denominator of `measure` in each sample.
    pub(crate) fn ratios(samples: &[Self], measure: Measure) -> Vec<(f64, f64)> {
        samples.iter().map(|sample| sample.ratio(measure)).collect()
    }

    /// Estimates some measures, by name.
    #[must_use]
    pub fn estimates(samples: &[Self], measures: &[Measure], confidence: Confidence) -> BTreeMap<String, Estimate> {
        let of = |measure: &Measure| (measure.name().to_owned(), Self::estimate(samples, *measure, confidence));
        measures.iter().map(of).collect()
    }
}

/// Sums for one node's estimates, over samples that are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NodeSums {
    samples: u32,
    /// Sums for each measure: numerators, denominators, their squares and products.
    moments: [[f64; 5]; Measure::STATION.len()],
}

impl NodeSums {
    pub(super) fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        for (measure, moments) in Measure::STATION.into_iter().zip(&mut self.moments) {
            let (x, y) = measure.ratio(&sample.sums, sample.basis, sample.span);
            for (sum, term) in moments.iter_mut().zip([x, y, x * x, x * y, y * y]) {
                *sum += term;
            }
        }
    }

    /// Adds the sums of other samples.
    pub(super) fn add_all(&mut self, other: &Self) {
        self.samples += other.samples;
        for (sum, term) in self.moments.iter_mut().flatten().zip(other.moments.iter().flatten()) {
            *sum += term;
        }
    }

    /// Returns the mean time between two completions of one of `tokens` tokens, all of which come to this node again:
    /// their number over the node's throughput.
    #[must_use]
    pub fn cycle_time(&self, tokens: u64, confidence: Confidence) -> Estimate {
        let place = Measure::STATION.into_iter().position(|measure| measure == Measure::Throughput);
        let Some([x, y, xx, xy, yy]) = place.and_then(|place| self.moments.get(place)).copied() else {
            return confidence.of(&[]);
        };
        let tokens = tokens as f64;
        confidence.of_moments(self.samples, [tokens * y, x, tokens * tokens * yy, tokens * xy, xx])
    }

    /// Returns the node's estimate of a measure from all samples. It equals [`Sample::estimate`] except for the last
    /// digits of the interval.
    #[must_use]
    pub fn estimate(&self, measure: Measure, confidence: Confidence) -> Estimate {
        let moments = Measure::STATION.into_iter().zip(&self.moments).find(|(other, _)| *other == measure);
        moments.map_or(confidence.of(&[]), |(_, moments)| confidence.of_moments(self.samples, *moments))
    }
}
