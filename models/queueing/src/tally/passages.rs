//! End-to-end times: from a token's departure from its source until it leaves the network after a service.
//!
//! Tokens of the start have no source and are left out. So are tokens that were lost, that lost patience, or that are
//! still in the network at the end. The parts of a forked token are joined before it leaves.

use super::visits::add_pair;
use crate::network::Network;
use crate::trace::TimeReport;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::output::{Quantile, Sections, Sketch};
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Times of tokens that left the network in a span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passing {
    times: Sketch,
    /// Sum of the times, in ticks.
    sum: u64,
}

impl Passing {
    pub(super) fn add(&mut self, time: u64) {
        self.times.add(time);
        self.sum += time;
    }
}

impl AddAssign<&Self> for Passing {
    fn add_assign(&mut self, other: &Self) {
        self.times += &other.times;
        self.sum += other.sum;
    }
}

/// Source and class; `None` for all of them.
pub(super) type Part = (Option<u32>, Option<u32>);

/// Times of tokens that left the network in all samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PassageSums {
    /// Sums over the samples of the sum of times and the number of tokens, as for a ratio.
    moments: [f64; 5],
    times: Sections,
}

impl PassageSums {
    fn add(&mut self, sample: &Passing) {
        add_pair(&mut self.moments, sample.sum as f64, sample.times.total() as f64);
        self.times.add(&sample.times);
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (sum, term) in self.moments.iter_mut().zip(other.moments) {
            *sum += term;
        }
        self.times.add_all(&other.times);
    }

    /// Returns the mean time, in time units.
    pub(super) fn mean(&self, samples: u32, tick: Tick, confidence: Confidence) -> Estimate {
        confidence.of_moments(samples, self.moments).times(tick.units(1))
    }
}

/// Adds the passages of a sample by source and class to those of a run: to each of the two, to those of all classes of
/// the source and of all sources of the class, and to those of the whole network.
pub(super) fn add_sample(sums: &mut BTreeMap<Part, PassageSums>, sample: &BTreeMap<(u32, u32), Passing>) {
    let mut parts: BTreeMap<Part, Passing> = BTreeMap::new();
    for (&(source, class), passing) in sample {
        let (source, class) = (Some(source), Some(class));
        for part in [(None, None), (source, None), (None, class), (source, class)] {
            *parts.entry(part).or_default() += passing;
        }
    }
    for (part, passing) in &parts {
        sums.entry(*part).or_default().add(passing);
    }
}

/// End-to-end times of tokens, for a report. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Name of the source; `None` for all sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Class in which the tokens left; `None` for all classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Number of tokens.
    pub tokens: u64,
    /// Mean time, with its confidence interval over samples.
    pub time: Estimate,
    /// Shortest time.
    pub least: Option<f64>,
    /// Longest time.
    pub greatest: Option<f64>,
    /// Quantiles by name, with their intervals over samples: `p50`, `p90`, `p95`, `p99`.
    pub quantiles: BTreeMap<String, Quantile>,
}

/// Returns the times for a report: of all tokens, by source, by class, and by both. A row that would repeat another is
/// left out.
pub(super) fn report(
    sums: &BTreeMap<Part, PassageSums>,
    network: &Network,
    samples: u32,
    tick: Tick,
    confidence: Confidence,
) -> Vec<Passage> {
    let tokens = |part: &Part| sums.get(part).map_or(0, |sums| sums.times.all().total());
    let is_new = |(source, class): &Part| {
        // A part with as many tokens as one that it contains has the same tokens.
        let of_source = |part: &&Part| part.0 == *source && part.1.is_some();
        let of_class = |part: &&Part| part.1 == *class && part.0.is_some();
        let narrower = match (source, class) {
            (None, None) => sums.keys().filter(|part| part.0.is_some() || part.1.is_some()).map(tokens).max(),
            (Some(_), None) => sums.keys().filter(of_source).map(tokens).max(),
            (None, Some(_)) => sums.keys().filter(of_class).map(tokens).max(),
            (Some(_), Some(_)) => None,
        };
        narrower.is_none_or(|narrower| narrower < tokens(&(*source, *class)))
    };
    let parts = sums.iter().filter(|(part, _)| is_new(part));
    let row = |(&(source, class), sums): (&Part, &PassageSums)| {
        let TimeReport { visits, least, greatest, quantiles } = TimeReport::of(&sums.times, tick, confidence);
        Passage {
            source: source.map(|source| network.label(source)),
            class: class.map(|class| network.class_name(class)),
            tokens: visits,
            time: sums.mean(samples, tick, confidence),
            least,
            greatest,
            quantiles,
        }
    };
    parts.map(row).collect()
}
