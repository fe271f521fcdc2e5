//! Values whose types the stubs of the extension module tell.
//!
//! PyO3 knows the types of most conversions. What is converted by way of `serde`, or called, has its type here.

use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3::{type_hint_identifier, type_hint_subscript};
use serde::Serialize;
use std::convert::Infallible;

const ANY: PyStaticExpr = type_hint_identifier!("typing", "Any");
const TEXT: PyStaticExpr = type_hint_identifier!("builtins", "str");
const DICTIONARY: PyStaticExpr = type_hint_identifier!("builtins", "dict");
const LIST: PyStaticExpr = type_hint_identifier!("builtins", "list");

/// Dictionary from texts to values of any type.
#[derive(Debug)]
pub(crate) struct Dictionary<'py>(pub(crate) Bound<'py, PyDict>);

impl<'py> Dictionary<'py> {
    /// Converts values that have names.
    pub(crate) fn of(py: Python<'py>, values: &impl Serialize) -> PyResult<Self> {
        Ok(Self(pythonize::pythonize(py, values)?.cast_into()?))
    }
}

impl<'py> IntoPyObject<'py> for Dictionary<'py> {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = Infallible;

    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(DICTIONARY, TEXT, ANY);

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0)
    }
}

/// List of dictionaries from texts to values of any type.
#[derive(Debug)]
pub(crate) struct Dictionaries<'py>(Bound<'py, PyList>);

impl<'py> Dictionaries<'py> {
    /// Converts a list of values that have names.
    pub(crate) fn of(py: Python<'py>, values: &impl Serialize) -> PyResult<Self> {
        Ok(Self(pythonize::pythonize(py, values)?.cast_into()?))
    }
}

impl<'py> IntoPyObject<'py> for Dictionaries<'py> {
    type Target = PyList;
    type Output = Bound<'py, PyList>;
    type Error = Infallible;

    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(LIST, Dictionary::OUTPUT_TYPE);

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0)
    }
}

/// Capsule. Python has a name for its type from 3.13 on.
#[derive(Debug)]
pub(crate) struct Capsule<'py>(pub(crate) Bound<'py, PyCapsule>);

impl<'py> IntoPyObject<'py> for Capsule<'py> {
    type Target = PyCapsule;
    type Output = Bound<'py, PyCapsule>;
    type Error = Infallible;

    const OUTPUT_TYPE: PyStaticExpr = type_hint_identifier!("builtins", "object");

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0)
    }
}

/// Values by name, in their order.
#[derive(Debug)]
pub(crate) struct Named<T>(pub(crate) Vec<(String, T)>);

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Named<T> {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(DICTIONARY, TEXT, T::OUTPUT_TYPE);

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let named = PyDict::new(py);
        self.0.into_iter().try_for_each(|(name, value)| named.set_item(name, value))?;
        Ok(named)
    }
}

/// Function of Python that is called with progress: the number of parts that are done, of all, and a word.
#[derive(Debug)]
pub(crate) struct Told(pub(crate) Py<PyAny>);

impl<'py> FromPyObject<'_, 'py> for Told {
    type Error = Infallible;

    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("collections.abc", "Callable"),
        PyStaticExpr::List {
            elts: &[type_hint_identifier!("builtins", "int"), type_hint_identifier!("builtins", "int"), TEXT],
        },
        type_hint_identifier!("builtins", "object")
    );

    fn extract(told: Borrowed<'_, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(told.to_owned().unbind()))
    }
}
