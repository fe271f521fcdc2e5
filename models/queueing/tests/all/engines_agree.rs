//! Exact engines give the same bits on any network, and the results obey conservation laws.

use imminent_queueing::outcome::{NodeStatistics, Outcome};
use imminent_queueing::{Network, Node, Scenario, Start, calendar, interval, sequential};
use proptest::prelude::*;

/// A small network of any shape: one to nine nodes, with means from one tick to far apart, and few or many tokens.
/// Out-edges lead anywhere, also repeated or to the node itself.
fn networks() -> impl Strategy<Value = Network> {
    (1_usize..10).prop_flat_map(|count| {
        let mean = prop_oneof![1_u32..4, 1_u32..2000, 1_000_000_u32..u32::MAX];
        let tokens = prop_oneof![3 => 0_u32..3, 1 => 0_u32..40];
        let node = (mean, tokens).prop_map(|(mean_service, tokens)| Node { label: None, mean_service, tokens });
        let targets = proptest::collection::vec(0..count as u32, 1..5);
        (proptest::collection::vec(node, count), proptest::collection::vec(targets, count)).prop_map(
            |(nodes, targets)| {
                let edges: Vec<_> =
                    (0..).zip(targets).flat_map(|(from, to)| to.into_iter().map(move |to| (from, to))).collect();
                Network::from_edges(nodes, &edges).expect("every node has a route onward")
            },
        )
    })
}

/// Returns a horizon with at most about a thousand services.
fn horizon(network: &Network, share: f64) -> u64 {
    let rate: f64 = (0..network.len() as u32).map(|node| 1.0 / f64::from(network.mean_service(node))).sum();
    (1000.0 * share / rate) as u64
}

fn check_bookkeeping(scenario: &Scenario<'_>, outcome: &Outcome) {
    let horizon = scenario.horizon();
    let totals = outcome.totals();
    let tokens = scenario.network().total_tokens();
    // No token is lost, and each is somewhere at every time.
    assert_eq!(outcome.waiting.total() as u64, tokens);
    assert_eq!(totals.number_integral, tokens * horizon);
    for (node, (state, statistics)) in (0..).zip(outcome.states.iter().zip(&outcome.statistics)) {
        let NodeStatistics {
            served, completed, busy, sojourn_sum, waiting_sum, number_integral, arrivals, lost, ..
        } = *statistics;
        assert_eq!((arrivals, lost), (served + outcome.waiting.arrived(node, horizon), 0));
        assert!(busy <= horizon && busy <= number_integral);
        assert!(served - completed == u64::from(state.free_at > horizon));
        assert!(sojourn_sum >= waiting_sum && sojourn_sum <= number_integral);
        assert_eq!(state.rng_state, scenario.key().node(node).state_after(2 * served + 1));
        assert!(outcome.waiting.of(node).is_sorted());
        // No further service could have started.
        if let Some(&first) = outcome.waiting.of(node).first() {
            assert!(state.free_at.max(first) >= horizon);
        }
    }
}

fn check_agreement(network: &Network, horizon: u64, seed: u64) {
    let scenario = Scenario::new(network, Start::One, horizon, seed, 0).expect("short enough");
    let expected = sequential::simulate(&scenario).without_most_waiting();
    check_bookkeeping(&scenario, &expected);
    let calendar = calendar::simulate(&scenario);
    assert_eq!(calendar, expected);
    assert_eq!(calendar.digest(), expected.digest());
    // An interval of no tick or of one tick clusters nothing.
    for ticks in [0, 1] {
        assert_eq!(
            interval::reference::simulate(&scenario, ticks).expect("a simple network").outcome.without_most_waiting(),
            expected
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_calendar_agrees_with_the_oracle(network in networks(), share in 0.0_f64..1.0, seed: u64) {
        check_agreement(&network, horizon(&network, share), seed);
    }

    #[test]
    fn clustering_keeps_the_books(network in networks(), share in 0.0_f64..1.0, seed: u64, interval in 2_u64..1_000_000) {
        let scenario = Scenario::new(&network, Start::One, horizon(&network, share), seed, 0).expect("short enough");
        let clustered = interval::reference::simulate(&scenario, interval).expect("a simple network");
        let horizon = scenario.horizon();
        let totals = clustered.outcome.totals();
        prop_assert_eq!(clustered.outcome.waiting.total() as u64, network.total_tokens());
        prop_assert_eq!(totals.number_integral, network.total_tokens() * horizon);
        prop_assert!(clustered.steps <= horizon.div_ceil(interval));
        for (state, node) in clustered.outcome.states.iter().zip(&clustered.outcome.statistics) {
            prop_assert!(node.busy <= horizon);
            prop_assert_eq!(node.served - node.completed, u64::from(state.free_at > horizon));
        }
    }
}

#[test]
fn toruses_of_every_small_shape_agree() {
    for (width, height) in [(1, 1), (1, 2), (2, 1), (1, 7), (2, 2), (2, 5), (3, 3), (16, 16)] {
        for tokens in [0, 1, 3] {
            let torus = Network::torus(width, height, 10_000, tokens).expect("a torus");
            check_agreement(&torus, 300_000, u64::from(width * 100 + tokens));
        }
    }
}

#[test]
fn horizons_of_zero_and_of_one_tick_agree() {
    let torus = Network::torus(3, 2, 100, 2).expect("a torus");
    for horizon in [0, 1, 2, 3] {
        check_agreement(&torus, horizon, 5);
    }
}

#[test]
fn a_horizon_in_the_tick_of_a_departure_counts_the_service_as_completed() {
    let torus = Network::torus(2, 2, 1000, 1).expect("a torus");
    let probe = Scenario::new(&torus, Start::One, 1, 3, 0).expect("short enough");
    for state in sequential::simulate(&probe).states {
        check_agreement(&torus, state.free_at, 3);
        let scenario = Scenario::new(&torus, Start::One, state.free_at, 3, 0).expect("short enough");
        assert!(sequential::simulate(&scenario).totals().completed > 0);
    }
}

#[test]
fn many_ties_agree() {
    // Services of one to a few ticks: most events share their tick with others.
    let torus = Network::torus(8, 8, 1, 3).expect("a torus");
    check_agreement(&torus, 500, 1);
}

#[test]
fn long_lines_and_long_services_agree() {
    // All tokens wait at one slow node, beyond the calendar's year and outside its month.
    let nodes = vec![
        Node { label: None, mean_service: u32::MAX, tokens: 100 },
        Node { label: None, mean_service: 1, tokens: 0 },
        Node { label: None, mean_service: 3, tokens: 1 },
    ];
    let network = Network::from_edges(nodes, &[(0, 1), (0, 2), (1, 0), (2, 2), (2, 2), (2, 2), (2, 0)]).expect("valid");
    check_agreement(&network, u64::from(u32::MAX) * 300, 1);
}

#[test]
fn seeds_and_replications_give_different_digests() {
    let torus = Network::torus(4, 4, 1000, 1).expect("a torus");
    let digest = |seed, replication| {
        let scenario = Scenario::new(&torus, Start::One, 20_000, seed, replication).expect("short enough");
        sequential::simulate(&scenario).digest()
    };
    assert_eq!(digest(1, 0), digest(1, 0));
    assert_ne!(digest(1, 0), digest(1, 1));
    assert_ne!(digest(1, 0), digest(2, 0));
}
