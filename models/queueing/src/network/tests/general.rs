//! Networks from a builder.

use crate::law::Law;
use crate::network::*;
use proptest::prelude::*;

const TEN: Law = Law::Exponential { mean: 10.0 };

/// A hospital with two kinds of patients, one of which turns into the other.
fn hospital() -> Builder {
    let mut hospital = Builder::new();
    let (urgent, mild) = (hospital.class("urgent"), hospital.class("mild"));
    let door = hospital.source("door", urgent, TEN);
    let gate = hospital.source("gate", mild, Law::Deterministic { value: 3.0 });
    let triage = hospital.station(
        "triage",
        Station { servers: 2, discipline: Discipline::Priority, capacity: Some(9), overflow: Overflow::Lose },
    );
    let ward = hospital.station("ward", Station::with_servers(5));
    hospital.serve_all(triage, Law::Uniform { low: 1.0, high: 2.0 });
    hospital.serve(triage, urgent, TEN);
    hospital.serve_all(ward, TEN);
    hospital.priority(triage, mild, 7);
    hospital.tokens(ward, mild, 3);
    hospital.position(ward, 1.5, -2.0);
    hospital.edge(door, triage).edge(gate, triage).exit(ward);
    hospital.route(triage, urgent, Onward::to(ward).with(0.25));
    hospital.route(triage, urgent, Onward::to(triage).with(0.5).becoming(mild));
    hospital.route(triage, urgent, Onward::out().with(0.25));
    hospital.exit(triage);
    hospital
}

#[test]
fn a_network_is_what_was_built() {
    let network = hospital().build().unwrap();
    assert_eq!((network.len(), network.classes(), network.edges()), (4, 2, 8));
    assert_eq!(network.class_name(1), "mild");
    assert_eq!((network.role(1), network.source_class(1), network.source_class(2)), (Role::Source, Some(1), None));
    assert_eq!(network.station(2).unwrap().servers, 2);
    let law = |node, class| network.service(node, class).map(|law| network.laws()[law as usize].clone());
    assert_eq!((law(2, 0), law(2, 1)), (Some(TEN), Some(Law::Uniform { low: 1.0, high: 2.0 })));
    // A source has a law for the class that it emits; the law of ten is stored once although it is used several times.
    assert_eq!((law(0, 0), law(0, 1), network.laws().len()), (Some(TEN), None, 3));
    let routes: Vec<Route> = network.routes(2, 0).iter().collect();
    let route = |to, class, threshold| Route { to, class, threshold: Some(threshold) };
    assert_eq!(routes, [route(Some(3), 0, 1 << 30), route(Some(2), 1, 3 << 30), route(None, 0, u32::MAX)]);
    // The route for every class applies to the class that has none of its own.
    assert_eq!(network.routes(2, 1).iter().collect::<Vec<_>>(), [Route { to: None, class: 1, threshold: None }]);
    assert_eq!(network.in_neighbours(2), [0, 1, 2]);
    assert_eq!((network.in_neighbours(0), network.in_neighbours(3)), ([].as_slice(), [2].as_slice()));
    assert_eq!((network.priority(2, 0), network.priority(2, 1)), (0, 7));
    assert_eq!((network.tokens(3, 1), network.tokens(3, 0), network.total_tokens()), (3, 0, 3));
    assert_eq!((network.position(3), network.position(2)), (Some((1.5, -2.0)), None));
    assert!(network.simple().is_none() && network.is_open());
}

#[test]
fn what_no_token_can_use_is_dropped() {
    let mut network = Builder::new();
    let (a, b) = (network.class("a"), network.class("b"));
    let here = network.station("here", Station::default());
    let there = network.station("there", Station::default());
    network.serve(here, a, TEN).serve(here, b, Law::Deterministic { value: 1.0 }).serve_all(there, TEN);
    network.edge(here, there).edge(there, here).tokens(here, a, 1);
    network.route(here, b, Onward::out());
    let network = network.build().unwrap();
    assert_eq!((network.service(here, b), network.service(there, b)), (None, None));
    assert!(network.routes(here, b).is_empty() && !network.routes(here, a).is_empty());
    assert_eq!((network.laws(), network.is_open()), ([TEN].as_slice(), false));
}

#[test]
fn a_torus_built_by_hand_is_the_torus() {
    let torus = Network::torus(4, 3, 10 << 20, 2).unwrap();
    let mut builder = Builder::new();
    for node in 0..12_u32 {
        builder.station(node.to_string(), Station::default());
        builder.serve(node, 0, TEN).tokens(node, 0, 2);
    }
    for node in 0..12 {
        for &to in torus.simple().unwrap().out_edges(node) {
            builder.edge(node, to);
        }
    }
    builder.on_grid(4, 3);
    let built = builder.build().unwrap();
    assert!(built.simple().is_some());
    assert_eq!(Network { labels: vec![], ..built }, torus);
}

/// Two stations on a ring, with a change.
fn ring(change: impl FnOnce(&mut Builder)) -> String {
    let mut ring = Builder::new();
    let token = ring.class("token");
    let (a, b) = (ring.station("a", Station::default()), ring.station("b", Station::default()));
    ring.serve(a, token, TEN).serve(b, token, TEN).tokens(a, token, 1);
    ring.edge(a, b);
    change(&mut ring);
    if !ring.routes.iter().any(|route| route.from == b) {
        ring.edge(b, a);
    }
    ring.build().map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn what_cannot_be_is_said() {
    assert_eq!(ring(|_| {}), "");
    let cases: Vec<(String, &str)> = vec![
        (Builder::new().build().unwrap_err().to_string(), "the network has no nodes"),
        (ring(|ring| _ = ring.tokens(0, 0, 0)), "the network has no tokens and no source: start with at least one"),
        (ring(|ring| _ = ring.station("c", Station::default())), "no token can ever come to node 'c': lead a route"),
        (ring(|ring| _ = ring.station("c", Station::with_servers(0))), "node 'c' has 0 servers: give at least 1"),
        (
            ring(|ring| ring.nodes[1].role = Role::Station(Station { capacity: Some(0), ..Station::default() })),
            "node 'b' has room for 0 tokens and 1 servers: the capacity counts",
        ),
        (
            ring(|ring| {
                ring.nodes[0].role = Role::Station(Station { capacity: Some(2), ..Station::default() });
                ring.tokens(0, 0, 3);
            }),
            "node 'a' starts with 3 tokens and has room for 2",
        ),
        (
            ring(|ring| _ = ring.route(1, 0, Onward::to(0).with(0.7))),
            "the probabilities of class 'token' at node 'b' add up to 0.7",
        ),
        (
            ring(|ring| _ = ring.route(1, 0, Onward::to(0).with(0.333_33)).route(1, 0, Onward::out().with(0.666_66))),
            "the probabilities of class 'token' at node 'b' add up to 0.99999",
        ),
        (
            ring(|ring| _ = ring.route(1, 0, Onward::to(0).with(1.5)).route(1, 0, Onward::out().with(-0.5))),
            "the probabilities of class 'token' at node 'b' add up to 1: make them",
        ),
        (
            ring(|ring| _ = ring.route(1, 0, Onward::to(0).with(0.7)).exit(1).route(1, 0, Onward::out())),
            "of the routes of class 'token' at node 'b' some have",
        ),
        (
            ring(|ring| {
                ring.routing(1, Routing::RoundRobin);
                ring.route(1, 0, Onward::to(0).with(0.7)).route(1, 0, Onward::out().with(0.3));
            }),
            "node 'b' takes its routes in turn",
        ),
        (
            ring(|ring| {
                let other = ring.class("other");
                ring.route(1, 0, Onward::to(0).becoming(other));
            }),
            "tokens of class 'other' can come to node 'a', which has no service time for them",
        ),
        (
            ring(|ring| {
                let other = ring.class("other");
                ring.route(1, 0, Onward::to(0).becoming(other)).serve_all(0, TEN);
                ring.route(0, 0, Onward::to(1));
                ring.routes.remove(0);
            }),
            "tokens of class 'other' can come to node 'a' and have no route onward",
        ),
        (
            ring(|ring| {
                let source = ring.source("s", 0, TEN);
                ring.edge(source, 0).edge(1, source);
            }),
            "node 's' is a source: tokens cannot go there",
        ),
        (
            ring(|ring| {
                let source = ring.source("s", 0, TEN);
                ring.edge(source, 0).tokens(source, 0, 1);
            }),
            "node 's' is a source: tokens cannot start there",
        ),
        (
            ring(|ring| _ = ring.serve(1, 0, Law::Gamma { shape: 0.0, mean: 1.0 })),
            "class 'token' at node 'b': 'shape' of a law 'gamma' is 0",
        ),
        (ring(|ring| _ = ring.edge(1, 7)), "a route's end names node 7, but the network has 2 nodes"),
        (
            ring(|ring| _ = ring.tokens(1, 3, 1)),
            "a number of tokens of node 'b' names class 3, but the network has only classes 0 to 0: give one of these",
        ),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

proptest! {
    #[test]
    fn words_take_routes_by_their_probabilities(weights in prop::collection::vec(1..100_u32, 1..8), words in prop::collection::vec(any::<u32>(), 50)) {
        let total: u32 = weights.iter().sum();
        let mut builder = Builder::new();
        let node = builder.station("a", Station::default());
        builder.serve_all(node, TEN).tokens(node, 0, 1);
        for &weight in &weights {
            builder.route_all(node, Onward::to(node).with(f64::from(weight) / f64::from(total)));
        }
        let network = builder.build().unwrap();
        let routes = network.routes(node, 0);
        let mut below = 0.0;
        let mut sum = 0.0;
        for (index, &weight) in weights.iter().enumerate() {
            let probability = f64::from(weight) / f64::from(total);
            prop_assert!((routes.probability(index) - probability).abs() < 1e-9);
            // A word selects the route whose share of the unit interval contains it, except for rounding at the
            // borders.
            for &word in &words {
                let u = f64::from(word) / 2_f64.powi(32);
                if u > below + 1e-9 && u < below + probability - 1e-9 {
                    prop_assert_eq!(routes.by_word(word), index);
                }
            }
            below += probability;
            sum += routes.probability(index);
        }
        prop_assert!((sum - 1.0).abs() < 1e-12);
        prop_assert_eq!(routes.by_word(u32::MAX), weights.len() - 1);
    }
}

#[test]
fn the_fingerprint_tells_networks_apart() {
    let torus = Network::torus(4, 3, 10 << 20, 2).unwrap();
    assert_eq!(torus.fingerprint(), Network::torus(4, 3, 10 << 20, 2).unwrap().fingerprint());
    let mut seen = vec![torus.fingerprint(), Network::torus(4, 3, 10 << 20, 1).unwrap().fingerprint()];
    let changes: [fn(&mut Builder); 6] = [
        |_| {},
        |hospital| _ = hospital.priority(2, 0, 1),
        |hospital| _ = hospital.serve(2, 0, Law::Gamma { shape: 2.0, mean: 10.0 }),
        |hospital| _ = hospital.serve(2, 0, Law::Gamma { shape: 2.001, mean: 10.0 }),
        |hospital| _ = hospital.routing(0, Routing::RoundRobin),
        |hospital| _ = hospital.exit(3),
    ];
    for change in changes {
        let mut draft = hospital();
        change(&mut draft);
        seen.push(draft.build().unwrap().fingerprint());
    }
    for (number, fingerprint) in seen.iter().enumerate() {
        assert!(!seen[..number].contains(fingerprint), "{number}");
    }
    // Names do not matter.
    let mut draft = hospital();
    draft.nodes[0].label = "entrance".to_owned();
    assert_eq!(draft.build().unwrap().fingerprint(), seen[2]);
}

#[test]
fn probabilities_of_six_digits_are_scaled_with_a_word() {
    let shares = |digits: f64| {
        let mut network = Builder::new();
        let node = network.station("a", Station::default());
        network.serve_all(node, Law::Exponential { mean: 1.0 }).tokens(node, 0, 1);
        for share in [1.0 / 6.0, 1.0 / 3.0, 0.5_f64] {
            network.route(node, 0, Onward::to(node).with((share * digits).floor() / digits));
        }
        network.build().unwrap()
    };
    let network = shares(1e6);
    assert_eq!(
        network.warnings().first().map(ToString::to_string).unwrap(),
        "the probabilities of class 'token' at node 'a' add up to 0.999999: they are scaled to add up to 1"
    );
    let routes = network.routes(0, 0);
    assert!((routes.probability(0) - 166_666.0 / 999_999.0).abs() < 1e-9);
    assert!((routes.probability(2) - 500_000.0 / 999_999.0).abs() < 1e-9);
    // Digits that a decimal fraction loses in binary are no reason for a word.
    assert_eq!(shares(1e12).warnings(), []);
}
