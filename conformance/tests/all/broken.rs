//! The suite detects failures: each defect of a backend makes the corresponding cases fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::broken_backend::{Defect, open};
use imminent_conformance::{Expectation, Fuzz, Group, Outcome, Regression, Report, Suite};
use imminent_core::Determinism;
use std::cell::RefCell;
use std::time::Duration;

/// Runs some groups. Only the kernels of `u32` and those that `extra` names run, since there are many.
fn run(defect: Defect, groups: &[Group], extra: &str) -> Report {
    let device = open(defect);
    let mut suite = Suite::new(&device);
    for group in groups {
        suite = match group {
            Group::Kernels => suite.matching("kernels: u32").matching(extra),
            other => suite.matching(format!("{other}: ")),
        };
    }
    let report = suite.run();
    assert!(!report.passed(), "{defect:?} was not noticed");
    report
}

/// Checks that all cases of the given names have failed.
fn failed(report: &Report, cases: &[&str]) {
    for wanted in cases {
        let case = report.cases.iter().find(|case| case.name.contains(wanted)).expect(wanted);
        assert!(matches!(case.outcome, Outcome::Fail { .. }), "`{}`: {:?}", case.name, case.outcome);
    }
}

/// Checks that all other groups that were run have no failures.
fn clean_but(report: &Report, groups: &[Group]) {
    for group in Group::ALL.into_iter().filter(|group| !groups.contains(group)) {
        assert_eq!(report.counts_of(group).failed, 0, "{group}: {}", report.to_text());
    }
    assert!(report.counts().passed > 20, "{}", report.to_text());
}

fn message<'r>(report: &'r Report, case: &str) -> &'r str {
    let found = report.cases.iter().find(|found| found.name.contains(case)).expect(case);
    match &found.outcome {
        Outcome::Fail { message } => message,
        other => panic!("{case}: {other:?}"),
    }
}

use Group::{Faults, Kernels, Memory, Programs, RandomNumbers};

/// The steps 1 and 2 of the chapter on writing a backend.
#[test]
fn the_memory_of_a_device_without_kernels_can_be_tried() {
    let device = open(Defect::HasNoKernels);
    let of = |names: &[&str]| names.iter().fold(Suite::new(&device).group(Memory), |suite, name| suite.matching(*name));
    let first = of(&["as they were written", "a new table is zero", "by themselves", "keeps every bit"]).run();
    assert!(first.passed() && first.counts().passed > 8, "{}", first.to_text());
    let second = of(&["a copy has", "clearing sets"]).run();
    assert!(second.passed() && second.counts().passed == 2, "{}", second.to_text());
    assert!(device.require(Determinism::LOOSEST).is_ok() && device.require(Determinism::Reproducible).is_err());
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let report = run(Defect::FlipsABit, &[Memory, Kernels, RandomNumbers], "structs");
    failed(
        &report,
        &["rows are read as they were written", "u32: `a + b` wraps", "`next_u64` draws", "rows with nested structs"],
    );
    let message = message(&report, "u32: `a + b` wraps");
    for part in ["kernel `ints_u32::Add`, row 19 (a = ", "expected x = ", "found "] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_launch_that_did_not_take_place_is_found() {
    let report = run(Defect::DropsLaunches, &[Kernels, RandomNumbers, Faults], "tally");
    for group in [Kernels, RandomNumbers, Faults] {
        assert!(report.counts_of(group).failed > 0, "{group}");
    }
}

#[test]
fn a_row_that_is_not_visited_is_found() {
    let report = run(Defect::DropsTheLastRow, &[Kernels, Faults], "the row number counts");
    failed(
        &report,
        &[
            "the row number counts from 0",
            "u32: `a * b` wraps",
            "u32 tally: `add`",
            "the lowest row wins, however many",
        ],
    );
    failed(
        &report,
        &["u32 reduction: `min`", "u32 reduction: `max`", "u32 reduction: `sum`", "u32 reduction: `argmin`;"],
    );
}

#[test]
fn the_wrong_row_and_the_wrong_line_of_a_fault_are_found() {
    for defect in [Defect::WrongFaultRow, Defect::WrongFaultLine] {
        let report = run(defect, &[Memory, Kernels, Programs, Faults], "`match`");
        failed(&report, &["integer division by zero gives zero", "the lowest row wins, however many"]);
        clean_but(&report, &[Faults]);
    }
}

#[test]
fn swallowed_faults_are_found() {
    let report = run(Defect::SwallowsFaults, &[Memory, Kernels, Programs, Faults], "`match`");
    failed(&report, &["integer remainder by zero", "a tally slot past the end", "cannot be read, and names the cause"]);
    clean_but(&report, &[Programs, Faults]);
}

#[test]
fn errors_reported_twice_are_found() {
    let report = run(Defect::RepeatsErrors, &[Memory, Programs, Faults], "");
    failed(&report, &["an error is returned once", "the queue goes on after a fault"]);
    clean_but(&report, &[Programs, Faults]);
}

#[test]
fn a_growth_that_loses_its_rows_is_found() {
    let report = run(Defect::GrowsEmptyHanded, &[Memory, Programs, Faults], "");
    failed(&report, &["growing keeps what is there", "a loop watches the fullest line"]);
    clean_but(&report, &[Memory, Programs]);
}

#[test]
fn miscounted_and_missing_steps_are_found() {
    for defect in [Defect::MiscountsSteps, Defect::StopsEarly] {
        let report = run(defect, &[Memory, Programs], "");
        failed(&report, &["a loop ends after `max_steps`"]);
        clean_but(&report, &[Programs]);
    }
    failed(&run(Defect::MiscountsSteps, &[Programs], ""), &["takes the steps of a plain host loop"]);
}

#[test]
fn copies_that_do_not_take_place_are_found() {
    let report = run(Defect::DropsCopies, &[Memory, RandomNumbers, Programs], "");
    failed(&report, &["a copy has the rows of the moment"]);
    clean_but(&report, &[Memory]);
}

#[test]
fn a_capability_that_is_not_advertised_must_be_refused() {
    let report = run(Defect::HidesDoubles, &[Kernels], "f64");
    failed(&report, &["a kernel with f64 is refused"]);
    let skipped = report.cases.iter().find(|case| case.name.contains("f64: `a + b`")).unwrap();
    assert!(matches!(skipped.outcome, Outcome::Skip { .. }));
}

#[test]
fn a_panic_inside_a_case_fails_the_case_alone() {
    let report = run(Defect::PanicsInCopies, &[Memory, RandomNumbers], "");
    assert!(message(&report, "a copy has the rows of the moment").contains("copies panic here"));
    clean_but(&report, &[Memory]);
}

#[test]
fn a_lost_device_fails_everything_that_uses_it() {
    let report = run(Defect::Lost, &[Memory, Kernels, RandomNumbers, Programs, Faults], "`match`");
    assert_eq!(report.counts_of(RandomNumbers).passed, 0, "{}", report.to_text());
    assert!(message(&report, "u32: `a + b` wraps").contains("was lost during everything"));
}

#[test]
fn the_fuzzer_keeps_the_kernel_that_lost_the_device_as_it_was() {
    let report = Fuzz::new(&open(Defect::Lost)).run().unwrap();
    let failure = report.failure.unwrap();
    assert!(failure.message.contains("was lost during everything"), "{}", failure.message);
    assert_eq!(report.agreed, 0);
    // If it were simplified, it would be the empty kernel, which "fails" too.
    let statements: usize = failure.case.module.functions.iter().map(|function| function.body.len()).sum();
    assert!(statements > 0, "{:?}", failure.case);
}

/// The device of this test cannot run kernels generated at run time.
#[test]
fn the_fuzzer_tells_of_a_failure_before_it_looks_for_simpler_ones() {
    let device = open(Defect::DropsCopies);
    let statements =
        |case: &Regression| -> usize { case.module.functions.iter().map(|function| function.body.len()).sum() };
    let told = RefCell::new(Vec::new());
    let fuzz = |time: Duration| {
        let fuzz = Fuzz::new(&device).shrinking_for(time);
        let report = fuzz.on_failure(|failure| told.borrow_mut().push(statements(&failure.case))).run().unwrap();
        statements(&report.failure.unwrap().case)
    };
    let (at_once, simplest) = (fuzz(Duration::ZERO), fuzz(Duration::from_secs(60)));
    assert!(at_once > 0 && simplest == 0, "{at_once} {simplest}");
    assert_eq!(*told.borrow(), [at_once, at_once]);
}

#[test]
fn an_expected_failure_is_not_a_failure_and_an_unexpected_pass_is() {
    let device = open(Defect::DropsCopies);
    let expected = |case: &str| Expectation {
        backend: "cpu".to_owned(),
        case: case.to_owned(),
        reference: "issue 1".to_owned(),
        ..Expectation::default()
    };
    let suite = || Suite::new(&device).matching("a copy has the rows").matching("a new table is zero");
    let known = suite().expecting(vec![expected("memory: a copy has")]).run();
    assert!(known.passed(), "{}", known.to_text());
    assert_eq!((known.counts().expected_failures, known.counts().passed), (1, 1));
    let stale = suite().expecting(vec![expected("a copy has"), expected("a new table")]).run();
    assert!(!stale.passed());
    assert_eq!(stale.counts().unexpected_passes, 1);
    let elsewhere = Expectation { backend: "wgpu".to_owned(), ..expected("a copy has") };
    assert!(!suite().expecting(vec![elsewhere]).run().passed());
}

/// Integers, tallies and faults are the same in whatever order the rows are visited.
#[test]
fn rows_from_the_last_to_the_first_give_the_same() {
    let device = open(Defect::RunsBackwards);
    let cases = ["u32 reduction: ", "i64 reduction: ", "tally: ", "faults: the lowest row"];
    let report = cases.into_iter().fold(Suite::new(&device), Suite::matching).run();
    assert!(report.passed() && report.counts().passed > 15, "{}", report.to_text());
}
