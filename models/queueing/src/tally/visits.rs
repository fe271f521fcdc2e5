//! Times of visits at each station, and at each class at a station: shares that wait, and quantiles.

use super::wanted::Wanted;
use crate::trace::{RunTimes, TimeReport, Times, Visit};
use imminent_common::estimate::{Confidence, Estimate};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Visits to a station in a span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Visiting {
    /// Numbers of visits: all, those that wait, and those that wait longer than each threshold.
    counts: Vec<u64>,
    /// Number of tokens that came and found no room, or left the line.
    turned: u64,
    /// Their times, if quantiles are wanted.
    times: Times,
}

impl Visiting {
    pub(super) fn add(&mut self, wanted: &Wanted, visit: &Visit) {
        let waiting = visit.started - visit.arrived;
        self.counts.resize(2 + wanted.beyond.len(), 0);
        let exceeded = wanted.beyond.iter().map(|time| waiting > time.ticks);
        for (count, counts) in self.counts.iter_mut().zip([true, waiting > 0].into_iter().chain(exceeded)) {
            *count += u64::from(counts);
        }
        if wanted.quantiles {
            self.times.add(visit);
        }
    }

    /// Adds tokens that found no room, or left the line.
    pub(super) fn turn_away(&mut self, wanted: &Wanted, tokens: u64) {
        self.counts.resize(2 + wanted.beyond.len(), 0);
        self.turned += tokens;
    }

    /// Returns the numbers of visits and of tokens that came in vain.
    pub(super) fn waits(&self) -> WaitCounts {
        WaitCounts { visits: self.counts.clone(), turned: self.turned }
    }
}

/// Numbers of visits by their waits, and of tokens that made none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaitCounts {
    /// Numbers of visits: all, those that wait, and those that wait longer than each threshold.
    pub visits: Vec<u64>,
    /// Number of tokens that came and found no room, or left the line.
    pub turned: u64,
}

impl AddAssign<&Self> for WaitCounts {
    fn add_assign(&mut self, other: &Self) {
        add_counts(&mut self.visits, &other.visits);
        self.turned += other.turned;
    }
}

impl WaitCounts {
    /// Returns the shares: of visits that wait, of those that wait longer than each threshold, and for each threshold
    /// of the tokens that came whose service began within it. There is none without visits or tokens.
    #[must_use]
    pub fn shares(&self) -> Vec<Option<f64>> {
        let (visits, counts) =
            self.visits.split_first().map_or((0, &[] as &[u64]), |(visits, counts)| (*visits, counts));
        let share = |count: u64, of: u64| (of > 0).then(|| count as f64 / of as f64);
        let within = counts.iter().skip(1).map(|beyond| share(visits - beyond, visits + self.turned));
        counts.iter().map(|count| share(*count, visits)).chain(within).collect()
    }
}

fn add_counts(sums: &mut Vec<u64>, counts: &[u64]) {
    sums.resize(sums.len().max(counts.len()), 0);
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

impl AddAssign<&Self> for Visiting {
    fn add_assign(&mut self, other: &Self) {
        add_counts(&mut self.counts, &other.counts);
        self.turned += other.turned;
        self.times += &other.times;
    }
}

/// Visits to a station in all samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct VisitSums {
    pub(super) visits: u64,
    /// Sums over the samples for each share: `x`, `y`, `x x`, `x y` and `y y` of a share `x / y`.
    moments: Vec<[f64; 5]>,
    /// Sums over the samples for the share of tokens whose service began within each threshold.
    within: Vec<[f64; 5]>,
    pub(super) times: RunTimes,
}

impl VisitSums {
    /// Adds the visits of a sample. A sample without visits adds nothing to shares.
    pub(super) fn add(&mut self, wanted: &Wanted, sample: &Visiting) {
        let Some((&visits, counts)) = sample.counts.split_first() else { return };
        self.visits += visits;
        self.moments.resize(counts.len(), [0.0; 5]);
        for (moments, count) in self.moments.iter_mut().zip(counts) {
            add_pair(moments, *count as f64, visits as f64);
        }
        self.within.resize(wanted.beyond.len(), [0.0; 5]);
        for (moments, beyond) in self.within.iter_mut().zip(counts.iter().skip(1)) {
            add_pair(moments, (visits - beyond) as f64, (visits + sample.turned) as f64);
        }
        if wanted.quantiles {
            self.times.add(&sample.times);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.visits += other.visits;
        for (moments, others) in [(&mut self.moments, &other.moments), (&mut self.within, &other.within)] {
            moments.resize(moments.len().max(others.len()), [0.0; 5]);
            for (sum, term) in moments.iter_mut().flatten().zip(others.iter().flatten()) {
                *sum += term;
            }
        }
        self.times.add_all(&other.times);
    }

    /// Returns the share of visits that wait, and the shares of those that wait longer than each threshold.
    pub(super) fn shares(&self, wanted: &Wanted, samples: u32, confidence: Confidence) -> (Estimate, Vec<Beyond>) {
        let mut shares = self.moments.iter().map(|moments| confidence.of_moments(samples, *moments));
        let waits = shares.next().unwrap_or_else(|| confidence.of(&[]));
        let within = self.within.iter().map(|moments| confidence.of_moments(samples, *moments));
        let beyond = wanted.beyond.iter().zip(shares.zip(within));
        let beyond = beyond.map(|(time, (share, served_within))| Beyond { time: time.units, share, served_within });
        (waits, beyond.collect())
    }
}

/// Adds a numerator and a denominator to the sums of a [ratio](Confidence::of_moments).
pub(super) fn add_pair(moments: &mut [f64; 5], x: f64, y: f64) {
    for (sum, term) in moments.iter_mut().zip([x, y, x * x, x * y, y * y]) {
        *sum += term;
    }
}

/// Times of visits at a station, or of a class there, for a report. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimesAtNode {
    /// Name of the station.
    pub name: String,
    /// Number of the station.
    pub node: u32,
    /// Class; `None` for all classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Number of visits that ended in the observed time.
    pub visits: u64,
    /// Share of these visits that wait at all.
    pub waits: Estimate,
    /// Shares of these visits that wait longer than a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Beyond>,
    /// Quantiles of the times, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<TimeReport>,
    /// Quantiles of the times from arrival to departure, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sojourn: Option<TimeReport>,
}

/// Share of visits that wait longer than a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Beyond {
    /// Time, in time units.
    pub time: f64,
    /// Share of the visits.
    pub share: Estimate,
    /// Share of the tokens that came whose service began within the time: the service level. Tokens that found no room
    /// or left the line are among those that came.
    pub served_within: Estimate,
}
