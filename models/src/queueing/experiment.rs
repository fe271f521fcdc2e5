//! Replications of one scenario by any engine, and what they add up to.

use crate::estimate::Estimate;
use crate::queueing::interval::corrected_utilization;
use crate::queueing::measures::{Measures, estimates};
use crate::queueing::network::Network;
use crate::queueing::outcome::{Digest, NodeStatistics, Outcome};
use crate::queueing::scenario::{Scenario, ScenarioError, Start};
use crate::time::units_from_ticks;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A network and how often and how long it is simulated; everything a run's result depends on.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The network.
    pub network: Network,
    /// Where the tokens are at time 0.
    pub start: Start,
    /// Length of each replication, in ticks.
    pub horizon: u64,
    /// The user's seed.
    pub seed: u64,
    /// Number of replications.
    pub replications: u64,
    /// The interval by which the engine clusters events, in ticks; `None` for exact engines.
    pub interval: Option<u64>,
}

/// An outcome and the time that the simulation alone took.
#[derive(Debug, Clone)]
pub struct Timed {
    /// The outcome.
    pub outcome: Outcome,
    /// Wall time without set-up, compilation or reading back.
    pub wall: Duration,
}

impl Timed {
    /// Times an engine that has nothing to set up.
    pub fn measure(engine: impl FnOnce() -> Outcome) -> Self {
        let began = Instant::now();
        let outcome = engine();
        Self { outcome, wall: began.elapsed() }
    }
}

/// A run that stopped before its end.
#[derive(Debug, Error)]
pub enum ExperimentError<E> {
    /// A replication could not be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The engine failed.
    #[error("replication {replication}: {error}")]
    Engine {
        /// The replication, from 0.
        replication: u64,
        /// What the engine says.
        error: E,
    },
}

/// What all replications of a run add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Events of all replications: one for every service started.
    pub events: u64,
    /// Wall time of the simulation alone, over all replications.
    pub wall: Duration,
    /// Each statistic's mean over replications and its interval; the names are those of [`Measures::named`], and
    /// `utilization_corrected` where events were clustered.
    pub estimates: BTreeMap<String, Estimate>,
    /// Each node's statistics, summed over replications.
    pub nodes: Vec<NodeStatistics>,
    /// Digest of each replication.
    pub digests: Vec<Digest>,
}

impl Findings {
    /// The digest of the run.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_run(&self.digests)
    }
}

impl Experiment {
    /// Replication `replication`, from 0.
    ///
    /// # Errors
    /// [`ScenarioError`], as for [`Scenario::new`].
    pub fn scenario(&self, replication: u64) -> Result<Scenario<'_>, ScenarioError> {
        Scenario::new(&self.network, self.start, self.horizon, self.seed, replication)
    }

    /// Whether replications can be set up; a fault would be the same for all.
    ///
    /// # Errors
    /// The [`ScenarioError`] of any replication.
    pub fn check(&self) -> Result<(), ScenarioError> {
        Scenario::check(&self.network, self.start, self.horizon)
    }

    /// Length of each replication in time units.
    #[must_use]
    pub fn simulated_time(&self) -> f64 {
        units_from_ticks(self.horizon)
    }

    /// Simulates every replication with `engine`, calling `finished` with the number done after each.
    ///
    /// # Errors
    /// [`ExperimentError`] at the first replication that fails.
    pub fn run<E>(
        &self,
        mut engine: impl FnMut(&Scenario<'_>) -> Result<Timed, E>,
        mut finished: impl FnMut(u64),
    ) -> Result<Findings, ExperimentError<E>> {
        let mut findings = Findings {
            events: 0,
            wall: Duration::ZERO,
            estimates: BTreeMap::new(),
            nodes: vec![NodeStatistics::default(); self.network.len()],
            digests: vec![],
        };
        let mut measures = vec![];
        let mut corrected = vec![];
        for replication in 0..self.replications {
            let scenario = self.scenario(replication)?;
            let Timed { outcome, wall } =
                engine(&scenario).map_err(|error| ExperimentError::Engine { replication, error })?;
            findings.events += outcome.events();
            findings.wall += wall;
            findings.digests.push(outcome.digest());
            for (sum, node) in findings.nodes.iter_mut().zip(&outcome.statistics) {
                *sum += *node;
            }
            measures.push(Measures::of_network(&outcome));
            corrected.extend(self.interval.map(|interval| self.corrected(&outcome, interval)));
            finished(replication + 1);
        }
        findings.estimates = estimates(&measures);
        if self.interval.is_some() {
            findings.estimates.insert("utilization_corrected".to_owned(), Estimate::of(&corrected));
        }
        Ok(findings)
    }

    /// The average node's utilization, corrected node by node for an interval in ticks.
    fn corrected(&self, outcome: &Outcome, interval: u64) -> f64 {
        let sum: f64 = outcome
            .statistics
            .iter()
            .zip(0..)
            .map(|(node, number)| {
                let utilization = Measures::of_node(node, outcome.horizon).utilization;
                corrected_utilization(utilization, interval as f64, f64::from(self.network.mean_service(number)))
            })
            .sum();
        sum / self.network.len() as f64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::queueing::{calendar, interval, sequential};
    use std::convert::Infallible;

    fn experiment(replications: u64, interval: Option<u64>) -> Experiment {
        let network = Network::torus(4, 4, 10 << 20, 1).unwrap();
        Experiment { network, start: Start::Stationary, horizon: 500 << 20, seed: 3, replications, interval }
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
        assert_ne!(oracle.digests[0], oracle.digests[1]);
    }

    #[test]
    fn clustered_runs_have_a_corrected_utilization() {
        let ticks = 1 << 20;
        let findings = experiment(2, Some(ticks))
            .run(|s| Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, ticks).outcome)), drop)
            .unwrap();
        let mean = |name: &str| findings.estimates[name].mean.unwrap();
        assert!((mean("utilization_corrected") / mean("utilization") - 1.05).abs() < 1e-9);
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
