//! The conformance suite on the first OpenCL device.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::device;
use imminent_conformance::{Fuzz, Group, Report, Suite};

fn passes(suite: Suite<'_>) -> Report {
    let report = suite.run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
    report
}

/// The suite in two halves, which take both cores of a small machine.
fn groups_pass(groups: impl Iterator<Item = Group> + Clone) {
    let device = device("");
    let report = passes(groups.clone().fold(Suite::new(&device), Suite::group));
    for group in groups {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

#[test]
fn the_quick_suite_passes_but_for_primitives() {
    groups_pass(Group::ALL.into_iter().filter(|group| *group != Group::Primitives));
}

#[test]
fn the_primitives_of_the_quick_suite_pass() {
    groups_pass([Group::Primitives].into_iter());
}

/// Without the operations that kernels spell the same way there: to compile them all twice takes minutes.
#[test]
fn a_device_without_anything_optional_passes() {
    let device = device("float64=off,int64_atomics=off,workgroup=32");
    let suite = ["memory:", "programs:", "faults:", "torus", "random numbers:", "tally", "reduc", "refused"]
        .into_iter()
        .fold(Suite::new(&device), Suite::matching);
    let report = passes(suite);
    for group in Group::ALL {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

#[test]
fn primitives_pass_in_their_portable_form() {
    let device = device("primitives=portable");
    let suite = ["of u32", "rows"].into_iter().fold(Suite::new(&device), Suite::matching);
    assert!(passes(suite).counts_of(Group::Primitives).passed > 10);
}

/// A few random kernels, the same in every run: `imminent fuzz` tries as many others as one likes. Not seed 3, whose fourth kernel ends the process on
/// PoCL 3.1: there a branch with votes in it, followed by more barriers, is compiled to code that runs past its end.
#[test]
fn random_kernels_do_what_their_ir_says() {
    let report = Fuzz::new(&device("")).cases(20).seed(101).run().unwrap();
    assert!(report.failure.is_none(), "{report}");
    assert!(report.agreed >= 18, "{report}");
}
