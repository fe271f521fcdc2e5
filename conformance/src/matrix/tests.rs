#![allow(clippy::unwrap_used)]
use super::*;
use crate::report::Outcome;
use crate::report::tests::{case, mixed};

fn passing() -> Report {
    let mut report = mixed();
    report.device.backend = "cpu".to_owned();
    report.cases = vec![case(Group::Memory, "a new table is zero", Outcome::Pass)];
    report
}

#[test]
fn equal_digests_pass_and_different_ones_do_not() {
    let mut other = passing();
    assert!(Matrix::new(&[passing(), other.clone()]).passed());
    other.digests[0].digest = "00fe".to_owned();
    assert!(!Matrix::new(&[passing(), other]).passed());
}

#[test]
fn a_failed_run_spoils_the_matrix_and_so_does_none() {
    assert!(!Matrix::new(&[passing(), mixed()]).passed());
    assert!(!Matrix::new(&[]).passed());
}

#[test]
fn the_three_forms() {
    let matrix = Matrix::new(&[passing(), mixed()]).without(vec!["backend `cuda` cannot start: no driver".to_owned()]);
    insta::assert_snapshot!("matrix.txt", matrix.to_text());
    insta::assert_snapshot!("matrix.json", matrix.to_json().unwrap());
    insta::assert_snapshot!("matrix.html", matrix.to_html());
}

#[test]
fn a_device_that_cannot_be_tested_spoils_the_matrix_and_an_absent_backend_does_not() {
    let absent = || vec!["backend `cuda` cannot start: no driver".to_owned()];
    assert!(Matrix::new(&[passing()]).without(absent()).passed());
    assert!(Matrix::new(&[passing()]).spoiled_by(Vec::new()).passed());
    let spoiled = Matrix::new(&[passing()]).spoiled_by(vec!["opencl 0: no memory".to_owned()]);
    assert!(!spoiled.passed() && spoiled.to_text().contains("opencl 0: no memory"));
}
