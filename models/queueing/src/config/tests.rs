#![allow(clippy::unwrap_used)]

use super::*;
use crate::network::Network;
use crate::scenario::Start;
use std::path::Path;

fn means(network: &Network) -> Vec<u32> {
    (0..network.len() as u32).map(|node| network.mean_service(node)).collect()
}

fn tokens(network: &Network) -> Vec<u32> {
    (0..network.len() as u32).map(|node| network.tokens(node, 0)).collect()
}

fn torus(text: &str) -> Result<TorusConfig, ConfigError> {
    let config = TorusConfig::from_toml(text, "torus.toml")?;
    config.experiment().map_err(|error| error.located(text, "torus.toml"))?;
    Ok(config)
}

fn network(text: &str) -> Result<NetworkConfig, ConfigError> {
    let config = NetworkConfig::from_toml(text, "net.toml")?;
    config.experiment().map_err(|error| error.located(text, "net.toml"))?;
    Ok(config)
}

#[test]
fn everything_has_a_default() {
    let config = torus("").unwrap();
    assert_eq!(config, TorusConfig::default());
    let experiment = config.experiment().unwrap();
    assert_eq!((experiment.network.len(), experiment.horizon), (4096, 1000 << 20));
}

#[test]
fn a_configuration_survives_writing_and_reading() {
    let text = "[torus]\nwidth = 3\nheight = 2\ntokens = 5\nmean = 2.5\n
                [run]\nstart = 'stationary'\nengine = 'interval'\ninterval = 0.5\nhorizon = 7\nseed = 9\nreplications = 4";
    let config = torus(text).unwrap();
    assert_eq!((config.torus.width, config.torus.tokens, config.run.start), (3, 5, Start::Stationary));
    assert_eq!(torus(&toml::to_string(&config).unwrap()).unwrap(), config);
    let experiment = config.experiment().unwrap();
    assert_eq!((experiment.interval, experiment.replications, experiment.seed), (Some(1 << 19), 4, 9));
}

#[test]
fn errors_name_file_line_and_key() {
    let cases = [
        ("[torus]\nheight = 1\nwidth = 0", "torus.toml, line 3: torus.width: a torus of 0 x 1 has no nodes"),
        ("[torus]\nheight = 0", "torus.toml, line 2: torus.height: a torus of 64 x 0 has no nodes"),
        (
            "\n[torus]\nwidth = 100000\nheight = 100000",
            "torus.toml, line 3: torus.width: the network has 10000000000 nodes",
        ),
        ("[torus]\ntokens = 4000000000", "torus.toml, line 2: torus.tokens: the network has 16384000000000 tokens"),
        ("[torus]\ntokens = 0", "torus.toml, line 2: torus.tokens: the network has no tokens and no source"),
        ("[torus]\nmean = -1.0", "torus.toml, line 2: torus.mean: a mean service of -1 time units"),
        ("[run]\nhorizon = nan", "torus.toml, line 2: run.horizon: NaN is not a time"),
        ("[run]\nhorizon = 1e11", "torus.toml, line 2: run.horizon: a horizon of"),
        ("[run]\nreplications = 0", "torus.toml, line 2: run.replications: 0 replications are not possible"),
        ("[run]\nseed = 2\nreps = 5", "torus.toml, line 3: run.reps: is called `run.replications` now"),
        ("[run]\nwarmup = 5", "torus.toml, line 2: run.warmup: is called `run.warm_up` now"),
        ("[run]\nengine = 'interval'", "torus.toml, line 1: run.interval: the engine 'interval' needs one"),
        ("[run]\ninterval = 1.0", "torus.toml, line 2: run.interval: the engine 'auto' takes none"),
        (
            "[run]\nengine = 'interval'\ninterval = -1.0",
            "torus.toml, line 3: run.interval: the interval: -1 is not a time",
        ),
    ];
    for (text, expected) in cases {
        let error = torus(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn what_toml_objects_to_has_file_line_and_key_too() {
    for (text, line, key) in [
        ("[torus]\nwidht = 3", "line 2", "widht"),
        ("[torus]\nwidth = 'three'", "line 2", "width"),
        ("[run]\n\nseed = -1", "line 3", "seed"),
        ("[run]\nstart = 'two'", "line 2", "start"),
        ("[tours]\nwidth = 3", "line 1", "tours"),
        ("[torus]\nwidth =", "line 2", "width"),
    ] {
        let error = torus(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("torus.toml, {line}: ")) && error.contains(key), "{error}");
    }
}

#[test]
fn a_network_can_be_written_down() {
    let config = network(
        "[network]
         mean = 10.0
         tokens = 2
         links = [['a', 'b'], ['b', 'c']]
         edges = [['c', 'a'], ['a', 'a']]
         [[network.node]]
         name = 'c'
         mean = 1.5
         tokens = 0
         [run]
         seed = 3",
    )
    .unwrap();
    let network = config.experiment().unwrap().network;
    let labels: Vec<_> = (0..3).map(|node| network.label(node)).collect();
    assert_eq!(labels, ["c", "a", "b"]);
    assert_eq!(network.simple().unwrap().out_edges(1), [2, 1]);
    assert_eq!(network.simple().unwrap().out_edges(2), [1, 0]);
    assert_eq!(network.simple().unwrap().out_edges(0), [2, 1]);
    assert_eq!(tokens(&network), [0, 2, 2]);
    assert_eq!(means(&network), [3 << 19, 10 << 20, 10 << 20]);
}

/// Ten machines and two mechanics: theory is that of the tokens that the file names, one node of which has some.
#[test]
fn nodes_beside_one_with_tokens_start_empty() {
    let links = "[network]\nmean = 2.0\nlinks = [['up', 'repair']]\n";
    let started = |text: &str| tokens(&network(text).unwrap().experiment().unwrap().network);
    let closed = |text: &str| started(&format!("{links}{text}"));
    assert_eq!(closed("[[network.node]]\nname = 'up'\ntokens = 10\nservers = 10\n"), [10, 0]);
    // Where no node gives a number, each has the one that is given for all, or one token.
    assert_eq!(closed(""), [1, 1]);
    assert_eq!(closed("[[network.node]]\nname = 'up'\nservers = 10\n"), [1, 1]);
    let text = links.replace("mean", "tokens = 3\nmean") + "[[network.node]]\nname = 'up'\ntokens = 10\n";
    assert_eq!(started(&text), [10, 3]);
    // A network that empties is one as long as it says what it starts with.
    let text = "[network]\nmean = 2.0\nedges = [['a', 'b'], ['b', 'out']]\n[[network.node]]\nname = 'a'\ntokens = 5\n";
    assert_eq!(started(text), [5, 0]);
}

#[test]
fn networks_that_cannot_be_are_errors() {
    let cases = [
        ("[network]\nlinks = []", "net.toml, line 2: network.links: the network has no nodes"),
        ("[network]\nedges = [['a', 'b']]", "net.toml, line 2: network.edges[0]: node 'b' has no route onward"),
        ("[network]\nmean = 0.0", "net.toml, line 2: network.mean: 'mean' of a law 'exponential' is 0"),
        (
            "[network]\nlinks = [['a', 'b']]\ngraph = 'x'",
            "net.toml, line 3: network.graph: the nodes and links come from 'graph'",
        ),
        (
            "[[network.node]]\nname = 'a'\n[[network.node]]\nname = 'a'",
            "net.toml, line 4: network.node[1].name: a second node",
        ),
        ("[network]\ngraph = 'none.graphml'", "network.graph: none.graphml: cannot be read"),
        // A forgotten source, and a service that only one node has.
        (
            "[network]\n[[network.node]]\nname = 'q'\nmean = 1.0\n[[network.route]]\nfrom = 'q'\nto = 'out'",
            "net.toml, line 7: network.route[0].to: tokens leave the network here, and none ever come: add a [[network.source]]",
        ),
        (
            "[network]\nedges = [['a', 'b'], ['b', 'out']]",
            "net.toml, line 2: network.edges[1]: tokens leave the network here, and none ever come",
        ),
        (
            "[network]\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'a'\nmean = 1.0",
            "net.toml, line 2: network.links[0]: tokens of class 'token' can come to node 'b', which has no service time",
        ),
        (
            "[network]\nlinks = [['a', 'b'], ['b', 'c']]\n[run]\nstart = 'stationary'",
            "net.toml, line 4: run.start: the stationary start needs a network",
        ),
    ];
    for (text, expected) in cases {
        let error = network(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    let error = NetworkConfig::from_file(Path::new("missing.toml")).unwrap_err().to_string();
    assert!(error.starts_with("missing.toml: cannot be read"), "{error}");
}

#[test]
fn engines_have_their_names_in_configurations() {
    for engine in [Engine::Exact, Engine::Interval, Engine::Sequential] {
        assert_eq!(serde_json::to_value(engine).unwrap(), engine.name());
    }
}

mod behaviour;
mod networks;
mod scales;
mod slips;
mod taken;
mod words;
