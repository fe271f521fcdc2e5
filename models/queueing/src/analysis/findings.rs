//! Sums over all replications of a run.

use super::classes::ClassFindings;
use super::periods::Periods;
use super::plan::{Ending, Plan};
use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use super::warning::Warning;
use crate::costs::Part;
use crate::measures::{Counted, Measure};
use crate::outcome::{Digest, Hasher, NodeResults, NodeStatistics};
use crate::spent::Spent;
use crate::tally::{PoolTimes, RunTally, Waits};
use crate::trace::RunTimes;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::output::{Comparison, independence};
use imminent_common::time::Tick;
use std::collections::BTreeMap;

/// Observations of one replication.
#[derive(Debug, Clone, PartialEq)]
pub struct Replication {
    /// Number of the replication, from 0. Numbers are missing only in a [partial](Findings::partial) run.
    pub number: u64,
    /// Record of the observations, without single nodes.
    pub record: Record,
    /// Cut of the record into samples.
    pub cut: Cut,
    /// Statistics of each node after the warm-up. Empty for a large network or many replications, and if the warm-up is
    /// found by MSER-5.
    pub nodes: Vec<NodeStatistics>,
    /// Numbers of visits that wait after the warm-up, where the engine gathers them; empty as `nodes` are.
    pub waits: Waits,
    /// Times of the servers of each pool after the warm-up, where the engine gathers them; empty as `nodes` are.
    pub pools: PoolTimes,
    /// Digest of the final state.
    pub digest: Digest,
}

impl Replication {
    /// Returns the time between the end of the warm-up and the end of the run as one sample.
    #[must_use]
    pub fn kept(&self) -> Sample {
        let ends = self.cut.ends.first().zip(self.cut.ends.last());
        ends.map_or_else(|| self.record.between(0, 0), |(&from, &to)| self.record.between(from, to))
    }
}

/// Combined results of all replications of a run. Only `events` and digests include the warm-up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Findings {
    /// Length of a tick, the unit of all times.
    pub tick: Tick,
    /// Visits whose times are averaged.
    pub counted: Counted,
    /// Confidence of all intervals.
    pub confidence: Confidence,
    /// Number of events of all replications: one for every service started.
    pub events: u64,
    /// Wall time without set-up, over all replications.
    pub spent: Spent,
    /// Estimate of each measure, by name, and `utilization_corrected` if events were clustered.
    pub estimates: BTreeMap<String, Estimate>,
    /// Statistics of each node after the warm-up, summed over replications.
    pub nodes: NodeResults,
    /// Time covered by [`nodes`](Self::nodes), in ticks, summed over replications.
    pub observed: u64,
    /// Sums for the confidence intervals of single nodes. Empty for a network so large that its nodes were not kept,
    /// and for a run of [one sample](crate::experiment::Experiment::has_samples).
    pub node_sums: Vec<NodeSums>,
    /// All samples, replication by replication.
    pub samples: Vec<Sample>,
    /// Tallies of visits and numbers after the warm-ups, if the engine made them in every replication.
    pub tally: Option<RunTally>,
    /// Statistics by class after the warm-ups, if the plan asked for them and every replication was counted.
    pub classes: Option<ClassFindings>,
    /// Results by period, if the plan has some.
    pub periods: Option<Periods>,
    /// `true` if the run was stopped before its end.
    pub partial: bool,
    /// Records of the replications.
    pub replications: Vec<Replication>,
    /// Warnings about the results.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// Returns the digest of the run: that of its replications, and of the tick if it is not the
    /// [default](Tick::DEFAULT).
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

    /// Returns the digest of each replication.
    #[must_use]
    pub fn digests(&self) -> Vec<Digest> {
        self.replications.iter().map(|replication| replication.digest).collect()
    }

    /// Returns the simulated time of all replications together, warm-up included, in ticks.
    #[must_use]
    pub fn simulated(&self) -> u64 {
        self.replications.iter().filter_map(|replication| replication.record.looks().last()).map(|look| look.time).sum()
    }

    /// Estimates each part of the costs of a time unit, if the run has costs.
    #[must_use]
    pub fn costs(&self) -> Option<Vec<(Part, Estimate)>> {
        self.samples.first()?.spending?;
        let estimate = |part: Part| {
            let pairs: Vec<_> = self.samples.iter().map(|sample| sample.cost(|spent| spent.of(part))).collect();
            (part, self.confidence.of_ratios(&pairs))
        };
        Some(Part::ALL.map(estimate).to_vec())
    }

    /// Compares this run with another, replication by replication. The comparison uses common random numbers if both
    /// have the same seed ([`imminent_common::output::paired`]). Replications in which the measure has no value, or
    /// that only one of the runs has, are left out.
    #[must_use]
    pub fn compare(&self, other: &Self, measure: Measure) -> Comparison {
        let value = |replication: &Replication| replication.kept().value(measure);
        let with = |number: u64| other.replications.iter().find(|replication| replication.number == number);
        let pairs = self.replications.iter().filter_map(|replication| Some((replication, with(replication.number)?)));
        let (first, second): (Vec<_>, Vec<_>) = pairs.filter_map(|(a, b)| value(a).zip(value(b))).unzip();
        Comparison::at(&first, &second, self.confidence)
    }

    /// Returns the times of the visits that ended after the warm-ups, if the engine counted them.
    #[must_use]
    pub fn times(&self) -> Option<&RunTimes> {
        self.tally.as_ref()?.times()
    }

    /// Computes the estimates and the warnings about them.
    pub(super) fn conclude(&mut self, plan: &Plan) {
        let has_impatience = self.samples.first().is_some_and(|sample| sample.basis.has_impatience);
        let measures = Measure::ALL.into_iter().filter(|measure| has_impatience || !measure.is_of_impatience());
        self.estimates = Sample::estimates(&self.samples, &measures.collect::<Vec<_>>(), self.confidence);
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
                let estimate = Sample::estimate(&self.samples, plan.measure, self.confidence);
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
