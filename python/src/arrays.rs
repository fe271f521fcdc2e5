//! Arrays of Python by NumPy's array interface, and arrays for it.
//!
//! The stable interface of CPython 3.10 has no buffers. Arrays are found by a protocol in Python, which NumPy defines:
//! <https://numpy.org/doc/stable/reference/arrays.interface.html>.

use crate::errors::Trouble;
use crate::typed::Dictionary;
use imminent::models::maps::Sample;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Byte order of this machine, as the array interface writes it.
const ORDER: &str = if cfg!(target_endian = "little") { "<" } else { ">" };

/// Returns the interface of an array of numbers in C's order, to which nobody writes. `form` is a kind with a number of
/// bytes, such as `f8`.
pub(crate) fn interface<'py>(
    py: Python<'py>,
    shape: &[usize],
    form: &str,
    address: usize,
) -> PyResult<Dictionary<'py>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("typestr", format!("{ORDER}{form}"))?;
    interface.set_item("data", (address, true))?;
    Ok(Dictionary(interface))
}

/// Type of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

impl Form {
    fn of(typestr: &str) -> Option<Self> {
        let (order, form) = typestr.split_at_checked(1)?;
        let form = match form {
            "b1" | "u1" => Form::U8,
            "i1" => Form::I8,
            "u2" => Form::U16,
            "i2" => Form::I16,
            "u4" => Form::U32,
            "i4" => Form::I32,
            "u8" => Form::U64,
            "i8" => Form::I64,
            "f4" => Form::F32,
            "f8" => Form::F64,
            _ => return None,
        };
        // A single byte has no order.
        (order == ORDER || order == "|").then_some(form)
    }
}

/// Array of Python, whose numbers are read where they lie.
#[derive(Debug)]
pub(crate) struct Array<'a, 'py> {
    name: &'a str,
    form: Form,
    address: usize,
    shape: Vec<usize>,
    /// Distance between neighbours of each dimension, in bytes.
    strides: Vec<isize>,
    /// Keeps the memory.
    _owner: &'a Bound<'py, PyAny>,
}

impl<'a, 'py> Array<'a, 'py> {
    /// Looks at an array of numbers. `name` is that of the argument in errors.
    pub(crate) fn of(owner: &'a Bound<'py, PyAny>, name: &'a str) -> PyResult<Self> {
        let found = owner.getattr("__array_interface__").and_then(|found| Ok(found.cast_into::<PyDict>()?));
        let Ok(found) = found else {
            let problem = format!("takes an array of numbers, such as NumPy's, not {}", owner.get_type().name()?);
            return Err(Trouble::of_key(name, problem).into());
        };
        let item = |key: &str| -> PyResult<Option<Bound<'py, PyAny>>> {
            Ok(found.get_item(key)?.filter(|value| !value.is_none()))
        };
        let needed = |key: &str| {
            item(key)?.ok_or_else(|| PyErr::from(Trouble::of_key(name, format!("its array interface has no `{key}`"))))
        };
        let typestr: String = needed("typestr")?.extract()?;
        let Some(form) = Form::of(&typestr) else {
            let problem = format!(
                "has numbers of the type `{typestr}`: expected float64, float32, or integers in this machine's byte \
                 order; array.astype(\"float64\") makes such"
            );
            return Err(Trouble::of_key(name, problem).into());
        };
        let (address, _): (usize, bool) = needed("data")?.extract()?;
        let shape: Vec<usize> = needed("shape")?.extract()?;
        let strides = match item("strides")? {
            Some(strides) => strides.extract()?,
            None => row_major(&shape, form.bytes()),
        };
        if strides.len() != shape.len() {
            return Err(Trouble::of_key(name, "its array interface has another number of strides than of sides").into());
        }
        Ok(Self { name, form, address, shape, strides, _owner: owner })
    }

    /// Returns the sides, of which there are to be `N`: `expected` names them.
    pub(crate) fn shape<const N: usize>(&self, expected: &str) -> PyResult<[usize; N]> {
        <[usize; N]>::try_from(self.shape.as_slice()).map_err(|_| {
            let problem = format!("has the shape {:?}: expected {N} dimensions, {expected}", self.shape);
            Trouble::of_key(self.name, problem).into()
        })
    }

    /// Copies the numbers of an array of two dimensions, row by row, whatever their order in memory.
    pub(crate) fn values(&self) -> PyResult<Vec<f64>> {
        let [rows, columns] = self.shape::<2>("rows and columns")?;
        let [down, right] = <[isize; 2]>::try_from(self.strides.as_slice()).unwrap_or_default();
        let count = rows.checked_mul(columns).filter(|count| *count <= isize::MAX as usize / 8);
        let count = count.ok_or_else(|| Trouble::of_key(self.name, "is too large"))?;
        let mut values = Vec::new();
        values.try_reserve_exact(count).map_err(|_| Trouble::of_key(self.name, "does not fit into memory"))?;
        let read = match self.form {
            Form::U8 => read::<u8>,
            Form::I8 => read::<i8>,
            Form::U16 => read::<u16>,
            Form::I16 => read::<i16>,
            Form::U32 => read::<u32>,
            Form::I32 => read::<i32>,
            Form::U64 => read::<u64>,
            Form::I64 => read::<i64>,
            Form::F32 => read::<f32>,
            Form::F64 => read::<f64>,
        };
        for row in 0..rows {
            let start = self.address.wrapping_add_signed(down.wrapping_mul(row as isize));
            // SAFETY: the owner of the array, which is kept, says by its interface that `columns` numbers of this form
            // lie here at this distance, and the interpreter's lock is held, so that nobody frees them meanwhile.
            unsafe { read(start, right, columns, &mut values) };
        }
        Ok(values)
    }

    /// Returns the type of the numbers in files.
    pub(crate) const fn sample(&self) -> Sample {
        match self.form {
            Form::U8 => Sample::U8,
            Form::I8 => Sample::I8,
            Form::U16 => Sample::U16,
            Form::I16 => Sample::I16,
            Form::U32 => Sample::U32,
            Form::I32 => Sample::I32,
            Form::F32 => Sample::F32,
            Form::U64 | Form::I64 | Form::F64 => Sample::F64,
        }
    }
}

impl Form {
    const fn bytes(self) -> usize {
        match self {
            Form::U8 | Form::I8 => 1,
            Form::U16 | Form::I16 => 2,
            Form::U32 | Form::I32 | Form::F32 => 4,
            Form::U64 | Form::I64 | Form::F64 => 8,
        }
    }
}

/// Returns the strides of an array in C's order.
fn row_major(shape: &[usize], bytes: usize) -> Vec<isize> {
    let mut strides: Vec<isize> = shape
        .iter()
        .rev()
        .scan(bytes as isize, |stride, side| {
            let own = *stride;
            *stride = stride.wrapping_mul(*side as isize);
            Some(own)
        })
        .collect();
    strides.reverse();
    strides
}

/// Number that an array may have.
trait Number: Copy {
    fn to_f64(self) -> f64;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Number for $number {
            fn to_f64(self) -> f64 {
                self as f64
            }
        })*
    };
}

numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

/// Appends `count` numbers that lie `stride` bytes apart from an address on.
///
/// # Safety
/// There are such numbers at these addresses, aligned or not.
unsafe fn read<T: Number>(start: usize, stride: isize, count: usize, values: &mut Vec<f64>) {
    values.extend((0..count).map(|place| {
        let address = start.wrapping_add_signed(stride.wrapping_mul(place as isize));
        // SAFETY: the caller's promise.
        let number = unsafe { std::ptr::read_unaligned(std::ptr::with_exposed_provenance::<T>(address)) };
        number.to_f64()
    }));
}
