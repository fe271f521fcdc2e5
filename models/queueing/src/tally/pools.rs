//! Load of each pool of servers at stations whose servers differ.

use super::visits::add_pair;
use crate::network::Network;
use imminent_common::estimate::{Confidence, Estimate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Times of the servers of each pool, in ticks: those of all its busy servers, and those of all on duty.
///
/// Pools are those of stations whose servers differ, by the number of the node and that of the pool from 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PoolTimes(BTreeMap<(u32, u32), [u64; 2]>);

impl PoolTimes {
    /// Adds times of a pool.
    pub fn add(&mut self, node: u32, pool: u32, [busy, on_duty]: [u64; 2]) {
        let times = self.0.entry((node, pool)).or_default();
        *times = [times[0] + busy, times[1] + on_duty];
    }

    /// Returns the times since an earlier state of the same counts.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let of = |(key, [busy, on_duty]): (&(u32, u32), &[u64; 2])| {
            let [before, on_duty_before] = earlier.0.get(key).copied().unwrap_or_default();
            (*key, [busy.saturating_sub(before), on_duty.saturating_sub(on_duty_before)])
        };
        Self(self.0.iter().map(of).collect())
    }

    /// Returns the load of each pool: the busy share of its servers on duty. None is on duty if it has no load.
    pub fn loads(&self) -> impl Iterator<Item = ((u32, u32), Option<f64>)> + '_ {
        let load = |[busy, on_duty]: [u64; 2]| (on_duty > 0).then(|| busy as f64 / on_duty as f64);
        self.0.iter().map(move |(key, times)| (*key, load(*times)))
    }
}

impl AddAssign<&Self> for PoolTimes {
    fn add_assign(&mut self, other: &Self) {
        other.0.iter().for_each(|(&(node, pool), times)| self.add(node, pool, *times));
    }
}

/// Load of the pools over all samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RunPools(BTreeMap<(u32, u32), [f64; 5]>);

impl RunPools {
    pub(super) fn add(&mut self, sample: &PoolTimes) {
        for (key, [busy, on_duty]) in &sample.0 {
            add_pair(self.0.entry(*key).or_default(), *busy as f64, *on_duty as f64);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (key, terms) in &other.0 {
            self.0.entry(*key).or_default().iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }

    pub(super) fn report(&self, network: &Network, samples: u32, confidence: Confidence) -> Vec<PoolLoad> {
        let load = |(&(node, pool), moments): (&(u32, u32), &[f64; 5])| {
            let of_node = network.behaviour(node).and_then(|behaviour| behaviour.pools.get(pool as usize));
            let classes = of_node.map_or_else(Vec::new, |pool| pool.classes.clone());
            PoolLoad {
                name: network.label(node),
                node,
                pool: pool + 1,
                classes: classes.into_iter().map(|class| network.class_name(class)).collect(),
                servers: of_node.map_or(0, |pool| pool.servers),
                utilization: confidence.of_moments(samples, *moments),
            }
        };
        self.0.iter().map(load).collect()
    }
}

/// Load of a pool of servers, for a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoolLoad {
    /// Name of the station.
    pub name: String,
    /// Number of the station.
    pub node: u32,
    /// Number of the pool at the station, from 1, in the order of the file.
    pub pool: u32,
    /// Names of the classes that the pool serves; all if the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Number of servers.
    pub servers: u32,
    /// Busy share of the servers on duty.
    pub utilization: Estimate,
}

impl Network {
    /// Returns `true` if a station has servers that differ.
    pub(crate) fn has_pools(&self) -> bool {
        (0..self.len() as u32).any(|node| self.behaviour(node).is_some_and(|behaviour| !behaviour.pools.is_empty()))
    }
}
