//! Selection of cases, progress updates, and the result of a run without selected cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::{Group, Outcome, Report, Suite, matrix::Matrix};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

fn host() -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap()).unwrap()
}

#[test]
fn a_filter_that_matches_nothing_fails() {
    let report = Suite::new(&host()).matching("no case is called this").run();
    assert!(!report.passed());
    assert!(report.problem().unwrap().contains("`no case is called this`"), "{:?}", report.problem());
    assert!(report.to_text().contains("NOT PASSED"));
    assert!(report.to_html().contains("Not passed"));
}

#[test]
fn a_run_of_skipped_cases_alone_fails() {
    let report = Suite::new(&host()).matching("is refused where there is none").run();
    assert!(report.cases.iter().all(|case| matches!(case.outcome, Outcome::Skip { .. })) && !report.cases.is_empty());
    assert!(!report.passed());
}

#[test]
fn groups_and_patterns_choose() {
    let device = host();
    let names = |suite: Suite<'_>| suite.names();
    let all = names(Suite::new(&device));
    let faults = names(Suite::new(&device).group(Group::Faults));
    assert!(faults.len() < all.len() && faults.iter().all(|(group, _)| *group == Group::Faults));
    let both = names(Suite::new(&device).group(Group::Faults).group(Group::Memory));
    assert!(both.len() > faults.len());
    let two = names(Suite::new(&device).matching("U64 AS F32").matching("kernels: u32: `a + b`"));
    assert_eq!(two.len(), 2, "{two:?}");
    let one = names(Suite::new(&device).matching("U64 AS F32").matching("kernels: u32: `a + b`").except("u64 as"));
    assert_eq!(one, two[..1], "{two:?}");
}

#[test]
fn progress_is_told_after_every_case() {
    let device = host();
    let mut heard = Vec::new();
    let report = Suite::new(&device)
        .group(Group::RandomNumbers)
        .seed(7)
        .on_update(|update| heard.push((update.done, update.total, update.case.name.clone())))
        .run();
    assert!(report.passed(), "{}", report.to_text());
    let expected: Vec<_> =
        (1..).zip(&report.cases).map(|(done, case)| (done, report.cases.len(), case.name.clone())).collect();
    assert_eq!(heard, expected);
    assert_eq!(report.seed, 7);
}

#[test]
fn a_report_keeps_its_form() {
    let mut report = Suite::new(&host()).matching("count` is how many").matching("with f64 is refused").run();
    // Values that differ between machines and runs.
    report.seconds = 1.0;
    report.cases.iter_mut().for_each(|case| case.seconds = 0.5);
    for (name, value) in &mut report.device.capabilities {
        if name.contains("bytes") {
            "4096".clone_into(value);
        }
    }
    report.device.details["limits"] = serde_json::Value::Null;
    "native code".clone_into(&mut report.device.driver);
    assert_eq!(Report::from_json(&report.to_json().unwrap()).unwrap(), report);
    insta::assert_snapshot!("run.txt", report.to_text());
    insta::assert_snapshot!("run.json", report.to_json().unwrap());
    insta::assert_snapshot!("run.html", report.to_html());
    insta::assert_snapshot!("runs.txt", Matrix::new(&[report.clone(), report]).to_text());
}
