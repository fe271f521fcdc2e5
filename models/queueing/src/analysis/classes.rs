//! Results of a run by class of tokens.

use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use crate::experiment::Experiment;
use crate::measures::{Basis, Counted, Flow, Measure};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use imminent_common::estimate::{Confidence, Estimate};
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
    /// Confidence of all intervals.
    confidence: Confidence,
    /// Sums by node and class.
    sums: Vec<NodeStatistics>,
    /// Sums for confidence intervals, by node and class.
    node_sums: Vec<NodeSums>,
    /// Samples of all stations together, by class.
    samples: Vec<Vec<Sample>>,
    /// Number of tokens at time 0, by class, if the network is open.
    tokens: Option<Vec<u64>>,
    /// [Chains](Network::chains) of classes.
    chains: Vec<Vec<u32>>,
}

/// Sums of a class over all stations, and the number of its tokens that sources emitted.
type OfClass = (NodeStatistics, u64);

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
            confidence: experiment.plan.confidence,
            sums: vec![NodeStatistics::default(); pairs],
            node_sums: vec![NodeSums::default(); pairs],
            samples: vec![vec![]; classes],
            tokens: network.has_flow().then(|| tokens(network)),
            chains: network.chains(),
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
        for (pair, (before, after)) in before.iter().zip(after).enumerate() {
            let node = (pair / self.classes) as u32;
            let done = after.since(before);
            if let Some(sum) = self.sums.get_mut(pair) {
                *sum += done;
            }
            if let Some(sums) = self.node_sums.get_mut(pair) {
                let basis = Basis::of_node(network, node).counting(self.counted);
                sums.add(&Sample { sums: done, basis, span, flow: None, spending: None });
            }
        }
        let of_classes = in_network(network, self.counted, self.tokens.as_deref(), (span, before, after));
        self.samples.iter_mut().zip(of_classes).for_each(|(samples, sample)| samples.push(sample));
    }

    /// Returns the sums over all replications, by node and class.
    #[must_use]
    pub fn sums(&self) -> &Vec<NodeStatistics> {
        &self.sums
    }

    /// Returns the confidence of all intervals.
    #[must_use]
    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Returns the sums for confidence intervals, by node and class.
    #[must_use]
    pub fn node_sums(&self) -> &[NodeSums] {
        &self.node_sums
    }

    /// Returns each measure of a class at the average station, by name.
    #[must_use]
    pub fn estimates(&self, class: u32) -> BTreeMap<String, Estimate> {
        let samples = self.samples_of(class);
        let has_impatience = samples.first().is_some_and(|sample| sample.basis.has_impatience);
        let measures = Measure::STATION.into_iter().filter(|measure| has_impatience || !measure.is_of_impatience());
        Sample::estimates(samples, &measures.collect::<Vec<_>>(), self.confidence)
    }

    /// Returns a measure of a class at the average station, or in the whole network.
    ///
    /// The flow of a class whose tokens turn into others is not known: only its number, arrival rate and drop rate are.
    #[must_use]
    pub fn estimate(&self, class: u32, measure: Measure) -> Estimate {
        let needs_exits =
            [Measure::SystemThroughput, Measure::SystemResponse, Measure::SystemLoss, Measure::SystemReneging];
        let needs_exits = needs_exits.contains(&measure);
        let changes = || self.chains.iter().any(|chain| chain.len() > 1 && chain.contains(&class));
        if needs_exits && changes() {
            return self.confidence.of(&[]);
        }
        Sample::estimate(self.samples_of(class), measure, self.confidence)
    }

    /// Returns the [chains](Network::chains) of classes.
    #[must_use]
    pub fn chains(&self) -> &[Vec<u32>] {
        &self.chains
    }

    /// Returns a measure of all classes of a chain in the whole network.
    #[must_use]
    pub fn estimate_of_chain(&self, chain: &[u32], measure: Measure) -> Estimate {
        let mut classes = chain.iter().map(|class| self.samples_of(*class));
        let mut samples = classes.next().unwrap_or_default().to_vec();
        for others in classes {
            samples.iter_mut().zip(others).for_each(|(sum, other)| sum.add(other));
        }
        Sample::estimate(&samples, measure, self.confidence)
    }

    fn samples_of(&self, class: u32) -> &[Sample] {
        self.samples.get(class as usize).map_or(&[], |samples| samples)
    }
}

/// Returns a sample of each class in the whole network: the difference of two observations, `span` ticks apart, by node
/// and class. `tokens` are those of each class at time 0 of an open network.
pub(super) fn in_network(
    network: &Network,
    counted: Counted,
    tokens: Option<&[u64]>,
    (span, before, after): (u64, &[NodeStatistics], &[NodeStatistics]),
) -> Vec<Sample> {
    let basis = Basis::of_network(network).counting(counted);
    let flow = |class: usize, of: &OfClass| Some(Flow::of(tokens?.get(class).copied().unwrap_or(0), of.1, &of.0));
    let sample = |(class, (before, after)): (usize, (&OfClass, &OfClass))| {
        let flow = flow(class, after).zip(flow(class, before)).map(|(after, before)| after.since(before));
        Sample { sums: after.0.since(&before.0), basis, span, flow, spending: None }
    };
    let [before, after] = [before, after].map(|look| totals(network, look));
    before.iter().zip(&after).enumerate().map(sample).collect()
}

/// Returns the number of tokens of each class at time 0.
pub(super) fn tokens(network: &Network) -> Vec<u64> {
    let of = |class: u32| (0..network.len() as u32).map(|node| u64::from(network.tokens(node, class))).sum();
    (0..network.classes() as u32).map(of).collect()
}

/// Returns the sums of each class over all stations and over all sources, from those by node and class.
fn totals(network: &Network, look: &[NodeStatistics]) -> Vec<OfClass> {
    let classes = network.classes();
    let mut totals = vec![OfClass::default(); classes];
    for (node, of_node) in (0..).zip(look.chunks(classes)) {
        let is_station = network.station(node).is_some();
        for ((sums, emitted), of_class) in totals.iter_mut().zip(of_node) {
            if is_station { *sums += *of_class } else { *emitted += of_class.completed }
        }
    }
    totals
}
