//! Real networks: five of the Internet Topology Zoo, where they are at hand.

#![allow(clippy::expect_used)]

use imminent_models::queueing::graphml;
use imminent_models::queueing::{
    Law, Network, Routing, Scenario, Start, Station, Template, calendar, sequential, theory,
};
use imminent_models::time::ticks_from_units;
use std::path::PathBuf;

/// Name, nodes and links.
const NETWORKS: [(&str, usize, usize); 5] =
    [("Abilene", 11, 14), ("AttMpls", 25, 57), ("Geant2012", 40, 61), ("Nsfnet", 13, 15), ("Sprint", 11, 18)];

fn read(name: &str) -> Network {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/zoo");
    let path = folder.join(name).with_extension("graphml");
    let service = Law::Exponential { mean: 10.0 };
    let template = Template { station: Station::default(), service, routing: Routing::Random, tokens: 2 };
    graphml::read(&path, &template.into()).expect("a network")
}

#[test]
#[cfg_attr(not(topology_zoo), ignore = "the Internet Topology Zoo is not at ../shared/data/zoo")]
fn the_five_networks_are_read_whole() {
    for (name, nodes, links) in NETWORKS {
        let network = read(name);
        assert_eq!(network.len(), nodes, "{name}");
        assert_eq!(network.edges(), 2 * links, "{name}");
        assert!((0..nodes as u32).all(|node| !network.label(node).is_empty()));
    }
}

#[test]
#[cfg_attr(not(topology_zoo), ignore = "the Internet Topology Zoo is not at ../shared/data/zoo")]
fn the_engines_agree_on_the_five_networks() {
    for (name, ..) in NETWORKS {
        let network = read(name);
        for seed in 1..=3 {
            let horizon = ticks_from_units(2_000.0).expect("a time");
            let scenario = Scenario::new(&network, Start::One, horizon, seed, 0).expect("a scenario");
            assert_eq!(calendar::simulate(&scenario).digest(), sequential::simulate(&scenario).digest(), "{name}");
        }
    }
}

#[test]
#[cfg_attr(not(topology_zoo), ignore = "the Internet Topology Zoo is not at ../shared/data/zoo")]
fn the_five_networks_are_strongly_connected_and_have_a_steady_state() {
    for (name, ..) in NETWORKS {
        let network = read(name);
        let nodes = theory::mean_value_analysis(&network).expect("connected");
        let tokens: f64 = nodes.iter().map(|node| node.number_in_system).sum();
        assert!((tokens - network.total_tokens() as f64).abs() < 1e-6, "{name}");
    }
}
