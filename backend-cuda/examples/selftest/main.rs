//! Runs every case of the tests on the first CUDA device, then measures transfers, steps, the torus and primitives.
//!
//! `cargo build --release -p imminent-cuda --example selftest` gives a program that can be copied to the machine with
//! the device. It prints `pass` or `FAIL` for each case, then figures. Arguments select cases by a part of their names.
//! `--cases` omits the figures; `--measure`, or one of `--transfers`, `--steps`, `--torus` and `--primitives`, omits
//! the cases. Its exit status is 1 if a case failed, or if none ran.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../tests/cases/mod.rs"]
mod cases;
mod measure;
mod overlap;
mod primitives;

use imminent_cuda::{CudaBackend, Options};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

type Case = (&'static str, fn());

macro_rules! own {
    ($($module:ident: $($case:ident),+;)+) => {
        &[$($((concat!(stringify!($module), "::", stringify!($case)), cases::$module::$case as fn()),)+)+]
    };
}

macro_rules! devices {
    ($($module:ident: $($case:ident),+;)+) => {
        &[$($((concat!(stringify!($module), "::", stringify!($case)), || {
            for options in cases::ways(stringify!($module)) {
                imminent_testkit::device::$module::$case(&cases::common::device(options));
            }
        }),)+)+]
    };
}

macro_rules! backends {
    ($($module:ident: $($case:ident),+;)+) => {
        &[$($((concat!(stringify!($module), "::", stringify!($case)), || {
            for options in cases::ways(stringify!($module)) {
                imminent_testkit::device::$module::$case(&cases::common::backend(options));
            }
        }),)+)+]
    };
}

/// Cases of this backend alone, and those of every device and every backend.
const CASES: [&[Case]; 3] =
    [cases::for_each_case!(own), imminent_testkit::device_cases!(devices), imminent_testkit::backend_cases!(backends)];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| arguments.iter().any(|argument| argument == name);
    let parts: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    match CudaBackend::list(&Options::default()) {
        Ok(devices) => {
            for device in devices {
                let sm = device.compute_capability;
                println!("device {}: {}, {}, sm_{sm}", device.info.index, device.info.name, device.info.driver);
            }
        }
        Err(error) => {
            println!("FAIL no device: {error}");
            return ExitCode::FAILURE;
        }
    }
    match CudaBackend::open(0, &Options::default()) {
        Ok(backend) => println!("compiler: {}", backend.compiler()),
        Err(error) => {
            println!("FAIL open: {error}");
            return ExitCode::FAILURE;
        }
    }
    let (mut passed, mut failed) = (0, 0);
    let figures: Vec<&(&str, fn())> = measure::ALL.iter().filter(|(name, _)| flag("--measure") || flag(name)).collect();
    let everything = figures.is_empty() && !flag("--cases");
    if figures.is_empty() {
        for (name, case) in CASES.concat() {
            if !parts.is_empty() && !parts.iter().any(|part| name.contains(part.as_str())) {
                continue;
            }
            let clock = Instant::now();
            let good = catch_unwind(AssertUnwindSafe(case)).is_ok();
            println!("{} {name} ({:.2} s)", if good { "pass" } else { "FAIL" }, clock.elapsed().as_secs_f64());
            if good { passed += 1 } else { failed += 1 }
        }
        println!("{passed} passed, {failed} failed");
    }
    let every = measure::ALL.iter().filter(|_| everything);
    for (name, figure) in every.chain(figures.iter().copied()) {
        if catch_unwind(figure).is_err() {
            println!("FAIL the measurement {name} stopped");
            failed += 1;
        }
    }
    let ran = passed + failed > 0 || !figures.is_empty();
    if failed == 0 && ran { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
