//! Times from end to end: from a token's leaving its source until it leaves the network.
//!
//! No parallel engine knows when a token came in: a node sends class, arrival and nothing else, which is what keeps its rows small. All exact engines carry out the same
//! services, however, so the times are made after the run by the sequential engine, in the [replay](super::trace::replay) that makes traces. Tokens that were in the network at
//! the start have no source, and are left out, as are those that were lost or are still on their way.

use crate::experiment::Findings;
use crate::network::Network;
use crate::trace::Visit;
use imminent_common::estimate::Estimate;
use imminent_common::output::Sketch;
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Times from end to end of the tokens that left the network after the warm-up, by source and by the class as which they left.
///
/// Its memory is bounded by the number of pairs of source and class, each with a sketch and two sums for each sample.
#[derive(Debug, Clone, PartialEq)]
pub struct EndToEnd {
    /// By replication, number of its samples.
    samples: Vec<usize>,
    passages: BTreeMap<(u32, u32), Passages>,
    /// Length of the ticks in which visits are told.
    tick: Tick,
}

/// The tokens of one source and class.
#[derive(Debug, Clone, PartialEq)]
struct Passages {
    times: Sketch,
    /// By replication, and in it by sample: the sum of the times in time units, and how many they are.
    sums: Vec<Vec<(f64, f64)>>,
}

/// What a report says of the tokens of one source that left as one class. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The source's name.
    pub source: String,
    /// The class as which the tokens left.
    pub class: String,
    /// Number of tokens.
    pub tokens: u64,
    /// The mean time, with its interval over samples.
    pub time: Estimate,
    /// The least time.
    pub least: f64,
    /// The median.
    pub p50: f64,
    /// The 90 % quantile.
    pub p90: f64,
    /// The 95 % quantile.
    pub p95: f64,
    /// The 99 % quantile.
    pub p99: f64,
    /// The greatest time.
    pub greatest: f64,
}

impl EndToEnd {
    /// Times of a run, with its samples; none yet.
    #[must_use]
    pub fn of(findings: &Findings) -> Self {
        let samples = findings.replications.iter().map(|replication| replication.cut.ends.len().saturating_sub(1));
        Self { samples: samples.collect(), passages: BTreeMap::new(), tick: findings.tick }
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

    /// What a report says, by source and then by class.
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
                time: Estimate::of_ratios(&sums),
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
