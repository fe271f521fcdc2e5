//! Statistics of all nodes in host memory, as rows or as a device left them.

use super::statistics::{NodeStatistics, Statistics, VisitSums};
use crate::kernels::ending::{Late, NodeEnd, until};
use imminent_common::parallel;

/// Statistics of all nodes.
#[derive(Debug, Clone)]
pub struct NodeTable(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Rows(Vec<NodeStatistics>),
    Ends {
        ends: Vec<NodeEnd>,
        /// Place of each node in `ends`.
        places: Vec<u32>,
    },
}

impl NodeTable {
    /// Creates the table of nodes that a device left in any order.
    pub(crate) fn of_ends(ends: Vec<NodeEnd>) -> Self {
        let mut places = vec![0; ends.len()];
        for (place, end) in (0..).zip(&ends) {
            if let Some(of_node) = places.get_mut(end.node as usize) {
                *of_node = place;
            }
        }
        Self(Kept::Ends { ends, places })
    }

    /// Iterates over the statistics of the nodes, in their order.
    pub fn iter(&self) -> impl Iterator<Item = NodeStatistics> + '_ {
        (0..self.nodes()).map_while(|node| self.of(node))
    }

    /// Changes the statistics of every node; `change` also receives its number.
    pub(crate) fn update(&mut self, change: impl Fn(usize, &mut NodeStatistics) + Sync + Send) {
        let mut rows = match std::mem::take(self) {
            Self(Kept::Rows(rows)) => rows,
            ends => ends.to_rows(),
        };
        parallel::update(&mut rows, change);
        *self = rows.into();
    }
}

impl Statistics for NodeTable {
    fn nodes(&self) -> usize {
        match &self.0 {
            Kept::Rows(rows) => rows.len(),
            Kept::Ends { places, .. } => places.len(),
        }
    }

    fn of(&self, node: usize) -> Option<NodeStatistics> {
        match &self.0 {
            Kept::Rows(rows) => rows.get(node).copied(),
            Kept::Ends { ends, places } => ends.get(*places.get(node)? as usize).map(NodeStatistics::from),
        }
    }

    fn to_rows(&self) -> Vec<NodeStatistics> {
        parallel::map(self.nodes(), |node| self.of(node).unwrap_or_default())
    }
}

impl Default for NodeTable {
    fn default() -> Self {
        Self(Kept::Rows(vec![]))
    }
}

impl From<Vec<NodeStatistics>> for NodeTable {
    fn from(rows: Vec<NodeStatistics>) -> Self {
        Self(Kept::Rows(rows))
    }
}

impl From<&NodeEnd> for NodeStatistics {
    fn from(end: &NodeEnd) -> Self {
        Self {
            served: end.served,
            completed: end.completed,
            busy: end.busy,
            sojourn_sum: end.sojourn,
            waiting_sum: end.waiting,
            number_integral: end.present,
            arrivals: end.arrivals,
            started: VisitSums { visits: end.served, waiting: end.started_waiting, sojourn: end.started_sojourn },
            ..Self::default()
        }
    }
}

impl PartialEq for NodeTable {
    fn eq(&self, other: &Self) -> bool {
        self.nodes() == other.nodes() && (0..self.nodes()).all(|node| self.of(node) == other.of(node))
    }
}

impl Eq for NodeTable {}

/// Sums that a single server keeps while it serves; times are ticks.
pub(crate) struct Sums {
    /// Number of services started.
    pub(crate) served: u64,
    /// Sum of departure minus start over these services.
    pub(crate) service: u64,
    /// Sum of start minus arrival over these services.
    pub(crate) waiting: u64,
}

impl Sums {
    /// Returns the statistics at the horizon, without those of tokens in line.
    pub(crate) fn statistics(&self, late: Late, horizon: u64) -> NodeStatistics {
        let done = until(horizon, self.served, self.service, self.waiting, late);
        NodeStatistics {
            served: self.served,
            completed: done.completed,
            busy: done.busy,
            sojourn_sum: done.sojourn,
            waiting_sum: done.waiting,
            number_integral: done.present,
            started: VisitSums { visits: self.served, waiting: self.waiting, sojourn: self.waiting + self.service },
            ..NodeStatistics::default()
        }
    }
}
