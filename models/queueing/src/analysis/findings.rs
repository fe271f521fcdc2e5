//! What all replications of a run add up to.

use super::classes::ClassFindings;
use super::plan::Ending;
use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use super::warning::Warning;
use crate::experiment::Experiment;
use crate::measures::Measure;
use crate::outcome::{Digest, Hasher, NodeStatistics};
use crate::spent::Spent;
use crate::trace::RunTimes;
use imminent_common::estimate::Estimate;
use imminent_common::output::{Comparison, independence};
use imminent_common::time::Tick;
use std::collections::BTreeMap;

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
    /// Length of the ticks in which all times are.
    pub tick: Tick,
    /// Events of all replications: one for every service started.
    pub events: u64,
    /// Wall time without set-up, over all replications.
    pub spent: Spent,
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
    /// Times of the visits that ended after the warm-ups, where the engine counted them in every replication.
    pub times: Option<RunTimes>,
    /// What was done for each class after the warm-ups, where the plan asked for it and every replication was told.
    pub classes: Option<ClassFindings>,
    /// Whether the run was stopped before its end.
    pub partial: bool,
    /// The replications.
    pub replications: Vec<Replication>,
    /// What a reader should know.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// The digest of the run: that of its replications, and of the tick where it is not the [default](Tick::DEFAULT).
    #[must_use]
    pub fn digest(&self) -> Digest {
        let digest = Digest::of_run(&self.digests());
        if self.tick == Tick::DEFAULT {
            return digest;
        }
        let mut hasher = Hasher::new("imminent run in ticks of its own 1");
        hasher.words(&[i64::from(self.tick.bits()) as u64]);
        hasher.bytes(digest.as_bytes());
        hasher.finish()
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
    /// ([`imminent_common::output::paired`]). Replications in which the measure has no value are left out.
    #[must_use]
    pub fn compare(&self, other: &Self, measure: Measure) -> Comparison {
        let value = |replication: &Replication| replication.kept().value(measure);
        let pairs = self.replications.iter().zip(&other.replications);
        let (first, second): (Vec<_>, Vec<_>) = pairs.filter_map(|(a, b)| value(a).zip(value(b))).unzip();
        Comparison::of(&first, &second)
    }

    /// The estimates, and what is doubtful about them.
    pub(super) fn conclude(&mut self, experiment: &Experiment) {
        let plan = &experiment.plan;
        self.estimates = Sample::estimates(&self.samples);
        let count = |doubtful: &dyn Fn(&Replication) -> bool| {
            self.replications.iter().filter(|replication| doubtful(replication)).count() as u64
        };
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
