//! Nodes and edges of a file on their way into a network.

use super::error::ReadError;
use super::gaps::{Filled, Gaps, LeftOut};
use crate::network::link::Link;
use crate::network::{Builder, Demand, Network};
use crate::units::{METRES_PER_SECOND, great_circle, nanoseconds};
use std::collections::{BTreeMap, HashMap};

/// Network from a file, with the demands of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The network.
    pub network: Network,
    /// Demands in the order of the file; empty for GraphML.
    pub demands: Vec<Demand>,
    /// Numbers of values that the file did not give.
    pub filled: Filled,
    /// Numbers of elements of the file that are left out.
    pub left_out: LeftOut,
    /// Attributes that look like bandwidths or delays and are not read, with the number of their edges.
    pub unread: BTreeMap<String, u64>,
}

/// Returns the delay between two positions: the great circle at two thirds of the speed of light, or the smallest delay
/// if that is longer.
pub(crate) fn delay_between(from: [f64; 2], to: [f64; 2], gaps: &Gaps) -> Option<u64> {
    nanoseconds(great_circle(from, to) / METRES_PER_SECOND).map(|delay| delay.max(gaps.least_delay))
}

/// Nodes of a file and the builder that receives them.
pub(super) struct Nodes {
    pub(super) builder: Builder,
    numbers: HashMap<String, u32>,
    places: Vec<Option<[f64; 2]>>,
    pub(super) filled: Filled,
    pub(super) left_out: LeftOut,
    pub(super) unread: BTreeMap<String, u64>,
}

impl Nodes {
    /// Adds nodes given as id, label and position. A node whose label is not unique is named by label and id.
    pub(super) fn of(nodes: Vec<(&str, &str, Option<[f64; 2]>)>) -> Self {
        let mut labels = HashMap::<&str, u32>::new();
        nodes.iter().for_each(|(_, label, _)| *labels.entry(*label).or_default() += 1);
        let mut builder = Builder::new();
        let (mut numbers, mut places) = (HashMap::new(), vec![]);
        for (id, label, place) in nodes {
            let own = labels.get(label) == Some(&1);
            let node = builder.node(if own { label.to_owned() } else { format!("{label} ({id})") });
            if let Some(place) = place {
                builder.place(node, place);
            }
            numbers.insert(id.to_owned(), node);
            places.push(place);
        }
        let (filled, left_out, unread) = (Filled::default(), LeftOut::default(), BTreeMap::new());
        Self { builder, numbers, places, filled, left_out, unread }
    }

    pub(super) fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// Returns the delay that follows from the positions of two nodes.
    pub(super) fn delay(&self, from: u32, to: u32, gaps: &Gaps) -> Option<u64> {
        let place = |node: u32| self.places.get(node as usize).copied().flatten();
        delay_between(place(from)?, place(to)?, gaps)
    }

    pub(super) fn join(&mut self, link: Link, one_way: bool) {
        if one_way {
            self.builder.link(link);
        } else {
            self.builder.both_ways(link);
        }
    }

    pub(super) fn build(self, file: &str, demands: Vec<Demand>) -> Result<Read, ReadError> {
        let network = self.builder.build().map_err(|error| ReadError::Network { file: file.to_owned(), error })?;
        Ok(Read { network, demands, filled: self.filled, left_out: self.left_out, unread: self.unread })
    }
}
