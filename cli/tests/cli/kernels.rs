//! Kernels: the suite, random ones, generated code, and two devices in step.

use super::{imminent, json, refused, text};
use serde_json::Value;

#[test]
fn kernels_can_be_read() {
    let ir = json(&["emit", "torus", "--lang", "ir", "--kernel", "relax"]);
    assert_eq!(ir["kernels"][0]["name"], "relax");
    refused(&["emit", "torus", "--lang", "ir", "--kernel", "retreat"], &["retreat", "relax"]);
    #[cfg(feature = "wgpu")]
    assert!(text(&imminent(&["emit", "torus", "--lang", "wgsl"]).stdout).contains("@compute"));
    assert!(text(&imminent(&["emit", "traffic", "--lang", "cuda"]).stdout).contains("travel"));
    // A kernel of numbers that the language lacks is told of among others, and refused by itself.
    let emulated = ["emit", "traffic", "--lang", "wgsl", "--emulate-int64"];
    let told = text(&imminent(&emulated).stdout);
    assert!(told.contains("// fluids::double::send\n// Not in this language: ") && told.contains("@compute"), "{told}");
    assert!(!imminent(&[&emulated[..], &["--kernel", "fluids::double::send"]].concat()).status.success());
    assert!(text(&imminent(&["emit", "mesh", "--lang", "opencl", "--kernel", "prepare"]).stdout).contains("barrier"));
    refused(&["emit", "traffic", "--lang", "cuda", "--emulate-int64"], &["--emulate-int64: other languages than WGSL"]);
    // Kernels of one name in two modules are two programs: each is told by its module, and printed under its full name.
    refused(&["emit", "phold", "--lang", "cuda", "--kernel", "publish"], &["phold::publish", "list::publish"]);
    let publish = text(&imminent(&["emit", "phold", "--lang", "cuda", "--kernel", "list::publish"]).stdout);
    assert!(publish.starts_with("// list::publish\n") && publish.matches("extern \"C\"").count() == 1, "{publish}");
    assert!(text(&imminent(&["emit", "torus", "--lang", "cuda"]).stdout).contains("// boundary::"));
}

/// With a compiler the kernels are made by tests of the CUDA backend.
#[cfg(feature = "cuda")]
#[test]
fn only_recorded_kernels_are_compiled_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, missing) = (folder.path().display().to_string(), folder.path().join("texts").display().to_string());
    refused(&["precompile", &missing], &[&missing, "does not exist"]);
    refused(&["precompile", &empty], &[&empty, "no recorded text of a kernel"]);
    refused(&["precompile", &empty, "--devices", "hopper"], &["--devices", "hopper"]);
}

#[test]
fn the_suite_can_be_run_in_part() {
    let report = json(&["conform", "--backend", "cpu", "--only", "memory", "--json"]);
    assert!(report.to_string().contains("memory"));
    // A text that no case contains is a slip: without it other cases would run than were meant.
    for option in ["--only", "--except"] {
        let slip = ["conform", "--backend", "cpu", "--only", "memory", option, "no such case"];
        refused(&slip, &[&format!("{option} no such case: no case has this in its group and name")]);
    }
    let output = imminent(&["conform", "--backend", "cpu", "--only", "memory", "--except", "memory"]);
    assert_eq!(output.status.code(), Some(1), "a run that executed nothing has not passed");
    refused(&["conform", "--report", "report.docx"], &[".json or .html"]);
}

#[test]
fn two_devices_are_run_in_step() {
    let output = imminent(&["bisect", "--right", "cpu", "torus", "--width", "4", "--height", "4", "--horizon", "20"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("no difference in"), "{said}{}", text(&output.stderr));
    let digest = |text: &str| {
        text.split_whitespace()
            .find(|word| word.len() == 32 && word.bytes().all(|b| b.is_ascii_hexdigit()))
            .map(str::to_owned)
    };
    let alone = imminent(&["run", "torus", "--width", "4", "--height", "4", "--horizon", "20", "--backend", "cpu"]);
    assert!(digest(&said).is_some() && digest(&said) == digest(&text(&alone.stdout)), "{said}");
    // A device that moves rows in another way than the host.
    #[cfg(feature = "opencl")]
    for (left, right) in [("cpu", "opencl"), ("opencl", "cpu")] {
        let open = ["open", "--lines", "2", "--servers", "2", "--horizon", "40", "--json"];
        let output = imminent(&[&["bisect", "--left", left, "--right", right][..], &open[..]].concat());
        assert!(output.status.success(), "{left} {right}: {}", text(&output.stderr));
    }
    refused(&["bisect", "--right", "abacus", "torus"], &["abacus"]);
    refused(&["bisect", "--right", "cpu:x", "torus"], &["cpu:x"]);
    refused(&["bisect", "torus"], &["--right"]);
}

#[test]
fn a_suite_tells_of_every_group_when_it_is_done() {
    let output = imminent(&["conform", "--backend", "cpu", "--only", "memory: a", "--only", "faults: a", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let heard = text(&output.stderr);
    let device = format!("cpu {}", report["device"]["name"].as_str().unwrap());
    for group in ["memory", "faults"] {
        let cases = report["cases"].as_array().unwrap().iter().filter(|case| case["group"] == group);
        let passed = cases.filter(|case| case["verdict"] == "pass").count();
        let line = format!("{device}: {group}: {passed} passed, 0 failed");
        assert!(passed > 0 && heard.lines().any(|heard| heard.starts_with(&line)), "{line}: {heard}");
    }
}

#[cfg(feature = "wgpu")]
#[test]
fn random_kernels_run_to_the_end() {
    let many = imminent(&["fuzz", "--backend", "wgpu", "--cases", "18", "--seed", "9"]);
    assert!(many.status.success() && text(&many.stderr).contains(": 16 of 18 kernels tried"), "{}", text(&many.stderr));
    let tried = json(&["fuzz", "--backend", "wgpu", "--cases", "4", "--seed", "5", "--json"]);
    assert_eq!((&tried[0]["device"]["backend"], tried[0]["agreed"].as_u64()), (&"wgpu".into(), Some(4)), "{tried}");
    assert!(tried[0]["failure"].is_null() && tried.as_array().map(Vec::len) == Some(1), "{tried}");
    let output = imminent(&["fuzz", "--backend", "wgpu", "--cases", "1", "--device-option", "int64=emulated"]);
    let said = text(&output.stdout);
    assert!(
        output.status.success() && said.ends_with("1 random kernels agree with their IR, 0 were given up\n"),
        "{said}"
    );
}

#[cfg(all(feature = "wgpu", feature = "conformance"))]
#[test]
fn a_kept_kernel_that_no_device_can_run_is_ignored_and_does_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.json");
    let ignored = imminent::conformance::random_modules(10, 1).into_iter().any(|module| {
        let case = imminent::conformance::Regression { module, size: 5, data: 1 };
        std::fs::write(&kept, serde_json::to_string(&case).unwrap()).unwrap();
        let options = ["--backend", "wgpu", "--device-option", "float64=off"];
        let output = imminent(&[&["fuzz", "--again", kept.to_str().unwrap()], &options[..]].concat());
        let (said, told) = (text(&output.stdout), text(&output.stderr));
        assert!(!said.contains("differs"), "{said}");
        let ignored = said.contains(": ignored, wgpu device");
        assert_eq!(ignored, output.status.code() == Some(1), "{said}{told}");
        assert_eq!(ignored, told.contains("no device can run this kernel"), "{said}{told}");
        ignored
    });
    assert!(ignored);
}

#[test]
fn random_kernels_are_refused_where_they_cannot_run() {
    refused(&["fuzz", "--backend", "cpu"], &["native functions"]);
    refused(&["fuzz", "--again", "no-such-file.json"], &["no-such-file.json"]);
}
