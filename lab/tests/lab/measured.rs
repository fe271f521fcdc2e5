//! Tests of `lab bench` and `lab figures`.

use super::{json, lab, refused, text};
use serde_json::Value;
use std::fs;
use std::time::Duration;

#[test]
fn launches_and_transfers_are_measured() {
    let costs = json(&["bench", "launch", "--backend", "cpu", "--time", "5", "--json"]);
    assert_eq!((&costs["bench"], &costs["device"]["backend"]), (&Value::from("launch"), &Value::from("cpu")));
    let figures = costs["figures"].as_array().unwrap();
    assert!(figures.len() > 5 && figures.iter().all(|figure| figure["median_s"].as_f64() > Some(0.0)), "{costs}");
    let rates = json(&["bench", "transfer", "--backend", "cpu", "--time", "5", "--most", "1", "--json"]);
    let figures = rates["figures"].as_array().unwrap();
    assert_eq!(figures.iter().filter(|figure| figure["bytes"] == 1 << 20).count(), 5, "{rates}");
    assert!(figures.iter().all(|figure| figure["bytes_per_s"].as_f64() > Some(0.0)), "{rates}");
    let table = text(&lab(&["bench", "launch", "--backend", "cpu", "--time", "1"]).stdout);
    assert!(table.contains("step of a loop") && table.contains("us each"), "{table}");
    let fluids =
        json(&["bench", "fluids", "--backend", "cpu", "--time", "1", "--campuses", "1", "--sequential", "2", "--json"]);
    assert_eq!(fluids["figures"][0]["flows"], 5040);
    assert!(fluids["figures"][0]["sequential"].as_f64().unwrap() > 0.0);
    let small =
        ["bench", "hybrid", "--backend", "cpu", "--time", "1", "--warm-up", "30", "--batch", "0,2", "--on-host"];
    let hybrid = json(&[&small[..], &["--campuses", "1", "--shares", "0.01", "--sessions", "10", "--json"]].concat());
    let figures = hybrid["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 2 * 2 * 2, "{hybrid}");
    for figure in figures {
        let value = |key: &str| figure[key].as_f64().unwrap();
        assert!(
            value("seconds_per_second") > 0.0 && value("packet_sessions") >= 10.0 && value("shared_queues") > 0.0,
            "{figure}"
        );
        let shares = ["packets", "waiting", "launches", "transfers"].map(value);
        let all = shares.iter().sum::<f64>();
        assert!(shares.iter().all(|share| *share >= 0.0) && all > 0.0 && all < 1.1, "{figure}");
        let on_host = figure["fluids"] == "host";
        assert_eq!([figure["fluids_alone"].is_null(), figure["kernels"].is_null()], [on_host; 2], "{figure}");
    }
    refused(&["bench", "hybrid", "--shares", "1.5"], &["--shares 1.5", "0 to 1"]);
    refused(&["bench", "transfer", "--most", "0"], &["--most"]);
    refused(&["bench", "juggling"], &["juggling", "lab bench"]);
}

#[test]
fn the_figures_of_hybrid_traffic_are_measured_within_a_budget() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let small =
        ["figures", "traffic", "--on", "cpu:1,host", "--campuses", "1,2", "--shares", "0,0.01", "--middle", "1"];
    let rest = ["--more-shares", "0.02", "--batches", "0,2", "--budget", "0.05", "--warm-up", "30", "--out", out];
    let output = lab(&[&small[..], &rest].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(
        ["Figure 8", "Figure 9", "Figure 10", "| 2 | 1 % | lock-step |"].iter().all(|word| told.contains(word)),
        "{told}"
    );
    let mut csv = csv::Reader::from_path(folder.path().join("figures.csv")).unwrap();
    let names = csv.headers().unwrap().clone();
    let [place, seconds, simulated] =
        ["on", "seconds_per_second", "simulated_s"].map(|name| names.iter().position(|own| own == name).unwrap());
    let points: Vec<_> = csv.records().map(Result::unwrap).collect();
    // Two places, each with four points of figure 8, one of figure 9 and four of figure 10.
    assert_eq!(points.len(), 2 * (4 + 1 + 4), "{points:?}");
    for point in points {
        assert!(["cpu:1", "host"].contains(&&point[place]), "{point:?}");
        assert!([seconds, simulated].iter().all(|at| point[*at].parse::<f64>().unwrap() > 0.0), "{point:?}");
    }
    let page = fs::read_to_string(folder.path().join("figures.html")).unwrap();
    // Two places, their comparison, and both beside the paper; one of shares; one for each place.
    assert_eq!(page.matches("<svg").count(), 2 + 1 + 1 + 1 + 2, "{page}");
    refused(&["figures", "traffic", "--on", "cpu:x"], &["cpu:THREADS", "`x`"]);
    refused(&["figures", "traffic", "--budget", "0"], &["--budget 0: takes numbers from 0.001"]);
    refused(&["figures", "traffic", "11"], &["11", "possible values"]);
}

#[test]
fn the_figures_of_parameter_studies_are_measured_within_a_budget() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let small = ["figures", "studies", "--on", "cpu:1,host", "--simulations", "1,4", "--modules", "1,2"];
    let less = ["--events", "4", "--iterations", "10", "--events-in-all", "64", "--states", "72,256"];
    let rest = ["--middle", "2", "--streams", "1", "--seconds", "1.1", "--seeds", "1", "--budget", "0.001", "--out"];
    let output = lab(&[&small[..], &less, &rest, &[out]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    for words in ["Figure 6", "Figure 9", "Figure auto", "Figure 12", "of one)", "one alone, one core"] {
        assert!(told.contains(words) && !told.contains("left out"), "{told}");
    }
    let mut csv = csv::Reader::from_path(folder.path().join("figures.csv")).unwrap();
    let names = csv.headers().unwrap().clone();
    let [place, what, speed, events, of_all] = ["on", "what", "events_per_s", "events", "events_of_all"]
        .map(|name| names.iter().position(|own| own == name).unwrap());
    let points: Vec<_> = csv.records().map(Result::unwrap).collect();
    let count = |on: &str, work: &str| points.iter().filter(|it| &it[place] == on && &it[what] == work).count();
    // Two numbers of simulations and two of modules. One generator in order and as chosen; four in order, sorted,
    // padded and as chosen.
    assert_eq!(["lcg 1", "lcg 4"].map(|work| count("cpu:1", work)), [2 * 4, 4 * 4], "{told}");
    // Lists on the device, on the host, and there with copied states, of figures 10 and 12; seven mappings and the
    // automatic choice.
    assert_eq!(["laden", "kinds"].map(|work| count("cpu:1", work)), [3 * 4 + 3 * 4, 8 * 2], "{told}");
    // On the host nothing is mapped or transferred.
    let host = ["lcg 1", "lcg 4", "laden", "kinds"].map(|work| count("host", work));
    assert_eq!(host, [2 * 4, 2 * 4, 4 + 4, 2 * 2], "{told}");
    assert_eq!([count("cpu:1", "mesh"), count("host", "mesh"), count("host", "mesh alone")], [1; 3], "{told}");
    for point in &points {
        let [speed, events, of_all] = [speed, events, of_all].map(|at| point[at].parse::<f64>().unwrap());
        assert!(speed > 0.0 && events >= 1.0 && events <= of_all, "{point:?}");
    }
    let page = fs::read_to_string(folder.path().join("figures.html")).unwrap();
    // In each place five of generators and one of mappings; two of costs, and four more where lists can be on the host.
    // Four generators beside one for each of four mappings, of which the host has two; two of the mesh.
    assert_eq!(page.matches("<svg").count(), 2 * 6 + 2 * 2 + 4 + 4 + 2 + 2, "{page}");
    refused(&["figures", "studies", "--states", "0"], &["--states 0: takes whole numbers from 8"]);
    refused(&["figures", "studies", "14"], &["14", "possible values"]);
}

#[test]
fn the_validation_network_is_drawn_over_time() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        lab(&["figures", "validation", "--on", "cpu", "--seconds", "12", "--out", folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    for words in ["Figure 6", "Figure 7", "| 20 packet sessions, B = 1, τ = 20 | 10 to 30 |"] {
        assert!(told.contains(words), "{told}");
    }
    let mut csv = csv::Reader::from_path(folder.path().join("figures.csv")).unwrap();
    // Both figures share the simulation of ten packet sessions, B = 1 and τ = 20. Each has five samples a second.
    assert_eq!(csv.records().count(), 5 * 12 * 5, "{told}");
    let page = fs::read_to_string(folder.path().join("figures.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 1 + 3, "{page}");
    refused(&["figures", "validation", "8"], &["8", "possible values"]);
}

#[test]
fn the_figures_of_cell_spaces_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let small = ["figures", "cells", "--on", "cpu:1,cpu:2,host", "--side", "32", "--sides", "16,32", "--runs", "1"];
    let output = lab(&[&small[..], &["--hours", "2", "--flood-hours", "0.1", "--out", out]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    for words in ["Figure 11", "Figure 12", "Figure sides", "| flood | 8 SPEs beside optimized | 11.75 x |"] {
        assert!(told.contains(words) && !told.contains("left out"), "{told}");
    }
    let mut csv = csv::Reader::from_path(folder.path().join("figures.csv")).unwrap();
    let names = csv.headers().unwrap().clone();
    let at = |name: &str| names.iter().position(|own| own == name).unwrap();
    let [model, side, digest] = ["model", "side", "digest"].map(at);
    let points: Vec<_> = csv.records().map(Result::unwrap).collect();
    // Two engines and a second side of the fire, and the flood, on one and two threads; the event list of the fire.
    assert_eq!(points.len(), 2 * (2 + 1 + 1) + 1, "{points:?}");
    let of_one = points.iter().filter(|point| &point[model] == "fire" && &point[side] == "32");
    let digests: std::collections::HashSet<_> = of_one.map(|point| point[digest].to_owned()).collect();
    assert_eq!(digests.len(), 1, "{points:?}");
    let page = fs::read_to_string(folder.path().join("figures.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2 + 1 + 1, "{page}");
    refused(&["figures", "cells", "--hours", "0"], &["--hours 0: takes numbers from 0.001"]);
    refused(&["figures", "cells", "13"], &["13", "possible values"]);
}

#[test]
fn primitives_are_measured_at_the_sizes_asked_for() {
    let small = ["bench", "primitives", "--backend", "cpu", "--time", "2", "--sizes", "1000,2^11"];
    let costs = json(&[&small[..], &["--json"]].concat());
    let figures = costs["figures"].as_array().unwrap();
    let of = |what: &str| figures.iter().filter(|figure| figure["what"] == what).count();
    let found = ["min", "arg min", "sum", "sum, reproducible", "sum, unordered", "scan"].map(of);
    assert_eq!(found, [6, 6, 4, 2, 2, 2], "{costs}");
    assert_eq!(["select 1 %", "select 50 %", "sort pairs", "histogram", "gather"].map(of), [2; 5], "{costs}");
    for figure in figures {
        let positive = |key: &str| figure[key].as_f64() > Some(0.0);
        assert!(positive("bytes_per_s") && positive("share_of_copy"), "{figure}");
        assert!(figure["single"]["median_s"].as_f64() > Some(0.0), "{figure}");
    }
    assert_eq!(costs["left_out"].as_array().map(Vec::len), Some(0));
    let table = text(&lab(&[&small[..], &["--only", "scan,u64"]].concat()).stdout);
    assert!(table.contains("scan") && table.contains("u64") && !table.contains("gather"), "{table}");
    refused(&["bench", "primitives", "--sizes", "0"], &["--sizes", "2^20"]);
    refused(&["bench", "primitives", "--only", "juggling"], &["--only"]);
}

#[test]
fn what_has_no_room_is_left_out_with_the_reason() {
    let limit = ["--device-option", "memory-limit=1000000"];
    let small =
        ["bench", "primitives", "--backend", "cpu", "--time", "1", "--only", "scan", "--sizes", "100,2^19,2^20"];
    let costs = json(&[&small[..], &limit, &["--json"]].concat());
    assert_eq!(costs["figures"].as_array().map(Vec::len), Some(1), "{costs}");
    let left_out = costs["left_out"].as_array().unwrap();
    assert!(
        left_out.len() == 2 && left_out[0]["reason"].as_str().unwrap().contains("limit of 1000000 bytes"),
        "{costs}"
    );
}

#[test]
fn pipelines_are_measured_beside_their_stages() {
    let small = ["bench", "pipeline", "--backend", "cpu", "--time", "1", "--size", "1", "--items", "4", "--json"];
    let found = json(&small);
    for figure in found["figures"].as_array().unwrap() {
        let value = |key: &str| figure[key].as_f64().unwrap();
        let stages = ["upload_s", "execute_s", "download_s"].map(value);
        assert!(stages.iter().all(|seconds| *seconds > 0.0) && value("share_of_slowest") > 0.0, "{found}");
    }
    assert_eq!(found["figures"][1]["case"], "compute-bound");
    assert_eq!(found["figures"][1]["slowest"], "kernels", "{found}");
}

#[test]
fn the_papers_figures_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures");
    let quick = [
        "--services",
        "20",
        "--replications",
        "2",
        "--intervals",
        "1",
        "--sides",
        "4,8",
        "--events",
        "500",
        "--runs",
        "1",
    ];
    let command = [&["figures", "queueing", "--on", "cpu", "--out", out.to_str().unwrap()], &quick[..]].concat();
    let output = lab(&command);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("corrected by theory"), "{said}{}", text(&output.stderr));
    let mut table = csv::Reader::from_path(out.join("figures.csv")).unwrap();
    let rows: Vec<_> = table.records().map(|row| row.unwrap()[0].to_owned()).collect();
    let count = |figure: &str| rows.iter().filter(|row| row.split(' ').any(|own| own == figure)).count();
    // 5-4: two networks; 5-5: two sides, and three mean services at the papers' side; 5-6: both networks of both sides.
    // Exact, and an interval. Settings of several figures have one row.
    assert_eq!(["5-2", "5-4", "5-5", "5-6"].map(count), [12, 4, 10, 8], "{rows:?}");
    assert!(rows.contains(&"5-2 5-4 5-5".to_owned()), "{rows:?}");
    let page = fs::read_to_string(out.join("figures.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "svg").count(), 7);
    refused(&["figures", "queueing", "5-9"], &["5-9", "5-4"]);
    refused(&["figures", "queueing", "5-4", "--intervals=-1"], &["--intervals -1: takes numbers from"]);
    refused(&["figures", "queueing", "5-4", "--sides", "1"], &["--sides 1: takes whole numbers from 3"]);
}

#[test]
fn interrupted_figures_keep_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let args = [
        "figures",
        "queueing",
        "5-5",
        "--on",
        "cpu",
        "--sides",
        "8,16,128",
        "--services",
        "2000",
        "--replications",
        "50",
    ];
    for wait in [300, 1_200, 5_000, 20_000] {
        let child = super::spawn(&[&args[..], &["--out", out.to_str().unwrap()]].concat());
        std::thread::sleep(Duration::from_millis(wait));
        let output = super::interrupt(child);
        let told = text(&output.stderr);
        if told.contains("points were measured") && !told.contains("none of") {
            assert_eq!(output.status.code(), Some(1), "{told}");
            let lines = fs::read_to_string(out.join("figures.csv")).unwrap().lines().count() - 1;
            assert!(told.contains(&format!("interrupted: {lines} of ")), "{told}");
            assert!(fs::read_to_string(out.join("figures.html")).unwrap().contains("partial: interrupted"));
            return;
        }
        assert!(!out.join("figures.csv").exists(), "{told}");
    }
    panic!("no setting was measured in time");
}
