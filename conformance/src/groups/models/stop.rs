//! Errors of models where there should be none.

use crate::case::{Stop, fail};
use std::fmt::Display;

/// Ends a case with the error of a model.
pub(super) fn broken<T>(error: impl Display) -> Result<T, Stop> {
    fail(format!("an error where there should be none: {error}"))
}
