//! Open networks from GraphML files, and runs that are too long.

use super::{json, refused};

const NSFNET: [&str; 5] = ["run", "network", "examples/networks/nsfnet.graphml", "--backend", "cpu"];

#[test]
fn a_graph_is_opened_on_the_command_line() {
    let open = [
        "--graph-sources",
        "Seattle",
        "--graph-sinks",
        "San Diego",
        "--graph-sinks",
        "n5",
        "--graph-interarrival-mean",
        "20",
        "--horizon",
        "2000",
    ];
    let with = |more: &[&str]| json(&[&NSFNET[..], &open[..], &["--mean", "5", "--json"], more].concat());
    let (exact, oracle) = (with(&[]), with(&["--engine", "sequential"]));
    assert_eq!(exact["digest"], oracle["digest"]);
    // Some hundred tokens come, to networks without any at the start.
    assert!(exact["utilization_expected"].is_f64() && exact["events"].as_u64() > Some(300), "{exact}");
    assert_eq!(exact["config"]["network"]["graph_sinks"][1], "n5");
    refused(&[&NSFNET[..], &open[..]].concat(), &["nsfnet.graphml, line 9", "service_mean", "--mean"]);
    refused(
        &[&NSFNET[..], &["--graph-sources", "Seattle", "--mean", "5"]].concat(),
        &["line 8", "--graph-interarrival-mean"],
    );
    refused(&[&NSFNET[..], &["--graph-sinks", "Atlantis"]].concat(), &["nsfnet.graphml", "'Atlantis'", "sink"]);
    refused(
        &["run", "network", "examples/networks/hospital.toml", "--graph-sinks", "ward"],
        &["--graph-sinks ward: ", "GraphML"],
    );
    refused(
        &[&NSFNET[..], &["--graph-interarrival-mean", "3"]].concat(),
        &["--graph-interarrival-mean 3: no node", "is a source"],
    );
}

#[test]
fn runs_whose_sums_would_overflow_are_refused() {
    refused(&["run", "torus", "--horizon", "1e10"], &["--horizon 1e10: ", "overflow", "give"]);
    refused(
        &["run", "torus", "--horizon", "1e5", "--replications", "100000"],
        &["--replications 100000: ", "overflow", "fewer replications"],
    );
    refused(
        &["run", "network", "examples/networks/overloaded.toml", "--horizon", "1e9"],
        &["--horizon 1e9: ", "overflow"],
    );
}

#[test]
fn bad_input_is_told_kindly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    let path = file.to_str().unwrap();
    let network = |text: &str, words: &[&str]| {
        std::fs::write(&file, text).unwrap();
        refused(&["run", "network", path, "--backend", "cpu"], &[&[path], words].concat());
    };
    let links = "[network]\nlinks = [['a', 'b']]\n";
    network(&format!("{links}serverz = 2\n"), &["line 3: `serverz = 2`: unknown field", "did you mean `servers`?"]);
    network(
        &format!("{links}servers = 'two'\n"),
        &["line 3: `servers = 'two'`: give a whole number of servers", "from 0 to 4294967295"],
    );
    network(&format!("{links}[run]\nengin = 'exact'\n"), &["line 4", "did you mean `engine`?"]);
    network("[network]\nlinks = [['a', 'b'\n", &["line 2"]);
    network(&format!("{links}servers = 0\n"), &["line 3: network.servers: 0 servers: give at least 1"]);
    network(&format!("{links}mean = 1e12\n"), &["run.horizon: nothing happens within a horizon of 1000 time units"]);
    // What an engine cannot do is said before it starts.
    let blocking = format!("{links}capacity = 2\noverflow = 'block'\n");
    network(
        &format!("{blocking}[run]\nengine = 'exact'\n"),
        &["line 6: run.engine", "'a'", "the engine `auto` or `host`"],
    );
    let servers = format!("{links}servers = 2\n[run]\ninterval = 1.0\nengine = 'interval'\n");
    network(&servers, &["line 6: run.engine", "one server"]);
    // Negative numbers are values, not options.
    refused(&["run", "open", "--mean", "-3"], &["--mean -3: ", "above 0"]);
    refused(&["run", "open", "--engine", "interval", "--interval", "-1"], &["--interval -1: ", "not a time"]);
    refused(&["run", "torus", "--horizon", "-1"], &["--horizon -1: "]);
    refused(&[&NSFNET[..], &["--servers", "-1"]].concat(), &["--servers", "-1"]);
}
