//! Defaults that no node takes, and defaults at fault.

use super::network;
use crate::config::NetworkConfig;

/// Returns the first key without effect and the reason.
fn first_unused(config: &NetworkConfig) -> Option<String> {
    let (_, unused) = config.experiment_and_unused().unwrap();
    unused.first().map(|unused| format!("{} has no effect: {}", unused.key, unused.why))
}

/// The plan takes its observations from the count, or from the batches.
#[test]
fn observations_without_effect_are_found() {
    let first = |run: &str| {
        first_unused(&network(&format!("[network]\nedges = [['a', 'a']]\n[run]\nobservations = 60\n{run}\n")).unwrap())
    };
    let by_count = first("until_count = 5").unwrap();
    assert!(by_count.starts_with("run.observations has no effect: a run that ends by count"), "{by_count}");
    let by_precision = first("precision = 0.1\nbatches = 10").unwrap();
    assert!(by_precision.starts_with("run.observations has no effect: a run that ends by precision"), "{by_precision}");
    for run in ["", "batches = 10", "precision = 0.1\nreplications = 19", "warm_up = 'mser5'"] {
        assert_eq!(first(run), None, "{run}");
    }
}

/// A default that every node overrides changes nothing.
#[test]
fn defaults_that_no_node_takes_are_found() {
    let written = |defaults: &str, desk: &str| {
        let text = format!(
            "[network]\n{defaults}\nedges = [['desk', 'desk']]\n[[network.node]]\nname = 'desk'\ntokens = 2\n{desk}\n"
        );
        first_unused(&network(&text).unwrap())
    };
    for (key, other) in [
        ("mean = 3", "rate = 1"),
        ("rate = 3", "class.token.mean = 2"),
        ("service = { law = 'gamma', mean = 3, shape = 2 }", "mean = 1"),
        ("tokens = 5", ""),
        ("servers = 2", "servers = 3"),
        ("discipline = 'lifo'", "discipline = 'random'"),
        ("capacity = 20", "capacity = 30"),
        ("routing = 'round-robin'", "routing = 'random'"),
    ] {
        let name = key.split(' ').next().unwrap();
        let unused = written(key, other).unwrap();
        let expected = format!("network.{name} has no effect: no station takes");
        assert!(unused.starts_with(&expected), "{unused}");
        // A second node, which exists by a link alone, takes it.
        let taken = format!("{key}\nlinks = [['desk', 'door']]");
        assert_eq!(written(&taken, other), None, "{taken}");
    }
    let unused = written("capacity = 9\noverflow = 'lose'", "overflow = 'lose'").unwrap();
    assert!(unused.starts_with("network.overflow has no effect: no station takes it"), "{unused}");
    let unused = written("", "mean = 1\nclass.token.mean = 2").unwrap();
    assert!(unused.starts_with("network.node[0].mean has no effect: no class takes it"), "{unused}");
}

#[test]
fn defaults_that_no_node_of_a_graph_takes_are_found() {
    const GRAPH: &str = "<graphml><key id='m' for='node' attr.name='service_mean'/>
        <key id='i' for='node' attr.name='interarrival_rate'/><key id='r' for='node' attr.name='role'/>
        <graph edgedefault='directed'><node id='door'><data key='r'>source</data><data key='i'>0.1</data></node>
        <node id='desk'><data key='m'>2</data></node><node id='out'><data key='r'>sink</data></node>
        <edge source='door' target='desk'/><edge source='desk' target='out'/></graph></graphml>";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("net.graphml"), GRAPH).unwrap();
    let read = |defaults: &str| {
        let text = format!("[network]\ngraph = 'net.graphml'\n{defaults}");
        NetworkConfig::from_toml(&text, &folder.path().join("net.toml").display().to_string()).unwrap()
    };
    let own = "each has its own 'service_mean', 'service_rate' or 'service_law'";
    for (key, expected) in [
        ("mean = 3", Some(format!("network.mean has no effect: no station takes it, as {own}"))),
        (
            "service = { law = 'exponential', mean = 3 }",
            Some(format!("network.service has no effect: no station takes the law 'exponential', as {own}")),
        ),
        (
            "graph_interarrival = { law = 'exponential', mean = 3 }",
            Some(format!(
                "network.graph_interarrival has no effect: no source takes it, as {}",
                own.replace("service", "interarrival")
            )),
        ),
        // These give the form of laws whose means are those of the nodes.
        ("graph_interarrival = { law = 'gamma', mean = 1e20, shape = 2 }", None),
        ("service = { law = 'gamma', mean = 3, shape = 2 }", None),
        ("servers = 2\nrouting = 'round-robin'\ntokens = 1", None),
    ] {
        assert_eq!(first_unused(&read(key)), expected, "{key}");
    }
    for (key, expected) in [
        ("graph_sinks = ['desk', 'door']", "'door' is to be a sink, and has the 'role' of a source"),
        ("tokens = 5\ncapacity = 4", "network.tokens: "),
    ] {
        let error = read(key).experiment().unwrap_err().to_string();
        assert!(error.contains(expected), "{key}: {error}");
    }
}

/// The key is named that makes the network's durations lie too far apart, whichever node is found to be too short.
#[test]
fn durations_that_make_ticks_long_are_told() {
    let open = |mean: &str, arrivals: &str| {
        let text = format!(
            "[network]\nmean = {mean}\ngenerate = {{ shape = 'open', lines = 2, servers = 2, mean = {arrivals} }}\n"
        );
        network(&text).map_err(|error| error.to_string()).unwrap_err()
    };
    for (mean, arrivals, expected) in [
        ("1e20", "20", "network.mean: class 'token' at node '0': the mean of a law 'exponential' is 20"),
        ("10", "1e20", "network.generate.mean: class 'every class' at node '1': the mean of a law 'exponential' is 10"),
        ("1e300", "20", "network.mean: a law 'exponential' with these parameters can last"),
        ("10", "1e300", "network.generate.mean: a law 'exponential' with these parameters can last"),
    ] {
        let error = open(mean, arrivals);
        assert!(error.contains(expected), "{error}");
    }
}
