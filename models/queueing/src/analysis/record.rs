//! What was seen of one replication, and how it is cut into samples.

use super::gathering::truncation;
use super::plan::{Plan, WarmUp};
use super::sample::Sample;
use crate::measures::Capacity;
use crate::network::Network;
use crate::outcome::NodeStatistics;
use crate::trace::Times;
use imminent_common::output::Truncation;

/// What all stations together had done by a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// The time, in ticks.
    pub time: u64,
    /// The sum of all stations' statistics since time 0.
    pub totals: NodeStatistics,
}

/// The looks at one replication: the first is where the fixed warm-up ends, the last where the run does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub(super) looks: Vec<Look>,
    /// Every node's statistics at each look; or at the first alone, where so many are not kept.
    pub(super) nodes: Vec<Vec<NodeStatistics>>,
    /// Times of the visits that ended in each cell, where they were counted; all in one cell, and none in the others, where all make one sample.
    pub(super) times: Vec<Times>,
    /// What every node had done for each class by each look, by node and class, where that was counted.
    pub(super) classes: Vec<Vec<NodeStatistics>>,
    pub(super) capacity: Capacity,
}

/// Where the warm-up ends and the samples begin and end, as numbers of looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The ends of the samples: sample `i` lies between looks `ends[i]` and `ends[i + 1]`.
    pub ends: Vec<usize>,
}

impl Record {
    /// The looks.
    #[must_use]
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// What happened between two looks; nothing for looks that do not exist.
    #[must_use]
    pub fn between(&self, from: usize, to: usize) -> Sample {
        let look = |index: usize| self.looks.get(index).copied().unwrap_or_default();
        let (from, to) = (look(from), look(to));
        let span = to.time.saturating_sub(from.time);
        Sample { sums: to.totals.since(&from.totals), capacity: self.capacity, span }
    }

    /// What happened in every cell.
    #[must_use]
    pub fn cells(&self) -> Vec<Sample> {
        (1..self.looks.len()).map(|end| self.between(end - 1, end)).collect()
    }

    /// What MSER-5 says of this replication alone; `None` where the plan does not ask it.
    pub(super) fn truncation(&self, plan: &Plan) -> Option<Truncation> {
        (plan.warm_up == WarmUp::Mser5).then(|| truncation(&self.cells(), plan.measure))
    }

    /// Deletes the first `removed` cells and cuts the rest into the plan's batches; one sample where it has none, or where there are fewer
    /// cells than batches.
    ///
    /// Batches are of equal numbers of cells. Cells that are left over are deleted with the warm-up.
    #[must_use]
    pub fn cut_after(&self, plan: &Plan, removed: usize) -> Cut {
        let cells = self.looks.len().saturating_sub(1);
        let kept = cells - removed.min(cells);
        let batches = plan.batches.map_or(1, |batches| batches as usize);
        let (batches, length) = if kept >= batches { (batches, kept / batches) } else { (1, kept) };
        let first = cells - batches * length;
        Cut { ends: (0..=batches).map(|batch| first + batch * length).collect() }
    }

    /// The samples of a cut.
    #[must_use]
    pub fn samples(&self, cut: &Cut) -> Vec<Sample> {
        cut.ends
            .windows(2)
            .filter_map(|ends| ends.first().zip(ends.last()))
            .map(|(&from, &to)| self.between(from, to))
            .collect()
    }

    /// Returns the times of the visits that ended in each sample of a cut, if they were counted.
    #[must_use]
    pub fn times(&self, cut: &Cut) -> Option<Vec<Times>> {
        if self.times.is_empty() {
            return None;
        }
        let sample = |ends: &[usize]| {
            let mut sum = Times::default();
            let (from, to) = ends.first().copied().zip(ends.last().copied())?;
            self.times.get(from..to)?.iter().for_each(|cell| sum += cell);
            Some(sum)
        };
        cut.ends.windows(2).map(sample).collect()
    }

    /// Whether every node's statistics were kept at each look.
    #[must_use]
    pub fn keeps_nodes(&self) -> bool {
        self.nodes.len() == self.looks.len()
    }

    /// Takes what was done at the nodes of a network of one class for what was done for that class.
    pub(super) fn take_only_class(&mut self, network: &Network) {
        if network.classes() == 1 && self.keeps_nodes() {
            self.classes = std::mem::take(&mut self.nodes);
            self.classes.iter_mut().flatten().for_each(|node| node.most_waiting = None);
        }
    }

    /// Forgets single nodes, classes and visits.
    pub(super) fn forget_nodes(&mut self) {
        (self.nodes, self.classes, self.times) = (vec![], vec![], vec![]);
    }

    /// Every node's statistics at the first look.
    pub(crate) fn nodes_at_first(&self) -> &[NodeStatistics] {
        self.nodes.first().map_or(&[], |nodes| nodes)
    }

    /// The first look from which nodes are counted: that of the cut where all were kept, else the end of the fixed warm-up.
    pub(super) fn first_of_nodes(&self, cut: &Cut) -> usize {
        if self.keeps_nodes() { cut.ends.first().copied().unwrap_or(0) } else { 0 }
    }
}
