//! Distributions of the number of tokens: the time with each number, in ticks.

use crate::network::Network;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Time with each number of tokens, in ticks, from 0 tokens on. The last number that is counted apart stands for all
/// larger ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeByNumber(Vec<u64>);

impl TimeByNumber {
    /// Largest number that is counted apart; the time with more tokens is part of its time.
    pub const MOST: u64 = 4_095;

    /// Adds a time with a number of tokens.
    pub fn add(&mut self, number: u64, ticks: u64) {
        if ticks == 0 {
            return;
        }
        let place = number.min(Self::MOST) as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        if let Some(time) = self.0.get_mut(place) {
            *time += ticks;
        }
    }

    /// Returns the time since an earlier state of the same count.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let before = earlier.0.iter().copied().chain(std::iter::repeat(0));
        let mut times: Vec<u64> = self.0.iter().zip(before).map(|(now, before)| now.saturating_sub(before)).collect();
        times.truncate(times.iter().rposition(|time| *time > 0).map_or(0, |last| last + 1));
        Self(times)
    }

    /// Returns the time with each number, from 0 on.
    #[must_use]
    pub fn times(&self) -> &[u64] {
        &self.0
    }

    /// Returns the whole time.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl AddAssign<&Self> for TimeByNumber {
    fn add_assign(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (sum, time) in self.0.iter_mut().zip(&other.0) {
            *sum += time;
        }
    }
}

/// Times with each number of tokens at a station or in the whole network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Times by the number of tokens that are there.
    pub present: TimeByNumber,
    /// Times by the number of those that wait: tokens less those in service or blocked in a server.
    pub waiting: TimeByNumber,
}

impl Census {
    /// Adds a time with numbers of tokens that are there and that wait.
    pub fn add(&mut self, [present, waiting]: [u64; 2], ticks: u64) {
        self.present.add(present, ticks);
        self.waiting.add(waiting, ticks);
    }

    /// Returns the times since an earlier state of the same counts.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self { present: self.present.since(&earlier.present), waiting: self.waiting.since(&earlier.waiting) }
    }
}

impl AddAssign<&Self> for Census {
    fn add_assign(&mut self, other: &Self) {
        self.present += &other.present;
        self.waiting += &other.waiting;
    }
}

/// Times with each number of tokens in a network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers {
    /// Times by the numbers at all stations together.
    pub system: Census,
    /// Times by the numbers at each node; a source has none.
    pub nodes: Vec<Census>,
}

impl Numbers {
    /// Returns the times since an earlier state of the same counts.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let none = Census::default();
        let before = earlier.nodes.iter().chain(std::iter::repeat(&none));
        Self {
            system: self.system.since(&earlier.system),
            nodes: self.nodes.iter().zip(before).map(|(now, before)| now.since(before)).collect(),
        }
    }
}

impl AddAssign<&Self> for Numbers {
    fn add_assign(&mut self, other: &Self) {
        self.system += &other.system;
        self.nodes.resize(self.nodes.len().max(other.nodes.len()), Census::default());
        for (sum, times) in self.nodes.iter_mut().zip(&other.nodes) {
            *sum += times;
        }
    }
}

/// Times with each number over all samples of a run, with sums for intervals.
#[derive(Debug, Clone, PartialEq, Default)]
struct NumberSums {
    all: TimeByNumber,
    /// Sums of `x x` and `x y` for each number, where `x` is the time with it and `y` the length of the sample.
    squares: Vec<[f64; 2]>,
    /// Sum of `y y`.
    spans: f64,
}

impl NumberSums {
    fn add(&mut self, sample: &TimeByNumber) {
        self.all += sample;
        self.squares.resize(self.squares.len().max(sample.0.len()), [0.0; 2]);
        let span = sample.total() as f64;
        self.spans += span * span;
        for ([xx, xy], time) in self.squares.iter_mut().zip(&sample.0) {
            let time = *time as f64;
            *xx += time * time;
            *xy += time * span;
        }
    }

    fn add_all(&mut self, other: &Self) {
        self.all += &other.all;
        self.squares.resize(self.squares.len().max(other.squares.len()), [0.0; 2]);
        for (sum, term) in self.squares.iter_mut().flatten().zip(other.squares.iter().flatten()) {
            *sum += term;
        }
        self.spans += other.spans;
    }

    /// Returns the sum of all numbers, each times its time.
    fn area(&self) -> u128 {
        (0..).zip(&self.all.0).map(|(number, time): (u128, &u64)| number * u128::from(*time)).sum()
    }

    fn report(&self, (name, node, tokens): (String, Option<u32>, Tokens), scale: Scale) -> Distribution {
        let total = self.all.total();
        let mut below = 0;
        let share = |((number, &time), [xx, xy]): ((u64, &u64), &[f64; 2])| {
            below += time;
            let moments = [time as f64, total as f64, *xx, *xy, self.spans];
            NumberShare {
                number,
                time: scale.tick.units(time),
                share: scale.confidence.of_moments(scale.samples, moments),
                at_most: below as f64 / total.max(1) as f64,
            }
        };
        let shares: Vec<_> = (0..).zip(&self.all.0).zip(&self.squares).map(share).collect();
        let quantile = |least: f64| shares.iter().find(|of| of.at_most >= least).map_or(0, |of| of.number);
        let [p50, p90, p95, p99] = [0.5, 0.9, 0.95, 0.99].map(quantile);
        Distribution {
            name,
            node,
            tokens,
            p50,
            p90,
            p95,
            p99,
            most: shares.last().map_or(0, |of| of.number),
            is_cut: shares.last().is_some_and(|of| of.number == TimeByNumber::MOST),
            shares,
        }
    }
}

/// Number of samples, length of a tick and confidence of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) samples: u32,
    pub(super) tick: Tick,
    pub(super) confidence: Confidence,
}

/// Times with each number of tokens that are there and that wait, over all samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
struct CensusSums {
    present: NumberSums,
    waiting: NumberSums,
}

impl CensusSums {
    fn add(&mut self, sample: &Census) {
        self.present.add(&sample.present);
        self.waiting.add(&sample.waiting);
    }

    fn add_all(&mut self, other: &Self) {
        self.present.add_all(&other.present);
        self.waiting.add_all(&other.waiting);
    }
}

/// Times with each number at each node and in the whole network, over all samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RunNumbers {
    system: CensusSums,
    nodes: Vec<CensusSums>,
}

impl RunNumbers {
    pub(super) fn add(&mut self, sample: &Numbers) {
        self.system.add(&sample.system);
        self.nodes.resize(self.nodes.len().max(sample.nodes.len()), CensusSums::default());
        self.nodes.iter_mut().zip(&sample.nodes).for_each(|(sums, times)| sums.add(times));
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.system.add_all(&other.system);
        self.nodes.resize(self.nodes.len().max(other.nodes.len()), CensusSums::default());
        self.nodes.iter_mut().zip(&other.nodes).for_each(|(sums, others)| sums.add_all(others));
    }

    /// Returns the distributions of the whole network and of each station, that with the most tokens on average first:
    /// for each place that of the tokens which are there, and that of those which wait.
    pub(super) fn report(&self, network: &Network, scale: Scale) -> Vec<Distribution> {
        let stations = (0..).zip(&self.nodes).filter(|(node, _)| network.station(*node).is_some());
        let mut stations: Vec<_> = stations.collect();
        stations.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.present.area()));
        let whole = ("whole network".to_owned(), None, &self.system);
        let stations = stations.into_iter().map(|(node, sums)| (network.label(node), Some(node), sums));
        let both = |(name, node, sums): (String, Option<u32>, &CensusSums)| {
            [(Tokens::Present, &sums.present), (Tokens::Waiting, &sums.waiting)]
                .map(|(tokens, sums)| sums.report((name.clone(), node, tokens), scale))
        };
        std::iter::once(whole).chain(stations).flat_map(both).collect()
    }
}

/// Tokens whose number a distribution is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokens {
    /// Tokens that are there, waiting or in service.
    #[default]
    Present,
    /// Tokens that wait.
    Waiting,
}

impl Tokens {
    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Waiting => "waiting",
        }
    }
}

/// Distribution of the number of tokens at a station or in the whole network, for a report: shares of the time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Name of the station, or of the whole network.
    pub name: String,
    /// Number of the node; `None` for the whole network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Tokens that are counted.
    #[serde(default)]
    pub tokens: Tokens,
    /// Least number that is not exceeded half of the time.
    pub p50: u64,
    /// Least number that is not exceeded 90 % of the time.
    pub p90: u64,
    /// Least number that is not exceeded 95 % of the time.
    pub p95: u64,
    /// Least number that is not exceeded 99 % of the time.
    pub p99: u64,
    /// Greatest number.
    pub most: u64,
    /// `true` if the last share is that of its number and of all larger ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Share of the time with each number, from 0 on.
    pub shares: Vec<NumberShare>,
}

/// Share of the time with a number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NumberShare {
    /// Number of tokens.
    pub number: u64,
    /// Time with this number, in time units, over all replications after their warm-ups.
    pub time: f64,
    /// Share of the time, with its confidence interval over samples.
    pub share: Estimate,
    /// Share of the time with at most this number.
    pub at_most: f64,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(times: &[(u64, u64)]) -> TimeByNumber {
        let mut all = TimeByNumber::default();
        times.iter().for_each(|(number, ticks)| all.add(*number, *ticks));
        all
    }

    #[test]
    fn times_add_up_and_are_those_since_an_earlier_state() {
        let mut sum = of(&[(0, 3), (2, 5)]);
        let before = sum.clone();
        sum += &of(&[(1, 4), (0, 1)]);
        assert_eq!((sum.times(), sum.total()), (&[4, 4, 5][..], 13));
        assert_eq!(sum.since(&before).times(), [1, 4]);
        assert_eq!(of(&[(7, 0)]), TimeByNumber::default());
        assert_eq!(of(&[(4_095, 1), (4_096, 2), (u64::MAX, 3)]).times().last(), Some(&6));
    }

    /// Two samples of ten ticks: one with 8 and 2 ticks at 0 and 1, one with 6 and 4. Shares 0.8 and 0.6 have a
    /// standard error of 0.1, and t(0.975; 1) = 12.7062.
    #[test]
    fn shares_have_the_intervals_of_the_samples() {
        let mut sums = NumberSums::default();
        sums.add(&of(&[(0, 8), (1, 2)]));
        let mut others = NumberSums::default();
        others.add(&of(&[(0, 6), (1, 4)]));
        sums.add_all(&others);
        let scale = Scale { samples: 2, tick: Tick::DEFAULT, confidence: Confidence::DEFAULT };
        let found = sums.report(("desk".to_owned(), Some(0), Tokens::Waiting), scale);
        assert_eq!((found.p50, found.p90, found.most, found.is_cut), (0, 1, 1, false));
        assert_eq!(found.shares.iter().map(|of| of.share.mean.unwrap()).collect::<Vec<_>>(), [0.7, 0.3]);
        for of in &found.shares {
            assert!((of.share.half_width().unwrap() - 12.706_2 * 0.1).abs() < 1e-4, "{of:?}");
        }
        assert_eq!(found.shares.iter().map(|of| of.at_most).collect::<Vec<_>>(), [0.7, 1.0]);
    }
}
