//! Five real networks as the models read them.

use imminent::models::queueing::graphml;
use imminent::models::queueing::{
    Law, Network, Routing, Scenario, Start, Station, Template, calendar, sequential, theory,
};
use imminent::models::time::ticks_from_units;
use imminent::models::traffic::network::files::{self, Gaps};
use imminent_testkit::needs::zoo_file;

/// Name, nodes and links.
const NETWORKS: [(&str, usize, usize); 5] =
    [("Abilene", 11, 14), ("AttMpls", 25, 57), ("Geant2012", 40, 61), ("Nsfnet", 13, 15), ("Sprint", 11, 18)];

fn read(name: &str) -> Network {
    let service = Law::Exponential { mean: 10.0 };
    let template = Template { station: Station::default(), service, routing: Routing::Random, tokens: 2 };
    graphml::read(&zoo_file(name), &template.into()).expect("a network")
}

pub(crate) fn the_five_networks_are_read_whole() {
    for (name, nodes, links) in NETWORKS {
        let network = read(name);
        assert_eq!(network.len(), nodes, "{name}");
        assert_eq!(network.edges(), 2 * links, "{name}");
        assert!((0..nodes as u32).all(|node| !network.label(node).is_empty()));
    }
}

pub(crate) fn the_engines_agree_on_the_five_networks() {
    for (name, ..) in NETWORKS {
        let network = read(name);
        for seed in 1..=3 {
            let horizon = ticks_from_units(2_000.0).expect("a time");
            let scenario = Scenario::new(&network, Start::One, horizon, seed, 0).expect("a scenario");
            assert_eq!(calendar::simulate(&scenario).digest(), sequential::simulate(&scenario).digest(), "{name}");
        }
    }
}

pub(crate) fn the_five_networks_are_strongly_connected_and_have_a_steady_state() {
    for (name, ..) in NETWORKS {
        let network = read(name);
        let nodes = theory::mean_value_analysis(&network).expect("connected");
        let tokens: f64 = nodes.iter().map(|node| node.number_in_system).sum();
        assert!((tokens - network.total_tokens() as f64).abs() < 1e-6, "{name}");
    }
}

pub(crate) fn the_five_networks_have_delays_of_their_size() {
    for (name, nodes, links) in NETWORKS {
        let gaps = Gaps { bandwidth: Some(1_000_000_000), delay: Some(10_000_000), ..Gaps::default() };
        let network = files::read(&zoo_file(name), &gaps).unwrap().network;
        assert_eq!((network.nodes(), network.links().len()), (nodes, 2 * links), "{name}");
        // No link is longer than half the equator.
        assert!(network.links().iter().all(|link| (100_000..100_200_000).contains(&link.delay)), "{name}");
        let given = network.links().iter().filter(|link| link.bandwidth != 1_000_000_000).count();
        assert_eq!(given > 0, name == "Geant2012", "{name}");
        let error = files::read(&zoo_file(name), &Gaps::default()).unwrap_err().to_string();
        assert!(error.contains("or 'LinkSpeedRaw'") && error.contains("'bandwidth' in [topology]"), "{error}");
    }
}
