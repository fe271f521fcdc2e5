//! Simulation of a finished run once more, for its visits.

use super::visit::Visit;
use crate::analysis::Findings;
use crate::experiment::Experiment;
use crate::scenario::ScenarioError;
use crate::sequential::{self, Deadlock};
use crate::tally::{RunTally, Tally, Wanted};
use thiserror::Error;

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

/// Simulates the replications of a finished run once more with the oracle, and calls `visited` for every visit, with
/// the number of its replication. Visits come in the order of [`sequential::traced`]. Returns what is `wanted` of the
/// samples of the run.
///
/// # Errors
/// [`ReplayError`]; visits of earlier replications, and some of the failed one, have then been reported.
pub fn replay(
    experiment: &Experiment,
    findings: &Findings,
    wanted: &Wanted,
    visited: impl FnMut(u64, &Visit),
) -> Result<RunTally, ReplayError> {
    let whole = replay_until(experiment, findings, wanted, visited, &|| false)?;
    Ok(whole.unwrap_or_else(|| RunTally::new(wanted.clone())))
}

/// Simulates as [`replay`], and ends early, with `None`, soon after `stop` returns `true`.
///
/// # Errors
/// [`ReplayError`], as for [`replay`].
pub fn replay_until(
    experiment: &Experiment,
    findings: &Findings,
    wanted: &Wanted,
    mut visited: impl FnMut(u64, &Visit),
    stop: &dyn Fn() -> bool,
) -> Result<Option<RunTally>, ReplayError> {
    let mut all = RunTally::new(wanted.clone());
    for replication in &findings.replications {
        let number = replication.number;
        let looks = replication.record.looks();
        // With results by period, all periods make one sample.
        let by_period = experiment.plan.every.is_some();
        let at = |&look: &usize| looks.get(look).map_or(0, |look| look.time);
        let ends: Vec<u64> = match by_period {
            true => looks.iter().map(|look| look.time).collect(),
            false => replication.cut.ends.iter().map(at).collect(),
        };
        let scenario = experiment.scenario(number)?.until(ends.last().copied().unwrap_or(0));
        let mut on_visit = |visit: &Visit| visited(number, visit);
        match sequential::tallied_until(&scenario, (&ends, wanted), &mut on_visit, stop)? {
            Some((outcome, _)) if outcome.digest() != replication.digest => {
                return Err(ReplayError::OtherRun { replication: number });
            }
            Some((_, tallies)) if by_period => {
                all.add_periods(&tallies);
                let mut sample = Tally::default();
                tallies.iter().for_each(|period| sample += period);
                all.add(&sample);
            }
            Some((_, tallies)) => tallies.iter().for_each(|sample| all.add(sample)),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}
