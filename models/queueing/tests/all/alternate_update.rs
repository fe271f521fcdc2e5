//! The clustered-time engine as four data-parallel passes over the nodes gives the bits of its reference.
//!
//! This is the form that runs on devices, written for a host. In each pass a node reads the results of the previous
//! pass and writes to itself alone. The order of the nodes within a pass therefore cannot matter.

use imminent_common::exponential::service_ticks;
use imminent_common::time::NEVER;
use imminent_queueing::interval::{self, step_time};
use imminent_queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines};
use imminent_queueing::{Network, Node, Scenario, Start};
use proptest::prelude::*;
use rand_pcg::Pcg32;

#[derive(Clone)]
struct Facility {
    rng: Pcg32,
    draws: u64,
    next_service: u64,
    free_at: u64,
    /// End of the service under way; `NEVER` for an idle node.
    ends: u64,
    to: u32,
    /// Token that the node released in this step.
    released: Option<(u64, u32)>,
    line: Vec<u64>,
    statistics: NodeStatistics,
}

impl Facility {
    fn word(&mut self) -> u32 {
        self.draws += 1;
        self.rng.next_u32()
    }
}

fn facilities(scenario: &Scenario<'_>) -> Vec<Facility> {
    (0..)
        .zip(scenario.tokens())
        .map(|(node, &tokens)| {
            let mut facility = Facility {
                rng: scenario.key().node(node).generator(),
                draws: 0,
                next_service: 0,
                free_at: 0,
                ends: NEVER,
                to: 0,
                released: None,
                line: vec![0; tokens as usize],
                statistics: NodeStatistics::default(),
            };
            facility.next_service =
                service_ticks(facility.word(), scenario.simple().expect("a simple network").mean_service(node));
            facility
        })
        .collect()
}

/// Second pass: ends the services that end at the step or before.
fn extract(me: &mut Facility, step: u64) {
    me.released = (me.ends <= step).then_some((me.ends, me.to));
    if me.released.is_some() {
        me.ends = NEVER;
    }
}

/// Third pass: receives newcomers from the in-neighbours, by original time stamp and then by sender.
fn gather(me: &mut Facility, node: u32, all: &[Facility], network: &Network) {
    let mut newcomers = vec![];
    for &from in network.in_neighbours(node) {
        if let Some((time, to)) = all[from as usize].released
            && to == node
        {
            newcomers.push((time, from));
        }
    }
    newcomers.sort_unstable();
    me.line.extend(newcomers.into_iter().map(|(time, _)| time));
}

/// Fourth pass: starts the first token of the line at an idle server.
fn reschedule(me: &mut Facility, node: u32, step: u64, scenario: &Scenario<'_>) {
    if me.ends != NEVER || me.line.is_empty() {
        return;
    }
    let arrival = me.line.remove(0);
    let horizon = scenario.horizon();
    me.ends = step + me.next_service;
    me.free_at = me.ends;
    me.statistics.served += 1;
    me.statistics.busy += me.ends.min(horizon) - step;
    me.statistics.number_integral += me.ends.min(horizon) - arrival;
    me.statistics.started.add(step - arrival, me.ends - arrival);
    if me.ends <= horizon {
        me.statistics.completed += 1;
        me.statistics.sojourn_sum += me.ends - arrival;
        me.statistics.waiting_sum += step - arrival;
    }
    let out_edges = scenario.simple().expect("a simple network").out_edges(node);
    me.to = out_edges[((u64::from(me.word()) * out_edges.len() as u64) >> 32) as usize];
    me.next_service = service_ticks(me.word(), scenario.simple().expect("a simple network").mean_service(node));
}

fn simulate(scenario: &Scenario<'_>, interval: u64, backwards: bool) -> (Outcome, u64) {
    let network = scenario.network();
    let horizon = scenario.horizon();
    let mut nodes = facilities(scenario);
    let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
    if backwards {
        order.reverse();
    }
    let (mut step, mut steps) = (0, 0);
    while step < horizon {
        order.iter().for_each(|&node| extract(&mut nodes[node as usize], step));
        let before = nodes.clone();
        order.iter().for_each(|&node| gather(&mut nodes[node as usize], node, &before, network));
        order.iter().for_each(|&node| reschedule(&mut nodes[node as usize], node, step, scenario));
        steps += 1;
        // First pass of the next step.
        let earliest = nodes.iter().map(|node| node.ends).min().unwrap_or(NEVER);
        step = if earliest == NEVER { NEVER } else { step_time(earliest, interval) };
    }
    let mut waiting = vec![];
    for (number, node) in (0..).zip(&nodes) {
        waiting.extend(node.line.iter().map(|&arrival| (number, arrival)));
        waiting.extend((node.ends != NEVER).then_some((node.to, node.ends)));
    }
    for node in &mut nodes {
        node.statistics.arrivals = node.statistics.served;
    }
    for &(node, arrival) in &waiting {
        let statistics = &mut nodes[node as usize].statistics;
        statistics.number_integral += horizon.saturating_sub(arrival);
        statistics.arrivals += u64::from(arrival < horizon);
    }
    let states = (0..).zip(&nodes).map(|(number, node)| NodeState {
        free_at: node.free_at,
        next_service: node.next_service,
        rng_state: scenario.key().node(number).state_after(node.draws),
    });
    let outcome = Outcome {
        horizon,
        states: states.collect(),
        statistics: nodes.iter().map(|node| node.statistics).collect(),
        waiting: WaitingLines::from_pairs(nodes.len(), &waiting),
    };
    (outcome, steps)
}

fn check(network: &Network, horizon: u64, seed: u64, interval: u64) {
    let scenario = Scenario::new(network, Start::One, horizon, seed, 0).expect("short enough");
    let reference = interval::reference::simulate(&scenario, interval).expect("a simple network");
    for backwards in [false, true] {
        let (outcome, steps) = simulate(&scenario, interval, backwards);
        assert_eq!(outcome, reference.outcome.clone().without_most_waiting());
        assert_eq!(steps, reference.steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn four_passes_give_the_bits_of_the_reference(
        nodes in proptest::collection::vec((1_u32..2000, 0_u32..5), 1..8),
        targets in proptest::collection::vec(proptest::collection::vec(0_u32..8, 1..5), 8),
        horizon in 0_u64..40_000,
        interval in prop_oneof![0_u64..3, 1_u64..200, 200_u64..20_000],
        seed: u64,
    ) {
        let count = nodes.len() as u32;
        let nodes: Vec<Node> =
            nodes.into_iter().map(|(mean_service, tokens)| Node { label: None, mean_service, tokens }).collect();
        let edges: Vec<_> = (0..count)
            .zip(targets)
            .flat_map(|(from, to)| to.into_iter().map(move |to| (from, to % count)))
            .collect();
        let network = Network::from_edges(nodes, &edges).expect("every node has a route onward");
        check(&network, horizon, seed, interval);
    }
}

#[test]
fn four_passes_agree_on_toruses() {
    for (width, height) in [(1, 1), (2, 1), (2, 2), (8, 8)] {
        let torus = Network::torus(width, height, 1000, 2).expect("a torus");
        for interval in [0, 1, 50, 100, 1000, 1 << 40] {
            check(&torus, 30_000, 4, interval);
        }
    }
}
