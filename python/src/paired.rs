//! Differences between configurations, from pairs of replications.

use crate::errors::Trouble;
use imminent::models::estimate::Confidence;
use imminent::models::output::Comparison;
use pyo3::prelude::*;

/// Compares the values of two configurations by the replications in which both have one.
#[pyfunction]
pub(crate) fn paired<'py>(
    py: Python<'py>,
    first: Vec<Option<f64>>,
    second: Vec<Option<f64>>,
    confidence: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let confidence = Confidence::new(confidence).map_err(|error| Trouble::of_key("confidence", error))?;
    let (first, second): (Vec<f64>, Vec<f64>) =
        first.into_iter().zip(second).filter_map(|(first, second)| Some((first?, second?))).unzip();
    Ok(pythonize::pythonize(py, &Comparison::at(&first, &second, confidence))?)
}
