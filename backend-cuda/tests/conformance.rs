//! The conformance suite on the first CUDA device.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod needs;

use imminent_conformance::{Fuzz, Group, Suite};
use imminent_core::Device;
use imminent_testkit::needs::SoftwareDriver;
use imminent_testkit::{process, tests_that_need};

/// Defines a test for each group: they run in parallel.
macro_rules! groups {
    ($($name:ident: $group:ident),+) => {
        tests_that_need! {
            needs::driver:
                $($name,)+
                primitives_pass_in_their_portable_form,
                programs_pass_with_loops_in_while_nodes,
                programs_pass_with_resident_loops,
                sorts_pass_where_processors_are_many,
                faults_report_their_operands_on_request,
                random_kernels_do_what_their_ir_says;
            full_run:
                more_programs_pass_with_loops_in_while_nodes,
                all_models_pass_with_resident_loops;
        }

        $(
            fn $name() {
                passes(Group::$group);
            }
        )+

        const GROUPS: [Group; Group::ALL.len()] = [$(Group::$group),+];
    };
}

groups! {
    kernels_of_the_quick_suite: Kernels,
    models_of_the_quick_suite: Models,
    primitives_of_the_quick_suite: Primitives,
    groups_of_the_quick_suite: Groups,
    memory_of_the_quick_suite: Memory,
    histories_of_the_quick_suite: Histories,
    random_numbers_of_the_quick_suite: RandomNumbers,
    programs_of_the_quick_suite: Programs,
    faults_of_the_quick_suite: Faults,
    queues_of_the_quick_suite: Queues
}

fn full_run() -> Result<(), String> {
    needs::driver().and_then(|()| imminent_testkit::needs::full_run())
}

fn passes(group: Group) {
    assert!(GROUPS.contains(&group));
    let device = common::device("");
    let mut suite = Suite::new(&device).group(group);
    if is_emulated(&device) && matches!(group, Group::Kernels | Group::Primitives) {
        let (part, parts) = SoftwareDriver::EmulatedCuda.part();
        suite = suite.part(part, parts);
    }
    let report = suite.run();
    assert!(report.passed() && report.counts().passed > 0, "{}", report.to_text());
}

fn is_emulated(device: &Device) -> bool {
    device.info().name.contains("emulation of CUDA")
}

/// The device then reports the same as the reference, including operands.
fn faults_report_their_operands_on_request() {
    let device = common::device("faults=operands");
    let patterns = ["faults:", "histories: the first", "histories: before", "histories: without", "is a fault of"];
    let report = patterns.into_iter().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed() && report.counts_of(Group::Faults).passed > 20, "{}", report.to_text());
    assert!(report.counts_of(Group::Histories).passed > 2, "{}", report.to_text());
    assert!(report.counts_of(Group::Groups).passed > 1, "{}", report.to_text());
}

fn primitives_pass_in_their_portable_form() {
    let device = common::device("primitives=portable");
    // The quick ones only; the others, sorts above all, run this way on OpenCL and the CPU.
    let soon = ["running sums of u32", "tests of u32", "histogram of u32", "moves whole rows", "undoes gathering"];
    let report = soon.into_iter().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed() && report.counts_of(Group::Primitives).passed > 4, "{}", report.to_text());
}

fn programs_pass_with_loops_in_while_nodes() {
    assert!(
        common::has_while_nodes(),
        "WHILE nodes need a driver of CUDA 12.3 or later, or a fresh emulation: run ./test"
    );
    loops_by("loops=conditional", &["programs:"]);
}

fn more_programs_pass_with_loops_in_while_nodes() {
    loops_by("loops=conditional", &MORE);
}

fn programs_pass_with_resident_loops() {
    loops_by("loops=resident", &["programs:", "torus 8x8", "ad hoc networks of Gauss-Markov"]);
}

fn all_models_pass_with_resident_loops() {
    let device = common::device("loops=resident");
    let report = Suite::new(&device).group(Group::Models).group(Group::Queues).run();
    assert!(report.passed(), "{}", report.to_text());
}

/// Cases with loops, beside those of programs.
const MORE: [&str; 4] = ["queues:", "torus", "lines of servers", "hybrid traffic"];

/// Runs cases with loops in the way of an option.
fn loops_by(option: &str, patterns: &[&str]) {
    let device = common::device(option);
    let report = patterns.iter().copied().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed(), "{}", report.to_text());
}

/// Work that few processors leave to one group is spread over many groups.
fn sorts_pass_where_processors_are_many() {
    if !process::inside() {
        let environment = [("IMMINENT_CUDA_HOST_MULTIPROCESSORS", "132")];
        process::texts_inside("sorts_pass_where_processors_are_many", &environment);
        return;
    }
    let device = common::device("");
    let report = Suite::new(&device).group(Group::Primitives).matching("tiles of a sort").matching("NaN last").run();
    assert!(report.passed() && report.counts_of(Group::Primitives).passed == 3, "{}", report.to_text());
}

/// Runs a few random kernels, identical in every run: `imminent fuzz` tries any number of others.
fn random_kernels_do_what_their_ir_says() {
    let report = Fuzz::new(&common::device("")).cases(24).seed(3).run().unwrap();
    assert!(report.failure.is_none(), "{report}");
    assert!(report.agreed >= 20, "{report}");
}
