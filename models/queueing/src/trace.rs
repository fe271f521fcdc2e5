//! Single visits of tokens to nodes, and the choice of those that are kept.
//!
//! All exact engines carry out the same services at the same times, so a trace does not depend on the engine. It is
//! made after the run by the oracle ([`sequential::traced`]). [`replay`] compares digests to make sure that it belongs
//! to the run.

use crate::experiment::{Experiment, Findings};
use crate::network::Network;
use crate::scenario::ScenarioError;
use crate::sequential::{self, Deadlock};
use imminent_common::output::{Sections, Sketch};
use imminent_common::streams::split_mix;
use std::ops::AddAssign;
use thiserror::Error;

/// A token's stay at a node, from its arrival until it left. For a source: the emission of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// Number of the node.
    pub node: u32,
    /// Class of the token during the visit.
    pub class: u32,
    /// Number of the service among those of the node, from 0, in the order in which they started.
    pub number: u64,
    /// Time at which the token arrived, in ticks.
    pub arrived: u64,
    /// Time at which the service started, in ticks.
    pub started: u64,
    /// Time at which the token left, in ticks: the end of its service, or later if it was blocked.
    pub left: u64,
    /// Next node of the token; `None` if it left the network.
    pub to: Option<u32>,
    /// Source of the token, possibly this node; `None` for a token of the start.
    pub source: Option<u32>,
    /// Time at which the token left its source, in ticks; 0 for a token of the start.
    pub entered: u64,
}

/// Choice of the visits that are kept: a share of them, chosen by node, number and replication alone.
///
/// The choice does not depend on the engine, the order, or the share of others. A smaller share is a subset of a larger
/// one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    below: u64,
}

/// A share is not in the range of possible shares.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a share of {given} is not possible: give a number above 0 and at most 1, for instance 0.01")]
pub struct SamplingError {
    /// Share given.
    pub given: f64,
}

impl Sampling {
    /// Sampling that keeps every visit.
    pub const ALL: Self = Self { below: u64::MAX };

    /// Creates a sampling that keeps a share of the visits.
    ///
    /// # Errors
    /// [`SamplingError`] unless `share` is above 0 and at most 1.
    pub fn new(share: f64) -> Result<Self, SamplingError> {
        if share > 0.0 && share <= 1.0 {
            Ok(Self { below: (share * u64::MAX as f64) as u64 })
        } else {
            Err(SamplingError { given: share })
        }
    }

    /// Returns `true` if a visit is kept.
    #[must_use]
    pub fn keeps(&self, replication: u64, visit: &Visit) -> bool {
        split_mix(split_mix(replication, u64::from(visit.node)), visit.number) <= self.below
    }
}

/// Distributions of the times of visits to stations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// Times from arrival to start of service.
    pub waiting: Sketch,
    /// Times from arrival to departure.
    pub sojourn: Sketch,
}

impl Times {
    /// Counts a visit to a station.
    pub fn add(&mut self, visit: &Visit) {
        self.waiting.add(visit.started - visit.arrived);
        self.sojourn.add(visit.left - visit.arrived);
    }
}

impl AddAssign<&Self> for Times {
    fn add_assign(&mut self, other: &Self) {
        self.waiting += &other.waiting;
        self.sojourn += &other.sojourn;
    }
}

/// Distributions of the times of a run's visits that ended after the warm-up, and their quantiles by sample (batch or
/// replication).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunTimes {
    /// Times from arrival to start of service.
    pub waiting: Sections,
    /// Times from arrival to departure.
    pub sojourn: Sections,
}

impl RunTimes {
    /// Adds the visits of a sample.
    pub fn add(&mut self, sample: &Times) {
        self.waiting.add(&sample.waiting);
        self.sojourn.add(&sample.sojourn);
    }

    /// Adds the visits of other samples.
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.waiting.add_all(&others.waiting);
        self.sojourn.add_all(&others.sojourn);
    }
}

/// Counter of the visits of a [replay], sample by sample.
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

    /// Counts a visit, if it was to a station and ended after the warm-up. Visits must come in the order of a replay.
    pub fn add(&mut self, replication: u64, visit: &Visit) {
        let Some(found) = self.findings.replications.get(replication as usize) else { return };
        let ended = |look: &usize| found.record.looks().get(*look).is_some_and(|look| look.time < visit.left);
        let Some(sample) = found.cut.ends.partition_point(ended).checked_sub(1) else { return };
        if self.network.station(visit.node).is_none() {
            return;
        }
        if self.now != Some((replication, sample)) {
            self.times.add(&std::mem::take(&mut self.sample));
            self.now = Some((replication, sample));
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
    for found in &findings.replications {
        let replication = found.number;
        let looks = found.record.looks();
        let ends: Vec<u64> = found.cut.ends.iter().map(|&look| looks.get(look).map_or(0, |look| look.time)).collect();
        let scenario = experiment.scenario(replication)?.until(ends.last().copied().unwrap_or(0));
        let mut on_visit = |visit: Visit| {
            let sample = ends.partition_point(|end| *end < visit.left).checked_sub(1);
            visited(replication, sample, &visit);
        };
        match sequential::traced_until(&scenario, &mut on_visit, stop)? {
            Some(outcome) if outcome.digest() != found.digest => return Err(ReplayError::OtherRun { replication }),
            Some(_) => {}
            None => return Ok(false),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::analysis::{Plan, WarmUp};
    use crate::experiment::Timed;
    use crate::{Network, Start, interval};
    use std::convert::Infallible;

    fn experiment() -> Experiment {
        let network = Network::torus(4, 4, 10 << 20, 2).unwrap();
        let plan = Plan { warm_up: WarmUp::Time(100 << 20), batches: Some(5), ..Plan::default() };
        Experiment { network, start: Start::One, horizon: 600 << 20, seed: 3, replications: 2, interval: None, plan }
    }

    #[test]
    fn the_visits_are_those_that_the_statistics_sum_up() {
        let experiment = experiment();
        let findings = experiment.run_watched(sequential::watched, drop).unwrap();
        let (mut completed, mut sojourn, mut waiting, mut busy) = (0, 0, 0, 0);
        let (mut times, mut counter) = (Times::default(), Counter::new(&experiment, &findings));
        let mut last = (0, 0, 0, 0);
        replay(&experiment, &findings, |replication, sample, visit| {
            assert!(visit.arrived <= visit.started && visit.started < visit.left);
            assert!(experiment.network.routes(visit.node, 0).targets().any(|to| Some(to) == visit.to));
            let order = (replication, visit.left, visit.node, visit.number);
            assert!(last < order || last == (0, 0, 0, 0), "{last:?} {order:?}");
            last = order;
            counter.add(replication, visit);
            if sample.is_some() {
                completed += 1;
                sojourn += visit.left - visit.arrived;
                waiting += visit.started - visit.arrived;
                busy += visit.left - visit.started;
                times.add(visit);
            }
        })
        .unwrap();
        let mut totals = crate::outcome::NodeStatistics::default();
        findings.nodes.iter().for_each(|node| totals += *node);
        assert_eq!((completed, sojourn, waiting), (totals.completed, totals.sojourn_sum, totals.waiting_sum));
        assert_eq!((times.sojourn.total(), times.waiting.total()), (completed, completed));
        let counted = counter.finish();
        assert_eq!((counted.sojourn.all(), counted.waiting.all()), (&times.sojourn, &times.waiting));
        // Two replications of five batches.
        assert_eq!(counted.sojourn.sections(), 10);
        // Services under way at the ends of the counted time belong to one number and not to the other.
        assert!(busy.abs_diff(totals.busy) < totals.busy / 20);
    }

    #[test]
    fn looking_on_the_way_changes_nothing() {
        let experiment = experiment();
        let watched = experiment.run_watched(sequential::watched, drop).unwrap();
        let restarted =
            experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
        assert_eq!(Findings { spent: restarted.spent, ..watched }, restarted);
    }

    #[test]
    fn a_run_that_clusters_events_has_no_trace() {
        let experiment = Experiment { interval: Some(1 << 20), plan: Plan::default(), ..experiment() };
        let clustered = |s: &crate::Scenario<'_>| {
            Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, 1 << 20).unwrap().outcome))
        };
        let findings = experiment.run(clustered, drop).unwrap();
        let error = replay(&experiment, &findings, |_, _, _| ()).unwrap_err();
        assert_eq!(error, ReplayError::OtherRun { replication: 0 });
    }

    #[test]
    fn a_share_is_kept_and_a_smaller_one_is_part_of_it() {
        let (tenth, half) = (Sampling::new(0.1).unwrap(), Sampling::new(0.5).unwrap());
        let visits = (0..20_000_u64).map(|number| Visit {
            node: (number % 7) as u32,
            class: 0,
            number,
            arrived: 0,
            started: 0,
            left: 1,
            to: None,
            source: None,
            entered: 0,
        });
        let mut kept = 0;
        for visit in visits {
            assert!(Sampling::ALL.keeps(1, &visit));
            assert!(half.keeps(1, &visit) || !tenth.keeps(1, &visit));
            kept += u32::from(tenth.keeps(1, &visit));
        }
        // Binomial: 2000 with a standard deviation of 42.
        assert!((1830..2170).contains(&kept), "{kept}");
        for given in [0.0, 1.5, -1.0, f64::NAN] {
            assert!(Sampling::new(given).unwrap_err().to_string().contains("above 0"));
        }
    }
}
