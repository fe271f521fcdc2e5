//! Mobile ad hoc networks from the command line.

use super::{ROOT, json, refused};
use std::fs;

const SHORT: [&str; 7] = ["run", "manet", "--horizon", "20", "--replications", "2", "--json"];

fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SHORT[..], more].concat()
}

/// Motions differ, and each is the same for the sequential program and for threads of the host.
#[test]
fn every_motion_has_a_digest_of_its_own() {
    let motions = ["waypoints", "gauss-markov", "manhattan", "static"];
    let mut digests = motions.map(|motion| {
        let run = |engine: &str| json(&short(&["--mobility", motion, "--engine", engine]))["digest"].to_string();
        let digest = run("exact");
        assert_eq!(digest, run("sequential"), "{motion}");
        digest
    });
    digests.sort();
    assert!(digests.windows(2).all(|pair| pair[0] != pair[1]), "{digests:?}");
}

/// The processor simulates AODV, by its own backend or by none, and `auto` takes it.
#[test]
fn aodv_runs_on_the_processor() {
    let run = |more: &[&str]| json(&short(&[&["--protocol", "aodv"], more].concat()));
    let reports =
        [run(&[]), run(&["--backend", "cpu", "--device-option", "threads=2"]), run(&["--engine", "sequential"])];
    assert!(reports.iter().all(|report| report["digest"] == reports[0]["digest"]));
    assert_eq!((&reports[0]["backend"], &reports[1]["backend"]), (&"cpu".into(), &"cpu".into()));
    assert!(reports[0]["stats"]["routing_load"]["mean"].as_f64() > Some(0.1));
    assert!(reports[0]["replications"][0]["lost"]["no route"].is_u64());
    assert_eq!(json(&short(&[]))["replications"][0]["control"], 0);
    refused(&short(&["--protocol", "aodv", "--retries", "0"]), &["retries", "broken links", "at least 1"]);
    refused(&short(&["--net-diameter", "9"]), &["--net-diameter 9: has no effect", "is not `aodv`"]);
    refused(&short(&["--protocol", "aodv", "--planar", "gabriel"]), &["--planar", "AODV sends no beacons"]);
    refused(&short(&["--protocol", "dsr"]), &["gpsr", "aodv"]);
    // Every other backend that has a device is refused by its name.
    for backend in json(&["devices", "--json"])["backends"].as_array().unwrap() {
        let name = backend["backend"].as_str().unwrap();
        let has_device = backend["devices"].as_array().is_some_and(|devices| !devices.is_empty());
        if name != "cpu" && has_device {
            let named = format!("backend `{name}`");
            let words = [named.as_str(), "choose the backend `cpu` (--backend cpu)"];
            refused(&short(&["--protocol", "aodv", "--backend", name]), &words);
        }
    }
}

#[test]
fn keys_of_another_motion_are_told() {
    refused(&short(&["--memory", "0.5"]), &["--memory 0.5: has no effect", "gauss-markov"]);
    refused(&short(&["--mobility", "static", "--turn", "0.5"]), &["--turn 0.5: has no effect", "static nodes"]);
    refused(&short(&["--mobility", "manhattan", "--block", "5000"]), &["block", "5000"]);
    refused(&short(&["--mobility", "gauss-markov", "--update", "0"]), &["update", "0.01"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("still.toml");
    fs::write(&file, "[network]\nmobility = \"static\"\nspeed = [0, 1]\n[gauss_markov]\nmemory = 0.5\n").unwrap();
    let report = json(&short(&[file.to_str().unwrap()]));
    let warned = report["warnings"].to_string();
    for words in ["line 3: network.speed: has no effect: static nodes", "gauss_markov: has no effect"] {
        assert!(warned.contains(words), "`{words}` is not in: {warned}");
    }
}

/// Flows and nodes of SUMO's file have its names, in JSON and in every table.
#[test]
fn names_of_a_trace_are_in_all_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result");
    let args =
        ["run", "manet", "examples/manet/alarms.toml", "--replications", "1", "--trajectories", "10", "--routes"];
    let report = json(&[&args[..], &["--json", "--out", out.to_str().unwrap()]].concat());
    assert_eq!((report["flows"][3]["from_name"].as_str(), report["flows"][3]["to"].as_u64()), (Some("car.2"), Some(4)));
    let lines = |name: &str| -> Vec<String> {
        fs::read_to_string(out.join(name)).unwrap().lines().map(str::to_owned).collect()
    };
    let ends = [
        ("nodes.csv", "load,name", "\"car.0\""),
        ("flows.csv", "from_name,to_name", "\"car.0\",\"car.1\""),
        ("trajectories.csv", "y,name", "\"car.0\""),
        ("routes.csv", "from_name,to_name", "\"car.0\",\"car.1\""),
    ];
    for (name, head, row) in ends {
        let lines = lines(name);
        assert!(
            lines[0].ends_with(head) && lines.iter().any(|line| line.ends_with(row)),
            "{name}: {}",
            lines[..2].join("\n")
        );
    }
    // A flow cannot name a node that the trace lacks.
    let file = folder.path().join("wrong.toml");
    let text =
        fs::read_to_string(format!("{ROOT}/examples/manet/alarms.toml")).unwrap().replace("\"car.4\"", "\"bus\"");
    let trace = fs::canonicalize(format!("{ROOT}/examples/manet/cars.xml")).unwrap();
    fs::write(&file, text.replace("\"cars.xml\"", &format!("{trace:?}"))).unwrap();
    refused(&["run", "manet", file.to_str().unwrap()], &["traffic.flow[3].to", "no node `bus`", "car.0"]);
}
