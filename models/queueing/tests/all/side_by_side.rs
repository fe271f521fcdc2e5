//! Simple networks simulated event by event on several threads give the results of each alone.

use crate::device::{device, go_on};
use imminent_core::{Device, Progress};
use imminent_queueing::analysis::{Plan, Watch};
use imminent_queueing::engine::{EngineError, Seen, Watching, watched, watched_each};
use imminent_queueing::{Ended, Network, Outcome, Scenario, Start, sequential};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

fn scenarios<'n>(networks: impl Iterator<Item = &'n Network>, horizon: u64, seed: u64) -> Vec<Scenario<'n>> {
    let scenario = |(network, replication)| Scenario::new(network, Start::Stationary, horizon, seed, replication);
    networks.zip(0..).map(scenario).collect::<Result<_, _>>().unwrap()
}

/// Simulates scenarios with watches that only look at the end.
fn side_by_side(
    device: &Device,
    scenarios: &[Scenario<'_>],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<Ended>, EngineError> {
    let plan = Plan::default();
    let watches = scenarios.iter().map(|scenario| Watch::new(&plan, scenario.horizon(), scenario.network()));
    let mut watches: Vec<Watch<'_>> = watches.collect();
    let ran = watched(device, scenarios, &mut watches, Watching::default(), progress)?;
    Ok(ran.into_iter().map(|timed| timed.unwrap().ended).collect())
}

/// Removes the greatest numbers waiting, which the lean engine does not know.
fn without_greatest(mut outcome: Outcome) -> Ended {
    outcome.statistics.iter_mut().for_each(|node| node.most_waiting = None);
    outcome.into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_outcome_is_that_of_the_oracle(
        sizes in prop::collection::vec((2_u32..7, 1_u32..7, 1_u32..4), 1..40),
        threads in 1_usize..5,
        (seed, horizon) in (any::<u64>(), 0_u64..50),
    ) {
        // Networks of different sizes, to detect state that one leaves behind for the next.
        let networks: Vec<Network> = sizes.iter().map(|&(width, height, tokens)| {
            Network::torus(width, height, 1 << 16, tokens).unwrap()
        }).collect();
        let scenarios = scenarios(networks.iter(), horizon << 16, seed);
        let found = side_by_side(&device(threads), &scenarios, &mut go_on).unwrap();
        prop_assert_eq!(found.len(), scenarios.len());
        for (found, scenario) in found.into_iter().zip(&scenarios) {
            prop_assert_eq!(found, without_greatest(sequential::simulate(scenario)));
        }
    }
}

#[test]
fn threads_that_are_left_over_share_a_network() {
    let torus = Network::torus(96, 96, 10 << 20, 2).unwrap();
    let scenarios = scenarios([&torus, &torus].into_iter(), 8 << 20, 3);
    let found = side_by_side(&device(5), &scenarios, &mut go_on).unwrap();
    for (found, scenario) in found.into_iter().zip(&scenarios) {
        assert_eq!(found, without_greatest(sequential::simulate(scenario)));
    }
}

#[test]
fn a_run_of_many_can_be_cancelled() {
    let torus = Network::torus(8, 8, 1 << 16, 8).unwrap();
    let scenarios = scenarios(std::iter::repeat_n(&torus, 500), 100 << 16, 3);
    let ran = side_by_side(&device(2), &scenarios, &mut |_| ControlFlow::Break(()));
    let Err(EngineError::Cancelled { steps }) = ran else { panic!("it was not cancelled") };
    let all: u64 = scenarios.iter().map(|scenario| sequential::simulate(scenario).events()).sum();
    assert!((1..all).contains(&steps), "{steps} of {all}");
}

/// Runs that have ended are kept when a run of many is stopped, whatever their numbers: the first one is so long that
/// all others have ended before it.
#[test]
fn what_has_ended_when_a_run_is_stopped_is_kept() {
    let torus = Network::torus(4, 4, 1 << 16, 2).unwrap();
    let mut scenarios = scenarios(std::iter::repeat_n(&torus, 9), 20 << 16, 3);
    scenarios[0] = Scenario::new(&torus, Start::Stationary, 20_000_000 << 16, 3, 0).unwrap();
    let (plan, stopped) = (Plan::default(), AtomicBool::new(false));
    let stop = || stopped.load(Ordering::Relaxed);
    let watch = |scenario: &Scenario<'_>| Watch::new(&plan, scenario.horizon(), &torus).until(&stop);
    let mut watches: Vec<Watch<'_>> = scenarios.iter().map(watch).collect();
    let mut ended = vec![];
    let found = watched_each(&device(2), &scenarios, &mut watches, Watching::default(), &mut |seen| {
        if let Seen::Ended { index, .. } = seen {
            ended.push(index);
            stopped.store(ended.len() == 8, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    });
    let found = found.unwrap();
    ended.sort_unstable();
    assert_eq!((ended, found[0].is_none()), ((1..9).collect(), true));
    for (found, scenario) in found.into_iter().zip(&scenarios).skip(1) {
        assert_eq!(found.unwrap().ended, without_greatest(sequential::simulate(scenario)));
    }
}
