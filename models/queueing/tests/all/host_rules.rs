//! The engine of the host gives the oracle's outcomes wherever the oracle carries out everything: to the bit, on any
//! network, with blocking too, class by class and visit by visit.

use crate::networks::networks;
use imminent_queueing::network::Overflow;
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::trace::Visit;
use imminent_queueing::{Network, Outcome, Scenario, Start, host, sequential};
use proptest::prelude::*;

fn scenario(network: &Network, horizon: u64, seed: u64) -> Scenario<'_> {
    Scenario::new(network, Start::One, horizon, seed, 0).unwrap()
}

/// Returns the outcome without the time on duty, which only the engine of the host counts.
fn without_duty(mut outcome: Outcome) -> Outcome {
    outcome.statistics.iter_mut().for_each(|node| node.staffed = 0);
    outcome
}

/// Looks of a run by class.
type Looks = Vec<(Outcome, Vec<NodeStatistics>)>;

fn compare(network: &Network, horizon: u64, seed: u64) -> Result<(), TestCaseError> {
    let scenario = scenario(network, horizon, seed);
    let (expected, found) = (sequential::simulate(&scenario), host::simulate(&scenario));
    for node in 0..network.len() {
        prop_assert_eq!(found.states[node], expected.states[node], "state of node {}", node);
        let found = NodeStatistics { staffed: 0, ..found.statistics[node] };
        prop_assert_eq!(found, expected.statistics[node], "statistics of node {}", node);
    }
    prop_assert_eq!(found.digest(), expected.digest());
    prop_assert_eq!(without_duty(found), expected);
    // Every visit, in the same order; and the same deadlock.
    let (mut by_oracle, mut by_host): (Vec<Visit>, Vec<Visit>) = (vec![], vec![]);
    let ended = sequential::traced(&scenario, &mut |visit| by_oracle.push(visit));
    let of_host = host::traced(&scenario, &mut |visit| by_host.push(visit)).map(without_duty);
    prop_assert_eq!(&of_host, &ended);
    prop_assert_eq!(by_host, by_oracle);
    // Classes, at several looks at one run.
    let times = [horizon / 3, horizon / 2 + 1, horizon];
    let (mut by_oracle, mut by_host): (Looks, Looks) = (vec![], vec![]);
    let ended = sequential::by_class(&scenario, &times, &mut |outcome, classes| by_oracle.push((outcome, classes)));
    let of_host = host::by_class(&scenario, &times, &mut |outcome, mut classes| {
        classes.iter_mut().for_each(|of_class| of_class.staffed = 0);
        by_host.push((without_duty(outcome), classes));
    });
    prop_assert_eq!(of_host, ended);
    prop_assert_eq!(by_host, by_oracle);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn networks_that_lose(network in networks(Overflow::Lose, 3), seed: u64, horizon in 0_u64..300) {
        compare(&network, horizon, seed)?;
    }

    #[test]
    fn networks_that_block(network in networks(Overflow::Block, 3), seed: u64, horizon in 0_u64..300) {
        compare(&network, horizon, seed)?;
    }
}
