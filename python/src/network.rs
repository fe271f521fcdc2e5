//! Forms of queueing networks, for Python.

use crate::errors::Trouble;
use crate::typed::Dictionary;
use imminent::models::queueing::config::{Form, NetworkConfig};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Returns the values of a TOML text.
#[pyfunction]
pub(crate) fn from_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Dictionary<'py>> {
    let values: toml::Table = toml::from_str(text).map_err(|error| Trouble::configuration(error.to_string().trim()))?;
    Dictionary::of(py, &values)
}

/// Returns a model of JSIMgraph as TOML.
#[pyfunction]
pub(crate) fn from_jsimg(path: PathBuf) -> PyResult<String> {
    let config = NetworkConfig::from_file(&path).map_err(Trouble::configuration)?;
    Ok(config.written(Form::Toml, "network.toml").map_err(Trouble::configuration)?)
}

/// Returns a network, which is given as TOML, as a model of JSIMgraph.
#[pyfunction]
pub(crate) fn to_jsimg(text: &str) -> PyResult<String> {
    let config = NetworkConfig::from_toml(text, "network").map_err(Trouble::configuration)?;
    Ok(config.written(Form::Jsimg, "network.jsimg").map_err(Trouble::configuration)?)
}
