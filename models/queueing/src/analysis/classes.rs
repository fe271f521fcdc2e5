//! Results of a run by class of tokens.

use super::findings::Findings;
use super::gathering::half_of;
use super::plan::WarmUp;
use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use crate::experiment::Experiment;
use crate::measures::{Basis, Counted, Measure};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use crate::sequential;
use crate::trace::ReplayError;
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
    /// Returns the classes of a run that is over, as the run [counted](Findings::classes) them. If it did not, they are
    /// [counted afterwards](Self::replayed).
    ///
    /// # Errors
    /// [`ReplayError`], for instance for a run that clustered events.
    pub fn of(experiment: &Experiment, findings: &Findings) -> Result<Self, ReplayError> {
        match &findings.classes {
            Some(counted) => Ok(counted.clone()),
            None => Self::replayed(experiment, findings),
        }
    }

    /// Counts the classes of a run that is over, sample by sample.
    ///
    /// All exact engines carry out the same services. The oracle therefore simulates the replications once more, and
    /// its digests must equal those of the run.
    ///
    /// # Errors
    /// [`ReplayError`], for instance for a run that clustered events.
    pub fn replayed(experiment: &Experiment, findings: &Findings) -> Result<Self, ReplayError> {
        let network = &experiment.network;
        // Halves are added up in the same order as by the run.
        let mut halves = vec![Self::none(experiment); if experiment.plan.warm_up == WarmUp::Mser5 { 2 } else { 1 }];
        for found in &findings.replications {
            let replication = found.number;
            let looks = found.record.looks();
            let times: Vec<u64> = found.cut.ends.iter().filter_map(|&end| Some(looks.get(end)?.time)).collect();
            let scenario = experiment.scenario(replication)?.until(times.last().copied().unwrap_or(0));
            let mut before: Option<(u64, Vec<NodeStatistics>)> = None;
            let mut digest = None;
            let half = half_of(replication).min(halves.len() - 1);
            sequential::by_class(&scenario, &times, &mut |outcome, by_class| {
                if let (Some((from, earlier)), Some(counted)) = (&before, halves.get_mut(half)) {
                    counted.add(network, outcome.horizon - from, earlier, &by_class);
                }
                before = Some((outcome.horizon, by_class));
                digest = Some(outcome.digest());
            })?;
            if digest != Some(found.digest) {
                return Err(ReplayError::OtherRun { replication });
            }
        }
        let none = Self::none(experiment);
        Ok(halves.into_iter().reduce(|all, half| all.and_all(&half)).unwrap_or(none))
    }

    /// Adds the sums of other replications.
    pub(super) fn and_all(mut self, other: &Self) -> Self {
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

    fn none(experiment: &Experiment) -> Self {
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
    fn add(&mut self, network: &Network, span: u64, before: &[NodeStatistics], after: &[NodeStatistics]) {
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
    pub fn sums(&self) -> &[NodeStatistics] {
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
