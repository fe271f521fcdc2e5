//! The conformance suite on the first OpenCL device.

use crate::common::device;
use imminent_conformance::{Fuzz, Group, Report, Suite, Update};
use imminent_core::{Device, DeviceKind};
use imminent_testkit::needs::{SoftwareDriver, leaves_out, patterns};
use imminent_testkit::process::apart;

fn passes(suite: Suite<'_>) -> Report {
    // For `--nocapture`: a driver may end the process.
    let told = |update: &Update<'_>| println!("{:.2} s: {}", update.case.seconds, update.case.name);
    let report = suite.on_update(told).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
    report
}

/// Runs the cases that match any of the patterns, on a device with these options and those of the quick suite.
fn quickly(options: &str, patterns: &[&str]) -> Report {
    let both = [options, quick()].map(str::to_owned).into_iter().filter(|some| !some.is_empty()).collect::<Vec<_>>();
    named(&both.join(","), patterns)
}

/// Runs the cases that match any of the patterns, on a device with these options.
fn named(options: &str, patterns: &[&str]) -> Report {
    let device = device(options);
    passes(patterns.iter().copied().fold(Suite::new(&device), Suite::matching))
}

/// Options of the quick suite. Optimizing takes PoCL more than half of the suite's time. `./test --full` leaves it on.
fn quick() -> &'static str {
    if std::env::var_os("IMMINENT_FULL").is_some() { "" } else { "optimization=off" }
}

/// Returns which part of a group a device runs, and of how many: all but for PoCL, which compiles most of the time.
fn part_of(device: &Device, group: Group) -> (usize, usize) {
    match group {
        _ if device.info().kind != DeviceKind::CpuDevice => (0, 1),
        Group::Kernels | Group::Primitives => SoftwareDriver::Pocl.part(),
        // The emulation of CUDA runs all models, and llvmpipe every second one.
        Group::Models if leaves_out() => (1, 2),
        _ => (0, 1),
    }
}

/// All kernels with `f64`, of which llvmpipe has none where it emulates 64-bit integers.
#[test]
fn kernels_in_double_precision_pass() {
    let device = device(quick());
    let report = passes(Suite::new(&device).group(Group::Kernels).matching("f64"));
    assert!(report.counts().passed > 50, "{}", report.to_text());
}

/// Defines a test for each group. They run in parallel in separate processes: PoCL compiles one kernel at a time in
/// each.
macro_rules! groups {
    ($($name:ident: $group:ident),+) => {
        mod quick_suite {
            use super::{Group, Suite, apart, device, part_of, passes, patterns, quick};

            $(
                #[test]
                fn $name() {
                    apart(concat!("conformance::quick_suite::", stringify!($name)), || {
                        let device = device(quick());
                        let mut suite = Suite::new(&device).group(Group::$group);
                        let (part, parts) = part_of(&device, Group::$group);
                        suite = suite.part(part, parts);
                        let report = passes(patterns().into_iter().fold(suite, Suite::matching));
                        assert!(report.counts().passed > 0, "{}", report.to_text());
                    });
                }
            )+

            #[test]
            fn every_group_has_a_test() {
                assert_eq!([$(Group::$group),+].len(), Group::ALL.len());
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
    queues: Queues,
    models: Models
}

/// The device then reports the same as the reference, including operands.
#[test]
fn faults_report_their_operands_on_request() {
    let report = quickly(
        "faults=operands",
        &["faults:", "histories: the first", "histories: before", "histories: without", "is a fault of"],
    );
    assert!(report.counts_of(Group::Faults).passed > 20, "{}", report.to_text());
    assert!(report.counts_of(Group::Histories).passed > 2, "{}", report.to_text());
    assert!(report.counts_of(Group::Groups).passed > 1, "{}", report.to_text());
}

const NOTHING_OPTIONAL: &str = "float64=off,int64-atomics=off,workgroup=32";

/// Cases with other kernels on such devices: tallies and reductions of wide integers.
#[test]
fn wide_integers_pass_on_a_device_without_anything_optional() {
    let report = quickly(NOTHING_OPTIONAL, &["tally: `add`", "u64 tally", "u64 reduction", "refused"]);
    assert!(report.counts().passed > 8, "{}", report.to_text());
}

/// If the driver rounds them differently, division and square roots are computed in the wider type, or step by step
/// without one.
#[test]
fn divisions_and_roots_pass_that_the_driver_does_not_round() {
    for options in ["division=portable", "division=portable,float64=off"] {
        let report = named(options, &["kernels: f32: ", "kernels: f32 is not simplified"]);
        assert!(report.counts().passed > 30, "{options}: {}", report.to_text());
    }
}

/// Results do not depend on the size of work-groups.
#[test]
fn every_size_of_a_work_group_passes() {
    for size in [32, 64, 128, 256] {
        let options = format!("workgroup={size},optimization=off");
        let report = named(&options, &["u64 reduction: `argmin`", "u32 tally: `add`", "groups of 64: a running sum"]);
        assert_eq!(report.counts().passed, 4, "{options}: {}", report.to_text());
    }
}

#[test]
fn primitives_pass_in_their_portable_form() {
    let soon = ["running sums of u32", "tests of u32", "histogram of u32", "moves whole rows", "undoes gathering"];
    assert!(quickly("primitives=portable", &soon).counts_of(Group::Primitives).passed > 4);
}

/// Runs a few random kernels, identical in every run: `imminent fuzz` tries any number of others. One of this seed
/// ended the process on PoCL 3.1 while groups read their own rows between barriers.
#[test]
fn random_kernels_do_what_their_ir_says() {
    let report = Fuzz::new(&device("")).cases(20).seed(3).run().unwrap();
    assert!(report.failure.is_none(), "{report}");
    assert!(report.agreed >= 18, "{report}");
}

mod full {
    use super::{Group, NOTHING_OPTIONAL, named};

    /// Without the operations that kernels spell identically there.
    #[test]
    #[ignore = "long: run ./test --full"]
    fn a_device_without_anything_optional_passes() {
        let patterns = ["memory:", "programs:", "faults:", "torus", "random numbers:", "tally", "reduc", "refused"];
        let report = named(NOTHING_OPTIONAL, &patterns);
        for group in Group::ALL {
            assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
        }
    }

    #[test]
    #[ignore = "long: run ./test --full"]
    fn more_primitives_pass_in_their_portable_form() {
        assert!(named("primitives=portable", &["of u32", "rows"]).counts_of(Group::Primitives).passed > 10);
    }
}
