//! Statistics of all nodes, as rows or as the columns that a device keeps.

use super::statistics::{NodeStatistics, Statistics, VisitSums};
use crate::kernels::ending::{Late, until};
use imminent_common::parallel;

/// Statistics of all nodes. Those of a large network on a device stay in the columns that it keeps, and are computed
/// when a node is looked at.
#[derive(Debug, Clone)]
pub struct NodeTable(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Rows(Vec<NodeStatistics>),
    Columns(Box<Columns>),
}

/// Sums of single servers that lose no token, column by column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    pub(crate) horizon: u64,
    /// Row of each node in the other columns.
    pub(crate) rows: Vec<u32>,
    /// Number of services started.
    pub(crate) served: Vec<u64>,
    /// Sum of departure minus start over these services, in ticks.
    pub(crate) service_sum: Vec<u64>,
    /// Sum of start minus arrival over these services, in ticks.
    pub(crate) waiting_sum: Vec<u64>,
    /// End of the last service.
    pub(crate) free_at: Vec<u64>,
    /// Arrival of the token whose service ends after the horizon.
    pub(crate) late_arrival: Vec<u64>,
    /// Start of the service that ends after the horizon.
    pub(crate) late_start: Vec<u64>,
    /// Number of tokens in line that arrived before the horizon.
    pub(crate) arrived: Vec<u64>,
    /// Time that these tokens have waited by the horizon, in ticks.
    pub(crate) waited: Vec<u64>,
}

impl Columns {
    fn of(&self, node: usize) -> Option<NodeStatistics> {
        let row = *self.rows.get(node)? as usize;
        let at = |column: &[u64]| column.get(row).copied();
        let late = Late { arrival: at(&self.late_arrival)?, start: at(&self.late_start)?, free_at: at(&self.free_at)? };
        let sums = Sums { served: at(&self.served)?, service: at(&self.service_sum)?, waiting: at(&self.waiting_sum)? };
        let mut node = sums.statistics(late, self.horizon);
        node.arrivals = node.served + at(&self.arrived)?;
        node.number_integral += at(&self.waited)?;
        Some(node)
    }
}

impl NodeTable {
    /// Iterates over the statistics of the nodes, in their order.
    pub fn iter(&self) -> impl Iterator<Item = NodeStatistics> + '_ {
        (0..self.nodes()).map_while(|node| self.of(node))
    }

    /// Changes the statistics of every node; `change` also receives its number.
    pub(crate) fn update(&mut self, change: impl Fn(usize, &mut NodeStatistics) + Sync + Send) {
        let mut rows = match std::mem::take(self) {
            Self(Kept::Rows(rows)) => rows,
            columns => columns.to_rows(),
        };
        parallel::update(&mut rows, change);
        *self = rows.into();
    }
}

impl Statistics for NodeTable {
    fn nodes(&self) -> usize {
        match &self.0 {
            Kept::Rows(rows) => rows.len(),
            Kept::Columns(columns) => columns.rows.len(),
        }
    }

    fn of(&self, node: usize) -> Option<NodeStatistics> {
        match &self.0 {
            Kept::Rows(rows) => rows.get(node).copied(),
            Kept::Columns(columns) => columns.of(node),
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

impl From<Columns> for NodeTable {
    fn from(columns: Columns) -> Self {
        Self(Kept::Columns(Box::new(columns)))
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
