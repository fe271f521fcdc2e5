//! Simulation of a finished run once more, for its visits.

use super::times::{RunTimes, Times};
use super::visit::Visit;
use crate::analysis::Findings;
use crate::experiment::Experiment;
use crate::network::Network;
use crate::scenario::ScenarioError;
use crate::sequential::{self, Deadlock};
use thiserror::Error;

/// Counter of the visits of a [replay](fn@replay), sample by sample.
#[derive(Debug)]
pub struct Counter<'a> {
    network: &'a Network,
    findings: &'a Findings,
    /// Replication and sample of the latest visit.
    now: Option<(u64, usize)>,
    sample: Times,
    times: RunTimes,
}

impl<'a> Counter<'a> {
    /// Returns a counter of the visits of a run that has ended.
    #[must_use]
    pub fn new(experiment: &'a Experiment, findings: &'a Findings) -> Self {
        Self { network: &experiment.network, findings, now: None, sample: Times::default(), times: RunTimes::default() }
    }

    /// Counts a visit in the replication of a number, if it was to a station and ended after the warm-up. Visits must
    /// come in the order of a replay.
    pub fn add(&mut self, number: u64, visit: &Visit) {
        let Some(replication) = self.findings.replications.get(number as usize) else { return };
        let ended = |look: &usize| replication.record.looks().get(*look).is_some_and(|look| look.time < visit.left);
        let Some(sample) = replication.cut.ends.partition_point(ended).checked_sub(1) else { return };
        if self.network.station(visit.node).is_none() {
            return;
        }
        if self.now != Some((number, sample)) {
            self.times.add(&std::mem::take(&mut self.sample));
            self.now = Some((number, sample));
        }
        self.sample.add(visit);
    }

    /// Returns the times of all visits.
    #[must_use]
    pub fn finish(mut self) -> RunTimes {
        self.times.add(&self.sample);
        self.times
    }
}

/// Reasons why a run cannot be traced.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReplayError {
    /// A replication could not be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// Servers block each other for ever.
    #[error(transparent)]
    Deadlock(#[from] Deadlock),
    /// The oracle's digest differs from that of the run.
    #[error(
        "replication {replication} has another digest than the exact rules give, so it cannot be traced: use an exact engine"
    )]
    OtherRun {
        /// Number of the replication, from 0.
        replication: u64,
    },
}

/// Simulates the replications of a finished run once more with the oracle, and calls `visited` for every visit. Its
/// arguments are the replication, the sample of that replication in which the visit ended (`None` in the warm-up), and
/// the visit. Visits come in the order of [`sequential::traced`].
///
/// # Errors
/// [`ReplayError`]; visits of earlier replications, and some of the failed one, have then been reported.
pub fn replay(
    experiment: &Experiment,
    findings: &Findings,
    visited: impl FnMut(u64, Option<usize>, &Visit),
) -> Result<(), ReplayError> {
    replay_until(experiment, findings, visited, &|| false).map(drop)
}

/// Simulates as [`replay`], and ends early, soon after `stop` returns `true`. Returns `true` if it reached the end.
///
/// # Errors
/// [`ReplayError`], as for [`replay`].
pub fn replay_until(
    experiment: &Experiment,
    findings: &Findings,
    mut visited: impl FnMut(u64, Option<usize>, &Visit),
    stop: &dyn Fn() -> bool,
) -> Result<bool, ReplayError> {
    for replication in &findings.replications {
        let number = replication.number;
        let looks = replication.record.looks();
        let ends: Vec<u64> =
            replication.cut.ends.iter().map(|&look| looks.get(look).map_or(0, |look| look.time)).collect();
        let scenario = experiment.scenario(number)?.until(ends.last().copied().unwrap_or(0));
        let mut on_visit = |visit: Visit| {
            let sample = ends.partition_point(|end| *end < visit.left).checked_sub(1);
            visited(number, sample, &visit);
        };
        match sequential::traced_until(&scenario, &mut on_visit, stop)? {
            Some(outcome) if outcome.digest() != replication.digest => {
                return Err(ReplayError::OtherRun { replication: number });
            }
            Some(_) => {}
            None => return Ok(false),
        }
    }
    Ok(true)
}
