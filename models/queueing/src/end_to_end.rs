//! End-to-end times: from a token's departure from its source until it leaves the network.
//!
//! No parallel engine knows when a token entered the network. Nodes send only class and arrival time, which keeps rows
//! small. All exact engines carry out the same services, however. The times are therefore measured after the run by the
//! sequential engine, in the [replay](super::trace::replay) that makes traces. Tokens of the start have no source and
//! are left out. So are tokens that were lost or are still in the network at the end.

use crate::experiment::Findings;
use crate::network::Network;
use crate::trace::Visit;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::output::Sketch;
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// End-to-end times of tokens that left the network after the warm-up, by source and by the class in which they left.
///
/// Memory is bounded by the number of pairs of source and class. Each pair has a sketch, and two sums for each sample.
#[derive(Debug, Clone, PartialEq)]
pub struct EndToEnd {
    /// Number of samples of each replication.
    samples: Vec<usize>,
    passages: BTreeMap<(u32, u32), Passages>,
    /// Length of a tick, the unit of visits.
    tick: Tick,
    confidence: Confidence,
}

/// Times of the tokens of one source and class.
#[derive(Debug, Clone, PartialEq)]
struct Passages {
    times: Sketch,
    /// Sum of the times, in time units, and number of tokens, by replication and sample.
    sums: Vec<Vec<(f64, f64)>>,
}

/// End-to-end times of the tokens of one source that left in one class, for a report. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Name of the source.
    pub source: String,
    /// Class in which the tokens left.
    pub class: String,
    /// Number of tokens.
    pub tokens: u64,
    /// Mean time, with its confidence interval over samples.
    pub time: Estimate,
    /// Shortest time.
    pub least: f64,
    /// Median time.
    pub p50: f64,
    /// 90 % quantile of the time.
    pub p90: f64,
    /// 95 % quantile of the time.
    pub p95: f64,
    /// 99 % quantile of the time.
    pub p99: f64,
    /// Longest time.
    pub greatest: f64,
}

impl EndToEnd {
    /// Creates an empty collection for a run and its samples.
    #[must_use]
    pub fn of(findings: &Findings) -> Self {
        let samples = findings.replications.iter().map(|replication| replication.cut.ends.len().saturating_sub(1));
        Self {
            samples: samples.collect(),
            passages: BTreeMap::new(),
            tick: findings.tick,
            confidence: findings.confidence,
        }
    }

    /// Counts a visit that ended in a sample of a replication, if its token then left the network.
    pub fn add(&mut self, replication: u64, sample: usize, visit: &Visit) {
        let (Some(source), None) = (visit.source, visit.to) else { return };
        let passages = self.passages.entry((source, visit.class)).or_insert_with(|| Passages {
            times: Sketch::default(),
            sums: self.samples.iter().map(|samples| vec![(0.0, 0.0); *samples]).collect(),
        });
        let time = visit.left - visit.entered;
        passages.times.add(time);
        let sums = passages.sums.get_mut(replication as usize).and_then(|sums| sums.get_mut(sample));
        if let Some((sum, count)) = sums {
            *sum += self.tick.units(time);
            *count += 1.0;
        }
    }

    /// Returns the times for a report, by source and then by class.
    #[must_use]
    pub fn report(&self, network: &Network) -> Vec<Passage> {
        let of = |(&(source, class), passages): (&(u32, u32), &Passages)| {
            let sums: Vec<_> = passages.sums.iter().flatten().copied().collect();
            let units = |ticks: f64| ticks * self.tick.units(1);
            let (least, greatest) = passages.times.extremes().unwrap_or_default();
            let (least, greatest) = (least as f64, greatest as f64);
            let quantile = |share| units(passages.times.quantile(share).unwrap_or(least));
            Passage {
                source: network.label(source),
                class: network.class_name(class),
                tokens: passages.times.total(),
                time: self.confidence.of_ratios(&sums),
                least: units(least),
                p50: quantile(0.5),
                p90: quantile(0.9),
                p95: quantile(0.95),
                p99: quantile(0.99),
                greatest: units(greatest),
            }
        };
        self.passages.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests;
