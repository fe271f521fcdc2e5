//! Results of a run by class of tokens.

use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use crate::experiment::Experiment;
use crate::measures::{Basis, Counted, Measure};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use imminent_common::estimate::Estimate;
use std::collections::BTreeMap;

/// Sums of all replications of a run by class, after their warm-ups.
///
/// The sums over classes equal those of the node, to the bit, except for the greatest number waiting, which classes do
/// not have. Utilization, throughput and numbers are those of the class's share of a node, so they add up too. Times,
/// loss and blocking are those of the class's own tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassFindings {
    classes: usize,
    /// Visits whose times are averaged.
    counted: Counted,
    /// Sums by node and class.
    sums: Vec<NodeStatistics>,
    /// Sums for confidence intervals, by node and class.
    node_sums: Vec<NodeSums>,
    /// Samples of all stations together, by class.
    samples: Vec<Vec<Sample>>,
}

impl ClassFindings {
    /// Adds the sums of other replications.
    pub(crate) fn and_all(mut self, other: &Self) -> Self {
        for (sum, term) in self.sums.iter_mut().zip(&other.sums) {
            *sum += *term;
        }
        for (sums, terms) in self.node_sums.iter_mut().zip(&other.node_sums) {
            sums.add_all(terms);
        }
        for (samples, others) in self.samples.iter_mut().zip(&other.samples) {
            samples.extend_from_slice(others);
        }
        self
    }

    /// Returns the sums of no replication.
    pub(crate) fn none(experiment: &Experiment) -> Self {
        let network = &experiment.network;
        let (classes, pairs) = (network.classes(), network.len() * network.classes());
        Self {
            classes,
            counted: experiment.plan.counted,
            sums: vec![NodeStatistics::default(); pairs],
            node_sums: vec![NodeSums::default(); pairs],
            samples: vec![vec![]; classes],
        }
    }

    /// Adds the counts of one more replication; `None` if it was not counted at every observation.
    pub(super) fn and(self, network: &Network, record: &Record, cut: &Cut) -> Option<Self> {
        let mut counted = self;
        let look = |end: Option<&usize>| record.classes.get(*end?).zip(record.looks.get(*end?));
        for ends in cut.ends.windows(2) {
            let ((before, from), (after, to)) = look(ends.first()).zip(look(ends.last()))?;
            counted.add(network, to.time.saturating_sub(from.time), before, after);
        }
        Some(counted)
    }

    /// Returns the classes of the first replication of a run, as [`and`](Self::and).
    pub(super) fn first(experiment: &Experiment, record: &Record, cut: &Cut) -> Option<Self> {
        Self::none(experiment).and(&experiment.network, record, cut)
    }

    /// Adds a sample: the difference of two observations.
    pub(crate) fn add(&mut self, network: &Network, span: u64, before: &[NodeStatistics], after: &[NodeStatistics]) {
        let mut totals = vec![NodeStatistics::default(); self.classes];
        for (pair, (before, after)) in before.iter().zip(after).enumerate() {
            let (node, class) = ((pair / self.classes) as u32, pair % self.classes);
            let done = after.since(before);
            if let Some(sum) = self.sums.get_mut(pair) {
                *sum += done;
            }
            if let Some(sums) = self.node_sums.get_mut(pair) {
                let basis = Basis::of_node(network, node).counting(self.counted);
                sums.add(&Sample { sums: done, basis, span });
            }
            if let (Some(_), Some(total)) = (network.station(node), totals.get_mut(class)) {
                *total += done;
            }
        }
        let basis = Basis::of_network(network).counting(self.counted);
        for (samples, sums) in self.samples.iter_mut().zip(totals) {
            samples.push(Sample { sums, basis, span });
        }
    }

    /// Returns the sums over all replications, by node and class.
    #[must_use]
    pub fn sums(&self) -> &Vec<NodeStatistics> {
        &self.sums
    }

    /// Returns the sums for confidence intervals, by node and class.
    #[must_use]
    pub fn node_sums(&self) -> &[NodeSums] {
        &self.node_sums
    }

    /// Returns each measure of a class at the average station, by name.
    #[must_use]
    pub fn estimates(&self, class: u32) -> BTreeMap<String, Estimate> {
        self.samples.get(class as usize).map(|samples| Sample::estimates(samples)).unwrap_or_default()
    }

    /// Returns a measure of a class at the average station.
    #[must_use]
    pub fn estimate(&self, class: u32, measure: Measure) -> Estimate {
        Sample::estimate(self.samples.get(class as usize).map_or(&[], |samples| samples), measure)
    }
}
