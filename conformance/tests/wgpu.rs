//! The suite on every WebGPU device of this machine, with 64-bit integers of both kinds, and all of it side by side with the CPU.
//!
//! A machine without a Vulkan driver cannot run these: they fail and say what to install.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::matrix::Matrix;
use imminent_conformance::{Fuzz, Group, Mode, Report, Suite};
use imminent_core::{Device, Int64};
use imminent_cpu::CpuBackend;
use imminent_wgpu::{Float64Option, Int64Option, Options, WgpuBackend};

fn open(options: &Options) -> Device {
    Device::open(WgpuBackend::open(0, options).unwrap()).unwrap()
}

/// Runs the whole suite, or the cases that any of the patterns names, and hands over what it says.
fn passes(options: &Options, int64: Int64, patterns: &[&str]) -> Report {
    let device = open(options);
    assert_eq!(device.capabilities().int64, int64);
    let report = patterns.iter().copied().fold(Suite::new(&device), Suite::matching).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    report
}

#[test]
fn emulated_64_bit_integers_pass() {
    let options = Options { int64: Int64Option::Emulated, ..Options::default() };
    let report = passes(&options, Int64::Emulated, &[]);
    for group in Group::ALL {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

/// What is another kernel where the device has them: the rest is the same as for emulated ones, and takes minutes to compile twice.
#[test]
fn native_64_bit_integers_pass() {
    let options = Options { int64: Int64Option::Native, ..Options::default() };
    let report = passes(
        &options,
        Int64::Native,
        &["kernels:", "random numbers:", "faults:", "groups:", "histories:", "of u64", "of i64"],
    );
    assert!(report.counts_of(Group::Primitives).passed > 10, "{}", report.to_text());
}

/// Where tables lie, and what moves their rows.
#[test]
fn tables_in_several_pieces_pass() {
    let options = Options {
        int64: Int64Option::Emulated,
        float64: Float64Option::Off,
        workgroup: 64,
        max_binding_bytes: Some(1 << 20),
        ..Options::default()
    };
    passes(&options, Int64::Emulated, &["memory:", "programs:", "histories:", "tables", "rows", "of u32", "torus"]);
}

/// Those that are soon done here; the rest, sorts above all, runs so on OpenCL and the CPU.
#[test]
fn primitives_pass_in_their_portable_form() {
    let options = Options { int64: Int64Option::Emulated, portable_primitives: true, ..Options::default() };
    let report = passes(
        &options,
        Int64::Emulated,
        &["running sums of u32", "tests of u32", "histogram of u32", "moves whole rows", "undoes gathering"],
    );
    assert!(report.counts_of(Group::Primitives).passed > 4, "{}", report.to_text());
}

#[test]
fn the_models_have_the_same_digests_everywhere() {
    let models = |device: &Device| Suite::new(device).group(Group::Models).run();
    let host = Device::open(CpuBackend::open(&imminent_cpu::Options::default()).unwrap()).unwrap();
    let device = open(&Options { int64: Int64Option::Native, ..Options::default() });
    let matrix = Matrix::new(&[models(&host), models(&device)]);
    println!("{}", matrix.to_text());
    assert!(matrix.passed());
    assert!(matrix.rows.len() > 10);
}

/// A few random kernels, the same in every run: `imminent fuzz` tries as many others as one likes.
#[test]
fn random_kernels_do_what_their_ir_says() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let report = Fuzz::new(&open(&Options { int64, ..Options::default() })).cases(24).seed(3).run().unwrap();
        assert!(report.failure.is_none(), "{report}");
        assert!(report.agreed >= 20, "{report}");
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release -p imminent-conformance --test wgpu -- --ignored --nocapture"]
fn full_runs_pass() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let report = Suite::new(&open(&Options { int64, ..Options::default() })).mode(Mode::Full).run();
        println!("{}", report.to_text());
        assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    }
}
