//! Rules that engines and oracle share, each against a solved Markov chain or a formula. Agreement of engines cannot
//! reveal a rule that all of them implement wrongly.
//!
//! | rule | checked against |
//! | --- | --- |
//! | routes by probability, equally likely, in turn | the chain; Erlang arrivals (`departures`) |
//! | first, last, random, priority | the chain, with classes that make them differ |
//! | loss and several servers | the chain; Erlang's formulas (`product_form`) |
//! | blocking after service | the chain |
//! | deletion of a warm-up | the transient of M/M/∞ |
//!
//! Ties are conventions: `sequential` tests them with examples computed by hand.

use crate::chain::Chain;
use crate::observed::{Observed, covers};
use imminent_common::time::{ticks_from_units, units_from_ticks};
use imminent_queueing::analysis::{Plan, WarmUp};
use imminent_queueing::experiment::Experiment;
use imminent_queueing::network::{Discipline, Onward, Overflow, Routing};
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::{Builder, Law, Network, Scenario, Start, Station, sequential};

fn exponential(mean: f64) -> Law {
    Law::Exponential { mean }
}

fn station(servers: u32, discipline: Discipline, capacity: Option<u32>) -> Station {
    Station { discipline, capacity, ..Station::with_servers(servers) }
}

/// Function that returns a statistic of a node over a span of time, by replication.
type ByReplication<'o> = dyn Fn(u32, &dyn Fn(&NodeStatistics) -> f64) -> Vec<f64> + 'o;

/// Compares numbers in system, busy and blocked servers and losses of every station with the chain, by intervals of
/// 99.99 %.
fn compare(what: &str, network: &Network, span: f64, values: &ByReplication<'_>) {
    let chain = Chain::of(network, 1e-9);
    for node in (0..network.len() as u32).filter(|&node| network.station(node).is_some()) {
        let at = node as usize;
        let share = |ticks: u64| units_from_ticks(ticks) / span;
        let measures: [(&str, Vec<f64>, f64); 4] = [
            ("number", values(node, &|node| share(node.number_integral)), chain.number(at)),
            ("busy", values(node, &|node| share(node.busy)), chain.busy(at)),
            ("blocked", values(node, &|node| share(node.blocked_time)), chain.blocked(at)),
            ("lost", values(node, &|node| node.lost as f64 / span), chain.lost(at)),
        ];
        for (name, found, expected) in measures {
            let half =
                covers(&found, expected, 0.9999, 1e-3).unwrap_or_else(|how| panic!("{what}, {node}, {name}: {how}"));
            assert!(half < 0.05 * expected.max(0.5), "{what}, node {node}, {name}: ± {half} says little of {expected}");
        }
    }
}

fn on_engine(what: &str, network: &Network) {
    let observed = Observed::of(network, 20, 100.0, 8_100.0, 77);
    compare(what, network, observed.span, &|node, of| observed.by_replication(node, of));
}

fn on_oracle(what: &str, network: &Network) {
    let (from, to) = (ticks_from_units(100.0).unwrap(), ticks_from_units(6_100.0).unwrap());
    let replications: Vec<Vec<NodeStatistics>> = (0..20)
        .map(|number| {
            let whole = Scenario::new(network, Start::One, to, 78, number).unwrap();
            let (before, after) = (sequential::simulate(&whole.until(from)), sequential::simulate(&whole));
            after.statistics.iter().zip(&before.statistics).map(|(after, before)| after.since(before)).collect()
        })
        .collect();
    compare(what, network, 6_000.0, &|node, of| replications.iter().map(|nodes| of(&nodes[node as usize])).collect());
}

/// Two classes between a first station and two others, with routes by class from the first. Class b sometimes changes
/// into a.
fn coming_back(first: Station, routing: Routing) -> Network {
    let mut network = Builder::new();
    let [a, b] = ["a", "b"].map(|name| network.class(name));
    let first = network.station("first", first);
    let [left, right] = ["left", "right"].map(|label| network.station(label, Station::default()));
    network.serve(first, a, exponential(0.5)).serve(first, b, exponential(1.5));
    network.serve_all(left, exponential(0.4)).serve_all(right, exponential(2.0));
    network.tokens(first, a, 2).tokens(first, b, 2).priority(first, a, 1).routing(first, routing);
    for to in [first, left, right] {
        network.route(first, a, Onward::to(to));
    }
    network.route(first, b, Onward::to(right)).route(first, b, Onward::to(left).becoming(a));
    network.edge(left, first).route(right, a, Onward::to(first).becoming(b)).route(right, b, Onward::to(first));
    network.build().unwrap()
}

#[test]
fn routes_are_taken_in_turn_by_departures() {
    for servers in [1, 3] {
        let network = coming_back(station(servers, Discipline::Fifo, None), Routing::RoundRobin);
        on_engine(&format!("in turn, {servers} servers"), &network);
    }
}

#[test]
fn disciplines_choose_whom_they_should() {
    for discipline in [Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority] {
        let network = coming_back(station(1, discipline, None), Routing::Random);
        on_engine(&discipline.to_string(), &network);
    }
}

/// Two classes from two sources at a station of two servers with room for four; some tokens come back.
fn losing(discipline: Discipline, routing: Routing) -> Network {
    let mut network = Builder::new();
    let [a, b] = ["a", "b"].map(|name| network.class(name));
    let doors = [(a, 1.0), (b, 0.8)].map(|(class, mean)| network.source(format!("{class}"), class, exponential(mean)));
    let node = network.station("node", station(2, discipline, Some(4)));
    let after = network.station("after", station(1, discipline, Some(2)));
    network.serve(node, a, exponential(1.0)).serve(node, b, exponential(0.5)).serve_all(after, exponential(0.7));
    network.priority(node, a, 1).edge(doors[0], node).edge(doors[1], node).routing(node, routing);
    if routing == Routing::Random {
        for (to, share) in [(Some(after), 0.45), (Some(node), 0.25), (None, 0.3)] {
            network.route_all(node, Onward { to, class: None, probability: Some(share) });
        }
    } else {
        network.edge(node, after).edge(node, node).exit(node);
    }
    network.exit(after).edge(after, node);
    network.build().unwrap()
}

#[test]
fn what_finds_no_room_is_lost() {
    for discipline in [Discipline::Fifo, Discipline::Priority] {
        on_engine(&format!("by chance, {discipline}"), &losing(discipline, Routing::Random));
    }
    on_engine("in turn", &losing(Discipline::Lifo, Routing::RoundRobin));
}

/// Two stations that send in turn and at random to one with little room, which sends to another with less.
fn blocking(routing: Routing) -> Network {
    let mut network = Builder::new();
    let narrow =
        |servers, capacity| Station { overflow: Overflow::Block, ..station(servers, Discipline::Fifo, Some(capacity)) };
    let door = network.source("door", 0, exponential(0.6));
    let first =
        [2, 1].map(|servers| network.station(format!("{servers}"), station(servers, Discipline::Fifo, Some(3))));
    let middle = network.station("middle", narrow(1, 2));
    let last = network.station("last", narrow(1, 1));
    for (node, mean) in first.into_iter().zip([1.0, 0.7]) {
        network
            .serve_all(node, exponential(mean))
            .edge(door, node)
            .edge(node, middle)
            .edge(node, last)
            .routing(node, routing);
    }
    network.serve_all(middle, exponential(0.5)).serve_all(last, exponential(0.4)).edge(middle, last).exit(last);
    network.build().unwrap()
}

#[test]
fn a_token_without_room_blocks_its_server() {
    for routing in [Routing::Random, Routing::RoundRobin] {
        on_oracle(&format!("blocking, {routing:?}"), &blocking(routing));
    }
}

/// Many servers that start empty: `load (1 - exp(-t / mean))` of them are busy at time `t`.
#[test]
fn what_comes_before_the_warm_up_s_end_is_not_counted() {
    let (rate, mean, from, to) = (6.0, 1.5, 0.75, 2.0);
    let mut network = Builder::new();
    let source = network.source("source", 0, exponential(1.0 / rate));
    let node = network.station("node", Station::with_servers(64));
    network.serve_all(node, exponential(mean)).edge(source, node).exit(node);
    let network = network.build().unwrap();
    let area = |time: f64| rate * mean * (time - mean * (1.0 - (-time / mean).exp()));
    let expected = (area(to) - area(from)) / (to - from);
    let plan = Plan { warm_up: WarmUp::Time(ticks_from_units(from).unwrap()), ..Plan::default() };
    let horizon = ticks_from_units(to).unwrap();
    let experiment = Experiment {
        network,
        start: Start::One,
        horizon,
        seed: 3,
        first: 0,
        replications: 4_000,
        interval: None,
        plan,
    };
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    let numbers: Vec<f64> = findings.samples.iter().map(|sample| sample.measures().number_in_system).collect();
    let half = covers(&numbers, expected, 0.9999, 0.0).unwrap();
    // Without the deletion the mean is a quarter lower.
    assert!(half < 0.04 * expected, "± {half} of {expected}");
}
