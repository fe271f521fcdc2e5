//! Product form against the whole Markov chain: every order of the tokens of small closed networks, by the rules of
//! the scenario.
//!
//! Only the networks are random. Results agree to the last digits, and any disagreement is an error.

use crate::chain::Chain;
use imminent_queueing::measures::Measures;
use imminent_queueing::network::{Discipline, Onward};
use imminent_queueing::theory::{Objection, TheoryError, closed_product_form};
use imminent_queueing::{Builder, Law, Network, Station};
use proptest::prelude::*;

/// Change of all probabilities in one step at which a steady state is found.
const TOLERANCE: f64 = 1e-14;

#[derive(Clone, Debug)]
struct Stop {
    servers: u32,
    mean: f64,
    discipline: Discipline,
    /// Number of tokens of each class.
    tokens: [u32; 2],
}

/// From, class, to, new class.
type Route = (u32, u32, u32, u32);

/// Two classes on a ring of stations, each with further routes of its own.
fn network(stops: &[Stop], routes: &[Route]) -> Network {
    let mut network = Builder::new();
    let classes = ["a", "b"].map(|name| network.class(name));
    let count = stops.len() as u32;
    for (node, stop) in (0..).zip(stops) {
        network.station("", Station { discipline: stop.discipline, ..Station::with_servers(stop.servers) });
        network.serve_all(node, Law::Exponential { mean: stop.mean });
        for class in classes {
            network.tokens(node, class, stop.tokens[class as usize]).route(node, class, Onward::to((node + 1) % count));
        }
    }
    for &(from, class, to, becomes) in routes {
        network.route(from, class, Onward::to(to).becoming(becomes));
    }
    network.build().unwrap()
}

/// Stops and routes that have a product form: none leads from a node to itself unless its discipline is first come,
/// first served.
fn admitted() -> impl Strategy<Value = (Vec<Stop>, Vec<Route>)> {
    let discipline =
        prop::sample::select(vec![Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority]);
    let stop = (1_u32..3, 0.2..2.0_f64, discipline).prop_map(|(servers, mean, discipline)| Stop {
        servers,
        mean,
        discipline,
        tokens: [0; 2],
    });
    let routes = prop::collection::vec((0_u32..8, 0_u32..2, 0_u32..8, 0_u32..2), 0..5);
    let tokens = prop::collection::vec((0_usize..8, 0_usize..2), 2..5);
    (prop::collection::vec(stop, 2..4), routes, tokens, any::<bool>()).prop_map(
        |(mut stops, routes, tokens, switch)| {
            let count = stops.len();
            for (node, class) in tokens {
                stops[node % count].tokens[class] += 1;
            }
            let route = |(from, class, to, becomes): Route| {
                let (from, to) = (from % count as u32, to % count as u32);
                let at_once =
                    to == from && matches!(stops[from as usize].discipline, Discipline::Lifo | Discipline::Random);
                let to = if at_once { (to + 1) % count as u32 } else { to };
                (from, class, to, if switch { becomes } else { class })
            };
            let mut routes: Vec<Route> = routes.into_iter().map(route).collect();
            if switch {
                // Both directions, so there is one chain.
                routes.extend([(0, 0, 1, 1), (0, 1, 1, 0)]);
            }
            (stops, routes)
        },
    )
}

fn assert_equal(found: &Chain, expected: &[Measures], network: &Network) {
    for (node, expected) in expected.iter().enumerate() {
        let servers = f64::from(network.station(node as u32).unwrap().servers);
        let pairs = [
            ("utilization", found.busy(node) / servers, expected.utilization),
            ("number in system", found.number(node), expected.number_in_system),
        ];
        for (name, found, expected) in pairs {
            assert!((found - expected).abs() < 1e-9, "node {node}, {name}: {found}, in theory {expected}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_network_that_is_not_refused_has_the_product_form((stops, routes) in admitted()) {
        let network = network(&stops, &routes);
        assert_equal(&Chain::of(&network, TOLERANCE), &closed_product_form(&network).unwrap(), &network);
    }

    #[test]
    fn classes_are_spread_alike_by_every_discipline_that_is_not_refused((stops, routes) in admitted()) {
        let first: Vec<Stop> =
            stops.iter().map(|stop| Stop { discipline: Discipline::Fifo, ..stop.clone() }).collect();
        let [first, other] = [&first, &stops].map(|stops| Chain::of(&network(stops, &routes), TOLERANCE));
        for (node, class) in (0..stops.len()).flat_map(|node| [(node, 0), (node, 1)]) {
            prop_assert!((first.number_of(node, class) - other.number_of(node, class)).abs() < 1e-9);
        }
    }
}

/// Three tokens between two stations; those of class a mostly come back to the first at once.
fn coming_back(discipline: Discipline) -> Network {
    let stop = |mean, discipline, tokens| Stop { servers: 1, mean, discipline, tokens };
    network(&[stop(0.5, discipline, [1, 2]), stop(1.0, Discipline::Fifo, [0, 0])], &[(0, 0, 0, 0); 4])
}

#[test]
fn what_is_refused_is_something_else() {
    // The same network with first come, first served at its first station, as theory assumes.
    let first = coming_back(Discipline::Fifo);
    let expected = closed_product_form(&first).unwrap();
    assert_equal(&Chain::of(&first, TOLERANCE), &expected, &first);
    for discipline in [Discipline::Lifo, Discipline::Random] {
        let network = coming_back(discipline);
        let reason = Objection::ServesAgain { discipline };
        assert_eq!(
            closed_product_form(&network),
            Err(TheoryError::NoProductForm { label: "0".to_owned(), reason }),
            "{discipline}"
        );
        let found = Chain::of(&network, TOLERANCE).number(0);
        assert!((found - expected[0].number_in_system).abs() > 0.01, "{discipline}: {found} {:?}", expected[0]);
    }
}

#[test]
fn one_class_may_come_back_under_any_discipline() {
    for discipline in [Discipline::Lifo, Discipline::Random, Discipline::Priority] {
        let stop = |mean, tokens| Stop { servers: 1, mean, discipline, tokens };
        let network = network(&[stop(0.5, [3, 0]), stop(1.0, [0, 0])], &[(0, 0, 0, 0)]);
        assert_equal(&Chain::of(&network, TOLERANCE), &closed_product_form(&network).unwrap(), &network);
    }
}

#[test]
fn classes_that_are_preferred_are_refused_and_have_another_law() {
    // Tokens of class a leave the first station for the slow one, those of class b for the fast one.
    let prefers = |priorities: [u32; 2]| {
        let mut network = Builder::new();
        let classes = ["a", "b"].map(|name| network.class(name));
        for (node, mean) in (0..).zip([1.0, 2.0, 0.2]) {
            network.station("", Station { discipline: Discipline::Priority, ..Station::default() });
            network.serve_all(node, Law::Exponential { mean });
        }
        for class in classes {
            network.route(0, class, Onward::to(1 + class)).route(1 + class, class, Onward::to(0));
            network.tokens(0, class, 2).priority(0, class, priorities[class as usize]);
        }
        network.build().unwrap()
    };
    let alike = prefers([3, 3]);
    let expected = closed_product_form(&alike).unwrap();
    assert_equal(&Chain::of(&alike, TOLERANCE), &expected, &alike);
    let network = prefers([0, 1]);
    let error = closed_product_form(&network).unwrap_err().to_string();
    assert_eq!(
        error,
        "the network has no product form: at node '0', its discipline, priority, serves some of its classes before others"
    );
    assert!((Chain::of(&network, TOLERANCE).number(1) - expected[1].number_in_system).abs() > 0.01);
}
