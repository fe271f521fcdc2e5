//! The suite on every WebGPU device of this machine, with 64-bit integers of both kinds, and the comparison of all with
//! the CPU.
//!
//! These tests fail on a machine without a Vulkan driver and say what to install.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use imminent_conformance::matrix::Matrix;
use imminent_conformance::{Fuzz, Group, Mode, Regression, Report, Suite, Twin, Update, random_modules};
use imminent_core::{Device, DeviceKind, Faults, Int64, Lanes, Result, Table};
use imminent_cpu::CpuBackend;
use imminent_testkit::needs::{SoftwareDriver, everything, patterns};
use imminent_testkit::process;
use imminent_wgpu::{Int64Option, Options, Switch, WgpuBackend};

fn open(options: &Options) -> Device {
    Device::open(WgpuBackend::open(0, options).unwrap()).unwrap()
}

/// Runs a suite, and returns its report.
fn passes(suite: Suite<'_>) -> Report {
    // With `--nocapture`, shows progress: a driver may end the process.
    let told = |update: &Update<'_>| println!("{:.2} s: {}", update.case.seconds, update.case.name);
    let report = suite.on_update(told).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    report
}

/// Selects the cases that match any of the patterns.
fn named<'d>(device: &'d Device, patterns: &[&str]) -> Suite<'d> {
    patterns.iter().copied().fold(Suite::new(device), Suite::matching)
}

fn emulated() -> Device {
    let device = open(&Options { int64: Int64Option::Emulated, ..Options::default() });
    assert_eq!(device.capabilities().int64, Int64::Emulated);
    device
}

/// Runs the body of a test, given its full name. Without `./test --full`, llvmpipe leaves out the passes of LLVM, for
/// the many kernels of these tests run for an instant; other tests compile with them. The driver reads its options when
/// it is loaded, hence in a process of the test's own.
fn unoptimized(test: &str, body: impl FnOnce()) {
    if everything() || process::inside() {
        return body();
    }
    process::texts_inside(test, &[("GALLIVM_PERF", "nopt")]);
}

/// Runs the cases of a group in a test, given its full name.
fn group_passes(test: &str, group: Group) {
    let run = || {
        let device = emulated();
        let mut suite = Suite::new(&device).group(group);
        let is_software = device.info().kind == DeviceKind::CpuDevice;
        if is_software && matches!(group, Group::Kernels | Group::Primitives) {
            let (part, parts) = SoftwareDriver::Llvmpipe.part();
            suite = suite.part(part, parts);
        }
        let report = passes(patterns().into_iter().fold(suite, Suite::matching));
        assert!(report.counts().passed > 0, "{}", report.to_text());
    };
    if group == Group::Kernels { unoptimized(test, run) } else { run() }
}

/// Defines a test for each group with emulated 64-bit integers: they run concurrently.
macro_rules! groups {
    ($($name:ident: $group:ident),+) => {
        mod quick_suite {
            use super::{Group, group_passes};

            $(
                #[test]
                fn $name() {
                    group_passes(concat!("wgpu::quick_suite::", stringify!($name)), Group::$group);
                }
            )+

            #[test]
            fn every_group_has_a_test() {
                // The models have a test of their own.
                assert_eq!([$(Group::$group),+].len() + 1, Group::ALL.len());
            }
        }
    };
}

groups! {
    memory: Memory,
    kernels: Kernels,
    groups: Groups,
    histories: Histories,
    random_numbers: RandomNumbers,
    primitives: Primitives,
    programs: Programs,
    faults: Faults,
    queues: Queues
}

/// With emulated 64-bit integers models end as on the host. Left out are cases whose kernels software drivers compile
/// for long, and of whose model there are others; and every second one, for the emulation of CUDA runs all.
#[test]
fn models_end_as_on_the_host() {
    // The checks of all models, which run on every device, have ad hoc networks.
    let long = [
        "an ensemble of networks",
        "a crowd at one",
        "ad hoc networks",
        "cells with inertial delays",
        "fire 24x42 by a rule",
    ];
    unoptimized("wgpu::models_end_as_on_the_host", || models_compared(&long));
}

/// Compares the models but those that match a pattern.
fn models_compared(exceptions: &[&str]) {
    let of = |device: &Device| {
        let mut suite = Suite::new(device).group(Group::Models);
        if !everything() {
            suite = suite.part(0, 2);
        }
        passes(exceptions.iter().copied().fold(suite, Suite::except))
    };
    let host = Device::open(CpuBackend::open(&imminent_cpu::Options::default()).unwrap()).unwrap();
    let matrix = Matrix::new(&[of(&host), of(&emulated())]);
    println!("{}", matrix.to_text());
    assert!(matrix.passed());
    assert!(matrix.rows.len() > 5);
}

fn native() -> Device {
    let device = open(&Options { int64: Int64Option::Native, ..Options::default() });
    assert_eq!(device.capabilities().int64, Int64::Native);
    device
}

/// Tests the kernels of the language that differ on devices with native 64-bit integers: every second case, for each
/// takes a software driver long to compile, or all.
#[test]
fn native_64_bit_integers_pass() {
    let device = native();
    let patterns = ["kernels: u64", "kernels: i64", "kernels: f64", "of u64", "of i64", "random numbers:"];
    let suite = named(&device, &patterns);
    let report = passes(if everything() { suite } else { suite.part(0, 2) });
    assert!(report.counts_of(Group::Kernels).passed > 10, "{}", report.to_text());
}

#[test]
fn faults_report_their_operands_on_request() {
    operands_are_reported(Int64Option::Emulated);
}

/// The device then reports the faults of the reference, including operands.
fn operands_are_reported(int64: Int64Option) {
    let device = open(&Options { int64, faults: Faults::Operands, ..Options::default() });
    let patterns = ["faults:", "histories: the first", "histories: before", "histories: without", "is a fault of"];
    let report = passes(named(&device, &patterns));
    assert!(report.counts_of(Group::Faults).passed > 20, "{}", report.to_text());
    assert!(report.counts_of(Group::Histories).passed > 2, "{}", report.to_text());
    assert!(report.counts_of(Group::Groups).passed > 1, "{}", report.to_text());
}

mod full {
    use super::{
        Group, Int64Option, Options, Switch, models_compared, named, native, open, operands_are_reported, passes,
    };

    #[test]
    #[ignore = "long: run ./test --full"]
    fn faults_report_their_operands_with_native_64_bit_integers() {
        operands_are_reported(Int64Option::Native);
    }

    #[test]
    #[ignore = "long: run ./test --full"]
    fn more_native_64_bit_integers_pass() {
        let patterns = ["kernels:", "faults:", "groups:", "histories:", "of u64", "of i64", "torus 4x4"];
        let report = passes(named(&native(), &patterns));
        assert!(report.counts_of(Group::Primitives).passed > 10, "{}", report.to_text());
    }

    #[test]
    #[ignore = "long: run ./test --full"]
    fn all_models_end_as_on_the_host() {
        models_compared(&[]);
    }

    /// Tests the placement of tables, and the operations that move their rows.
    #[test]
    #[ignore = "long: run ./test --full"]
    fn tables_in_several_pieces_pass() {
        let options = Options {
            int64: Int64Option::Emulated,
            float64: Switch::Off,
            workgroup: 64,
            max_binding_bytes: Some(1 << 20),
            ..Options::default()
        };
        let patterns = ["memory:", "programs:", "histories:", "tables", "whole rows", "of u32", "torus"];
        passes(named(&open(&options), &patterns));
    }
}

/// Cuts tables into pieces and shrinks workgroups, for the fast cases about rows.
#[test]
fn tables_in_several_pieces_pass() {
    let options = Options {
        int64: Int64Option::Emulated,
        float64: Switch::Off,
        workgroup: 64,
        max_binding_bytes: Some(1 << 20),
        ..Options::default()
    };
    passes(named(&open(&options), &["memory:", "kernels: two tables", "kernels: rows and tables"]));
}

/// Results do not depend on the size of workgroups.
#[test]
fn every_size_of_a_workgroup_passes() {
    for workgroup in [64, 128, 256] {
        let device = open(&Options { int64: Int64Option::Emulated, workgroup, ..Options::default() });
        let cases = ["u64 reduction: `argmin`", "u32 tally: `add`", "groups of 64: a running sum"];
        assert_eq!(passes(named(&device, &cases)).counts().passed, 4, "{workgroup}");
    }
}

/// The fast cases here; the others, especially sorts, run in this way on OpenCL and the CPU.
#[test]
fn primitives_pass_in_their_portable_form() {
    let options = Options { int64: Int64Option::Emulated, portable_primitives: true, ..Options::default() };
    let soon = ["running sums of u32", "tests of u32", "histogram of u32", "moves whole rows", "undoes gathering"];
    let report = passes(named(&open(&options), &soon));
    assert!(report.counts_of(Group::Primitives).passed > 4, "{}", report.to_text());
}

#[imminent_core::kernels]
mod parcels {
    #[derive(Row)]
    pub struct Parcel {
        pub time: u64,
        pub urgent: bool,
        pub place: [f32; 2],
        pub stops: Lanes<i32>,
    }
}

use parcels::Parcel;

/// Moves rows and columns; returns the resulting rows.
fn moved(device: &Device) -> Result<Vec<Parcel>> {
    let parcel = |i: u32| Parcel {
        time: u64::from(i) << 33 | 5,
        urgent: i.is_multiple_of(3),
        place: [i as f32, -1.5],
        stops: Lanes::from(vec![i as i32, -7]),
    };
    let given: Vec<Parcel> = (0..9).map(parcel).collect();
    let (from, mut to) = (Table::from_rows(device, &given)?, Table::from_rows(device, &given)?);
    let queue = device.queue();
    // The last entry is not a valid row.
    queue.gather(&Table::from_rows(device, &[8, 0, 3, 3, 7, 1, 2, 6, 99])?, &from, &mut to)?;
    let mut back = Table::from_rows(device, &given)?;
    queue.scatter(&Table::from_rows(device, &[4, 5, 6, 7, 8, 0, 1, 2, 3])?, &to, &mut back)?;
    queue.copy_column(from.column::<u64>(0), back.column::<u64>(0))?;
    queue.fill(back.column::<f32>(3), 2.25_f32)?;
    queue.wait()?;
    back.read()
}

/// A device without a primitive moves rows by a kernel that is generated at run time, which has no native form on the
/// host.
#[test]
fn rows_move_alike_on_a_device_and_the_host() {
    let host = Device::open(CpuBackend::open(&imminent_cpu::Options::default()).unwrap()).unwrap();
    let expected = moved(&host).unwrap();
    for portable_primitives in [false, true] {
        let device = open(&Options { portable_primitives, ..Options::default() });
        for (left, right) in [(&host, &device), (&device, &host)] {
            let twin = Twin::new(left, right);
            let found = moved(&twin.open().unwrap());
            assert!(twin.divergence().is_none(), "{:?}", twin.divergence());
            assert_eq!(found.unwrap(), expected);
            assert!(twin.compared() >= 4, "{}", twin.compared());
        }
    }
}

/// Two devices agree on a fault although only one reports the operands.
#[test]
fn a_fault_is_the_same_with_and_without_operands() {
    #[imminent_core::kernels]
    mod faulty {
        #[derive(Row)]
        pub struct Cell {
            pub value: u32,
        }

        #[kernel]
        pub fn divide(me: &mut Cell, id: u32) {
            me.value = 10 / id;
        }
    }
    let host = Device::open(CpuBackend::open(&imminent_cpu::Options::default()).unwrap()).unwrap();
    for faults in [Faults::Places, Faults::Operands] {
        let twin = Twin::new(&host, &open(&Options { faults, ..Options::default() }));
        let device = twin.open().unwrap();
        let mut table = Table::from_rows(&device, &[const { faulty::Cell { value: 1 } }; 4]).unwrap();
        let failed = device.queue().launch::<faulty::divide>((&mut table,)).and_then(|_| device.queue().wait());
        assert!(failed.unwrap_err().fault().is_some_and(|fault| fault.row == 0 && fault.operands.is_some()));
        assert!(twin.divergence().is_none(), "{:?}", twin.divergence());
    }
}

/// A few random kernels, the same in every run: `imminent fuzz` tries any number of others.
#[test]
fn random_kernels_do_what_their_ir_says() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let report = Fuzz::new(&open(&Options { int64, ..Options::default() })).cases(24).seed(3).run().unwrap();
        assert!(report.failure.is_none(), "{report}");
        assert!(report.agreed >= 20, "{report}");
    }
}

/// Kernels of a device with everything optional are ignored where they cannot run, and no failure.
#[test]
fn a_kept_kernel_is_ignored_by_a_device_that_cannot_run_it() {
    let device = open(&Options { float64: Switch::Off, ..Options::default() });
    let reports = random_modules(10, 1).into_iter().map(|module| {
        let report = Regression { module, size: 5, data: 1 }.again(&device).unwrap();
        assert!(report.failure.is_none(), "{report}");
        report
    });
    let (agree, refused): (Vec<_>, Vec<_>) = reports.partition(|report| report.refused.is_none());
    assert!(agree.iter().any(|report| report.agreed == 1) && !refused.is_empty(), "{agree:?} {refused:?}");
    for reason in refused.into_iter().flat_map(|report| report.refused) {
        let known = ["`f64`", "64-bit minimum", "reproducible"].into_iter().any(|why| reason.contains(why));
        assert!(known, "{reason}");
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release -p imminent-conformance --test all -- --ignored full_runs --nocapture"]
fn full_runs_pass() {
    for int64 in [Int64Option::Native, Int64Option::Emulated] {
        let report = Suite::new(&open(&Options { int64, ..Options::default() })).mode(Mode::Full).run();
        println!("{}", report.to_text());
        assert!(report.passed(), "{}", report.problem().unwrap_or_default());
    }
}
