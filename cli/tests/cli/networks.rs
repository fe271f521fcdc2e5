//! Networks of queues, from files and from rules.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;

#[test]
fn a_network_runs_from_its_file() {
    let report =
        json(&["run", "network", "examples/networks/nsfnet.graphml", "--tokens", "2", "--horizon", "500", "--json"]);
    assert!(report["events"].as_u64() > Some(300), "{report}");
    assert_eq!(report["config"]["network"]["tokens"], 2);
}

#[test]
fn what_is_not_a_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, contents: &str| {
        let file = folder.path().join(name);
        fs::write(&file, contents).unwrap();
        file.to_str().unwrap().to_owned()
    };
    refused(&["run", "network", &write("page.graphml", "<html><body/></html>")], &["page.graphml", "graphml"]);
    refused(&["run", "network", &write("cut.graphml", "<graphml><graph")], &["cut.graphml"]);
    let dead_end = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    refused(&["run", "network", &write("dead.graphml", dead_end)], &["b"]);
    refused(&["run", "network", "no-such.graphml"], &["no-such.graphml"]);
    refused(&["run", "network"], &["<FILE>"]);
}

#[test]
fn the_example_networks_run() {
    for (name, nodes) in [("call-centre", 5), ("hospital", 6), ("overloaded", 3)] {
        let file = format!("examples/networks/{name}.toml");
        let run = |engine: &str| {
            json(&["run", "network", &file, "--horizon", "300", "--engine", engine, "--backend", "cpu", "--json"])
        };
        let (exact, sequential) = (run("exact"), run("sequential"));
        assert_eq!(exact["digest"], sequential["digest"], "{name}");
        assert!(exact["events"].as_u64() > Some(100), "{name}: {exact}");
        let table = text(&imminent(&["run", "network", &file, "--horizon", "300", "--backend", "cpu"]).stdout);
        assert!(table.contains(&format!("{nodes} nodes")), "{table}");
        let unstable = table.contains("warning: the network is unstable: node 'first' is offered 1.2500 times");
        assert_eq!(unstable, name == "overloaded", "{table}");
    }
    // Blocking is for the engines of the host, one of which is taken.
    let line = "examples/networks/production-line.toml";
    let report = json(&["run", "network", line, "--horizon", "500", "--replications", "1", "--json"]);
    assert_eq!((&report["engine"], &report["backend"]), (&Value::from("host"), &Value::from("none")));
    let output = imminent(&["run", "network", line, "--engine", "exact", "--backend", "cpu"]);
    assert!(!output.status.success() && text(&output.stderr).contains("`auto` or `host`"), "{}", text(&output.stderr));
}

#[test]
fn a_day_runs_on_the_threads_of_the_host() {
    let day = ["run", "network", "examples/networks/day.toml", "--replications", "8"];
    let report = json(&[&day[..], &["--json", "--end-to-end", "--histogram", "--by-class"]].concat());
    assert_eq!((&report["engine"], &report["device"]), (&Value::from("host"), &Value::from("the threads of the host")));
    let agents = &report["nodes"][0];
    assert!(agents["name"] == "agents" && agents["reneged"].as_u64() > Some(100), "{agents}");
    // Two languages, each with its own door.
    assert_eq!(report["system"]["classes"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["end_to_end"].as_array().map(Vec::len), Some(3));
    let table = text(&imminent(&day).stdout);
    assert!(table.contains("reneging") && table.contains("device: the threads of the host"), "{table}");
}

#[test]
fn a_day_has_results_by_the_hour() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let day = ["run", "network", "examples/networks/day.toml", "--replications", "8", "--every", "60", "--beyond", "2"];
    let report = json(&[&day[..], &["--json", "--out", out]].concat());
    let periods = report["periods"].as_array().unwrap();
    assert_eq!((periods.len(), periods[23]["to"].as_f64()), (24, Some(1440.0)));
    let agents = |hour: usize, name: &str| periods[hour]["nodes"][0]["stats"][name].clone();
    assert!(agents(11, "waits_beyond_2")["ci95"].is_f64() && agents(11, "reneging")["mean"].as_f64() > Some(0.05));
    assert_eq!((&agents(3, "number")["mean"], &agents(3, "waiting")), (&Value::from(0.0), &Value::Null));
    // All hours together have the number of the day.
    let mean = |of: &Value| of["number"]["mean"].as_f64().unwrap();
    let all = periods.iter().map(|period| mean(&period["system"])).sum::<f64>() / 24.0;
    assert!((all - mean(&report["system"])).abs() < 1e-9, "{all}");
    let csv = fs::read_to_string(folder.path().join("periods.csv")).unwrap();
    assert!(csv.starts_with("label,from,to,arrival_rate,arrival_rate_ci95,throughput,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 24 * 2);
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("waits beyond 2 in each period, at its middle."));
    let table = text(&imminent(&day).stdout);
    assert!(table.contains("│ 660  ┆ 720  ┆") && table.contains("│ agents ┆ 660  ┆ 720  ┆"), "{table}");
    refused(&[&day[..], &["--observations", "5"]].concat(), &["observations", "at the end of each"]);
    refused(&[&day[..3], &["--replications", "1", "--every", "60", "--batches", "5"]].concat(), &["every", "batches"]);
}

#[test]
fn lines_in_tandem_run() {
    let open = ["run", "open", "--lines", "4", "--servers", "3", "--horizon", "2000", "--backend", "cpu", "--json"];
    let report = json(&open);
    assert_eq!(report["config"]["open"]["lines"], 4);
    assert_eq!(report["warnings"], Value::Array(vec![]));
    assert!(report["utilization_expected"].as_f64().is_some_and(|expected| (expected - 0.5).abs() < 1e-9), "{report}");
    assert_eq!(report["fingerprint"].as_str().map(str::len), Some(32));
    let sequential = json(&[&open[..], &["--engine", "sequential"]].concat());
    assert_eq!(report["digest"], sequential["digest"]);
    let shared = json(&[&open[..], &["--shared", "--interarrival", "9"]].concat());
    assert!(shared["warnings"][0].as_str().is_some_and(|warning| warning.contains("unstable")), "{shared}");
    refused(&["run", "open", "--lines", "0"], &["--lines 0: ", "'lines'", "at least 1"]);
    refused(&["run", "open", "examples/networks/hospital.toml"], &["hospital.toml", "expected `open` or `run`"]);
}

#[test]
fn options_say_what_stations_are_like() {
    let zoo = "examples/networks/nsfnet.graphml";
    let run = |more: &[&str]| {
        json(&[&["run", "network", zoo, "--horizon", "200", "--backend", "cpu", "--json"], more].concat())
    };
    let plain = run(&[]);
    let erlang = run(&[
        "--service-law",
        "erlang",
        "--service-stages",
        "3",
        "--service-mean",
        "4",
        "--servers",
        "2",
        "--discipline",
        "lifo",
    ]);
    assert_ne!(plain["digest"], erlang["digest"]);
    assert_eq!(erlang["config"]["network"]["service"]["stages"], 3);
    assert_eq!(
        run(&["--service-law", "deterministic", "--service-value", "4"])["config"]["network"]["service"]["value"],
        4.0
    );
    refused(
        &["run", "network", zoo, "--service-law", "erlang", "--service-mean", "4"],
        &["--service-law erlang: ", "'stages' is missing"],
    );
    refused(&["run", "network", zoo, "--service-law", "cauchy"], &["--service-law", "cauchy"]);
    refused(&["run", "network", zoo, "--service-cv", "2"], &["--service-cv 2: ", "exponential"]);
    // Earlier names answer with today's.
    refused(&["run", "network", zoo, "--law", "erlang"], &["--law is called --service-law now"]);
    refused(&["run", "network", zoo, "--sink", "n5"], &["--sink is called --graph-sinks now"]);
    refused(&["run", "network", zoo, "--servers", "0"], &["--servers 0: ", "at least 1"]);
}

#[test]
fn a_network_is_written_for_jsimgraph_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let convert = |from: &str, to: &str| assert!(imminent(&["convert", from, to]).status.success(), "{from} to {to}");
    let (hospital, jsimg, toml) = ("examples/networks/hospital.toml", path("hospital.jsimg"), path("again.toml"));
    convert(hospital, &jsimg);
    convert(&jsimg, &toml);
    let run = |file: &str| {
        json(&["run", "network", file, "--horizon", "2000", "--replications", "1", "--backend", "cpu", "--json"])
    };
    // Nodes, classes and routes keep their order, and laws their ticks.
    let digest = run(hospital)["digest"].clone();
    assert_eq!((&run(&jsimg)["digest"], &run(&toml)["digest"]), (&digest, &digest));
    refused(&["convert", hospital, &jsimg], &["hospital.jsimg: is there already"]);
    refused(&["convert", hospital, "hospital.xml"], &["hospital.xml: ", "name it .toml or .jsimg"]);
    refused(&["convert", hospital, &path("other.toml")], &["only a model of JSIMgraph is written as TOML"]);
    refused(&["run", "network", &jsimg, "--mean", "3"], &["network.jsimg", "the whole network comes from this file"]);
}

#[test]
fn what_is_wrong_with_a_network_is_said_with_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    let path = file.display().to_string();
    let node = "[[network.node]]\nname = 'a'\n[[network.route]]\nfrom = 'a'\nto = 'a'\n";
    for (text, words) in [
        (format!("{node}probability = 0.5\n"), ["line 6", "network.route[0].probability", "add up to 0.5"]),
        (format!("{node}wieght = 0.5\n"), ["line 6", "wieght", "unknown field"]),
        ("[[network.node]]\nname = 'a'\nmean = -1".to_owned(), ["line 3", "network.node[0].mean", "above 0"]),
    ] {
        fs::write(&file, text).unwrap();
        refused(&["run", "network", &path], &[&[path.as_str()], &words[..]].concat());
    }
}
