//! Positions of the nodes of the first replication, at equal distances in time.

use super::tables::Place;
use crate::{Network, sequential};
use imminent_common::free_memory::fits;
use imminent_study::experiment::OptionValues;
use imminent_study::laboratory::Fault;

/// Option with the time between two positions of a node.
pub(super) const TRAJECTORIES: &str = "trajectories";

/// Memory of a position in bytes: as it is found, as a row, and in a table.
const BYTES: u64 = 8 + size_of::<Place>() as u64 + 32;

/// Times at which the nodes' positions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Samples {
    /// Time between two positions of a node, in µs.
    step: u64,
}

impl Samples {
    /// Returns the times that an option asks for, if it is given.
    pub(super) fn given(given: &OptionValues, network: &Network) -> Result<Option<Self>, Fault> {
        let Some(text) = given.value(TRAJECTORIES) else { return Ok(None) };
        let horizon = network.end as f64 / 1e6;
        let seconds = text.parse().ok().filter(|seconds| (1e-6..=horizon).contains(seconds));
        let seconds: f64 = seconds.ok_or_else(|| {
            format!(
                "--{TRAJECTORIES}: takes the time between two positions, from 0.000001 s to the horizon of {horizon} s, \
                 not `{text}`"
            )
        })?;
        let samples = Self { step: (seconds * 1e6).round() as u64 };
        let nodes = samples.count(network).saturating_mul(BYTES);
        fits("network.nodes", network.nodes.into(), |count| count.saturating_mul(nodes))
            .map_err(|error| format!("--{TRAJECTORIES}: {error}"))?;
        Ok(Some(samples))
    }

    /// Number of times: the start, and each multiple of the step up to the end.
    fn count(self, network: &Network) -> u64 {
        network.end / self.step + 1
    }

    /// Returns the positions of all nodes that are there at each time, time by time. A time without nodes has a row of
    /// its own.
    pub(super) fn rows(self, network: &Network) -> Result<Vec<Place>, Fault> {
        let times: Vec<u64> = (0..self.count(network)).map(|number| number * self.step).collect();
        let places = sequential::places(network, 0, &times)?;
        let at = |(number, time): (usize, &u64)| {
            let of = (0..).zip(&places);
            let there = of.filter(|(node, _)| network.stay(*node).has(*time));
            let row = |(node, places): (u32, &Vec<_>)| Place { time: *time, node: Some((node, places[number])) };
            let mut rows: Vec<Place> = there.map(row).collect();
            if rows.is_empty() {
                rows.push(Place { time: *time, node: None });
            }
            rows
        };
        Ok(times.iter().enumerate().flat_map(at).collect())
    }
}
