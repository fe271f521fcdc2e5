//! The program with a stranger's backend, which `cli/examples/own_backend.rs` has. `cargo test` builds it.

#![allow(clippy::panic, reason = "a test fails by a panic")]

use super::{ROOT, text};
use serde_json::Value;
use std::process::{Command, Output};

fn program(args: &[&str]) -> Output {
    // This test's program is in `deps`, beside the folder of the examples.
    let programs = std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples");
    let program = programs.join("own_backend");
    Command::new(&program).args(args).current_dir(ROOT).output().unwrap_or_else(|error| {
        let build = "cargo build -p imminent-cli --features full --example own_backend";
        panic!("{}: {error}. Build it first: {build}", program.display())
    })
}

fn passes(args: &[&str]) -> String {
    let output = program(args);
    assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_stranger_s_backend_is_listed_after_the_others() {
    let listing: Value = serde_json::from_str(&passes(&["devices", "--json"])).unwrap();
    let backends: Vec<&str> =
        listing["backends"].as_array().unwrap().iter().filter_map(|b| b["backend"].as_str()).collect();
    assert_eq!(backends, ["cpu", "wgpu", "opencl", "cuda", "interpreter"]);
    assert_eq!(listing["backends"][4]["devices"][0]["name"], "interpreter of the IR");
}

/// Digests are the same on every device.
#[test]
fn models_run_on_a_stranger_s_backend() {
    let run = |backend| {
        let torus = ["run", "torus", "--width", "4", "--height", "4", "--horizon", "20", "--json"];
        let report: Value = serde_json::from_str(&passes(&[&torus[..], &["--backend", backend]].concat())).unwrap();
        assert_eq!(report["backend"], backend, "{report}");
        report["digest"].clone()
    };
    assert_eq!(run("interpreter"), run("cpu"));
}

#[test]
fn names_of_backends_are_suggested() {
    let refused = |args: &[&str], words: &str| {
        let output = program(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    };
    let known = "did you mean `interpreter`? Known are cpu, wgpu, opencl, cuda, interpreter";
    refused(&["run", "torus", "--backend", "interpeter"], known);
    refused(&["run", "torus", "--backend", "interpreter", "--device", "1"], "backend `interpreter` has no device 1");
    refused(
        &["run", "torus", "--backend", "interpreter", "--device-option", "threads=1"],
        "interpreter option `threads`: it has no options",
    );
}

#[cfg(feature = "models")]
#[test]
fn a_stranger_s_backend_takes_part_in_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let study = super::studies::events(folder.path());
    let study = ["study", study.to_str().unwrap(), "--device", "cpu:0,interpreter:*", "--json"];
    let report: Value = serde_json::from_str(&passes(&study)).unwrap();
    assert_eq!((report["complete"].as_bool(), report["devices"].as_array().map(Vec::len)), (Some(true), Some(2)));
    assert_eq!(report["devices"][1]["backend"], "interpreter");
}

#[cfg(feature = "conformance")]
#[test]
fn the_suite_and_random_kernels_run_on_a_stranger_s_backend() {
    let suite = passes(&["conform", "--backend", "interpreter", "--only", "a new table is zero", "--json"]);
    let report: Value = serde_json::from_str(&suite).unwrap();
    assert_eq!(report["device"]["backend"], "interpreter");
    assert!(report["cases"].as_array().is_some_and(|cases| !cases.is_empty()), "{report}");
    passes(&["fuzz", "--backend", "interpreter", "--cases", "2"]);
    let torus = ["torus", "--width", "4", "--height", "4", "--horizon", "5"];
    let bisected = passes(&[&["bisect", "--left", "cpu", "--right", "interpreter"][..], &torus].concat());
    assert!(bisected.contains("\nno difference in "), "{bisected}");
}

/// The crate's version comes first, then that of this package. Commands have the program's name.
#[test]
fn a_program_tells_its_own_name_and_version() {
    let told = passes(&["--version"]);
    let ours = format!("imminent {}", env!("CARGO_PKG_VERSION"));
    assert!(told.starts_with(&format!("interpreter 7.8.9\n{ours}")), "{told}");
    assert!(
        told.contains(&format!("{}, interpreter\n", if cfg!(feature = "cuda") { "cuda" } else { "cpu" })),
        "{told}"
    );
    let help = passes(&["run", "phold", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.starts_with("Modules that pass events on"), "{help}");
    assert!(help.contains("`own_backend describe phold`") && !help.contains("`imminent "), "{help}");
    assert!(help.find("--quiet") > help.find("--out"), "{help}");
    let refused = program(&["run", "phold", "--set", "weather=1"]);
    let words = "own_backend: --set weather=1: there is no key `weather`; `own_backend describe phold` lists them";
    assert!(text(&refused.stderr).starts_with(words), "{}", text(&refused.stderr));
}
