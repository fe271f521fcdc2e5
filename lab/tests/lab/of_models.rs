//! Runs, benchmarks and figures of the models of the catalogue.

use super::{json, lab, refused, text};
use std::fs;

/// Runs of one configuration have one digest.
#[test]
fn models_of_the_catalogue_are_measured() {
    let small = ["bench", "model", "--backend", "cpu", "--time", "1", "--json"];
    let runs = json(&[&small[..], &["overhead", "--set", "per_module=8"]].concat());
    let figure = &runs["figures"][0];
    assert_eq!((figure["model"].as_str(), figure["events"].as_u64()), (Some("overhead"), Some(8)), "{runs}");
    assert!(figure["first_s"].as_f64() > Some(0.0) && figure["runs"].as_u64() >= Some(5), "{runs}");
    assert!(figure["digest"].as_str().is_some_and(|digest| digest.len() == 64), "{runs}");
    refused(&["bench", "model", "no-such-model"], &["no-such-model", "give one of", "overhead"]);
    refused(&["bench", "model", "overhead", "--set", "per_module"], &["--set per_module", "KEY=VALUE"]);
    refused(&["bench", "model", "overhead", "--set", "per_module=few"], &["--set per_module=few", "whole numbers"]);
    refused(&["bench", "model", "--set", "per_module=8"], &["required", "MODEL"]);
}

/// A model brings benchmarks of its engines: each packet of every graph is delivered.
#[test]
fn benchmarks_of_models_are_measured() {
    let delivered = json(&["bench", "delivery", "--backend", "cpu", "--instances", "20", "--json"]);
    let figures = delivered["figures"].as_array().unwrap();
    let counts = figures.iter().map(|figure| (figure["instances"].as_u64(), figure["lost"].as_u64()));
    assert_eq!(counts.collect::<Vec<_>>(), [(Some(20), Some(0)); 2], "{delivered}");
    let small = ["bench", "manet", "--backend", "cpu", "--nodes", "8", "--seconds", "4", "--sequential", "--json"];
    let networks = json(&small);
    assert_eq!(networks["figures"][0]["nodes"], 8, "{networks}");
    refused(&["bench", "manet", "--nodes", "1"], &["--nodes 1: takes whole numbers from 2"]);
}

/// A model brings figures of its publication: the oracle and a device have the same means, to the bit.
#[test]
fn figures_of_models_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let small = ["figures", "manet", "5-8", "--on", "host,cpu:1", "--nodes", "8", "--intervals", "0,2"];
    let rest = ["--seconds", "8", "--replications", "2", "--out", folder.path().to_str().unwrap()];
    let output = lab(&[&small[..], &rest].concat());
    let told = text(&output.stdout);
    assert!(output.status.success() && told.contains("Figure 5-8"), "{told}{}", text(&output.stderr));
    let mut csv = csv::Reader::from_path(folder.path().join("figures.csv")).unwrap();
    let delay = csv.headers().unwrap().iter().position(|name| name == "delay").unwrap();
    let rows: Vec<_> = csv.records().map(|row| row.unwrap()[delay].to_owned()).collect();
    // Two intervals, each in two places.
    assert!(rows.len() == 4 && rows.chunks(2).all(|places| places[0] == places[1]), "{rows:?}");
    let page = fs::read_to_string(folder.path().join("figures.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 1, "{page}");
}

/// Places where nothing is measured, and settings that fail everywhere, give no empty tables.
#[test]
fn figures_of_which_nothing_is_measured_are_refused() {
    refused(&["figures", "queueing", "--on", "host"], &["not measured in these places", "--on"]);
    let failed = lab(&["figures", "studies", "13", "--on", "cpu:1", "--seconds", "1e300"]);
    let told = text(&failed.stderr);
    assert!(!failed.status.success() && failed.stdout.is_empty(), "{told}");
    assert!(told.contains("nothing was measured: what mesh") && told.contains("on cpu:1: "), "{told}");
}
