//! Counts of one span of a replication.

use super::numbers::Numbers;
use super::passages::Passing;
use super::pools::PoolTimes;
use super::visits::{Visiting, WaitCounts};
use super::wanted::Wanted;
use crate::network::Network;
use crate::trace::{Times, Visit};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Counts of the visits that ended in a span of one replication, and times with each number of tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Times of all visits to stations.
    pub times: Times,
    /// Visits by station, and by station and class.
    pub(super) visits: BTreeMap<(u32, Option<u32>), Visiting>,
    /// Tokens that left the network, by source and by the class as which they left.
    pub(super) passages: BTreeMap<(u32, u32), Passing>,
    /// Times with each number of tokens.
    pub numbers: Numbers,
    /// Times of the servers of each pool.
    pub pools: PoolTimes,
}

impl Tally {
    /// Returns a tally of nothing but the times of all visits.
    #[must_use]
    pub fn of_times(times: Times) -> Self {
        Self { times, ..Self::default() }
    }

    /// Counts a visit that ended.
    pub fn add(&mut self, wanted: &Wanted, network: &Network, visit: &Visit) {
        if wanted.end_to_end
            && !visit.forked
            && let (Some(source), None) = (visit.source, visit.to)
        {
            self.passages.entry((source, visit.class)).or_default().add(visit.left - visit.entered);
        }
        if network.station(visit.node).is_none() {
            return;
        }
        if wanted.times {
            self.times.add(visit);
        }
        if wanted.is_of_stations() {
            let classes = [Some(None), wanted.by_class.then_some(Some(visit.class))];
            for class in classes.into_iter().flatten() {
                self.visits.entry((visit.node, class)).or_default().add(wanted, visit);
            }
        }
    }
}

impl Tally {
    /// Returns the numbers of visits and of tokens that came in vain, by station, and by station and class.
    #[must_use]
    pub fn waits(&self) -> Waits {
        self.visits.iter().map(|(key, visits)| (*key, visits.waits())).collect()
    }

    /// Counts tokens of a class that found no room at a station, or left its line.
    pub(crate) fn turn_away(&mut self, wanted: &Wanted, (node, class): (u32, u32), tokens: u64) {
        if wanted.is_of_stations() && tokens > 0 {
            let classes = [Some(None), wanted.by_class.then_some(Some(class))];
            for class in classes.into_iter().flatten() {
                self.visits.entry((node, class)).or_default().turn_away(wanted, tokens);
            }
        }
    }
}

/// Numbers of visits and of tokens that came in vain, by station, and by station and class.
pub type Waits = BTreeMap<(u32, Option<u32>), WaitCounts>;

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.times += &other.times;
        for (key, visits) in &other.visits {
            *self.visits.entry(*key).or_default() += visits;
        }
        for (key, passages) in &other.passages {
            *self.passages.entry(*key).or_default() += passages;
        }
        self.numbers += &other.numbers;
        self.pools += &other.pools;
    }
}
