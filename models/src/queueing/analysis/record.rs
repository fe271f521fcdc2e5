//! What was seen of one replication, and how it is cut into samples.

use super::plan::{Plan, WarmUp};
use super::sample::Sample;
use crate::output::{Truncation, mser};
use crate::queueing::measures::{Capacity, Measure};
use crate::queueing::outcome::NodeStatistics;
use crate::queueing::trace::Times;

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
    /// How long the visits waited and stayed that ended by each look, where that was counted.
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
    /// Cells deleted by MSER-5, whether or not its answer can be believed; `None` if it was not asked.
    pub truncation: Option<Truncation>,
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

    /// The value of `measure` in every cell. A cell in which no service was completed, where times have no value, has that of its
    /// neighbour.
    #[must_use]
    pub fn series(&self, measure: Measure) -> Vec<f64> {
        let cells = self.looks.len().saturating_sub(1);
        let mut values: Vec<_> = (0..cells).map(|cell| self.between(cell, cell + 1).value(measure)).collect();
        let mut last = values.iter().flatten().next().copied();
        for value in &mut values {
            last = value.or(last);
            *value = last;
        }
        values.into_iter().flatten().collect()
    }

    /// Deletes what belongs to the warm-up and cuts the rest into the plan's batches; one sample where it has none, or where there are
    /// fewer cells than batches.
    ///
    /// Batches are of equal numbers of cells. Cells that are left over are deleted with the warm-up.
    #[must_use]
    pub fn cut(&self, plan: &Plan) -> Cut {
        let cells = self.looks.len().saturating_sub(1);
        let truncation = (plan.warm_up == WarmUp::Mser5)
            .then(|| mser(&self.series(plan.measure), 5).unwrap_or(Truncation { removed: 0, reliable: false }));
        let kept = cells - truncation.map_or(0, |truncation| truncation.removed).min(cells);
        let batches = plan.batches.map_or(1, |batches| batches as usize);
        let (batches, length) = if kept >= batches { (batches, kept / batches) } else { (1, kept) };
        let first = cells - batches * length;
        Cut { ends: (0..=batches).map(|batch| first + batch * length).collect(), truncation }
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

    /// How long the visits waited and stayed that ended after the warm-up, if that was counted.
    #[must_use]
    pub fn times(&self, cut: &Cut) -> Option<Times> {
        let at = |end: Option<&usize>| self.times.get(*end?);
        let (before, after) = at(cut.ends.first()).zip(at(cut.ends.last()))?;
        Some(after.since(before))
    }

    /// Whether every node's statistics were kept at each look.
    #[must_use]
    pub fn keeps_nodes(&self) -> bool {
        self.nodes.len() == self.looks.len()
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
