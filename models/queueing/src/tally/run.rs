//! Sums over the samples of a run.

use super::numbers::{Distribution, RunNumbers, Scale};
use super::passages::{self, Part, Passage, PassageSums};
use super::pools::{PoolLoad, RunPools};
use super::span::Tally;
use super::visits::{TimesAtNode, VisitSums};
use super::wanted::Wanted;
use crate::network::Network;
use crate::trace::{RunTimes, TimesReport};
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::time::Tick;
use std::collections::BTreeMap;

/// Tallies of all samples of a run, or of the same period in each of its replications.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunTally {
    wanted: Wanted,
    samples: u32,
    times: RunTimes,
    /// Visits by station, and by station and class.
    visits: BTreeMap<(u32, Option<u32>), VisitSums>,
    passages: BTreeMap<Part, PassageSums>,
    numbers: RunNumbers,
    pools: RunPools,
    /// Tallies by period, without distributions.
    periods: Vec<Self>,
}

impl RunTally {
    /// Creates the sums of no sample.
    #[must_use]
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Adds a sample.
    pub fn add(&mut self, sample: &Tally) {
        let wanted = &self.wanted;
        self.samples += 1;
        if wanted.times {
            self.times.add(&sample.times);
        }
        if wanted.is_of_stations() {
            for (key, visits) in &sample.visits {
                self.visits.entry(*key).or_default().add(wanted, visits);
            }
        }
        if wanted.end_to_end {
            passages::add_sample(&mut self.passages, &sample.passages);
        }
        if wanted.numbers {
            self.numbers.add(&sample.numbers);
        }
        if wanted.pools {
            self.pools.add(&sample.pools);
        }
    }

    /// Adds the tallies of the periods of a replication.
    pub(crate) fn add_periods(&mut self, periods: &[Tally]) {
        let wanted = self.wanted.without_distributions();
        self.periods.resize_with(self.periods.len().max(periods.len()), || Self::new(wanted.clone()));
        self.periods.iter_mut().zip(periods).for_each(|(sum, period)| sum.add(period));
    }

    /// Returns the tallies by period: shares of waits, and mean times from source to exit.
    #[must_use]
    pub fn periods(&self) -> &[Self] {
        &self.periods
    }

    /// Adds other samples.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.samples += other.samples;
        self.times.add_all(&other.times);
        for (key, visits) in &other.visits {
            self.visits.entry(*key).or_default().add_all(visits);
        }
        for (part, passages) in &other.passages {
            self.passages.entry(*part).or_default().add_all(passages);
        }
        self.numbers.add_all(&other.numbers);
        self.pools.add_all(&other.pools);
    }

    /// Returns what was gathered.
    #[must_use]
    pub const fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Returns the times of all visits, if they were wanted.
    #[must_use]
    pub fn times(&self) -> Option<&RunTimes> {
        self.wanted.times.then_some(&self.times)
    }

    /// Returns the times of visits at each station and class, the rows with the greatest share of visits that wait
    /// first; `None` if they were not wanted.
    #[must_use]
    pub fn at_stations(&self, network: &Network, tick: Tick, confidence: Confidence) -> Option<Vec<TimesAtNode>> {
        let row = |(&(node, class), sums): (&(u32, Option<u32>), &VisitSums)| {
            let (waits, beyond) = sums.shares(&self.wanted, self.samples, confidence);
            let times = self.wanted.quantiles.then(|| TimesReport::of(&sums.times, tick, confidence));
            let (waiting, sojourn) = times.map(|times| (times.waiting, times.sojourn)).unzip();
            let class = class.map(|class| network.class_name(class));
            TimesAtNode { name: network.label(node), node, class, visits: sums.visits, waits, beyond, waiting, sojourn }
        };
        let mut rows: Vec<_> = self.visits.iter().map(row).collect();
        rows.sort_by(|a, b| b.waits.mean.unwrap_or(0.0).total_cmp(&a.waits.mean.unwrap_or(0.0)));
        self.wanted.is_of_stations().then_some(rows)
    }

    /// Returns the times of tokens from source to exit; `None` if they were not wanted.
    #[must_use]
    pub fn end_to_end(&self, network: &Network, tick: Tick, confidence: Confidence) -> Option<Vec<Passage>> {
        let report = || passages::report(&self.passages, network, self.samples, tick, confidence);
        self.wanted.end_to_end.then(report)
    }

    /// Returns the mean time of all tokens from source to exit; without value if they were not wanted.
    #[must_use]
    pub fn mean_passage(&self, tick: Tick, confidence: Confidence) -> Estimate {
        let all = self.passages.get(&(None, None));
        all.map_or_else(|| confidence.of(&[]), |sums| sums.mean(self.samples, tick, confidence))
    }

    /// Returns the load of each pool of servers; `None` if it was not wanted.
    #[must_use]
    pub fn pools(&self, network: &Network, confidence: Confidence) -> Option<Vec<PoolLoad>> {
        self.wanted.pools.then(|| self.pools.report(network, self.samples, confidence))
    }

    /// Returns the distributions of the number in the whole network and at each station; `None` if they were not
    /// wanted.
    #[must_use]
    pub fn distributions(&self, network: &Network, tick: Tick, confidence: Confidence) -> Option<Vec<Distribution>> {
        let scale = Scale { samples: self.samples, tick, confidence };
        self.wanted.numbers.then(|| self.numbers.report(network, scale))
    }
}
