//! Drivers and compilers that are missing, too old or broken: a typed error that names the remedy.
//!
//! The libraries are built here by the C compiler with which Rust links. A driver is loaded once in a process, so each
//! test runs itself again in a process that finds the built driver before any other.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::Error;
use imminent_cuda::{CudaBackend, OfflineCompiler, Options};
use imminent_testkit::process::{inside, send_text, texts_inside};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles C to a library of this name in a folder.
fn library(folder: &Path, name: &str, source: &str) -> PathBuf {
    let (text, file) = (folder.join("library.c"), folder.join(name));
    std::fs::write(&text, source).unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&file).arg(&text).status();
    assert!(made.expect("a C compiler, `cc`, as Rust needs one to link").success());
    // Under either name, whichever is looked for first.
    if let Some(shorter) = name.strip_suffix(".so.1") {
        std::fs::copy(&file, folder.join(format!("{shorter}.so"))).unwrap();
    }
    file
}

/// Returns the names of every driver function that the backend calls, as its sources list them.
fn functions() -> Vec<&'static str> {
    let source = include_str!("../src/driver/library.rs");
    let list = source.split_once("const FUNCTIONS: &[&str] = &[").unwrap().1.split_once("];").unwrap().0;
    list.split('"').skip(1).step_by(2).collect()
}

/// Builds a driver that has every function: `cuInit` returns `started`, `cuDriverGetVersion` reports `version`, all
/// others fail.
fn driver(folder: &Path, started: i32, version: i32) {
    let mut source = format!(
        "int cuInit(unsigned flags) {{ return {started}; }}\n\
         int cuDriverGetVersion(int *version) {{ *version = {version}; return 0; }}\n"
    );
    for name in functions().into_iter().filter(|name| !matches!(*name, "cuInit" | "cuDriverGetVersion")) {
        source.push_str(&format!("int {name}(void) {{ return 999; }}\n"));
    }
    library(folder, "libcuda.so.1", &source);
}

/// Returns the messages of opening and listing in a process that finds its driver in this folder.
fn texts(test: &str, folder: &Path) -> Vec<String> {
    let texts = texts_inside(test, &[("LD_LIBRARY_PATH", folder), ("IMMINENT_CUDA_LIBRARY", Path::new(""))]);
    assert_eq!(texts.len(), 2, "{texts:?}");
    texts
}

fn tell_why_there_is_none() {
    for error in [
        CudaBackend::open(0, &Options::default()).map(drop).unwrap_err(),
        CudaBackend::list(&Options::default()).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        send_text(error);
    }
}

macro_rules! driver_tests {
    ($($test:ident: $make:expr, $parts:expr;)+) => {$(
        #[test]
        fn $test() {
            if inside() {
                return tell_why_there_is_none();
            }
            let folder = tempfile::tempdir().unwrap();
            let make: fn(&Path) = $make;
            make(folder.path());
            for line in texts(stringify!($test), folder.path()) {
                for part in $parts {
                    assert!(line.contains(part), "{part}: {line}");
                }
            }
        }
    )+};
}

driver_tests! {
    a_driver_without_the_newer_functions_is_too_old:
        |folder| drop(library(folder, "libcuda.so.1", "int cuInit(unsigned flags) { return 0; }")),
        ["older than 12.0", "it has no function cu", "525"];
    a_driver_of_an_older_version_is_too_old:
        |folder| driver(folder, 0, 11_080), ["runs CUDA 11.8 and 12.0 is needed", "525"];
    a_driver_that_finds_no_device_says_so:
        |folder| driver(folder, 100, 13_000), ["does not start", "CUDA_VISIBLE_DEVICES"];
    a_stub_of_a_driver_is_recognised:
        |folder| driver(folder, 34, 13_000), ["stub", "LD_LIBRARY_PATH"];
    a_driver_that_does_not_start_says_why:
        |folder| driver(folder, 999, 13_000), ["does not start", "nvidia-smi"];
}

/// Returns the reason why there is no compiler, if it is searched in this file alone.
fn refused(file: &Path) -> String {
    let mut options = Options::default();
    options.set("nvrtc", file.to_str().unwrap()).unwrap();
    let error = OfflineCompiler::new(90, &options).map(drop).unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("IMMINENT_NVRTC") && text.contains("pip install nvidia-cuda-nvrtc"), "{text}");
    text
}

/// Builds all functions of NVRTC except `without`; `version` is the body of `nvrtcVersion`.
fn nvrtc(without: &str, version: &str) -> String {
    let names = [
        "CreateProgram",
        "DestroyProgram",
        "CompileProgram",
        "GetProgramLogSize",
        "GetProgramLog",
        "GetCUBINSize",
        "GetCUBIN",
        "GetPTXSize",
        "GetPTX",
        "GetErrorString",
        "GetNumSupportedArchs",
        "GetSupportedArchs",
    ];
    let mut source = format!("int nvrtcVersion(int *major, int *minor) {{ {version} }}\n");
    for name in names.iter().filter(|name| **name != without) {
        source.push_str(&format!("int nvrtc{name}(void) {{ return 7; }}\n"));
    }
    source
}

#[test]
fn a_compiler_that_cannot_be_used_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let good = "*major = 12; *minor = 4; return 0;";
    for (number, (source, reason)) in [
        ("int nothing;".to_owned(), "it has no function nvrtcCreateProgram"),
        (nvrtc("GetCUBIN", good), "it has no function nvrtcGetCUBIN"),
        (nvrtc("", "return 11;"), "it does not tell its version (error 11)"),
        (nvrtc("GetSupportedArchs", good), "it has no function nvrtcGetSupportedArchs"),
        (nvrtc("", good), "it does not tell its architectures"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("libnvrtc-{number}.so.12");
        let text = refused(&library(folder.path(), &name, &source));
        assert!(text.contains(reason) && text.contains(&name), "{reason}: {text}");
    }
    refused(Path::new("/nonexistent/libnvrtc.so.12"));
}
