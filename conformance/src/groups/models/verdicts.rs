//! Errors of models where there should be none, and comparison of outcomes.

use crate::case::{Stop, Verdict, equal, fail};
use imminent_queueing::Outcome;
use std::fmt::Display;

/// Ends a case with the error of a model.
pub(super) fn broken<T>(error: impl Display) -> Result<T, Stop> {
    fail(format!("an error where there should be none: {error}"))
}

/// Compares two outcomes node by node, which shows the place of a difference; then by their digests.
pub(super) fn same(what: &str, found: &Outcome, expected: &Outcome) -> Verdict {
    let nodes = found.statistics.iter().zip(&found.states).zip(expected.statistics.iter().zip(&expected.states));
    for (node, (found, expected)) in nodes.enumerate() {
        equal(&format!("{what}, node {node}"), &found, &expected)?;
    }
    equal(&format!("{what}: the digest"), &found.digest().to_string(), &expected.digest().to_string())
}
