//! Positions of nodes over time as a trace, which the model of ad hoc networks reads.

use crate::arrays::Array;
use crate::errors::Trouble;
use crate::files::MemoryFile;
use imminent::models::manet::trace::Trace;
use pyo3::prelude::*;

/// Returns the trace of positions as the file that the key `network.trace` takes.
///
/// `x` and `y` have a row for each time and a column for each node, in m; `times` are in s.
#[pyfunction]
pub(crate) fn trajectories(times: Vec<f64>, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<MemoryFile> {
    let name = "trajectories";
    let (x, y) = (Array::of(x, name)?, Array::of(y, name)?);
    for array in [&x, &y] {
        let [rows, _] = array.shape::<2>("a row for each time and a column for each node")?;
        if rows != times.len() {
            let problem = format!("has positions at {rows} times, and there are {} times", times.len());
            return Err(Trouble::of_key(name, problem).into());
        }
    }
    let trace = Trace::sampled(&times, &x.values()?, &y.values()?);
    let trace = trace.map_err(|error| Trouble::of_key(name, error))?;
    Ok(MemoryFile::of(trace.to_string()))
}
