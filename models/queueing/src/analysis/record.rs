//! Observations of one replication, and their cut into samples.

use super::mser::truncation;
use super::plan::{Plan, WarmUp};
use super::sample::Sample;
use crate::costs::Spending;
use crate::measures::{Basis, Flow};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use crate::tally::{Tally, Wanted};
use imminent_common::output::Truncation;

/// Observation of a run: statistics of all stations together up to a time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Look {
    /// Time of the observation, in ticks.
    pub time: u64,
    /// Sum of all stations' statistics since time 0.
    pub totals: NodeStatistics,
    /// Tokens that came into the network and that left it since time 0; `None` for a closed network.
    pub flow: Option<Flow>,
    /// Money that was spent since time 0, if the run has costs.
    pub spending: Option<Spending>,
}

/// Observations of one replication: the first at the end of the fixed warm-up, the last at the end of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub(super) looks: Vec<Look>,
    /// Statistics of every node at each observation; only at the first if so many are not kept.
    pub(super) nodes: Vec<Vec<NodeStatistics>>,
    /// Tallies of each cell. If all cells make one sample, the first cell holds all of them.
    pub(super) tallies: Vec<Tally>,
    /// Description of what was gathered.
    pub(super) gathered: Wanted,
    /// Statistics by node and class at each observation, if they were counted.
    pub(super) classes: Vec<Vec<NodeStatistics>>,
    pub(super) basis: Basis,
}

/// Cut of a record into samples, as numbers of observations. The warm-up ends at the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Ends of the samples: sample `i` lies between observations `ends[i]` and `ends[i + 1]`.
    pub ends: Vec<usize>,
}

impl Record {
    /// Returns the observations.
    #[must_use]
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// Returns the sample between two observations; it is empty for observations that do not exist.
    #[must_use]
    pub fn between(&self, from: usize, to: usize) -> Sample {
        let look = |index: usize| self.looks.get(index).copied().unwrap_or_default();
        let (from, to) = (look(from), look(to));
        let span = to.time.saturating_sub(from.time);
        let flow = to.flow.map(|flow| flow.since(from.flow.unwrap_or_default()));
        let spending = to.spending.map(|spent| spent.since(&from.spending.unwrap_or_default()));
        Sample { sums: to.totals.since(&from.totals), basis: self.basis, span, flow, spending }
    }

    /// Returns the sample of every cell.
    #[must_use]
    pub fn cells(&self) -> Vec<Sample> {
        (1..self.looks.len()).map(|end| self.between(end - 1, end)).collect()
    }

    /// Applies MSER-5 to this replication alone; `None` if the plan does not use it.
    pub(super) fn truncation(&self, plan: &Plan) -> Option<Truncation> {
        (plan.warm_up == WarmUp::Mser5).then(|| truncation(&self.cells(), plan.measure))
    }

    /// Deletes the first `removed` cells and cuts the rest into the plan's batches. The rest is one sample if the plan
    /// has no batches, or if there are fewer cells than batches.
    ///
    /// Batches have equal numbers of cells. Cells that are left over are deleted with the warm-up.
    #[must_use]
    pub fn cut_after(&self, plan: &Plan, removed: usize) -> Cut {
        let cells = self.looks.len().saturating_sub(1);
        let kept = cells - removed.min(cells);
        let batches = plan.batches.map_or(1, |batches| batches as usize);
        let (batches, length) = if kept >= batches { (batches, kept / batches) } else { (1, kept) };
        let first = cells - batches * length;
        Cut { ends: (0..=batches).map(|batch| first + batch * length).collect() }
    }

    /// Returns the samples of a cut.
    #[must_use]
    pub fn samples(&self, cut: &Cut) -> Vec<Sample> {
        cut.ends
            .windows(2)
            .filter_map(|ends| ends.first().zip(ends.last()))
            .map(|(&from, &to)| self.between(from, to))
            .collect()
    }

    /// Returns what was gathered in each sample of a cut, if anything was.
    #[must_use]
    pub fn tallies(&self, cut: &Cut) -> Option<Vec<Tally>> {
        if self.tallies.is_empty() {
            return None;
        }
        let sample = |ends: &[usize]| {
            let mut sum = Tally::default();
            let (from, to) = ends.first().copied().zip(ends.last().copied())?;
            self.tallies.get(from..to)?.iter().for_each(|cell| sum += cell);
            Some(sum)
        };
        cut.ends.windows(2).map(sample).collect()
    }

    /// Returns what was gathered in each cell, if cells were kept apart.
    pub(super) fn cells_gathered(&self) -> &[Tally] {
        &self.tallies
    }

    /// Returns `true` if every node's statistics were kept at each observation.
    #[must_use]
    pub fn keeps_nodes(&self) -> bool {
        self.nodes.len() == self.looks.len()
    }

    /// Copies the statistics of nodes to those of the class, for a network of one class.
    pub(super) fn take_only_class(&mut self, network: &Network) {
        if network.classes() == 1 && self.keeps_nodes() {
            self.classes = std::mem::take(&mut self.nodes);
            self.classes.iter_mut().flatten().for_each(|node| node.most_waiting = None);
        }
    }

    /// Drops the statistics of single nodes and classes, and what was gathered.
    pub(super) fn forget_nodes(&mut self) {
        (self.nodes, self.classes, self.tallies) = (vec![], vec![], vec![]);
        self.gathered = Wanted::default();
    }

    /// Returns every node's statistics at the first observation.
    pub(crate) fn nodes_at_first(&self) -> &[NodeStatistics] {
        self.nodes.first().map_or(&[], |nodes| nodes)
    }

    /// Returns the observation from which nodes are counted. It is that of the cut if all were kept, otherwise the end
    /// of the fixed warm-up.
    pub(super) fn first_of_nodes(&self, cut: &Cut) -> usize {
        if self.keeps_nodes() { cut.ends.first().copied().unwrap_or(0) } else { 0 }
    }
}
