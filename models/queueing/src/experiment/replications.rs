//! Simulation of the replications of an experiment, one or several at a time.

use super::error::ExperimentError;
use super::input::Experiment;
use crate::analysis::{Findings, Gathering, Record, Warning, Watch};
use crate::bounds::Sums;
use crate::interval::{Slowed, corrected_utilization};
use crate::measures::Measures;
use crate::outcome::{Ended, Statistics as _};
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use imminent_core::Error;
use imminent_core::clock::Instant;

impl Experiment {
    /// Creates the watch over one replication.
    #[must_use]
    pub fn watch(&self) -> Watch<'_> {
        let watch = Watch::new(&self.plan, self.horizon, &self.network);
        if self.compares_nodes() { watch } else { watch.without_nodes() }
    }

    /// Returns `true` if statistics of nodes are compared between observations.
    fn compares_nodes(&self) -> bool {
        self.has_samples() || self.plan.is_cut() || self.plan.by_class
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
        let mut restarting = |scenario: &Scenario<'_>, watch: &mut Watch<'_>| {
            let mut spent = Spent::default();
            loop {
                let until = scenario.until(watch.next().unwrap_or(self.horizon));
                let timed = engine(&until).map_err(Trouble::Engine)?;
                spent += timed.spent;
                watch.observe_results(&timed.ended.nodes).map_err(Trouble::Unread)?;
                if watch.next().is_none() {
                    return Ok(Timed { spent, ..timed });
                }
            }
        };
        let engine = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
            scenarios.iter().zip(watches).map(|(s, w)| restarting(s, w).map(Some)).collect()
        };
        self.simulate(1, engine, finished, stop)
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
        finished: impl FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Findings, ExperimentError<E>> {
        self.simulate(
            together,
            |scenarios, watches| engine(scenarios, watches).map_err(Trouble::Engine),
            finished,
            stop,
        )
    }

    fn simulate<E>(
        &self,
        together: u64,
        mut engine: impl FnMut(&[Scenario<'_>], &mut [Watch<'_>]) -> Result<Vec<Option<Timed>>, Trouble<E>>,
        mut finished: impl FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Findings, ExperimentError<E>> {
        let (mut gathering, mut partial) = (Gathering::new(self), false);
        let mut corrected = vec![];
        // The correction holds for closed networks; in an open one the throughput is that of the sources.
        let closed_interval = self.interval.filter(|_| !self.network.is_open());
        let mut sums = Sums::default();
        let (mut first, end) = (self.first, self.first.saturating_add(self.replications));
        while first < end && !gathering.is_precise() {
            if partial || stop() {
                partial = true;
                break;
            }
            let group = first..end.min(first.saturating_add(together.max(1)));
            let scenarios = group.clone().map(|r| self.scenario(r)).collect::<Result<Vec<_>, _>>()?;
            let mut watches = vec![self.watch().until(stop); scenarios.len()];
            let outcomes = match engine(&scenarios, &mut watches) {
                Ok(outcomes) => outcomes,
                Err(_) if stop() => {
                    partial = true;
                    break;
                }
                Err(Trouble::Engine(error)) => return Err(ExperimentError::Engine { replication: first, error }),
                Err(Trouble::Unread(error)) => return Err(error.into()),
            };
            let outcomes = outcomes.into_iter().chain(std::iter::repeat(None));
            let began = Instant::now();
            first = group.end;
            for (replication, (watch, timed)) in group.zip(watches.into_iter().zip(outcomes)) {
                if !watch.is_over() && stop() {
                    partial = true;
                    continue;
                }
                let whole = |timed: &Timed| watch.is_over() && timed.ended.horizon == watch.time();
                let timed = timed.filter(whole).ok_or(ExperimentError::Incomplete { replication })?;
                partial |= watch.was_stopped();
                // A group may hold more replications than the precision needed.
                if !gathering.is_precise() {
                    if !sums.add(&self.network, &timed.ended)? {
                        return Err(ExperimentError::Overflow { replication });
                    }
                    let record = watch.into_record();
                    if let Some(interval) = closed_interval {
                        corrected.push(self.corrected(&timed.ended, &record, interval)?);
                    }
                    gathering.add(replication, record, timed.ended, timed.spent)?;
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
            findings.estimates.insert("utilization_corrected".to_owned(), findings.confidence.of(&corrected));
        }
        Ok(findings)
    }

    /// Returns the station that the interval slows most, if waits there grow noticeably.
    fn slowed(&self) -> Option<Slowed> {
        let slowed = Slowed::of(&self.network, self.interval?)?;
        slowed.factor().is_none_or(|factor| factor > Slowed::UNNOTICED).then_some(slowed)
    }

    /// Returns the average node's utilization after the fixed warm-up, corrected node by node for an interval in ticks.
    fn corrected(&self, ended: &Ended, record: &Record, interval: u64) -> Result<f64, Error> {
        let span = ended.horizon - record.looks().first().map_or(0, |look| look.time);
        let (before, nodes) = (record.nodes_at_first(), ended.nodes.read()?);
        let sum: f64 = (0..self.network.len())
            .filter_map(|number| {
                let before = before.get(number).copied().unwrap_or_default();
                let utilization = Measures::of_node(&nodes.of(number)?.since(&before), span).utilization;
                Some(corrected_utilization(utilization, interval as f64, self.network.mean_ticks(number as u32)))
            })
            .sum();
        Ok(sum / self.network.len() as f64)
    }
}

/// Reasons why an engine has no outcome for an experiment.
enum Trouble<E> {
    /// The engine failed.
    Engine(E),
    /// The statistics of nodes could not be read.
    Unread(Error),
}
