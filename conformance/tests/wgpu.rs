//! The suite on every WebGPU device of this machine, with 64-bit integers of both kinds, and all of it side by side with the CPU.
//!
//! A machine without a Vulkan driver cannot run these: they fail and say what to install.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::matrix::Matrix;
use imminent_conformance::{Fuzz, Group, Mode, Report, Suite};
use imminent_core::{Device, Int64};
use imminent_cpu::CpuBackend;
use imminent_wgpu::{Float64Option, Int64Option, Options, WgpuBackend};

fn run(options: &Options, mode: Mode) -> Report {
    let device = Device::open(WgpuBackend::open(0, options).unwrap()).unwrap();
    let report = Suite::new(&device).mode(mode).run();
    println!("{}", report.to_text());
    report
}

fn passes(options: &Options, int64: Int64) {
    let device = Device::open(WgpuBackend::open(0, options).unwrap()).unwrap();
    assert_eq!(device.capabilities().int64, int64);
    drop(device);
    let report = run(options, Mode::Quick);
    assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    for group in Group::ALL {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

#[test]
fn native_64_bit_integers_pass() {
    passes(&Options { int64: Int64Option::Native, ..Options::default() }, Int64::Native);
}

#[test]
fn emulated_64_bit_integers_pass() {
    passes(&Options { int64: Int64Option::Emulated, ..Options::default() }, Int64::Emulated);
}

#[test]
fn tables_in_several_pieces_pass() {
    let options = Options {
        int64: Int64Option::Emulated,
        float64: Float64Option::Off,
        workgroup: 64,
        max_binding_bytes: Some(1 << 20),
        ..Options::default()
    };
    passes(&options, Int64::Emulated);
}

#[test]
fn primitives_pass_in_their_portable_form() {
    let options = Options { portable_primitives: true, ..Options::default() };
    let device = Device::open(WgpuBackend::open(0, &options).unwrap()).unwrap();
    let report = Suite::new(&device).group(Group::Primitives).run();
    assert!(report.passed(), "{}", report.to_text());
}

#[test]
fn the_models_have_the_same_digests_everywhere() {
    let models = |device: &Device| Suite::new(device).group(Group::Models).run();
    let host = Device::open(CpuBackend::open(&imminent_cpu::Options::default()).unwrap()).unwrap();
    let mut reports = vec![models(&host)];
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let options = Options { int64, ..Options::default() };
        let device = Device::open(WgpuBackend::open(0, &options).unwrap()).unwrap();
        reports.push(models(&device));
    }
    let matrix = Matrix::new(&reports);
    println!("{}", matrix.to_text());
    assert!(matrix.passed());
    assert!(matrix.rows.len() > 10);
}

/// A few random kernels, the same in every run: `imminent fuzz` tries as many others as one likes.
#[test]
fn random_kernels_do_what_their_ir_says() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let options = Options { int64, ..Options::default() };
        let device = Device::open(WgpuBackend::open(0, &options).unwrap()).unwrap();
        let report = Fuzz::new(&device).cases(24).seed(3).run().unwrap();
        assert!(report.failure.is_none(), "{report}");
        assert!(report.agreed >= 20, "{report}");
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release -p imminent-conformance --test wgpu -- --ignored --nocapture"]
fn full_runs_pass() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let report = run(&Options { int64, ..Options::default() }, Mode::Full);
        assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    }
}
