//! Mobile ad hoc networks from the command line.

use super::{ROOT, imminent, json, refused};
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

/// Options whose effect files alone show need a folder for them.
#[test]
fn options_of_files_need_a_folder() {
    let words = |option: &'static str| [option, "the files of --out alone", "add --out DIR"];
    refused(&short(&["--routes"]), &words("--routes: "));
    refused(&short(&["--trajectories", "5"]), &words("--trajectories 5: "));
    refused(&["run", "traffic", "--generate", "campus", "--series", "3"], &words("--series 3: "));
}

/// Nodes enter at 30 and 40 s, and the last one leaves at 70 s. The trajectories of such a run give its result, and say
/// for how long nobody is there.
#[test]
fn trajectories_of_nodes_that_enter_late_are_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let rows = |car: &str, x: u32, [enter, leave]: [u32; 2]| {
        (enter..leave).step_by(5).map(|time| format!("{time},{car},{x},0\n")).collect::<String>()
    };
    let nodes = [rows("b", 0, [30, 65]), rows("c", 200, [30, 70]), rows("a", 400, [40, 70])].concat();
    fs::write(at("late.csv"), format!("time,node,x,y\n0,,,\n{nodes}70,,,\n")).unwrap();
    let run = |trace: &str, out: &str| {
        let flow = "traffic.flow=[{from = 'b', to = 'a', start = 35}, {from = 'a', to = 'b', start = 41}]";
        let args = ["--trace", trace, "--set", flow, "--replications", "2", "--horizon", "100", "--trajectories", "5"];
        json(&[&["run", "manet", "--json", "--out", out], &args[..]].concat())
    };
    let (first, second) = (at("first"), at("second"));
    let report = run(&at("late.csv"), &first);
    let again = run(&format!("{first}/trajectories.csv"), &second);
    assert!(report["replications"][0]["delivered"].as_u64() > Some(20), "{report}");
    assert_eq!(again["digest"], report["digest"]);
    let table = |folder: &str| fs::read_to_string(format!("{folder}/trajectories.csv")).unwrap();
    assert_eq!(table(&first), table(&second));
    let lines = table(&first);
    let away: Vec<&str> = lines.lines().filter(|line| line.contains(",,,")).collect();
    // From 0 to 25 s, and from 70 to 100 s.
    assert_eq!((lines.lines().count(), away.len()), (1 + 7 + 8 + 6 + 6 + 7, 6 + 7), "{lines}");
}

/// A car that SUMO leaves out for some time is told of.
#[test]
fn cars_that_are_left_out_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cars.xml");
    let step = |time: u32| {
        let car = |name: &str, x: u32| format!("<vehicle id='{name}' x='{x}' y='0'/>");
        let second = if (3..6).contains(&time) { String::new() } else { car("b", 90 + time) };
        format!("<timestep time='{time}'>{}{second}</timestep>", car("a", 10 * time))
    };
    fs::write(&file, format!("<fcd-export>{}</fcd-export>", (0..20).map(step).collect::<String>())).unwrap();
    let report = json(&short(&["--trace", file.to_str().unwrap()]));
    let told = report["warnings"].to_string();
    assert!(told.contains("network.trace: 1 node has no position for some time; it stays"), "{told}");
}

/// The prediction of a comparison is that of all its configurations, whatever their order is.
#[test]
fn a_comparison_of_protocols_predicts_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = |protocol: &str| {
        let path = folder.path().join(protocol).display().to_string();
        fs::write(&path, format!("[network]\nnodes = 20\n[routing]\nprotocol = '{protocol}'\n")).unwrap();
        path
    };
    let [gpsr, aodv] = ["gpsr", "aodv"].map(file);
    let predicted = |files: [&str; 2]| {
        let args = ["--model", "manet", "--replications", "2", "--horizon", "100", "--explain", "--backend", "cpu"];
        let ran = imminent(&[&["compare"], &files[..], &args[..]].concat());
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success(), "{told}");
        let host = told.lines().find(|line| line.trim_start().starts_with("host,")).unwrap().to_owned();
        (host, told)
    };
    let [both, other] = [predicted([&gpsr, &aodv]), predicted([&aodv, &gpsr])];
    assert_eq!(both.0, other.0, "{both:?}");
    // 20 nodes for 100 s twice by GPSR, and 2.25 times as much by AODV.
    assert!(both.1.contains("about 13000 simulated seconds of nodes"), "{both:?}");
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
