//! Open networks from GraphML files, and runs that are too long.

use super::{json, refused};

const NSFNET: [&str; 5] = ["run", "network", "examples/networks/nsfnet.graphml", "--backend", "cpu"];

#[test]
fn a_graph_is_opened_on_the_command_line() {
    let open =
        ["--source", "Seattle", "--sink", "San Diego", "--sink", "n5", "--interarrival", "20", "--horizon", "2000"];
    let with = |more: &[&str]| json(&[&NSFNET[..], &open[..], &["--mean", "5", "--json"], more].concat());
    let (exact, oracle) = (with(&[]), with(&["--engine", "sequential"]));
    assert_eq!(exact["digest"], oracle["digest"]);
    // Some hundred tokens come, to networks without any at the start.
    assert!(exact["utilization_expected"].is_f64() && exact["events"].as_u64() > Some(300), "{exact}");
    assert_eq!(exact["config"]["network"]["graph_sinks"][1], "n5");
    refused(&[&NSFNET[..], &open[..]].concat(), &["nsfnet.graphml, line 9", "service_mean", "--mean"]);
    refused(&[&NSFNET[..], &["--source", "Seattle", "--mean", "5"]].concat(), &["line 8", "--interarrival"]);
    refused(&[&NSFNET[..], &["--sink", "Atlantis"]].concat(), &["nsfnet.graphml", "'Atlantis'", "sink"]);
    refused(
        &["run", "network", "examples/networks/hospital.toml", "--sink", "ward"],
        &["network.graph_sinks", "GraphML"],
    );
}

#[test]
fn runs_whose_sums_would_overflow_are_refused() {
    refused(&["run", "torus", "--horizon", "1e10"], &["run.horizon", "overflow", "give"]);
    refused(&["run", "torus", "--horizon", "1e5", "--reps", "100000"], &["run.reps", "overflow", "fewer replications"]);
    refused(&["run", "network", "examples/networks/overloaded.toml", "--horizon", "1e9"], &["run.horizon", "overflow"]);
}
