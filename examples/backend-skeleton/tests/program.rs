//! The program of `main.rs`: its commands know the backend by its name.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use backend_skeleton::NAME;
use serde_json::Value;
use std::process::{Command, Output};

fn program(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backend-skeleton")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn passes(args: &[&str]) -> String {
    let output = program(args);
    assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_backend_is_listed_after_the_others() {
    let listing: Value = serde_json::from_str(&passes(&["devices", "--json"])).unwrap();
    let backends: Vec<&str> =
        listing["backends"].as_array().unwrap().iter().filter_map(|b| b["backend"].as_str()).collect();
    assert_eq!(backends, ["cpu", "wgpu", "opencl", "cuda", NAME]);
    assert_eq!(listing["backends"][4]["devices"].as_array().map(Vec::len), Some(1), "{listing}");
}

/// Digests are the same on every device.
#[test]
fn models_run_as_on_the_cpu() {
    let run = |backend| {
        let torus = ["run", "torus", "--width", "4", "--height", "4", "--horizon", "20", "--json"];
        let report: Value = serde_json::from_str(&passes(&[&torus[..], &["--backend", backend]].concat())).unwrap();
        assert_eq!(report["backend"], backend, "{report}");
        report["digest"].clone()
    };
    assert_eq!(run(NAME), run("cpu"));
}

#[test]
fn names_of_backends_are_suggested() {
    let refused = |args: &[&str], words: &str| {
        let output = program(&[&["run", "torus", "--backend"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    };
    let known = format!("did you mean `{NAME}`? Known are cpu, wgpu, opencl, cuda, {NAME}");
    refused(&[&NAME[1..]], &known);
    refused(&[NAME, "--device", "1"], &format!("backend `{NAME}` has no device 1"));
    refused(&[NAME, "--device-option", "threads=1"], &format!("{NAME} option `threads`: it has no options"));
}

#[test]
fn the_backend_takes_part_in_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("phold.toml");
    let text = "format = 1\nmodel = 'phold'\n[fixed]\nmodules = 4\ntokens = 3\nend = 5.0\n\
                [[axis]]\nparameter = 'remote'\nvalues = [10, 90]\n";
    std::fs::write(&study, text).unwrap();
    let devices = format!("cpu:0,{NAME}:*");
    let study = ["study", study.to_str().unwrap(), "--device", &devices, "--json"];
    let report: Value = serde_json::from_str(&passes(&study)).unwrap();
    assert_eq!((report["complete"].as_bool(), report["devices"].as_array().map(Vec::len)), (Some(true), Some(2)));
    assert_eq!(report["devices"][1]["backend"], NAME);
}

#[test]
fn the_suite_and_random_kernels_run() {
    let suite = passes(&["conform", "--backend", NAME, "--only", "a new table is zero", "--json"]);
    let report: Value = serde_json::from_str(&suite).unwrap();
    assert_eq!(report["device"]["backend"], NAME);
    assert!(report["cases"].as_array().is_some_and(|cases| !cases.is_empty()), "{report}");
    passes(&["fuzz", "--backend", NAME, "--cases", "2"]);
    let torus = ["torus", "--width", "4", "--height", "4", "--horizon", "5"];
    let bisected = passes(&[&["bisect", "--left", "cpu", "--right", NAME][..], &torus].concat());
    assert!(bisected.contains("\nno difference in "), "{bisected}");
}

/// The crate's version comes first, then that of Imminent. Commands have the program's name.
#[test]
fn the_program_tells_its_own_name_and_version() {
    let (package, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let told = passes(&["--version"]);
    assert!(told.starts_with(&format!("{package} {version}\nimminent ")), "{told}");
    assert!(told.contains(&format!(", {NAME}\n")), "{told}");
    let help = passes(&["run", "phold", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.starts_with("Modules that pass events on"), "{help}");
    assert!(help.contains(&format!("`{package} describe phold`")) && !help.contains("`imminent "), "{help}");
    assert!(help.find("--quiet") > help.find("--out"), "{help}");
    let refused = program(&["run", "phold", "--set", "weather=1"]);
    let words = format!("there is no key `weather`; `{package} describe phold` lists them");
    assert!(text(&refused.stderr).starts_with(&format!("{package}: --set weather=1: {words}")), "{refused:?}");
}
