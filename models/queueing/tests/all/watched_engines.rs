//! Watched runs and ensembles of replications give the findings of one replication after the other.

use crate::device::{host, run};
use imminent_common::output::Precision;
use imminent_queueing::analysis::{ClassFindings, Ending, Findings, Plan, WarmUp};
use imminent_queueing::engine::{Schedule, Watching};
use imminent_queueing::experiment::Experiment;
use imminent_queueing::network::Discipline;
use imminent_queueing::tally::Wanted;
use imminent_queueing::trace::replay;
use imminent_queueing::{Builder, Law, Network, Start, Station, sequential};

const UNIT: u64 = 1 << 20;

fn experiment(plan: Plan, replications: u64) -> Experiment {
    let network = Network::torus(4, 3, 10 << 20, 2).unwrap();
    Experiment {
        network,
        start: Start::One,
        horizon: 600 * UNIT,
        seed: 8,
        first: 0,
        replications,
        interval: None,
        plan,
    }
}

fn on_device(experiment: &Experiment, together: u64, schedule: Schedule) -> Findings {
    run(&host(), experiment, together, Watching { schedule, times: true }).unwrap()
}

fn agree(plan: Plan, replications: u64, schedules: &[Schedule]) {
    let experiment = experiment(plan, replications);
    experiment.check().unwrap();
    let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
    let tally = replay(&experiment, &oracle, &Wanted::of_times(), |_, _| ()).unwrap();
    assert!(tally.times().unwrap().waiting.all().total() > 0, "no visit ended after the warm-up");
    for &schedule in schedules {
        for together in [1, 3, 100] {
            let found = on_device(&experiment, together, schedule);
            assert_eq!(found.digests(), oracle.digests(), "{schedule:?}, {together} together");
            assert_eq!(found.tally.as_ref(), Some(&tally), "{schedule:?}, {together} together");
            let expected = Findings { spent: found.spent, tally: found.tally.clone(), ..oracle.clone() };
            assert_eq!(found, expected, "{schedule:?}, {together} together");
        }
    }
}

#[test]
fn replications_side_by_side_are_those_one_after_the_other() {
    let plan = Plan { warm_up: WarmUp::Time(100 * UNIT), batches: Some(4), ..Plan::default() };
    agree(plan, 7, &[Schedule::Events, Schedule::Tiles]);
}

#[test]
fn replications_that_end_at_times_of_their_own_do_so_side_by_side() {
    let ending = Ending::Count { completions: 300, check: 15 * UNIT };
    agree(Plan { ending, ..Plan::default() }, 5, &[Schedule::Events]);
}

#[test]
fn replications_that_are_added_until_they_are_precise_are_the_same_in_groups() {
    let ending = Ending::Precision(Precision::new(0.1).unwrap());
    agree(Plan { ending, ..Plan::default() }, 60, &[Schedule::Events]);
}

/// A source per class before stations that both classes share; some stations lose tokens.
fn shop() -> Network {
    let mut network = Builder::new();
    let [large, small] = ["large", "small"].map(|name| network.class(name));
    let doors = [(large, 9.0), (small, 4.0)];
    let doors = doors.map(|(class, mean)| network.source(format!("{class}"), class, Law::Exponential { mean }));
    let till = Station { servers: 2, discipline: Discipline::Priority, capacity: Some(5), ..Station::default() };
    let till = network.station("till", till);
    let desk = network.station("desk", Station::default());
    network.serve(till, large, Law::Erlang { stages: 2, mean: 9.0 }).priority(till, large, 1);
    network.serve(till, small, Law::Exponential { mean: 3.0 }).serve_all(desk, Law::Exponential { mean: 2.5 });
    network.edge(doors[0], till).edge(doors[1], till).edge(till, desk).exit(desk);
    network.build().unwrap()
}

/// Classes counted during a run equal those that the oracle counts in a repeated simulation: every sum, sample and
/// interval.
#[test]
fn classes_are_counted_while_a_run_is_under_way() {
    let torus = || Network::torus(4, 3, 10 << 20, 2).unwrap();
    let warm_up = WarmUp::Time(100 * UNIT);
    let endings = [
        Plan { by_class: true, ..Plan::default() },
        Plan { by_class: true, warm_up, batches: Some(4), ..Plan::default() },
        Plan { by_class: true, warm_up: WarmUp::Mser5, observations: 60, ..Plan::default() },
        Plan { by_class: true, ending: Ending::Count { completions: 90, check: 15 * UNIT }, ..Plan::default() },
    ];
    for network in [shop(), torus()] {
        for plan in &endings {
            let experiment = Experiment { network: network.clone(), plan: plan.clone(), ..experiment(plan.clone(), 5) };
            experiment.check().unwrap();
            let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
            let expected = ClassFindings::replayed(&experiment, &oracle).unwrap();
            assert!(expected.sums().iter().all(|sums| sums.most_waiting.is_none()));
            assert!(expected.sums().iter().any(|sums| sums.completed > 0));
            let found = [Schedule::Events, Schedule::Tiles].map(|schedule| on_device(&experiment, 3, schedule));
            for found in found.into_iter().chain([oracle]) {
                assert_eq!(found.classes.as_ref(), Some(&expected));
                assert_eq!(ClassFindings::of(&experiment, &found).as_ref(), Ok(&expected));
            }
        }
    }
}

#[test]
fn classes_that_nobody_asked_for_are_not_counted() {
    let experiment = Experiment { network: shop(), ..experiment(Plan::default(), 2) };
    let found = on_device(&experiment, 2, Schedule::Events);
    assert_eq!(found.classes, None);
    // They can still be computed afterwards.
    assert!(ClassFindings::of(&experiment, &found).unwrap().sums().iter().any(|sums| sums.lost > 0));
}
