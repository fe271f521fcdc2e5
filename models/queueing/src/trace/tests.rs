#![allow(clippy::unwrap_used)]
use super::*;
use crate::analysis::{Findings, Plan, WarmUp};
use crate::experiment::{Experiment, Timed};
use crate::tally::Wanted;
use crate::{Network, Start, interval, sequential};
use std::convert::Infallible;

fn experiment() -> Experiment {
    let network = Network::torus(4, 4, 10 << 20, 2).unwrap();
    let plan = Plan { warm_up: WarmUp::Time(100 << 20), batches: Some(5), ..Plan::default() };
    Experiment {
        network,
        start: Start::One,
        horizon: 600 << 20,
        seed: 3,
        first: 0,
        replications: 2,
        interval: None,
        plan,
    }
}

#[test]
fn the_visits_are_those_that_the_statistics_sum_up() {
    let experiment = experiment();
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    let (mut completed, mut sojourn, mut waiting, mut busy) = (0, 0, 0, 0);
    let mut times = Times::default();
    let looks = findings.replications[0].record.looks();
    let (from, to) = (looks[0].time, looks.last().unwrap().time);
    let mut last = (0, 0, 0, 0);
    let tally = replay(&experiment, &findings, &Wanted::of_times(), |replication, visit| {
        assert!(visit.arrived <= visit.started && visit.started < visit.left);
        assert!(experiment.network.routes(visit.node, 0).targets().any(|to| Some(to) == visit.to));
        let order = (replication, visit.left, visit.node, visit.number);
        assert!(last < order || last == (0, 0, 0, 0), "{last:?} {order:?}");
        last = order;
        if from < visit.left && visit.left <= to {
            completed += 1;
            sojourn += visit.left - visit.arrived;
            waiting += visit.started - visit.arrived;
            busy += visit.left - visit.started;
            times.add(visit);
        }
    })
    .unwrap();
    let mut totals = crate::outcome::NodeStatistics::default();
    findings.nodes.read().unwrap().iter().for_each(|node| totals += node);
    assert_eq!((completed, sojourn, waiting), (totals.completed, totals.sojourn_sum, totals.waiting_sum));
    assert_eq!((times.sojourn.total(), times.waiting.total()), (completed, completed));
    let counted = tally.times().unwrap();
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
    let restarted = experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
    assert_eq!(Findings { spent: restarted.spent, ..watched }, restarted);
}

#[test]
fn a_run_that_clusters_events_has_no_trace() {
    let experiment = Experiment { interval: Some(1 << 20), plan: Plan::default(), ..experiment() };
    let clustered = |s: &crate::Scenario<'_>| {
        Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, 1 << 20).unwrap().outcome))
    };
    let findings = experiment.run(clustered, drop).unwrap();
    let error = replay(&experiment, &findings, &Wanted::default(), |_, _| ()).unwrap_err();
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
        forked: false,
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
