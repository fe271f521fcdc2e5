//! Devices, and the conformance suite on one of them.

use crate::errors::Trouble;
use crate::opened::{Selected, refuse_fork};
use crate::typed::Dictionaries;
use crate::watched::watched;
use imminent::conformance::Suite;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};

/// Lists the devices of every backend, or the reason why it has none.
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Dictionaries<'_>> {
    refuse_fork()?;
    let listed = py.detach(|| {
        let backends = imminent::devices().into_iter().map(|backend| {
            let (devices, reason) = match backend.devices {
                Ok(devices) => (json!(devices), None),
                Err(error) => (json!([]), Some(error.to_string())),
            };
            json!({ "backend": backend.backend, "reason": reason, "devices": devices })
        });
        Json::from_iter(backends)
    });
    Dictionaries::of(py, &listed)
}

/// Runs the conformance suite on a device, in quick mode. Returns whether it passed, the report as a text, and as JSON.
#[pyfunction]
#[pyo3(signature = (selected, only = vec![]))]
pub(crate) fn conform(py: Python<'_>, selected: Selected, only: Vec<String>) -> PyResult<(bool, String, String)> {
    refuse_fork()?;
    let run = move |_: &_| -> Result<_, Trouble> {
        let (device, _) = selected.open("", None)?;
        let suite = only.iter().fold(Suite::new(&device), |suite, text| suite.matching(text.as_str()));
        if suite.names().is_empty() {
            let problem = format!("no case of the suite has {} in its group or name", only.join(" or "));
            return Err(Trouble::of_key("only", problem));
        }
        let report = suite.run();
        let json = serde_json::to_string(&report).map_err(Trouble::run)?;
        Ok((report.passed(), report.to_text(), json))
    };
    let (report, trouble) = watched(py, None, run)?;
    trouble.map_or(Ok(report?), Err)
}
