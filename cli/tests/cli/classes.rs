//! Statistics of classes.

use super::{imminent, json, refused, text};
use std::fs;

const HOSPITAL: [&str; 9] =
    ["run", "network", "examples/networks/hospital.toml", "--horizon", "400", "--warm-up", "50", "--batches", "5"];

#[test]
fn classes_are_the_same_from_every_exact_engine() {
    let with = |more: &[&str]| json(&[&HOSPITAL[..], &["--by-class", "--json"], more].concat());
    let oracle = with(&["--engine", "sequential"]);
    let classes = oracle["classes"].as_object().unwrap();
    assert!(classes.len() > 1, "{oracle}");
    for schedule in ["events", "tiles"] {
        let exact = with(&["--backend", "cpu", "--schedule", schedule]);
        assert_eq!((&exact["classes"], &exact["digest"]), (&oracle["classes"], &oracle["digest"]), "{schedule}");
    }
    let sum: f64 = classes.values().map(|class| class["throughput"]["mean"].as_f64().unwrap()).sum();
    assert!((sum / oracle["stats"]["throughput"]["mean"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert!(classes.values().all(|class| class["sojourn"]["ci95"].is_f64()), "{oracle}");
    assert!(json(&[&HOSPITAL[..], &["--json"]].concat()).get("classes").is_none());
    let output = imminent(&[&HOSPITAL[..], &["--by-class"]].concat());
    let name = classes.keys().next().unwrap();
    assert!(text(&output.stdout).contains(&format!("│ class {name} ")), "{}", text(&output.stdout));
    let of_system = |report: &serde_json::Value| report["system"]["classes"].clone();
    assert_eq!(of_system(&oracle).as_array().map(Vec::len), Some(classes.len()));
    assert_eq!(oracle["system"]["chains"][0]["name"], "urgent, mild, kept");
    assert_eq!(of_system(&with(&["--backend", "cpu", "--schedule", "tiles"])), of_system(&oracle));
    let interval = ["run", "torus", "--engine", "interval", "--interval", "1", "--by-class"];
    refused(&interval, &["--by-class", "exact engine"]);
}

#[test]
fn the_tables_of_classes_add_up_to_those_of_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let command = [&HOSPITAL[..], &["--by-class", "--out", out.to_str().unwrap()]].concat();
    assert!(imminent(&command).status.success());
    let table = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let (nodes, classes) = (table("nodes.csv"), table("classes.csv"));
    let sum = |table: &str, column: &str| {
        let mut lines = table.lines();
        let place = lines.next().unwrap().split(',').position(|name| name == column).unwrap();
        lines.map(|line| line.split(',').nth(place).unwrap().parse::<u64>().unwrap()).sum::<u64>()
    };
    for column in ["served", "completed", "busy_ticks", "sojourn_ticks", "number_integral_ticks", "arrivals", "lost"] {
        assert_eq!(sum(&nodes, column), sum(&classes, column), "{column}");
    }
    assert!(sum(&nodes, "arrivals") > 0 && classes.lines().count() > nodes.lines().count(), "{classes}");
    #[cfg(feature = "parquet")]
    {
        let rows = super::results::rows(&out.join("classes.parquet"));
        assert_eq!(rows.len() + 1, classes.lines().count());
        assert!(table("report.html").contains("<h2>Classes</h2>"));
    }
    // A second run may replace what the first one wrote.
    assert!(imminent(&command).status.success());
}
