//! Tables of results, which NumPy and Arrow read where they lie.

use crate::arrays::interface;
use crate::typed::{Capsule, Dictionary};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, PrimitiveArray, RecordBatch, RecordBatchIterator, StringArray};
use arrow_array::{UInt64Array, cast::AsArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use imminent::models::sheet::{Kind, Sheet, Value};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Table of results. Columns have whole numbers (`uint64`), numbers (`float64`, some of which may be missing) or texts.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug, Clone)]
pub(crate) struct Table {
    name: String,
    batch: RecordBatch,
}

impl Table {
    /// Copies a table out of the results of a run.
    pub(crate) fn of(sheet: &dyn Sheet) -> Result<Self, ArrowError> {
        let columns = sheet.columns();
        let field = |(name, kind): &(String, Kind)| match kind {
            Kind::Count => Field::new(name, DataType::UInt64, false),
            Kind::Number => Field::new(name, DataType::Float64, true),
            Kind::Text => Field::new(name, DataType::Utf8, false),
        };
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let arrays = columns.iter().enumerate().map(|(place, (_, kind))| array(sheet, place, *kind));
        let batch = RecordBatch::try_new(schema, arrays.collect())?;
        Ok(Self { name: sheet.name().to_owned(), batch })
    }
}

/// Copies a column.
fn array(sheet: &dyn Sheet, column: usize, kind: Kind) -> ArrayRef {
    let values = (0..sheet.rows()).map(|row| sheet.value(row, column));
    match kind {
        Kind::Count => {
            let count = |value| if let Value::Count(count) = value { count } else { 0 };
            Arc::new(UInt64Array::from_iter_values(values.map(count)))
        }
        Kind::Number => {
            let numbers: Vec<Option<f64>> =
                values.map(|value| if let Value::Number(number) = value { number } else { None }).collect();
            // A value that is missing is NaN for those who read no validity.
            let nulls = numbers.iter().map(Option::is_some).collect::<Vec<_>>();
            let nulls = nulls.contains(&false).then(|| nulls.into());
            Arc::new(Float64Array::new(numbers.iter().map(|number| number.unwrap_or(f64::NAN)).collect(), nulls))
        }
        Kind::Text => {
            let text = |value| if let Value::Text(text) = value { text } else { String::new() };
            Arc::new(StringArray::from_iter_values(values.map(text)))
        }
    }
}

#[pymethods]
impl Table {
    /// Name of the table.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns a column by its name.
    fn column(&self, name: &str) -> PyResult<Column> {
        let found = self.batch.column_by_name(name).cloned();
        let names = || format!("there is no column `{name}` in `{}`: {}", self.name, self.columns().join(", "));
        Ok(Column { array: found.ok_or_else(|| PyKeyError::new_err(names()))? })
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Exports the table by the Arrow PyCapsule interface: pandas, polars and DuckDB read it without a copy.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Capsule<'py>> {
        // The interface lets a producer ignore what it cannot convert to.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        Ok(Capsule(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?))
    }
}

/// Column of a table. `numpy.asarray` takes numbers without a copy.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct Column {
    array: ArrayRef,
}

#[pymethods]
impl Column {
    /// Values as a list; `None` for one that is missing.
    fn to_list(&self) -> Values<'_> {
        if let Some(counts) = self.array.as_primitive_opt::<UInt64Type>() {
            return Values::Counts(counts.values().to_vec());
        }
        if let Some(numbers) = self.array.as_primitive_opt::<Float64Type>() {
            return Values::Numbers(numbers.iter().collect());
        }
        Values::Texts(self.array.as_string::<i32>().iter().flatten().collect())
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// `True` for numbers, which have an array interface.
    #[getter]
    fn is_numeric(&self) -> bool {
        self.array.data_type().is_numeric()
    }

    /// Place and form of the numbers, for NumPy, which keeps the column as long as it reads it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Dictionary<'py>> {
        let (form, address) = if let Some(counts) = self.array.as_primitive_opt::<UInt64Type>() {
            ("u8", address(counts))
        } else if let Some(numbers) = self.array.as_primitive_opt::<Float64Type>() {
            ("f8", address(numbers))
        } else {
            return Err(PyRuntimeError::new_err("a column of texts is no array of numbers: take to_list()"));
        };
        interface(py, &[self.array.len()], form, address)
    }
}

/// Values of a column.
#[derive(Debug, IntoPyObject)]
enum Values<'a> {
    Counts(Vec<u64>),
    Numbers(Vec<Option<f64>>),
    Texts(Vec<&'a str>),
}

/// Returns the address of the first value.
fn address<T: arrow_array::ArrowPrimitiveType>(array: &PrimitiveArray<T>) -> usize {
    array.values().inner().as_ptr() as usize
}
