//! The conformance suite on the first CUDA device.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod needs;

use imminent_conformance::{Fuzz, Group, Suite};
use imminent_testkit::{process, tests_that_need};

tests_that_need! {
    needs::driver:
        the_quick_suite_passes_but_for_primitives,
        the_primitives_of_the_quick_suite_pass,
        primitives_pass_in_their_portable_form,
        programs_pass_with_loops_in_while_nodes,
        sorts_pass_where_processors_are_many,
        random_kernels_do_what_their_ir_says;
}

/// The suite in two halves, which take both cores of a small machine.
fn passes(groups: impl Iterator<Item = Group> + Clone) {
    let device = common::device("");
    let report = groups.clone().fold(Suite::new(&device), Suite::group).run();
    assert!(report.passed(), "{}", report.to_text());
    for group in groups {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

fn the_quick_suite_passes_but_for_primitives() {
    passes(Group::ALL.into_iter().filter(|group| *group != Group::Primitives));
}

fn the_primitives_of_the_quick_suite_pass() {
    passes([Group::Primitives].into_iter());
}

fn primitives_pass_in_their_portable_form() {
    let device = common::device("primitives=portable");
    // Those that are soon done here; the rest, sorts above all, runs so on OpenCL and the CPU.
    let soon = ["running sums of u32", "tests of u32", "histogram of u32", "moves whole rows", "undoes gathering"];
    let report = soon.into_iter().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed() && report.counts_of(Group::Primitives).passed > 4, "{}", report.to_text());
}

fn programs_pass_with_loops_in_while_nodes() {
    assert!(
        common::has_while_nodes(),
        "WHILE nodes need a driver of CUDA 12.3 or later, or a fresh emulation: run ./test"
    );
    let device = common::device("loops=conditional");
    let patterns = ["programs:", "queues:", "torus", "lines of servers", "hybrid traffic"];
    let report = patterns.into_iter().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed(), "{}", report.to_text());
}

/// What few processors leave to one group, many do together.
fn sorts_pass_where_processors_are_many() {
    if !process::inside() {
        let environment = [("IMMINENT_CUDA_HOST_MULTIPROCESSORS", "132")];
        process::told_inside("sorts_pass_where_processors_are_many", &environment);
        return;
    }
    let device = common::device("");
    let report = Suite::new(&device).group(Group::Primitives).matching("tiles of a sort").matching("NaN last").run();
    assert!(report.passed() && report.counts_of(Group::Primitives).passed == 3, "{}", report.to_text());
}

/// A few random kernels, the same in every run: `imminent fuzz` tries as many others as one likes.
fn random_kernels_do_what_their_ir_says() {
    let report = Fuzz::new(&common::device("")).cases(24).seed(3).run().unwrap();
    assert!(report.failure.is_none(), "{report}");
    assert!(report.agreed >= 20, "{report}");
}
