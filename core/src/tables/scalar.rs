//! Device scalars: the reduced results of launches.

use super::column::find_column;
use super::condition::Condition;
use super::table::Table;
use crate::backend::{Allocation, Comparison, Span};
use crate::data::pack::bits_of;
use crate::data::{Data, Row};
use crate::device::{Queue, Storage};
use crate::error::{Error, Result};
use crate::reduce::ArgMin;
use imminent_ir::Scalar as ScalarType;
use std::marker::PhantomData;

/// Possible results of a launch: a scalar, an [`ArgMin`], or nothing.
pub trait Output: Data {
    /// Scalar type of the value; `None` for `()`.
    const SCALAR: Option<ScalarType>;
    /// `true` if a row number follows the value.
    const WITH_ROW: bool;
}

macro_rules! outputs {
    ($($ty:ty => $scalar:ident),*) => {$(
        impl Output for $ty {
            const SCALAR: Option<ScalarType> = Some(ScalarType::$scalar);
            const WITH_ROW: bool = false;
        }
    )*};
}

outputs!(bool => Bool, u32 => U32, i32 => I32, u64 => U64, i64 => I64, f32 => F32, f64 => F64);

impl Output for () {
    const SCALAR: Option<ScalarType> = None;
    const WITH_ROW: bool = false;
}

impl<T: Output> Output for ArgMin<T> {
    const SCALAR: Option<ScalarType> = T::SCALAR;
    const WITH_ROW: bool = true;
}

/// A value on the device: the result of a launch or of a primitive.
///
/// The value is [`Exact`](crate::Determinism::Exact) if the rows' values are and it is no sum of floats. Such a sum is
/// [`Reproducible`](crate::Determinism::Reproducible), by a fixed tree over the number of values. A sum by the
/// primitive `sum_as` has the class that was requested.
#[derive(Clone, Debug)]
pub struct Scalar<T: Output> {
    pub(crate) memory: Option<Storage>,
    of: PhantomData<fn() -> T>,
}

impl<T: Output> Scalar<T> {
    pub(crate) fn new(queue: &Queue, kernel: &str) -> Result<Self> {
        let memory = match T::SCALAR {
            Some(scalar) => {
                let allocation = Allocation::Result { scalar, with_row: T::WITH_ROW };
                Some(Storage::on(queue, format!("result of kernel `{kernel}`"), (1, None), 0, &allocation)?)
            }
            None => None,
        };
        Ok(Scalar { memory, of: PhantomData })
    }

    /// Creates a scalar in a memory with the layout of the value.
    pub(crate) fn of_memory(memory: Storage) -> Self {
        Scalar { memory: Some(memory), of: PhantomData }
    }

    /// Returns the first column of a table of one row.
    pub(crate) fn first_of<R: Row>(table: &Table<R>) -> Result<Self> {
        let invalid = |reason: &str| Err(Error::invalid(&table.memory.what, reason));
        if table.len() != 1 {
            return invalid("a result goes into a table of exactly one row");
        }
        if T::WITH_ROW {
            return invalid("an arg-min has two values, a column takes one: use a launch without a table");
        }
        match find_column(R::layout(), None, 0) {
            Some(column) if Some(column.scalar) == T::SCALAR => {
                Ok(Scalar { memory: Some(table.memory.clone()), of: PhantomData })
            }
            _ => invalid("its first column has another type than the kernel's result"),
        }
    }

    /// Returns the value, after earlier work on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), errors of earlier work and of the driver.
    pub fn read(&self) -> Result<T> {
        let mut value = T::zeroed();
        let (Some(memory), Some(scalar)) = (&self.memory, T::SCALAR) else { return Ok(value) };
        let mut spans = vec![Span::column(None, 0, scalar, 0..1)];
        if T::WITH_ROW {
            spans.push(Span::column(None, scalar.words(), ScalarType::U32, 0..1));
        }
        let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0; span.bytes()]).collect();
        memory.read(&spans, &mut bytes)?;
        for (span, bytes) in spans.iter().zip(&bytes) {
            value.set_leaf(span.word, bits_of(bytes));
        }
        Ok(value)
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident => $comparison:ident;)*) => {
        impl<T: Output> Scalar<T> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self, constant: T) -> Condition {
                    Condition::new(self.memory.as_deref().cloned(), 0, T::SCALAR, Comparison::$comparison, constant.leaf(0))
                }
            )*
        }
    };
}

comparisons! {
    /// Holds while the value (of an arg-min: its value) equals `constant`.
    equals => Equal;
    /// Holds while the value differs from `constant`.
    differs => NotEqual;
    /// Holds while the value is less than `constant`.
    below => Less;
    /// Holds while the value is at most `constant`.
    at_most => LessOrEqual;
    /// Holds while the value is greater than `constant`.
    above => Greater;
    /// Holds while the value is at least `constant`.
    at_least => GreaterOrEqual;
}
