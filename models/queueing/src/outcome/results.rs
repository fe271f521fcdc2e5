//! Statistics of all nodes at the end of a run, in host memory or where they were left.

use super::statistics::{NodeStatistics, Statistics as _};
use super::table::NodeTable;
use imminent_core::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Largest number of nodes whose statistics are all read or computed, where those of the busiest would do.
pub(crate) const FEW: usize = 1 << 16;

/// Statistics of all nodes at the end of a run.
///
/// Statistics of a large network stay where it was simulated, on a device or among the stations of a host, until they
/// are asked for. The device's memory is released with the last clone. The sums over all nodes are known at once.
///
/// ```
/// # use imminent_queueing::{NodeResults, Statistics as _};
/// # use imminent_queueing::outcome::NodeStatistics;
/// let nodes = NodeResults::from(vec![NodeStatistics { served: 3, ..NodeStatistics::default() }]);
/// assert_eq!(nodes.read()?.of(0).map(|node| node.served), Some(3));
/// # Ok::<_, imminent_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NodeResults(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Host(NodeTable),
    Left(Arc<Left>),
}

/// Statistics that were left where the network was simulated.
#[derive(Debug)]
struct Left {
    source: Box<dyn Source>,
    totals: NodeStatistics,
    /// Statistics of all nodes, once they were asked for.
    table: OnceLock<NodeTable>,
}

/// Place where a simulation of single servers left the statistics of its nodes.
pub(crate) trait Source: fmt::Debug + Send + Sync {
    /// Returns the number of nodes.
    fn nodes(&self) -> usize;

    /// Returns the statistics of all nodes.
    fn read(&self) -> Result<NodeTable, Error>;

    /// Returns some nodes with their statistics. Among them are the `most` nodes with the greatest busy times, those
    /// with the lowest numbers of equal ones.
    fn busiest(&self, most: usize) -> Result<Vec<(u32, NodeStatistics)>, Error>;
}

impl NodeResults {
    /// Creates the results of nodes that were left at a source, with the sum of their statistics.
    pub(crate) fn left(source: impl Source + 'static, totals: NodeStatistics) -> Self {
        let source = Box::new(source);
        Self(Kept::Left(Arc::new(Left { source, totals, table: OnceLock::new() })))
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        match &self.0 {
            Kept::Host(table) => table.nodes(),
            Kept::Left(left) => left.source.nodes(),
        }
    }

    /// Returns the sum over all nodes, if it is known without a look at them. None of them is a source of tokens then.
    #[must_use]
    pub fn totals(&self) -> Option<NodeStatistics> {
        match &self.0 {
            Kept::Host(_) => None,
            Kept::Left(left) => Some(left.totals),
        }
    }

    /// Returns the statistics of all nodes. They are read once, by the first call, or by none if they are in host
    /// memory anyway.
    ///
    /// # Errors
    /// Errors of the device on which they are.
    pub fn read(&self) -> Result<&NodeTable, Error> {
        match (self.on_host(), &self.0) {
            (Some(table), _) | (None, Kept::Host(table)) => Ok(table),
            (None, Kept::Left(left)) => left.source.read().map(|table| left.table.get_or_init(|| table)),
        }
    }

    /// Returns the statistics of all nodes if they are in host memory.
    #[must_use]
    pub fn on_host(&self) -> Option<&NodeTable> {
        match &self.0 {
            Kept::Host(table) => Some(table),
            Kept::Left(left) => left.table.get(),
        }
    }

    /// Returns nodes with their statistics, among which are the `most` with the greatest busy times, those with the
    /// lowest numbers of equal ones. Returns `None` if the statistics of all nodes are in host memory, or soon there.
    ///
    /// # Errors
    /// Errors of the device on which they are.
    pub(crate) fn busiest(&self, most: usize) -> Result<Option<Vec<(u32, NodeStatistics)>>, Error> {
        match &self.0 {
            Kept::Left(left) if self.on_host().is_none() && left.source.nodes() > FEW => {
                left.source.busiest(most).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Changes the statistics of every node; `change` also receives its number.
    pub(crate) fn update(&mut self, change: impl Fn(usize, &mut NodeStatistics) + Sync + Send) -> Result<(), Error> {
        let mut table = match std::mem::take(self) {
            Self(Kept::Host(table)) => table,
            left => left.read()?.clone(),
        };
        table.update(change);
        *self = Self(Kept::Host(table));
        Ok(())
    }
}

impl Default for NodeResults {
    fn default() -> Self {
        Self(Kept::Host(NodeTable::default()))
    }
}

impl From<Vec<NodeStatistics>> for NodeResults {
    fn from(rows: Vec<NodeStatistics>) -> Self {
        Self(Kept::Host(rows.into()))
    }
}

/// Results are equal if the statistics of all nodes are. Those that cannot be read equal no others.
impl PartialEq for NodeResults {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kept::Left(left), Kept::Left(other)) if Arc::ptr_eq(left, other) => true,
            _ => self.read().ok().zip(other.read().ok()).is_some_and(|(nodes, others)| nodes == others),
        }
    }
}

impl Eq for NodeResults {}
