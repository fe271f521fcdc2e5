//! Files in memory, for Python: models read them by their paths as long as the objects are there.

use crate::arrays::Array;
use crate::errors::Trouble;
use imminent::models::input;
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of paths that were made so far.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Returns a path that no file has, and that no other call returns.
pub(crate) fn path(name: &str) -> PathBuf {
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(format!("/in memory, {number}/{name}"))
}

/// File in memory.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct MemoryFile {
    path: PathBuf,
}

impl MemoryFile {
    pub(crate) fn given(name: &str, contents: Vec<u8>) -> Self {
        let path = path(name);
        input::give(&path, contents);
        Self { path }
    }
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        input::take_back(&self.path);
    }
}

#[pymethods]
impl MemoryFile {
    /// Name that a configuration gives for the file.
    #[getter]
    fn path(&self) -> String {
        self.path.display().to_string()
    }
}

/// Returns the demands of a matrix as the file that the key `traffic.matrix` takes: a row for each that is not 0.
///
/// `values` has a row for each node that sends and a column for each that receives, in bits per second.
#[pyfunction]
pub(crate) fn demands(values: &Bound<'_, PyAny>, nodes: Vec<String>) -> PyResult<MemoryFile> {
    let name = "demands";
    let array = Array::of(values, name)?;
    let [rows, columns] = array.shape::<2>("a row and a column for each node")?;
    if (rows, columns) != (nodes.len(), nodes.len()) {
        let problem = format!("has {rows} rows and {columns} columns, and there are {} nodes", nodes.len());
        return Err(Trouble::of_key(name, problem).into());
    }
    let mut known = BTreeSet::new();
    if let Some(twice) = nodes.iter().find(|node| !known.insert(*node)) {
        return Err(Trouble::of_key(name, format!("names the node `{twice}` twice: give each node one row")).into());
    }
    let quoted: Vec<String> = nodes.iter().map(|node| format!("\"{}\"", node.replace('"', "\"\""))).collect();
    let mut text = "from,to,rate\n".to_owned();
    for (row, from) in array.values()?.chunks(columns.max(1)).zip(&quoted) {
        for (rate, to) in row.iter().zip(&quoted).filter(|(rate, _)| **rate != 0.0) {
            if !rate.is_finite() || *rate < 0.0 || from == to {
                let problem = format!(
                    "has {rate} from {from} to {to}: expected finite rates in bits per second from 0, and 0 from a node \
                     to itself"
                );
                return Err(Trouble::of_key(name, problem).into());
            }
            // Writing to a text does not fail.
            let _ = writeln!(text, "{from},{to},{rate}");
        }
    }
    Ok(MemoryFile::given("demands.csv", text.into_bytes()))
}
