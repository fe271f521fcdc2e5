//! Traffic equations and product form of open networks.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::law::Law;
use crate::network::{Builder, Discipline, NetworkError, Onward, Routing, Station, Warning};
use proptest::prelude::*;

fn exponential(mean: f64) -> Law {
    Law::Exponential { mean }
}

/// A source and two stations; the second sends half of its tokens back to the first.
fn feedback(interarrival: f64, means: [f64; 2], servers: [u32; 2]) -> Builder {
    let mut network = Builder::new();
    let source = network.source("source", 0, exponential(interarrival));
    let first = network.station("first", Station::with_servers(servers[0]));
    let second = network.station("second", Station::with_servers(servers[1]));
    network.serve_all(first, exponential(means[0])).serve_all(second, exponential(means[1]));
    network.edge(source, first).edge(first, second).edge(second, first).exit(second);
    network
}

#[test]
fn feedback_doubles_the_flow() {
    let network = feedback(10.0, [4.0, 6.0], [1, 2]).build().unwrap();
    let load = Load::of(&network).unwrap();
    for node in [1, 2] {
        assert!((load.total_rate(node) - 0.2).abs() < 1e-9);
    }
    assert!((load.utilization(1) - 0.8).abs() < 1e-9 && (load.offered(2) - 0.6).abs() < 1e-9);
    let nodes = jackson(&network).unwrap();
    assert!(nodes[0].is_none());
    // One server, 0.8 busy: four tokens on average.
    assert!((nodes[1].unwrap().number_in_system - 4.0).abs() < 1e-6);
    let alone = mmc(0.2, 6.0, 2).unwrap();
    assert!((nodes[2].unwrap().number_in_system - alone.number_in_system).abs() < 1e-6);
    assert!(network.warnings().is_empty());
}

#[test]
fn what_an_overloaded_node_cannot_do_goes_no_further() {
    // The first station can serve a quarter of a token per time unit; half of the tokens that it sends come back to it.
    let network = feedback(2.0, [4.0, 3.0], [1, 1]).build().unwrap();
    let load = Load::of(&network).unwrap();
    assert!((load.total_rate(2) - 0.25).abs() < 1e-9 && (load.utilization(2) - 0.75).abs() < 1e-9);
    assert!((load.total_rate(1) - (0.5 + 0.125)).abs() < 1e-9 && (load.offered(1) - 2.5).abs() < 1e-9);
    assert_eq!(load.utilization(1), 1.0);
    assert!(matches!(jackson(&network), Err(TheoryError::Unstable { ref label, .. }) if label == "first"));
    let warnings = network.warnings();
    assert!(matches!(&warnings[..], [Warning::Unstable { node, others: 0, .. }] if node == "first"), "{warnings:?}");
    assert!(warnings[0].to_string().starts_with("the network is unstable: node 'first' is offered 2.5000 times what"));
}

#[test]
fn a_limited_capacity_is_never_unstable() {
    let mut network = Builder::new();
    let source = network.source("source", 0, exponential(1.0));
    let node = network.station("node", Station { capacity: Some(4), ..Station::default() });
    network.serve_all(node, exponential(2.0)).edge(source, node).exit(node);
    let network = network.build().unwrap();
    assert!(network.warnings().is_empty());
    let error = jackson(&network).unwrap_err().to_string();
    assert_eq!(error, "the network has no product form: at node 'node', it has a limited capacity");
}

#[test]
fn tokens_that_cannot_leave_are_warned_of() {
    let mut network = feedback(10.0, [4.0, 6.0], [1, 2]);
    let trap = network.station("trap", Station::default());
    network.serve_all(trap, exponential(1.0)).edge(trap, trap).edge(1, trap);
    let network = network.build().unwrap();
    let warnings = network.warnings();
    assert_eq!(warnings, [Warning::NeverLeaves { node: "trap".to_owned(), class: "token".to_owned() }]);
    assert!(matches!(Load::of(&network), Err(TheoryError::NeverLeaves { .. })));
}

#[test]
fn tokens_that_stay_are_not_of_jacksons_theorem() {
    // Two classes: one passes through, the other circulates from the start for ever.
    let mut network = feedback(10.0, [4.0, 6.0], [1, 2]);
    let _passing = network.class("token");
    let inhabitant = network.class("inhabitant");
    network.route(1, inhabitant, Onward::to(2)).route(2, inhabitant, Onward::to(1));
    assert!(jackson(&network.clone().build().unwrap()).is_ok());
    network.tokens(1, inhabitant, 2);
    let error = jackson(&network.build().unwrap()).unwrap_err();
    let reason = Objection::Stays { class: "inhabitant".to_owned() };
    assert_eq!(error, TheoryError::NoProductForm { label: "first".to_owned(), reason });
}

#[test]
fn what_has_no_product_form_is_said() {
    type Change = fn(&mut Builder);
    let cases: [(Change, &str); 4] = [
        (
            |network| _ = network.serve_all(2, Law::Deterministic { value: 1.0 }),
            "node 'second', its law is not exponential",
        ),
        (|network| _ = network.routing(2, Routing::RoundRobin), "node 'second', it takes its routes in turn"),
        (
            |network| {
                let urgent = network.class("token");
                let other = network.class("other");
                network.serve(2, other, exponential(2.0));
                network.route(1, urgent, Onward::to(2).becoming(other).with(0.5));
                network.route(1, urgent, Onward::to(2).with(0.5));
            },
            "node 'second', its classes have different laws",
        ),
        (
            |network| {
                let _other = network.class("token");
                let mild = network.class("mild");
                let source = network.source("other source", mild, exponential(20.0));
                let clinic = network.station("clinic", Station { discipline: Discipline::Lifo, ..Station::default() });
                network.serve_all(clinic, exponential(1.0)).edge(source, clinic).edge(1, clinic).exit(clinic);
                network.route(clinic, mild, Onward::to(clinic)).route(clinic, mild, Onward::out());
            },
            "node 'clinic', it has routes to itself, and its discipline, lifo, may serve a token that comes back before others \
             that wait: classes that come back more often are served longer",
        ),
    ];
    for (change, expected) in cases {
        let mut network = feedback(10.0, [4.0, 6.0], [1, 2]);
        change(&mut network);
        let error = jackson(&network.build().unwrap()).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    let network = feedback(10.0, [4.0, 6.0], [1, 2]).build().unwrap();
    assert_eq!(mean_value_analysis(&network), Err(TheoryError::NotSimple));
}

/// A random open network of two classes, in which every token may leave after every service.
fn random_network(rates: &[f64], routes: &[(u32, u32, u32, u32, f64)]) -> Result<crate::Network, NetworkError> {
    let nodes = rates.len() as u32;
    let mut network = Builder::new();
    let classes = [network.class("a"), network.class("b")];
    for node in 0..nodes {
        let station = Station { discipline: Discipline::Fifo, ..Station::with_servers(node % 3 + 1) };
        network.station(format!("{node}"), station);
        network.serve_all(node, exponential(1.0));
    }
    for (node, rate) in (0..).zip(rates) {
        let source = network.source(format!("s{node}"), classes[node as usize % 2], exponential(1.0 / rate));
        network.edge(source, node);
    }
    for node in 0..nodes {
        for class in classes {
            let mut left = 1.0;
            let of_pair = routes.iter().filter(|route| route.0 % nodes == node && route.1 % 2 == class);
            for &(_, _, to, becomes, share) in of_pair {
                let probability = left * share * 0.9;
                left -= probability;
                network.route(
                    node,
                    class,
                    Onward::to(to % nodes).becoming(classes[becomes as usize % 2]).with(probability),
                );
            }
            network.route(node, class, Onward::out().with(left));
        }
    }
    network.build()
}

/// A closed network of two stations of some servers, one class.
fn pair(means: [f64; 2], servers: [u32; 2], tokens: u32) -> crate::Network {
    let mut network = Builder::new();
    for (node, (mean, servers)) in (0..).zip(means.into_iter().zip(servers)) {
        network.station(format!("{node}"), Station::with_servers(servers));
        network.serve_all(node, exponential(mean)).edge(node, 1 - node);
    }
    network.tokens(0, 0, tokens);
    network.build().unwrap()
}

#[test]
fn machines_and_a_repairman_have_the_values_found_by_hand() {
    // Three machines that each run for 4 and are repaired in 1: the states of 0 to 3 broken machines weigh 1, 3/4,
    // 6/16, 6/64.
    let nodes = closed_product_form(&pair([4.0, 1.0], [3, 1], 3)).unwrap();
    let sum = 1.0 + 0.75 + 0.375 + 0.093_75;
    assert!((nodes[1].utilization - (sum - 1.0) / sum).abs() < 1e-12);
    assert!((nodes[1].number_in_system - (0.75 + 0.75 + 0.281_25) / sum).abs() < 1e-12);
    assert!((nodes[0].number_in_system + nodes[1].number_in_system - 3.0).abs() < 1e-12);
    assert!((nodes[0].queue_length).abs() < 1e-12);
}

#[test]
fn classes_that_are_alike_are_one_class() {
    // Two classes with the same routes and laws behave as one class of all tokens.
    let mut network = Builder::new();
    let classes = ["a", "b"].map(|name| network.class(name));
    for (node, mean) in (0..).zip([1.0, 2.0, 0.5]) {
        network.station("", Station::with_servers(node + 1));
        network.serve_all(node, exponential(mean)).edge(node, (node + 1) % 3);
        network.tokens(node, classes[node as usize % 2], 2);
    }
    let both = closed_product_form(&network.clone().build().unwrap()).unwrap();
    // So does a class that partly turns into the other and back.
    network.route(0, classes[0], Onward::to(1).becoming(classes[1])).route(
        0,
        classes[1],
        Onward::to(1).becoming(classes[0]),
    );
    let switching = closed_product_form(&network.build().unwrap()).unwrap();
    for (a, b) in both.iter().zip(&switching) {
        assert!((a.number_in_system - b.number_in_system).abs() < 1e-9 && (a.throughput - b.throughput).abs() < 1e-9);
    }
}

#[test]
fn what_is_not_closed_has_another_analysis() {
    let open = feedback(10.0, [4.0, 6.0], [1, 2]).build().unwrap();
    assert!(
        matches!(closed_product_form(&open), Err(TheoryError::NoProductForm { ref label, .. }) if label == "source")
    );
    let mut trap = Builder::new();
    for node in 0..2 {
        trap.station(format!("{node}"), Station::default());
        trap.serve_all(node, exponential(1.0)).edge(node, 1);
    }
    trap.tokens(0, 0, 1);
    let error = closed_product_form(&trap.build().unwrap()).unwrap_err().to_string();
    assert!(error.contains("never come"), "{error}");
}

proptest! {
    #[test]
    fn with_single_servers_it_is_mean_value_analysis(means in prop::collection::vec(0.1..5.0_f64, 2..6), edges in prop::collection::vec((0..6_u32, 0..6_u32), 0..8), tokens in 0..4_u32) {
        let count = means.len() as u32;
        let nodes: Vec<_> = means
            .iter()
            .map(|&mean| crate::Node { label: None, mean_service: (mean * 1e6) as u32, tokens: tokens + 1 })
            .collect();
        let ring = (0..count).map(|node| (node, (node + 1) % count));
        let edges: Vec<_> = ring.chain(edges.iter().map(|(a, b)| (a % count, b % count))).collect();
        let network = crate::Network::from_edges(nodes, &edges).unwrap();
        let expected = mean_value_analysis(&network).unwrap();
        for (found, expected) in closed_product_form(&network).unwrap().iter().zip(&expected) {
            for ((name, found), (_, expected)) in found.named().into_iter().zip(expected.named()) {
                let (found, expected) = (found.unwrap_or(0.0), expected.unwrap_or(0.0));
                prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{}: {} {}", name, found, expected);
            }
        }
    }

    #[test]
    fn what_comes_in_goes_out(
        rates in prop::collection::vec(0.01..0.5_f64, 1..6),
        routes in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>(), 0.01..0.9_f64), 0..20),
    ) {
        let network = random_network(&rates, &routes).unwrap();
        let load = Load::of(&network).unwrap();
        let mut out = 0.0;
        let mut lost = 0.0;
        let mut inflow = vec![[0.0; 2]; network.len()];
        for node in 0..network.len() as u32 {
            let passing = 1.0 / load.offered(node).max(1.0);
            for class in 0..2 {
                let sends = match network.source_class(node) {
                    Some(emits) if emits == class => rates[node as usize - rates.len()],
                    Some(_) => 0.0,
                    None => load.arrival_rate(node, class) * passing,
                };
                lost += load.arrival_rate(node, class) * (1.0 - passing);
                let routes = network.routes(node, class);
                for (index, route) in routes.iter().enumerate() {
                    let flow = sends * routes.probability(index);
                    match route.to {
                        Some(to) => inflow[to as usize][route.class as usize] += flow,
                        None => out += flow,
                    }
                }
            }
        }
        for node in 0..network.len() as u32 {
            for class in 0..2 {
                prop_assert!((load.arrival_rate(node, class) - inflow[node as usize][class as usize]).abs() < 1e-9);
            }
        }
        prop_assert!((out + lost - rates.iter().sum::<f64>()).abs() < 1e-9);
        let unstable = (0..network.len() as u32).any(|node| load.offered(node) >= 1.0 - 1e-9);
        prop_assert_eq!(network.warnings().is_empty(), !unstable);
        prop_assert_eq!(jackson(&network).is_ok(), !unstable);
    }
}
