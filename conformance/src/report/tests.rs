#![allow(clippy::unwrap_used)]

use super::*;

pub(crate) fn case(group: Group, name: &str, outcome: Outcome) -> CaseReport {
    CaseReport { group, name: name.to_owned(), outcome, notes: Vec::new(), seconds: 0.25 }
}

/// Returns an artificial report with every kind of outcome.
pub(crate) fn mixed() -> Report {
    let device = DeviceReport {
        backend: "wgpu".to_owned(),
        name: "Example <GPU>".to_owned(),
        driver: "driver 1.2".to_owned(),
        kind: "discrete-gpu".to_owned(),
        index: 0,
        capabilities: vec![
            ("64-bit integers".to_owned(), "emulated".to_owned()),
            ("f32 promises".to_owned(), "results within 3 ulp: subnormal numbers are flushed".to_owned()),
        ],
        details: serde_json::json!({ "int64": "emulated", "float64": false }),
    };
    let mut report = Report::new(device, Mode::Quick, 0, None);
    report.suite = "0.0.0".to_owned();
    let expected = "kernel `ops::add`, row 3 (a = 1, b = 2): expected x = 3, found x = 4";
    report.cases = vec![
        case(Group::Memory, "a new table is zero", Outcome::Pass),
        case(Group::Kernels, "u32: `a + b` wraps", Outcome::Fail { message: expected.to_owned() }),
        case(Group::Kernels, "f64: `a + b`", Outcome::Skip { reason: SkipReason::LacksFloat64 }),
        case(
            Group::Kernels,
            "f32: `a % b`",
            Outcome::ExpectedFail { message: "expected 1, found 2".to_owned(), reference: "issue 7".to_owned() },
        ),
        case(Group::Faults, "the lowest row wins", Outcome::UnexpectedPass { reference: "issue 8".to_owned() }),
    ];
    report.cases[0].notes.push("4 of 9 rows not compared: the device flushes subnormal f32".to_owned());
    report.digests.push(ModelDigest { model: "torus 16x16".to_owned(), digest: "00ff".to_owned() });
    report.seconds = 1.5;
    report
}

fn only(outcomes: Vec<Outcome>) -> Report {
    let mut report = mixed();
    report.cases = outcomes.into_iter().map(|outcome| case(Group::Memory, "a case", outcome)).collect();
    report
}

#[test]
fn only_passes_and_expected_failures_pass() {
    let expected = Outcome::ExpectedFail { message: String::new(), reference: String::new() };
    assert!(only(vec![Outcome::Pass, expected.clone(), Outcome::Skip { reason: SkipReason::QuickMode }]).passed());
    assert!(only(vec![expected]).passed());
    assert!(!only(vec![Outcome::Pass, Outcome::Fail { message: String::new() }]).passed());
    assert!(!only(vec![Outcome::Pass, Outcome::UnexpectedPass { reference: String::new() }]).passed());
}

#[test]
fn a_run_that_executed_nothing_fails() {
    assert!(!only(vec![]).passed());
    let skipped = only(vec![Outcome::Skip { reason: SkipReason::LacksFloat64 }]);
    assert!(!skipped.passed());
    assert!(skipped.problem().unwrap().contains("skipped"));
}

#[test]
fn a_run_without_a_reference_fails() {
    let mut report = only(vec![Outcome::Pass]);
    report.reference_error = Some("no threads".to_owned());
    assert!(report.problem().unwrap().contains("no threads"));
}

#[test]
fn json_reads_back_as_it_was() {
    let report = mixed();
    assert_eq!(Report::from_json(&report.to_json().unwrap()).unwrap(), report);
}

#[test]
fn the_three_forms() {
    let report = mixed();
    insta::assert_snapshot!("report.txt", report.to_text());
    insta::assert_snapshot!("report.json", report.to_json().unwrap());
    insta::assert_snapshot!("report.html", report.to_html());
}
