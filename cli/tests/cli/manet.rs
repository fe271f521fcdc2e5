//! Mobile ad hoc networks from the command line.

use super::{imminent, json, refused, text};
use std::fs;

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let small = ["run", "manet", "--nodes", "20", "--horizon", "5", "--replications", "2"];
    [&small[..], more].concat()
}

/// On a host, kernels execute networks of 10,000 nodes and more.
#[test]
fn a_device_finds_what_the_sequential_program_finds() {
    let large = ["run", "manet", "--nodes", "10000", "--horizon", "2.5", "--replications", "2", "--json"];
    let host = json(&[&large[..], &["--engine", "sequential"]].concat());
    let device = json(&[&large[..], &["--backend", "cpu"]].concat());
    assert_eq!((&device["digest"], &device["stats"]), (&host["digest"], &host["stats"]));
    assert_eq!((host["backend"].as_str(), device["backend"].as_str()), (Some("none"), Some("cpu")));
    let ratio = device["stats"]["delivery_ratio"]["mean"].as_f64().unwrap();
    assert!((0.01..=1.0).contains(&ratio) && device["stats"]["mean_hops"]["ci95"].is_number(), "{device}");
}

#[test]
fn a_clock_changes_the_result() {
    let device = json(&small(&["--json", "--backend", "cpu"]));
    let coarse = json(&small(&["--json", "--backend", "cpu", "--engine", "interval", "--interval", "0.002"]));
    assert_eq!(coarse["engine"], "interval");
    assert_ne!(coarse["digest"], device["digest"]);
}

#[test]
fn a_folder_has_tables_and_a_map_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let output = imminent(&small(&["--backend", "cpu", "--out", path.to_str().unwrap()]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("times real time"), "{}", text(&output.stdout));
    let nodes = fs::read_to_string(path.join("nodes.csv")).unwrap();
    assert_eq!(nodes.lines().count(), 1 + 2 * 20, "{nodes}");
    assert_eq!(fs::read_to_string(path.join("replications.csv")).unwrap().lines().count(), 3);
    let page = fs::read_to_string(path.join("report.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let page = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let count = |tag: &str| page.descendants().filter(|node| node.has_tag_name(tag)).count();
    let tags = ["circle", "line", "animate"];
    assert!(count("circle") == 20 && count("line") > 10 && count("animate") > 10, "{:?}", tags.map(count));
}

/// The motion of a run, written as a trace, gives the same result.
#[test]
fn traces_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.tcl");
    let trace = path.to_str().unwrap();
    let one = ["run", "manet", "--nodes", "20", "--horizon", "5", "--replications", "1", "--json", "--backend", "cpu"];
    let written = json(&[&one[..], &["--record", trace]].concat());
    let read = json(&[&one[..], &["--trace", trace]].concat());
    assert_eq!(read["digest"], written["digest"]);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("$node_(3) set X_", "$node_(3) set Z_", 1)).unwrap();
    refused(&["run", "manet", "--trace", trace], &["node 3", "no initial position", "set X_"]);
    fs::write(&path, format!("{text}$ns_ at 0.000001 \"$node_(3) setdest 1.0 1.0 1.0\"\n")).unwrap();
    refused(&["run", "manet", "--trace", trace], &["node 3", "before its last movement", "line"]);
    fs::write(&path, "$node_(0) set X_ 1\n$node_(0) set Y_ 1\n$node_(1) set X_ 9000\n$node_(1) set Y_ 1\n").unwrap();
    refused(&["run", "manet", "--trace", trace, "--width", "50"], &["node 1", "outside of the field"]);
    fs::write(&path, "move 3\n").unwrap();
    refused(&["run", "manet", "--trace", trace], &["line 1", "move 3", "setdest"]);
}

#[test]
fn every_example_can_be_run() {
    let examples = [("table-5-1-50", "8"), ("table-5-1-200", "5"), ("request-response", "8"), ("convoy", "60")];
    for (example, duration) in examples {
        let file = format!("examples/manet/{example}.toml");
        let fixed = ["run", "manet", &file, "--backend", "cpu", "--replications", "1", "--json"];
        let report = json(&[&fixed[..], &["--horizon", duration]].concat());
        assert!(report["replications"][0]["delivered"].as_u64() > Some(0), "{example}: {report}");
    }
}

#[test]
fn impossible_networks_are_refused() {
    refused(&["run", "manet", "--range", "0"], &["--range 0: ", "from 0.001"]);
    refused(&["run", "manet", "--engine", "fast"], &["exact", "interval", "sequential"]);
    refused(&["run", "manet", "--engine", "interval", "--interval", "1"], &["--interval 1: "]);
    refused(&["run", "manet", "--interval", "nan"], &["--interval", "NaN"]);
    refused(&["run", "manet", "--interval", "0.002"], &["--interval", "--engine interval"]);
    refused(&["run", "manet", "--warm-up", "100"], &["--warm-up", "before the end at 100 s"]);
    refused(&["run", "manet", "--nodes", "9", "--trace", "examples/manet/convoy.tcl"], &["--nodes", "the trace has"]);
    refused(&["run", "manet", "examples/manet/convoy.toml", "--within", "9"], &["--within", "`pairs`"]);
    let options = [("--rate", "nan"), ("--within", "-1"), ("--horizon", "inf"), ("--replications", "0")];
    for (option, value) in options {
        refused(&["run", "manet", &format!("{option}={value}")], &[option, "takes"]);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.toml");
    fs::write(&path, "[network]\nnodes = 5\n[traffic]\nsenders = 6\n").unwrap();
    refused(&["run", "manet", path.to_str().unwrap()], &["net.toml", "line 4", "traffic.senders", "5 nodes"]);
}

/// Sizes beyond all memory are refused before anything is allocated.
#[test]
fn networks_that_no_memory_holds_are_refused() {
    let one = ["run", "manet", "--backend", "cpu"];
    refused(&[&one[..], &["--replications", "4000000000"]].concat(), &["--replications 4000000000", "give at most"]);
    refused(&[&one[..], &["--nodes", "500000000"]].concat(), &["--nodes 500000000", "give at most"]);
}
