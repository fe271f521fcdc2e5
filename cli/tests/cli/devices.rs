//! Devices, their drivers and their caches.

use super::{imminent, json, refused, small, text};
use serde_json::Value;
#[cfg(any(feature = "opencl", feature = "conformance"))]
use std::fs;
#[cfg(any(feature = "opencl", feature = "wgpu"))]
use std::process::Command;

#[test]
fn devices_that_are_not_there_are_refused() {
    refused(&small(&["--backend", "abacus"]), &["abacus", "cpu"]);
    refused(&small(&["--backend", "cpu", "--device", "5"]), &["device 5"]);
    refused(&small(&["--backend", "cpu", "--device-option", "threads=none"]), &["threads"]);
    refused(&small(&["--backend", "cpu", "--device-option", "wings=2"]), &["wings", "threads"]);
    refused(&small(&["--backend", "cpu", "--device-option", "wings"]), &["KEY=VALUE"]);
    #[cfg(not(feature = "wgpu"))]
    refused(&small(&["--backend", "wgpu"]), &["not compiled in", "--features wgpu"]);
}

/// A driver whose library ends the process that loads it.
#[cfg(all(feature = "opencl", target_os = "linux"))]
#[test]
fn a_driver_that_crashes_does_not_take_the_list_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (source, library) = (folder.path().join("driver.c"), folder.path().join("libdriver.so"));
    fs::write(&source, "#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { abort(); }\n")
        .unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(made.unwrap().success());
    fs::write(folder.path().join("crash.icd"), format!("{}\n", library.display())).unwrap();
    let mut devices = Command::new(env!("CARGO_BIN_EXE_imminent"));
    let output = devices.args(["devices", "--json"]).env("OCL_ICD_VENDORS", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listing["backends"][0]["devices"].as_array().map(Vec::len), Some(1), "{listing}");
    let reason = listing["backends"][2]["reason"].as_str().unwrap();
    assert!(reason.contains("opencl") && reason.contains("crashes") && reason.contains("OCL_ICD_VENDORS"), "{reason}");
}

/// Caches that cannot be written, or hold garbage, cost time and change nothing.
#[cfg(feature = "opencl")]
#[test]
fn a_cache_that_cannot_be_used_changes_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let expected = digest(&["--engine", "sequential"]);
    let on = |cache: &std::path::Path| {
        digest(&["--backend", "opencl", "--device-option", &format!("cache={}", cache.display())])
    };
    let cache = folder.path().join("cache");
    assert_eq!(on(&cache), expected);
    let files = |folder: &std::path::Path| -> Vec<_> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
    };
    let kept = files(&cache);
    assert!(!kept.is_empty(), "nothing was kept in {}", cache.display());
    kept.iter().for_each(|file| fs::write(file, "garbage").unwrap());
    fs::write(cache.join("a file of somebody else"), "not ours").unwrap();
    assert_eq!(on(&cache), expected);
    assert_eq!(fs::read_to_string(cache.join("a file of somebody else")).unwrap(), "not ours");
    assert_eq!(on(&cache.join("a file of somebody else").join("below")), expected);
    assert_eq!(on(std::path::Path::new("/proc/no-such-place")), expected);
}

#[test]
fn devices_are_listed_with_what_they_can_do() {
    let listing = json(&["devices", "--json"]);
    let cpu = &listing["backends"][0];
    assert_eq!(cpu["backend"], "cpu");
    assert_eq!(cpu["devices"][0]["capabilities"]["f32"]["contracts"], false);
    for backend in listing["backends"].as_array().unwrap() {
        for device in backend["devices"].as_array().unwrap() {
            let memory = &device["memory"];
            assert!(memory["current"].is_u64() && memory["limit"].is_null(), "{device}");
            let total = device["capabilities"]["limits"]["memory_bytes"].as_u64().unwrap_or(u64::MAX);
            assert!(memory["free"].as_u64().is_none_or(|free| free > 0 && free <= total), "{device}");
            assert_eq!(memory["pool"].is_object(), backend["backend"] != "cpu", "{device}");
        }
    }
    let wgpu = &listing["backends"][1];
    assert!(wgpu["reason"].is_string() || wgpu["devices"].as_array().is_some_and(|devices| !devices.is_empty()));
    assert!(text(&imminent(&["devices"]).stdout).contains("reproducible"));
}

#[test]
fn a_run_tells_what_it_took_of_the_devices_memory() {
    let memory = json(&small(&["--backend", "cpu"]))["memory"].clone();
    // 48 stations of at least 100 bytes.
    assert!(memory["peak"].as_u64().unwrap() > 4800, "{memory}");
    assert!(memory["current"].as_u64() <= memory["peak"].as_u64() && memory["pool"].is_null(), "{memory}");
    assert!(json(&small(&["--engine", "sequential"]))["memory"].is_null(), "no device");
    let limited = json(&small(&["--backend", "cpu", "--device-option", "memory-limit=10000000"]));
    assert_eq!(limited["memory"]["limit"], 10_000_000);
    let pooled = imminent(&small(&["--backend", "opencl"]));
    if cfg!(feature = "opencl") {
        let report: Value = serde_json::from_slice(&pooled.stdout).unwrap();
        let pool = &report["memory"]["pool"];
        let (held, used) = (pool["held_peak"].as_u64().unwrap(), pool["used_peak"].as_u64().unwrap());
        assert!(used > 4800 && held >= used, "{report}");
        assert!((pool["peak_fragmentation"].as_f64().unwrap() - (1.0 - used as f64 / held as f64)).abs() < 1e-9);
        assert!((0.0..=1.0).contains(&pool["fragmentation"].as_f64().unwrap()), "{report}");
    } else {
        assert!(text(&pooled.stderr).contains("not compiled in"));
    }
}

/// Mesa's Vulkan layer looks for a Wayland display, and libwayland prints an error where it cannot look for one.
#[cfg(all(feature = "wgpu", target_os = "linux"))]
#[test]
fn drivers_that_are_only_looked_at_do_not_complain() {
    let output = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(small(&["--backend", "auto"]))
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}

/// Four seconds suffice for some cases of the suite on each device, and for all else that is told.
#[cfg(feature = "conformance")]
#[test]
fn the_doctor_has_a_verdict_for_every_backend() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let output = imminent(&["doctor", "--seconds", "4", "--out", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let printed = text(&output.stdout);
    let names: Vec<_> = report["backends"].as_array().unwrap().iter().map(|found| &found["backend"]).collect();
    assert_eq!(names, ["cpu", "wgpu", "opencl", "cuda"]);
    for backend in report["backends"].as_array().unwrap() {
        assert!(printed.contains(backend["line"].as_str().unwrap()), "{backend}");
        let devices = backend["devices"].as_array().unwrap();
        assert_eq!(backend["verdict"] == "absent", devices.is_empty() && backend["reason"].is_string(), "{backend}");
        for device in devices {
            for figure in ["memory_bandwidth", "read_bandwidth", "launch_seconds", "round_trip_seconds"] {
                assert!(device["measures"][figure].as_f64().is_some_and(|figure| figure > 0.0), "{figure}: {device}");
            }
        }
    }
    let cpu = &report["backends"][0];
    assert!(matches!(cpu["verdict"].as_str(), Some("good" | "in-part")), "{cpu}");
    // A busy machine may not come to the first case.
    if let Some(tried) = cpu["devices"][0]["suite"]["cases"].as_array() {
        assert!(tried.len() as u64 + cpu["devices"][0]["untried"].as_u64().unwrap() > 900, "{cpu}");
    } else {
        assert!(cpu["line"].as_str().unwrap().contains("give more --seconds"), "{cpu}");
    }
}
