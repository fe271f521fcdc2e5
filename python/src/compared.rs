//! Differences between configurations, from pairs of replications.

use crate::errors::Trouble;
use crate::typed::Dictionaries;
use imminent::models::estimate::Confidence;
use imminent::models::study::compared::{Against, Differences, Replications};
use pyo3::prelude::*;

/// Compares configurations, given by the values of their measures in each replication, with the first one. Returns the
/// differences of each other by the names of measures.
#[pyfunction]
pub(crate) fn compared<'py>(
    py: Python<'py>,
    all: Vec<Vec<(String, Vec<Option<f64>>)>>,
    confidence: f64,
) -> PyResult<Dictionaries<'py>> {
    let confidence = Confidence::new(confidence).map_err(|error| Trouble::of_key("confidence", error))?;
    let all: Vec<_> = all.into_iter().map(Replications::new).collect();
    let differences = Differences::new(&all, &Against::First, confidence).map_err(Trouble::configuration)?;
    let others: Vec<_> = differences.others.into_iter().map(|(_, measures)| measures).collect();
    Dictionaries::of(py, &others)
}
