//! Impossible values, and options without effect.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;

#[test]
fn options_replace_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torus.toml");
    fs::write(&file, "[torus]\nwidth = 4\nheight = 4\n\n[run]\nhorizon = 50\nseed = 9\n").unwrap();
    let report = json(&["run", "torus", file.to_str().unwrap(), "--height", "3", "--json"]);
    assert_eq!(
        (&report["config"]["torus"]["width"], &report["config"]["torus"]["height"]),
        (&Value::from(4), &Value::from(3))
    );
    assert_eq!(report["seed"], 9);
}

#[test]
fn mistakes_in_a_file_are_named_with_their_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torus.toml");
    let path = file.to_str().unwrap();
    fs::write(&file, "[torus]\nwidht = 4\n").unwrap();
    refused(&["run", "torus", path], &["torus.toml", "widht", "2"]);
    fs::write(&file, "[torus]\nwidth = 4\nmean = -1.0\n").unwrap();
    refused(&["run", "torus", path], &["torus.toml", "line 3", "mean"]);
    refused(&["run", "torus", "no-such-file.toml"], &["no-such-file.toml"]);
    refused(&["run", "torus", "--config", path], &["--config is called FILE, without an option, now"]);
}

#[test]
fn impossible_values_are_refused() {
    refused(&["run", "torus", "--reps", "5"], &["--reps", "--replications"]);
    #[cfg(feature = "models")]
    refused(&["study", "any.toml", "--replications", "5"], &["--replications <N>", "write `repetitions = 5` there"]);
    refused(&["run", "torus", "--warm-up", "soon"], &["--warm-up", "mser5"]);
    refused(&["run", "torus", "--warm-up", "1000"], &["--warm-up 1000: ", "longer horizon"]);
    refused(&["run", "torus", "--batches", "1"], &["--batches 1: ", "give 2"]);
    refused(&["run", "torus", "--measure", "beauty"], &["beauty", "sojourn"]);
    refused(&["run", "torus", "--precision", "0.1"], &["run.replications", "replications"]);
    refused(&["run", "torus", "--precision", "7"], &["--precision 7: ", "between 0 and 1"]);
    refused(&["run", "torus", "--width", "0"], &["width"]);
    refused(&["run", "torus", "--width", "4000000000"], &["width"]);
    refused(&["run", "torus", "--tokens", "4000000000"], &["tokens"]);
    refused(&["run", "torus", "--seed", "many"], &["seed"]);
    refused(&["run", "torus", "--horizon", "NaN"], &["horizon"]);
    refused(&["run", "torus", "--replications", "0"], &["replications"]);
    refused(&["run", "torus", "--engine", "warp"], &["warp", "exact"]);
    refused(&["run", "torus", "--engine", "interval"], &["interval"]);
    refused(&["run", "torus", "--start", "somewhere"], &["one", "stationary"]);
    refused(&["run", "torus", "--warm-up=2000"], &["--warm-up 2000: a warm-up of 2000"]);
    refused(&["run", "torus", "--until-count", "0"], &["--until-count 0: "]);
    refused(&["run", "torus", "--engine", "sequential", "--schedule", "tiles"], &["--schedule", "`sequential`"]);
    let batches = ["run", "torus", "--replications", "1000000", "--batches", "10000"];
    refused(&batches, &["--replications 1000000: replications 1000000: the run would need", "give at most"]);
}

#[test]
fn options_without_effect_are_told() {
    let small = ["run", "torus", "--width", "4", "--height", "4", "--horizon", "9"];
    refused(&[&small[..], &["--measure", "loss"]].concat(), &["--measure loss: ", "--warm-up mser5"]);
    let host = [&small[..], &["--engine", "sequential", "--backend", "cpu", "--device-option", "threads=1"]].concat();
    let told = text(&imminent(&host).stderr);
    for option in ["--backend", "--device-option"] {
        assert!(told.contains(&format!("warning: {option} has no effect: the engine `sequential`")), "{told}");
    }
    assert!(!text(&imminent(&[&small[..], &["--backend", "cpu"]].concat()).stderr).contains("no effect"));
}

/// Every node and link of these files has a value of its own. The options are named, with their values.
#[test]
fn defaults_that_nothing_takes_are_told() {
    let center = ["run", "network", "examples/networks/call-centre.toml"];
    let options = [("--mean", "3"), ("--service-law", "gamma"), ("--servers", "2"), ("--graph-interarrival-mean", "2")];
    for (option, value) in options {
        let more = if option == "--service-law" { &["--service-mean", "3", "--service-shape", "2"][..] } else { &[] };
        refused(&[&center[..], &[option, value], more].concat(), &[&format!("imminent: {option} {value}: ")]);
    }
    #[cfg(feature = "models")]
    for (option, value) in [("--delay", "0.02"), ("--bandwidth", "1e9")] {
        let cities = ["run", "traffic", "examples/traffic/five-cities.toml", option, value];
        refused(&cities, &[&format!("{option} {value}: has no effect: no link takes it, as each has its own")]);
    }
}

#[cfg(feature = "maps")]
#[test]
fn errors_of_cell_spaces_name_the_option() {
    for (words, told) in [
        ("fire --width 0", "--width 0: 0 is not possible: `width` takes whole numbers from 1"),
        ("fire --engine windw", "did you mean 'window'?"),
        (
            "fire --set engine=windw",
            "--set engine=windw: windw is not possible: `engine` takes 'auto', 'window', 'step', 'sequential'; did you mean 'window'?",
        ),
        ("fire --horizon nan", "--horizon nan: NaN is not possible: `horizon` takes numbers from 0 to 1193"),
        ("fire --ignite 2000,1", "--ignite 2000,1: ignition 2000,1 is outside"),
        ("fire --seed 3", "--seed is an option of `imminent run wildfire` now"),
        ("levelling --depth 1e300", "--depth 1e300: the cells hold"),
        ("levelling --horizon inf", "--horizon inf: inf is not possible"),
        ("flood --rain 5", "`elevation` names no raster"),
        ("wildfire --ignite 3,3 --seed 3", "--seed 3: has no effect: only `fires` draws cells and weathers"),
    ] {
        refused(&["run"].into_iter().chain(words.split(' ')).collect::<Vec<_>>(), &[told]);
    }
}

#[cfg(all(feature = "models", not(feature = "maps")))]
#[test]
fn a_program_without_maps_says_how_to_get_them() {
    for model in ["wildfire", "flood"] {
        let words = format!("there is no model `{model}`: {model} needs maps, which this program was built without");
        refused(&["run", model, "--elevation", "a.tif"], &[&words, "--features maps"]);
    }
    refused(&["run", "levelling", "--out", "nowhere"], &["--out", "--features maps"]);
    assert!(!std::path::Path::new("nowhere").exists());
}

#[test]
fn commands_of_the_other_program_say_where_they_are() {
    refused(&["bench", "--what", "launch"], &["the program `lab`", "-p imminent-lab -- bench --what launch"]);
    refused(&["figures"], &["-p imminent-lab -- figures`"]);
}

#[test]
fn errors_name_the_option() {
    for (model, option, value) in [
        ("torus", "--horizon", "nan"),
        ("torus", "--width", "0"),
        ("torus", "--until-count", "0"),
        ("open", "--precision", "2"),
        ("open", "--seed", "-1"),
        // Far longer than the other durations.
        ("open", "--interarrival", "1e20"),
        ("open", "--mean", "1e20"),
        ("open", "--device", "-1"),
    ] {
        let said = if value == "nan" { "NaN" } else { value };
        refused(&["run", model, option, value], &[option, said]);
    }
    let graph = ["run", "network", "examples/networks/nsfnet.graphml"];
    for (option, value) in [("--tokens", "0"), ("--mean", "1e300")] {
        refused(&[&graph[..], &[option, value]].concat(), &[&format!("imminent: {option} {value}: ")]);
    }
}
