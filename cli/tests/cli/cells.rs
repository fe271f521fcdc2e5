//! `imminent run fire`, `flood` and `cells`.

use super::{json, refused};
use serde_json::Value;
use std::fs;

fn fire(more: &[&str]) -> Value {
    let small =
        ["run", "fire", "--width", "48", "--height", "32", "--ignite", "31,0", "--ignite", "3,40", "--hours", "2"];
    json(&[&small[..], more, &["--json"]].concat())
}

#[test]
fn every_engine_burns_the_same_cells() {
    let oracle = fire(&["--engine", "sequential"]);
    assert!(oracle["stats"]["cells_burnt"]["mean"].as_f64() > Some(100.0), "{oracle}");
    assert_eq!((&oracle["simulated_time"], &oracle["backend"]), (&Value::from(7_200_000), &Value::from("none")));
    for engine in ["auto", "window", "step"] {
        let found = fire(&["--backend", "cpu", "--engine", engine]);
        assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{engine}");
        // Every part takes some time.
        let [set_up, wall, read, total] =
            ["set_up_s", "wall_s", "read_s", "total_s"].map(|part| found[part].as_f64().unwrap());
        assert!(set_up > 0.0 && wall > 0.0 && read > 0.0 && wall < total, "{found}");
    }
}

#[test]
fn a_flood_keeps_its_water() {
    let small = ["run", "flood", "--width", "20", "--height", "20", "--depth", "2.5", "--hours", "0.1", "--json"];
    let oracle = json(&[&small[..], &["--engine", "sequential"]].concat());
    let found = json(&[&small[..], &["--backend", "cpu"]].concat());
    assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]));
    let volume = found["stats"]["volume"]["mean"].as_f64().unwrap();
    assert!((volume - 1000.0).abs() < 1e-3, "{volume}");
}

#[test]
fn rule_files_are_run_and_their_mistakes_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("life.ma");
    let text = fs::read_to_string(format!("{}/examples/cells/life.ma", super::ROOT)).unwrap();
    fs::write(&path, &text).unwrap();
    let run = ["run", "cells", path.to_str().unwrap(), "--hours", "0.001", "--json"];
    let oracle = json(&[&run[..], &["--engine", "sequential"]].concat());
    assert_eq!(oracle["stats"]["distinct_times"]["mean"], 36.0, "{oracle}");
    for engine in ["window", "step"] {
        let found = json(&[&run[..], &["--backend", "cpu", "--engine", engine]].concat());
        assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{engine}");
    }
    fs::write(&path, text.replace("0 and trueCount = 3 }", "0 and (0,2) = 3 }")).unwrap();
    refused(&run[..3], &["life.ma:23", "(0,2)", "neighbors"]);
}

#[test]
fn what_cannot_burn_or_flow_is_said() {
    refused(&["run", "fire", "--ignite", "1024,0"], &["1024,0", "1024 rows"]);
    refused(&["run", "fire", "--ignite", "7"], &["ROW,COLUMN"]);
    refused(&["run", "fire", "--width", "0"], &["empty"]);
    refused(&["run", "fire", "--hours", "2000"], &["2000", "hours"]);
    refused(&["run", "fire", "--engine", "quick"], &["`window`"]);
    refused(&["run", "flood", "--depth=-1"], &["--depth"]);
    refused(&["run", "flood", "--depth", "1e300"], &["1.048576e306 units of water"]);
    refused(&["run", "cells", "no-such.ma"], &["no-such.ma"]);
    refused(&["run", "cells", "no-such.ma", "--hours=-1"], &["--hours"]);
}

#[cfg(not(feature = "maps"))]
#[test]
fn a_program_without_maps_says_how_to_get_them() {
    let fire = ["run", "fire", "--ignite", "1,1", "--elevation", "a.tif", "--fuel", "b.tif"];
    refused(&fire, &["--elevation", "--features maps"]);
    refused(&["run", "flood", "--out", "nowhere"], &["--out", "--features maps"]);
    assert!(!std::path::Path::new("nowhere").exists());
}
