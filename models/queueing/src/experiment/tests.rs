#![allow(clippy::unwrap_used)]
use super::*;
use crate::analysis::Plan;
use crate::network::Network;
use crate::scenario::{Scenario, ScenarioError, Start};
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
        first: 0,
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
    assert_eq!(oracle.events, oracle.nodes.read().unwrap().iter().map(|node| node.served).sum::<u64>());
    assert_eq!(oracle.digest(), calendar.digest());
    assert_eq!(oracle.estimates, calendar.estimates);
    assert!(oracle.estimates["utilization"].half_width().unwrap() > 0.0);
    assert!(!oracle.estimates.contains_key("utilization_corrected"));
    assert_ne!(oracle.digests()[0], oracle.digests()[1]);
}

#[test]
fn clustered_runs_have_a_corrected_utilization() {
    let ticks = 1 << 20;
    let findings = experiment(2, Some(ticks))
        .run(|s| Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, ticks).unwrap().outcome)), drop)
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
