//! What all replications of a run add up to.

use super::classes::ClassFindings;
use super::plan::Ending;
use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use super::warning::Warning;
use crate::estimate::Estimate;
use crate::output::{Comparison, independence};
use crate::queueing::experiment::Experiment;
use crate::queueing::measures::{Capacity, Measure};
use crate::queueing::network::Network;
use crate::queueing::outcome::{Digest, NodeStatistics, Outcome};
use crate::queueing::trace::Times;
use std::collections::BTreeMap;
use std::time::Duration;

/// What was seen of one replication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replication {
    /// What was seen, without the single nodes.
    pub record: Record,
    /// How it was cut.
    pub cut: Cut,
    /// Digest of the final state.
    pub digest: Digest,
}

impl Replication {
    /// What lies between the end of the warm-up and the end of the run.
    #[must_use]
    pub fn kept(&self) -> Sample {
        let ends = self.cut.ends.first().zip(self.cut.ends.last());
        ends.map_or_else(|| self.record.between(0, 0), |(&from, &to)| self.record.between(from, to))
    }
}

/// What all replications of a run add up to. What happened in the warm-up counts in `events` and digests alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Findings {
    /// Events of all replications: one for every service started.
    pub events: u64,
    /// Wall time of the simulation alone, over all replications.
    pub wall: Duration,
    /// Each measure's estimate, by name, and `utilization_corrected` where events were clustered.
    pub estimates: BTreeMap<String, Estimate>,
    /// Each node's statistics after the warm-up, summed over replications.
    pub nodes: Vec<NodeStatistics>,
    /// The time that [`nodes`](Self::nodes) cover, in ticks, summed over replications.
    pub observed: u64,
    /// What each node's own intervals are made from; empty for a network so large that its nodes were not kept.
    pub node_sums: Vec<NodeSums>,
    /// All samples, replication by replication.
    pub samples: Vec<Sample>,
    /// How long the visits waited and stayed that ended after the warm-ups, where the engine counted that in every replication.
    pub times: Option<Times>,
    /// What was done for each class after the warm-ups, where the plan asked for it and every replication was told.
    pub classes: Option<ClassFindings>,
    /// The replications.
    pub replications: Vec<Replication>,
    /// What a reader should know.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// The digest of the run.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_run(&self.digests())
    }

    /// Digest of each replication.
    #[must_use]
    pub fn digests(&self) -> Vec<Digest> {
        self.replications.iter().map(|replication| replication.digest).collect()
    }

    /// The time that all replications together simulated, warm-up included, in ticks.
    #[must_use]
    pub fn simulated(&self) -> u64 {
        self.replications.iter().filter_map(|replication| replication.record.looks().last()).map(|look| look.time).sum()
    }

    /// Compares this run with another, replication by replication: on common random numbers if both have the same seed
    /// ([`crate::output::paired`]). Replications in which the measure has no value are left out.
    #[must_use]
    pub fn compare(&self, other: &Self, measure: Measure) -> Comparison {
        let value = |replication: &Replication| replication.kept().value(measure);
        let pairs = self.replications.iter().zip(&other.replications);
        let (first, second): (Vec<_>, Vec<_>) = pairs.filter_map(|(a, b)| value(a).zip(value(b))).unzip();
        Comparison::of(&first, &second)
    }

    /// Adds a replication that has ended; `statistics` are those of its outcome.
    pub(crate) fn add(&mut self, experiment: &Experiment, mut record: Record, outcome: &Outcome, wall: Duration) {
        self.events += outcome.events();
        self.wall += wall;
        let cut = record.cut(&experiment.plan);
        self.samples.extend(record.samples(&cut));
        let first = record.first_of_nodes(&cut);
        let began = record.looks.get(first).map_or(0, |look| look.time);
        self.observed += outcome.horizon.saturating_sub(began);
        self.nodes.resize(outcome.statistics.len(), NodeStatistics::default());
        for (node, (sum, end)) in self.nodes.iter_mut().zip(&outcome.statistics).enumerate() {
            let before = record.nodes.get(first).and_then(|nodes| nodes.get(node)).copied().unwrap_or_default();
            *sum += end.since(&before);
        }
        if record.keeps_nodes() {
            self.add_node_sums(&experiment.network, &record, &cut);
        }
        if experiment.plan.by_class {
            self.add_classes(&experiment.network, &mut record, &cut);
        }
        record.nodes = vec![];
        let times = record.times(&cut);
        record.times = vec![];
        self.times = match (self.times.take(), times) {
            (Some(mut sum), Some(times)) => {
                sum += &times;
                Some(sum)
            }
            (None, times) if self.replications.is_empty() => times,
            _ => None,
        };
        self.replications.push(Replication { record, cut, digest: outcome.digest() });
    }

    fn add_classes(&mut self, network: &Network, record: &mut Record, cut: &Cut) {
        if network.classes() == 1 && record.keeps_nodes() {
            // What is done for the only class is all that is done.
            record.classes = std::mem::take(&mut record.nodes);
            let nodes = record.classes.iter_mut().flatten();
            nodes.for_each(|node| node.most_waiting = None);
        }
        self.classes = match self.classes.take() {
            Some(classes) => classes.and(network, record, cut),
            None if self.replications.is_empty() => ClassFindings::first(network, record, cut),
            None => None,
        };
        record.classes = vec![];
    }

    fn add_node_sums(&mut self, network: &Network, record: &Record, cut: &Cut) {
        self.node_sums.resize(network.len(), NodeSums::default());
        for ends in cut.ends.windows(2) {
            let look = |end: Option<&usize>| end.and_then(|&end| record.nodes.get(end).zip(record.looks.get(end)));
            let Some(((before, from), (after, to))) = look(ends.first()).zip(look(ends.last())) else { continue };
            let span = to.time.saturating_sub(from.time);
            for ((node, sums), (before, after)) in (0..).zip(&mut self.node_sums).zip(before.iter().zip(after)) {
                sums.add(&Sample { sums: after.since(before), capacity: Capacity::of_node(network, node), span });
            }
        }
    }

    /// The estimates, and what is doubtful about them.
    pub(crate) fn conclude(&mut self, experiment: &Experiment) {
        let plan = &experiment.plan;
        self.estimates = Sample::estimates(&self.samples);
        let count = |doubtful: &dyn Fn(&Replication) -> bool| {
            self.replications.iter().filter(|replication| doubtful(replication)).count() as u64
        };
        let unsettled = count(&|r| r.cut.truncation.is_some_and(|truncation| !truncation.reliable));
        if unsettled > 0 {
            self.warnings.push(Warning::NotSettled { replications: unsettled });
        }
        if plan.batches.is_some()
            && let [_] = self.replications.as_slice()
        {
            let values: Vec<f64> = self.samples.iter().filter_map(|sample| sample.value(plan.measure)).collect();
            if let Some(probability) = independence(&values).filter(|probability| *probability < 0.05) {
                self.warnings.push(Warning::Correlated { probability });
            }
        }
        match plan.ending {
            Ending::Precision(precision) => {
                let estimate = Sample::estimate(&self.samples, plan.measure);
                if !precision.met(&estimate, self.samples.len()) {
                    let (measure, wanted) = (plan.measure, precision.relative());
                    self.warnings.push(Warning::Imprecise { measure, wanted, reached: estimate.relative() });
                }
            }
            Ending::Count { completions, .. } => {
                let replications = count(&|r| {
                    r.record.between(0, r.record.looks.len().saturating_sub(1)).sums.completed < completions
                });
                if replications > 0 {
                    self.warnings.push(Warning::TooFewCompleted { replications, completions });
                }
            }
            Ending::Horizon => {}
        }
    }
}
