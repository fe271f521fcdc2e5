//! The command line, as a person or a script meets it.

#![allow(clippy::unwrap_used)]

mod cells;
mod classes;
mod compared;
mod configured;
mod decided;
mod devices;
#[cfg(feature = "maps")]
mod fires;
mod full_disk;
#[cfg(feature = "maps")]
mod hillside;
mod kernels;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(feature = "models")]
mod manet;
#[cfg(feature = "maps")]
mod maps;
#[cfg(feature = "models")]
mod models;
mod networks;
mod nodes;
mod opened;
#[cfg(feature = "cpu")]
mod program;
mod refusals;
mod results;
mod studies;
mod traffic;
mod traffic_refusals;
mod written;

use imminent::models::queueing::Report;
use imminent::models::queueing::config::TorusConfig;
use serde_json::Value;
use std::process::{Command, Output};

/// The folder of the project, where its examples are.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn imminent(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_imminent")).args(args).current_dir(ROOT).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = imminent(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a command that asks for something impossible: exit status 2, nothing on standard output, and these words.
fn refused(args: &[&str], words: &[&str]) {
    let output = imminent(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

const SMALL: [&str; 9] = ["run", "torus", "--width", "8", "--height", "6", "--horizon", "200", "--json"];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

#[test]
fn a_run_prints_everything_that_was_promised() {
    let report = json(&small(&["--replications", "3", "--start", "stationary", "--seed", "7", "--backend", "cpu"]));
    // Whatever is missing, misnamed or of another type is an error here.
    let typed: Report<TorusConfig> = serde_json::from_value(report.clone()).unwrap();
    assert!(typed.events > 0 && typed.events_per_s.is_some(), "{report}");
    for name in ["utilization", "throughput", "queue_length", "waiting", "sojourn"] {
        assert!(report["stats"][name]["ci95"].is_f64(), "{name}");
    }
    assert_eq!(
        (report["model"].as_str(), report["backend"].as_str(), report["seed"].as_u64()),
        (Some("torus"), Some("cpu"), Some(7))
    );
    assert!(json(&SMALL)["stats"]["utilization"]["ci95"].is_null(), "one replication has no interval");
}

#[test]
fn every_exact_engine_has_the_same_digest() {
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let oracle = digest(&["--engine", "sequential"]);
    for more in [
        &["--backend", "cpu"][..],
        &["--backend", "cpu", "--schedule", "tiles"],
        &["--backend", "cpu", "--schedule", "tiles", "--device-option", "threads=1"],
        &["--backend", "cpu", "--engine", "interval", "--interval", "0"],
    ] {
        assert_eq!(digest(more), oracle, "{more:?}");
    }
    assert_ne!(digest(&["--seed", "2"]), oracle);
    assert_ne!(digest(&["--engine", "interval", "--interval", "2"]), oracle);
}

#[cfg(feature = "wgpu")]
#[test]
fn webgpu_has_the_digest_of_the_cpu() {
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let cpu = digest(&["--backend", "cpu"]);
    for int64 in ["int64=native", "int64=emulated"] {
        assert_eq!(digest(&["--backend", "wgpu", "--device-option", int64]), cpu, "{int64}");
    }
}

/// Replications of a small network run side by side, and on this device one after the other too, by another engine.
/// Runs that sample the statistics once are simulated by the engine of simple networks.
#[test]
fn replications_side_by_side_have_the_digest_of_the_oracle() {
    for looks in [&["--replications", "7"][..], &["--replications", "6", "--warm-up", "50", "--batches", "3"]] {
        let run = |more: &[&str]| json(&small(&[looks, more].concat()));
        let oracle = run(&["--engine", "sequential"]);
        for more in [
            &["--backend", "cpu"][..],
            &["--backend", "cpu", "--device-option", "threads=1"],
            &["--backend", "cpu", "--device-option", "threads=3"],
            &["--backend", "cpu", "--schedule", "tiles"],
        ] {
            let found = run(more);
            assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{more:?}");
        }
    }
}

#[test]
fn output_is_analysed_as_asked() {
    let batches = json(&small(&["--warm-up", "40", "--batches", "8", "--engine", "sequential"]));
    assert_eq!(
        batches["analysis"],
        serde_json::json!({"replications": 1, "samples": 8, "warm_up": 40.0, "observed": 160.0, "count": "ended", "confidence": 0.95})
    );
    assert!(batches["stats"]["sojourn"]["ci95"].is_f64());
    let same = json(&small(&["--warm-up", "40", "--batches", "8", "--backend", "cpu"]));
    assert_eq!((&same["stats"], &same["digest"]), (&batches["stats"], &batches["digest"]));
    let counted = json(&small(&["--until-count", "100", "--check", "5"]));
    let time = counted["simulated_time"].as_f64().unwrap();
    assert!(time < 200.0 && time % 5.0 == 0.0, "{counted}");
    let precise = json(&small(&["--precision", "0.05", "--measure", "utilization", "--replications", "50"]));
    assert!((5..50).contains(&precise["analysis"]["samples"].as_u64().unwrap()), "{precise}");
    let settled =
        json(&small(&["--warm-up", "mser5", "--observations", "100", "--replications", "4", "--start", "stationary"]));
    assert!(settled["analysis"]["warm_up"].is_f64(), "{settled}");
    let missed = json(&small(&["--until-count", "1000000"]));
    assert!(missed["warnings"][0].as_str().unwrap().contains("before 1000000 services"), "{missed}");
}
