//! Tests of generated networks.

use crate::law::Law;
use crate::network::*;
use proptest::prelude::*;

const SERVICE: Law = Law::Exponential { mean: 10.0 };
const ARRIVALS: Law = Law::Exponential { mean: 20.0 };

fn template(tokens: u32) -> Template {
    Template { station: Station::default(), service: SERVICE, routing: Routing::Random, tokens }
}

/// Returns the mean number of visits to each node per token that enters at a source. For networks without cycles whose
/// nodes are numbered in topological order.
fn flows(network: &Network) -> Vec<f64> {
    let mut flows: Vec<f64> =
        (0..network.len() as u32).map(|node| f64::from(u8::from(network.role(node) == Role::Source))).collect();
    for node in 0..network.len() {
        let routes = network.routes(node as u32, 0);
        for (index, route) in routes.iter().enumerate() {
            if let Some(to) = route.to {
                assert!(to as usize > node);
                flows[to as usize] += flows[node] * routes.probability(index);
            }
        }
    }
    flows
}

#[test]
fn lines_are_passed_from_end_to_end() {
    let lines = Topology::Lines { lines: 3, stations: 2, interarrival: ARRIVALS, shared: false };
    let network = lines.network(&template(0)).unwrap();
    assert_eq!((network.len(), network.grid(), network.laws()), (9, Some((3, 3)), [SERVICE, ARRIVALS].as_slice()));
    assert_eq!((network.role(3), network.in_neighbours(5)), (Role::Source, [4].as_slice()));
    assert_eq!(network.routes(5, 0).get(0), Some(Route { to: None, class: 0, threshold: None }));
    assert_eq!(flows(&network), [1.0; 9]);
    assert_eq!(network.label(8), "8");
}

#[test]
fn a_shared_source_sends_to_every_line() {
    let lines = Topology::Lines { lines: 4, stations: 2, interarrival: ARRIVALS, shared: true };
    let network = lines.network(&template(0)).unwrap();
    assert_eq!(
        (network.len(), network.routes(0, 0).len(), &network.laws()[1]),
        (9, 4, &Law::Exponential { mean: 5.0 })
    );
    assert_eq!(flows(&network)[1..], [0.25; 8]);
}

#[test]
fn a_torus_is_the_torus_whatever_stands_in_it() {
    let torus = Topology::Torus { width: 4, height: 3 };
    let plain = torus.network(&template(2)).unwrap();
    assert_eq!(plain, Network::torus(4, 3, 10 << 20, 2).unwrap());
    let double = Template { station: Station::with_servers(2), ..template(2) };
    let double = torus.network(&double).unwrap();
    assert_eq!((double.grid(), double.simple().is_some()), (plain.grid(), false));
    for node in 0..12 {
        assert_eq!(double.routes(node, 0), plain.routes(node, 0));
    }
}

#[test]
fn in_a_complete_network_everyone_knows_everyone() {
    let network = Topology::Complete { nodes: 5 }.network(&template(1)).unwrap();
    assert_eq!((network.edges(), network.in_neighbours(2)), (20, [0, 1, 3, 4].as_slice()));
    assert!(network.simple().is_some() && network.is_balanced());
}

#[test]
fn shapes_without_nodes_or_with_too_many_are_errors() {
    let lines = |lines, stations| Topology::Lines { lines, stations, interarrival: ARRIVALS, shared: false };
    let layers = |layers, degree| Topology::FeedForward { layers, width: 2, degree, interarrival: ARRIVALS, seed: 1 };
    let cases = [
        (lines(0, 3), "'lines' of the generated network is 0: give at least 1"),
        (lines(3, 0), "'servers' of the generated network is 0"),
        (lines(u32::MAX, u32::MAX), "the network has 4294967295 nodes"),
        (layers(0, 1), "'layers' of the generated network is 0"),
        (layers(1, 0), "'degree' of the generated network is 0"),
        (layers(3, u32::MAX), "the network has "),
        (Topology::Complete { nodes: 1 }, "'nodes' of the generated network is 1: give at least 2"),
        (Topology::Complete { nodes: 1 << 20 }, "the network has 1099511627776 directed edges"),
        (Topology::Torus { width: 0, height: 2 }, "a torus of 0 x 2"),
    ];
    for (topology, expected) in cases {
        let double = Template { station: Station::with_servers(2), ..template(1) };
        let error = topology.network(&double).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

proptest! {
    #[test]
    fn layers_are_loaded_alike(layers in 1..6_u32, width in 1..8_u32, degree in 1..4_u32, seed in any::<u64>()) {
        let shape = Topology::FeedForward { layers, width, degree, interarrival: ARRIVALS, seed };
        let network = shape.network(&template(0)).unwrap();
        prop_assert_eq!(network.len() as u32, (layers + 1) * width);
        for flow in flows(&network) {
            prop_assert!((flow - 1.0).abs() < 1e-9);
        }
        prop_assert_eq!(&shape.network(&template(0)).unwrap(), &network);
    }
}
