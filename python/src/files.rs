//! Files in memory: a call is handed what is in them, under the paths that its configuration has for them.
//!
//! An extension module of models of one's own has tables and classes of its own. So nothing that a call needs stays in
//! the module that made it, and objects of another module are read by their attributes.

use crate::arrays::Array;
use crate::errors::Trouble;
use crate::raster::{self, Raster};
use imminent::models::input;
use imminent::models::maps::{Raster as Map, file};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{type_hint_identifier, type_hint_subscript};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Contents of a file.
#[derive(Debug)]
enum Contents {
    Bytes(Vec<u8>),
    Raster(Map),
}

impl Contents {
    /// Reads an object of this module, or one of another module, which is copied.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(raster) = object.cast::<Raster>() {
            return Ok(Contents::Raster(raster.get().map().clone()));
        }
        if let Ok(file) = object.cast::<MemoryFile>() {
            return Ok(Contents::Bytes(file.get().contents.clone()));
        }
        match object.getattr_opt("contents")? {
            Some(contents) => Ok(Contents::Bytes(contents.extract()?)),
            None => Ok(Contents::Raster(raster::copied(object)?)),
        }
    }
}

/// Files in memory that a call is given, by their paths.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<(PathBuf, Contents)>);

impl<'py> FromPyObject<'_, 'py> for Files {
    type Error = PyErr;

    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("builtins", "dict"),
        type_hint_identifier!("builtins", "str"),
        type_hint_identifier!("builtins", "object")
    );

    fn extract(files: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let files = files.cast::<PyDict>()?.iter();
        let files = files.map(|(path, object)| Ok((path.extract()?, Contents::of(&object)?)));
        Ok(Self(files.collect::<PyResult<_>>()?))
    }
}

/// Number of calls that read each path.
static READERS: Mutex<BTreeMap<PathBuf, usize>> = Mutex::new(BTreeMap::new());

fn readers() -> MutexGuard<'static, BTreeMap<PathBuf, usize>> {
    READERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    /// Lets models read the files by their paths as long as what is returned is there.
    pub(crate) fn lent(&self) -> Lent<'_> {
        let mut readers = readers();
        for (path, contents) in &self.0 {
            let count = readers.entry(path.clone()).or_default();
            *count += 1;
            match contents {
                // Threads of Python may give the same object to several calls.
                _ if *count > 1 => {}
                Contents::Bytes(bytes) => input::give(path, bytes.clone()),
                Contents::Raster(map) => file::give(path, map.clone()),
            }
        }
        Lent(self)
    }
}

/// Files that models can read.
#[derive(Debug)]
pub(crate) struct Lent<'a>(&'a Files);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut readers = readers();
        for (path, contents) in &self.0.0 {
            if let Some(count) = readers.get_mut(path).filter(|count| **count > 1) {
                *count -= 1;
                continue;
            }
            readers.remove(path);
            match contents {
                Contents::Bytes(_) => input::take_back(path),
                Contents::Raster(_) => file::take_back(path),
            }
        }
    }
}

/// File in memory.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct MemoryFile {
    contents: Vec<u8>,
}

impl MemoryFile {
    pub(crate) fn of(text: String) -> Self {
        Self { contents: text.into_bytes() }
    }
}

#[pymethods]
impl MemoryFile {
    /// Copy of what is in the file.
    #[getter]
    fn contents<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.contents)
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
    Ok(MemoryFile::of(text))
}
