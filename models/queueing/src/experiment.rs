//! Replications of one scenario on any engine, with the observations that a plan asks for.

pub use crate::analysis::Findings;

use crate::analysis::{Ending, Gathering, NotSettled, Plan, PlanError, Record, Warning, Watch};
use crate::bounds::{Growth, Sums};
use crate::interval::{Slowed, corrected_utilization};
use crate::measures::{Counted, Measures};
use crate::network::Network;
use crate::outcome::Outcome;
use crate::scenario::{Scenario, ScenarioError, Start};
use crate::spent::Spent;
use imminent_common::estimate::Estimate;
use imminent_core::WorkUnit;
use imminent_core::clock::Instant;
use thiserror::Error;

/// Unit of the work of queueing networks: services and arrivals. One thread carries out 12 to 45 M in a second.
pub const EVENTS: WorkUnit = WorkUnit::new("events", 10e6);

/// A network, and the number and length of its replications: the complete input of a run.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Network to simulate.
    pub network: Network,
    /// Placement of the tokens at time 0.
    pub start: Start,
    /// Length of each replication, in ticks; an upper limit where the plan may end it earlier.
    pub horizon: u64,
    /// Seed given by the user.
    pub seed: u64,
    /// Number of replications; an upper limit where the plan may end the run earlier.
    pub replications: u64,
    /// Interval by which the engine clusters events, in ticks; `None` for exact engines.
    pub interval: Option<u64>,
    /// Plan for the analysis of the output.
    pub plan: Plan,
}

/// An outcome, and the wall time that the simulation took.
#[derive(Debug, Clone)]
pub struct Timed {
    /// Result of the replication.
    pub outcome: Outcome,
    /// Wall time, without set-up and compilation.
    pub spent: Spent,
}

impl Timed {
    /// Measures the wall time of an engine that needs no set-up.
    pub fn measure(engine: impl FnOnce() -> Outcome) -> Self {
        let began = Instant::now();
        let outcome = engine();
        Self { outcome, spent: Spent::simulating(began.elapsed()) }
    }
}

/// Reasons for a run to stop before its end.
#[derive(Debug, Error)]
pub enum ExperimentError<E> {
    /// A replication could not be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// An engine failed.
    #[error("replication {replication}: {error}")]
    Engine {
        /// Number of the replication, from 0.
        replication: u64,
        /// Error of the engine.
        error: E,
    },
    /// More tokens came than allowed for, so sums of times may have left 64 bits.
    #[error(
        "replication {replication}: so many tokens came that the sums of their times may have overflowed: give a shorter horizon, or fewer replications"
    )]
    Overflow {
        /// Number of the replication, from 0.
        replication: u64,
    },
    /// MSER-5 found no steady state.
    #[error(transparent)]
    NotSettled(#[from] NotSettled),
    /// A run was interrupted before any part of it was complete.
    #[error(
        "interrupted before a part of the run was over, so nothing was found: a run with several replications, batches or \
         observations keeps those that are over"
    )]
    Interrupted,
    /// An engine returned fewer outcomes than scenarios, or outcomes of another length.
    #[error(
        "replication {replication}: the engine stopped before its horizon, a defect of the engine: report it, and use another engine"
    )]
    Incomplete {
        /// Number of the replication, from 0.
        replication: u64,
    },
}

/// Reasons why an experiment cannot be carried out.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SetUpError {
    /// No replication can be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The plan is impossible.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Times of visits that started are not known where tokens are blocked when the run ends.
    #[error(
        "visits are counted by the start of their service, and node '{label}' blocks tokens, whose times are not known before they leave: count the visits that 'ended'"
    )]
    BlockedStarts {
        /// Label or number of the first node that blocks.
        label: String,
    },
    /// The engine that clusters events does not count visits by their arrival.
    #[error(
        "visits are counted by their arrival, which the engine `interval` does not do: count those that 'ended' or 'started', or choose an exact engine"
    )]
    ClusteredArrivals,
}

impl Experiment {
    /// Returns the scenario of replication `replication`, from 0.
    ///
    /// # Errors
    /// [`ScenarioError`], as for [`Scenario::new`].
    pub fn scenario(&self, replication: u64) -> Result<Scenario<'_>, ScenarioError> {
        self.scenario_of(self.seed, replication)
    }

    /// Returns the scenario of a replication under another seed.
    ///
    /// # Errors
    /// [`ScenarioError`], as for [`Scenario::new`].
    pub fn scenario_of(&self, seed: u64, replication: u64) -> Result<Scenario<'_>, ScenarioError> {
        let scenario = Scenario::new(&self.network, self.start, self.horizon, seed, replication)?;
        Ok(match self.plan.counted {
            Counted::Arrived => scenario.counting_from(self.plan.fixed_warm_up()),
            Counted::Ended | Counted::Started => scenario,
        })
    }

    /// Checks that replications can be set up and observed as planned. The result is the same for all replications.
    ///
    /// # Errors
    /// [`SetUpError`].
    pub fn check(&self) -> Result<(), SetUpError> {
        Scenario::check(&self.network, self.start, self.horizon)?;
        let (horizon, tick) = (self.horizon, self.network.tick());
        // Replications that are added one by one are checked as they come.
        let adding = matches!(self.plan.ending, Ending::Precision(_)) && self.plan.batches.is_none();
        let replications = if adding { 1 } else { self.replications };
        let growth = Growth::of(&self.network, horizon, replications);
        let tokens = growth.tokens(horizon);
        if horizon > growth.longest(1) {
            return Err(ScenarioError::HorizonTooLong { horizon, tokens, limit: growth.longest(1), tick }.into());
        }
        let limit = growth.longest(replications);
        if horizon > limit {
            return Err(ScenarioError::TooManyReplications { replications, horizon, tokens, limit, tick }.into());
        }
        self.plan.check(self.network.len(), self.horizon, self.replications)?;
        match (self.plan.counted, self.network.blocking_node()) {
            (Counted::Started, Some(node)) => Err(SetUpError::BlockedStarts { label: self.network.label(node) }),
            (Counted::Arrived, _) if self.interval.is_some() => Err(SetUpError::ClusteredArrivals),
            _ => Ok(()),
        }
    }

    /// Creates the watch over one replication.
    #[must_use]
    pub fn watch(&self) -> Watch<'_> {
        Watch::new(&self.plan, self.horizon, &self.network)
    }

    /// Simulates every replication with an `engine` that takes one horizon. Calls `finished` after each with the number
    /// of replications done.
    ///
    /// A plan with several observations has each of them simulated from the start. This gives the same bits and takes
    /// longer. An engine that can continue a run uses [`run_watched`](Self::run_watched).
    ///
    /// # Errors
    /// [`ExperimentError`] at the first replication that fails.
    pub fn run<E>(
        &self,
        engine: impl FnMut(&Scenario<'_>) -> Result<Timed, E>,
        finished: impl FnMut(u64),
    ) -> Result<Findings, ExperimentError<E>> {
        self.run_until(engine, finished, &|| false)
    }

    /// Simulates as [`run`](Self::run), and [ends early](Self::run_together_until) when `stop` returns `true`.
    ///
    /// # Errors
    /// [`ExperimentError`], as for [`run_together_until`](Self::run_together_until).
    pub fn run_until<E>(
        &self,
        mut engine: impl FnMut(&Scenario<'_>) -> Result<Timed, E>,
        finished: impl FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Findings, ExperimentError<E>> {
        let restarting = |scenario: &Scenario<'_>, watch: &mut Watch<'_>| {
            let mut spent = Spent::default();
            loop {
                let timed = engine(&scenario.until(watch.next().unwrap_or(self.horizon)))?;
                spent += timed.spent;
                watch.observe(&timed.outcome.statistics);
                if watch.next().is_none() {
                    return Ok(Timed { spent, ..timed });
                }
            }
        };
        self.run_watched_until(restarting, finished, stop)
    }

    /// Simulates every replication with an `engine` that runs from one observation of its [`Watch`] to the next, and
    /// returns the outcome at the last. Calls `finished` after each replication with the number done.
    ///
    /// # Errors
    /// [`ExperimentError`] at the first replication that fails.
    pub fn run_watched<E>(
        &self,
        engine: impl FnMut(&Scenario<'_>, &mut Watch<'_>) -> Result<Timed, E>,
        finished: impl FnMut(u64),
    ) -> Result<Findings, ExperimentError<E>> {
        self.run_watched_until(engine, finished, &|| false)
    }

    /// Simulates as [`run_watched`](Self::run_watched), and [ends early](Self::run_together_until) when `stop` returns
    /// `true`.
    ///
    /// # Errors
    /// [`ExperimentError`], as for [`run_together_until`](Self::run_together_until).
    pub fn run_watched_until<E>(
        &self,
        mut engine: impl FnMut(&Scenario<'_>, &mut Watch<'_>) -> Result<Timed, E>,
        finished: impl FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Findings, ExperimentError<E>> {
        self.run_together_until(
            1,
            |scenarios, watches| scenarios.iter().zip(watches).map(|(s, w)| engine(s, w).map(Some)).collect(),
            finished,
            stop,
        )
    }

    /// Simulates the replications with an `engine` that runs `together` of them at a time, each under its own watch.
    /// The last group may be smaller. The findings do not depend on the grouping, except for wall time.
    ///
    /// # Errors
    /// [`ExperimentError`] at the first group that fails, with the number of its first replication.
    pub fn run_together<E>(
        &self,
        together: u64,
        engine: impl FnMut(&[Scenario<'_>], &mut [Watch<'_>]) -> Result<Vec<Option<Timed>>, E>,
        finished: impl FnMut(u64),
    ) -> Result<Findings, ExperimentError<E>> {
        self.run_together_until(together, engine, finished, &|| false)
    }

    /// Simulates as [`run_together`](Self::run_together), and ends early when `stop` returns `true`. Replications that
    /// are over are kept, whatever their numbers. Those under way end at their next observation, as if that were their
    /// horizon; those without any counted time are dropped. The findings are marked as [partial](Findings::partial).
    ///
    /// The outcome of a dropped replication does not matter. An engine that checks `stop` itself may return an error,
    /// which drops all of its replications.
    ///
    /// # Errors
    /// [`ExperimentError`] at the first group that fails, with the number of its first replication;
    /// [`ExperimentError::Interrupted`] if nothing is left.
    pub fn run_together_until<E>(
        &self,
        together: u64,
        mut engine: impl FnMut(&[Scenario<'_>], &mut [Watch<'_>]) -> Result<Vec<Option<Timed>>, E>,
        mut finished: impl FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Findings, ExperimentError<E>> {
        let (mut gathering, mut partial) = (Gathering::new(self), false);
        let mut corrected = vec![];
        // The correction holds for closed networks; in an open one the throughput is that of the sources.
        let closed_interval = self.interval.filter(|_| !self.network.is_open());
        let mut sums = Sums::default();
        let mut first = 0;
        while first < self.replications && !gathering.is_precise() {
            if partial || stop() {
                partial = true;
                break;
            }
            let group = first..self.replications.min(first + together.max(1));
            let scenarios = group.clone().map(|r| self.scenario(r)).collect::<Result<Vec<_>, _>>()?;
            let mut watches = vec![self.watch().until(stop); scenarios.len()];
            let outcomes = match engine(&scenarios, &mut watches) {
                Ok(outcomes) => outcomes,
                Err(_) if stop() => {
                    partial = true;
                    break;
                }
                Err(error) => return Err(ExperimentError::Engine { replication: first, error }),
            };
            let outcomes = outcomes.into_iter().chain(std::iter::repeat(None));
            let began = Instant::now();
            first = group.end;
            for (replication, (watch, timed)) in group.zip(watches.into_iter().zip(outcomes)) {
                if !watch.is_over() && stop() {
                    partial = true;
                    continue;
                }
                let whole = |timed: &Timed| watch.is_over() && timed.outcome.horizon == watch.time();
                let timed = timed.filter(whole).ok_or(ExperimentError::Incomplete { replication })?;
                partial |= watch.was_stopped();
                // A group may hold more replications than the precision needed.
                if !gathering.is_precise() {
                    if !sums.add(&self.network, &timed.outcome) {
                        return Err(ExperimentError::Overflow { replication });
                    }
                    let record = watch.into_record();
                    corrected.extend(closed_interval.map(|interval| self.corrected(&timed.outcome, &record, interval)));
                    gathering.add(replication, record, &timed.outcome, timed.spent);
                    finished(gathering.replications());
                }
            }
            gathering.read_for(began.elapsed());
        }
        if partial && gathering.replications() == 0 {
            return Err(ExperimentError::Interrupted);
        }
        let mut findings = gathering.conclude()?;
        findings.partial = partial;
        if let Some(slowed) = self.slowed() {
            let factor = slowed.factor();
            let Slowed { label, load, raised } = slowed;
            findings.warnings.push(Warning::Slowed { label, load, raised, factor });
        }
        if closed_interval.is_some() {
            findings.estimates.insert("utilization_corrected".to_owned(), Estimate::of(&corrected));
        }
        Ok(findings)
    }

    /// Returns the station that the interval slows most, if waits there grow noticeably.
    fn slowed(&self) -> Option<Slowed> {
        let slowed = Slowed::of(&self.network, self.interval?)?;
        slowed.factor().is_none_or(|factor| factor > Slowed::UNNOTICED).then_some(slowed)
    }

    /// Returns the average node's utilization after the fixed warm-up, corrected node by node for an interval in ticks.
    fn corrected(&self, outcome: &Outcome, record: &Record, interval: u64) -> f64 {
        let span = outcome.horizon - record.looks().first().map_or(0, |look| look.time);
        let before = record.nodes_at_first();
        let sum: f64 = outcome
            .statistics
            .iter()
            .zip(0..)
            .map(|(node, number)| {
                let before = before.get(number as usize).copied().unwrap_or_default();
                let utilization = Measures::of_node(&node.since(&before), span).utilization;
                corrected_utilization(utilization, interval as f64, self.network.mean_ticks(number))
            })
            .sum();
        sum / self.network.len() as f64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{calendar, interval, sequential};
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    fn experiment(replications: u64, interval: Option<u64>) -> Experiment {
        let network = Network::torus(4, 4, 10 << 20, 1).unwrap();
        Experiment {
            network,
            start: Start::Stationary,
            horizon: 500 << 20,
            seed: 3,
            replications,
            interval,
            plan: Plan::default(),
        }
    }

    #[test]
    fn replications_add_up_and_engines_share_the_digest() {
        let experiment = experiment(3, None);
        let mut done = vec![];
        let oracle = experiment
            .run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), |count| done.push(count))
            .unwrap();
        let calendar = experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| calendar::simulate(s))), drop).unwrap();
        assert_eq!(done, [1, 2, 3]);
        assert_eq!(oracle.events, oracle.nodes.iter().map(|node| node.served).sum::<u64>());
        assert_eq!(oracle.digest(), calendar.digest());
        assert_eq!(oracle.estimates, calendar.estimates);
        assert!(oracle.estimates["utilization"].ci95.unwrap() > 0.0);
        assert!(!oracle.estimates.contains_key("utilization_corrected"));
        assert_ne!(oracle.digests()[0], oracle.digests()[1]);
    }

    #[test]
    fn clustered_runs_have_a_corrected_utilization() {
        let ticks = 1 << 20;
        let findings = experiment(2, Some(ticks))
            .run(
                |s| Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, ticks).unwrap().outcome)),
                drop,
            )
            .unwrap();
        let mean = |name: &str| findings.estimates[name].mean.unwrap();
        assert!((mean("utilization_corrected") / mean("utilization") - 1.05).abs() < 1e-9);
    }

    #[test]
    fn what_may_have_overflowed_is_an_error_and_no_result() {
        let mut open = experiment(3, None);
        let mut network = crate::Builder::new();
        let source = network.source("door", 0, crate::Law::Exponential { mean: 2.0 });
        let desk = network.station("desk", crate::Station::default());
        network.serve_all(desk, crate::Law::Exponential { mean: 1.0 }).edge(source, desk).exit(desk);
        (open.network, open.start, open.horizon) = (network.build().unwrap(), Start::One, 1 << 40);
        let crowded = |s: &Scenario<'_>| {
            let mut outcome = sequential::simulate(&s.until(1 << 30));
            (outcome.horizon, outcome.statistics[0].completed) = (s.horizon(), 1 << 40);
            outcome.statistics[1].most_waiting = Some(1 << 22);
            Ok::<_, Infallible>(Timed::measure(|| outcome))
        };
        // Twice 2^62: the first fits, the second does not.
        let error = open.run(crowded, drop).unwrap_err();
        assert!(matches!(error, ExperimentError::Overflow { replication: 1 }), "{error}");
        open.horizon = 1 << 55;
        assert!(matches!(open.check(), Err(SetUpError::Scenario(ScenarioError::HorizonTooLong { .. }))));
        (open.horizon, open.replications) = (1 << 52, 1000);
        assert!(matches!(open.check(), Err(SetUpError::Scenario(ScenarioError::TooManyReplications { .. }))));
    }

    #[test]
    fn a_run_that_is_stopped_is_that_of_fewer_replications() {
        let stopped = AtomicBool::new(false);
        let stop = || stopped.load(Ordering::Relaxed);
        let finished = |done| stopped.store(done == 2, Ordering::Relaxed);
        let found = experiment(5, None).run_watched_until(sequential::watched, finished, &stop).unwrap();
        let fewer = experiment(2, None).run_watched(sequential::watched, drop).unwrap();
        assert!(found.partial && !fewer.partial);
        assert_eq!(found, Findings { spent: found.spent, partial: true, ..fewer });
        // A run that is stopped at once has no replications.
        let nothing = experiment(5, None).run_watched_until(sequential::watched, drop, &|| true);
        assert!(matches!(nothing, Err(ExperimentError::Interrupted)));
    }

    /// With a plan of observations, a replication that is stopped ends at the next of them, and equals one with a
    /// shorter horizon.
    #[test]
    fn a_replication_that_is_stopped_ends_at_a_look() {
        let mut looking = experiment(1, None);
        looking.plan.observations = 10;
        let looks = AtomicU32::new(0);
        let engine = |scenario: &Scenario<'_>| {
            looks.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(scenario)))
        };
        let found = looking.run_until(engine, drop, &|| looks.load(Ordering::Relaxed) == 3).unwrap();
        let end = found.replications[0].record.looks().last().unwrap().time;
        assert!(found.partial && end == 3 * (looking.horizon / 10), "{end}");
        let shorter = Experiment { horizon: end, plan: Plan::default(), ..looking };
        let whole = shorter.run_watched(sequential::watched, drop).unwrap();
        assert_eq!((whole.digest(), whole.nodes), (found.digest(), found.nodes));
    }

    #[test]
    fn the_replication_that_fails_is_named() {
        let experiment = experiment(3, None);
        let error = experiment
            .run(
                |s| {
                    let first = s.key() == experiment.scenario(0).unwrap().key();
                    if first { Ok(Timed::measure(|| sequential::simulate(s))) } else { Err("out of luck") }
                },
                drop,
            )
            .unwrap_err();
        assert_eq!(error.to_string(), "replication 1: out of luck");
    }
}
