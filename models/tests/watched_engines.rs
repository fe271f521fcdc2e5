//! Runs under watch and ensembles of replications find what one replication after the other finds.

#![allow(clippy::unwrap_used)]

use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_models::output::Precision;
use imminent_models::queueing::analysis::{Ending, Findings, Plan, WarmUp, Watch};
use imminent_models::queueing::engine::{Schedule, watched};
use imminent_models::queueing::experiment::Experiment;
use imminent_models::queueing::trace::{Times, replay};
use imminent_models::queueing::{Network, Scenario, Start, sequential};
use std::ops::ControlFlow;

const UNIT: u64 = 1 << 20;

fn experiment(plan: Plan, replications: u64) -> Experiment {
    let network = Network::torus(4, 3, 10 << 20, 2).unwrap();
    Experiment { network, start: Start::One, horizon: 600 * UNIT, seed: 8, replications, interval: None, plan }
}

fn on_device(experiment: &Experiment, together: u64, schedule: Schedule) -> Findings {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let engine = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
        watched(&device, scenarios, watches, schedule, true, &mut |_| ControlFlow::Continue(()))
    };
    experiment.run_together(together, engine, drop).unwrap()
}

fn agree(plan: Plan, replications: u64, schedules: &[Schedule]) {
    let experiment = experiment(plan, replications);
    experiment.check().unwrap();
    let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
    let mut times = Times::default();
    replay(&experiment, &oracle, |_, counted, visit| {
        if counted && experiment.network.station(visit.node).is_some() {
            times.add(visit);
        }
    })
    .unwrap();
    assert!(times.waiting.total() > 0, "no visit ended after the warm-up");
    for &schedule in schedules {
        for together in [1, 3, 100] {
            let found = on_device(&experiment, together, schedule);
            assert_eq!(found.digests(), oracle.digests(), "{schedule:?}, {together} together");
            assert_eq!(found.times.as_ref(), Some(&times), "{schedule:?}, {together} together");
            let expected = Findings { wall: found.wall, times: found.times.clone(), ..oracle.clone() };
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
