//! Tests of columns, row by row.

use super::element::{AsColumn, Number};
use crate::backend::{Comparison, Filter};
use crate::data::Data;
use crate::error::Result;
use crate::program::{ColumnRef, Naming, Value};
use crate::tables::{Column, Scalar, Table};

/// A test that every row of a column passes or fails. It is a comparison with a constant or a device scalar, made by
/// methods such as [`Column::equals`], or the truth of a `bool` column, which the column itself denotes.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub(crate) column: ColumnRef,
    pub(crate) comparison: Comparison,
    pub(crate) value: Value,
}

/// Right side of a comparison: a constant, or a scalar on the device, read when the test runs.
pub trait Threshold<T: Number> {
    #[doc(hidden)]
    fn value(&self) -> Result<ThresholdValue>;
}

/// The value of a [`Threshold`].
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ThresholdValue(pub(crate) Value);

impl<T: Number> Threshold<T> for T {
    fn value(&self) -> Result<ThresholdValue> {
        Ok(ThresholdValue(Value::Constant(Data::leaf(self, 0))))
    }
}

impl<T: Number> Threshold<T> for &Scalar<T> {
    fn value(&self) -> Result<ThresholdValue> {
        ColumnRef::of_scalar(self).map(|source| ThresholdValue(Value::Device(source)))
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident => $comparison:ident;)*) => {
        impl<T: Number> Column<'_, T> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Poisoned`](crate::Error::Poisoned); [`Error::Invalid`](crate::Error::Invalid) for a column
                /// that the table does not have.
                pub fn $name(&self, value: impl Threshold<T>) -> Result<Predicate> {
                    let ThresholdValue(value) = value.value()?;
                    Ok(Predicate { column: self.source()?, comparison: Comparison::$comparison, value })
                }
            )*
        }

        impl<T: Number> Table<T> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Poisoned`](crate::Error::Poisoned).
                pub fn $name(&self, value: impl Threshold<T>) -> Result<Predicate> {
                    self.as_column().$name(value)
                }
            )*
        }
    };
}

comparisons! {
    /// Selects the rows whose value equals another; a NaN equals nothing, zeros of both signs are equal.
    equals => Equal;
    /// Selects the rows whose value differs from another.
    differs => NotEqual;
    /// Selects the rows whose value is less than another.
    below => Less;
    /// Selects the rows whose value is at most another.
    at_most => LessOrEqual;
    /// Selects the rows whose value is greater than another.
    above => Greater;
    /// Selects the rows whose value is at least another.
    at_least => GreaterOrEqual;
}

/// A value that denotes a test of rows: a [`Predicate`], or a column of `bool`.
pub trait AsPredicate {
    #[doc(hidden)]
    fn as_predicate(&self) -> Result<Predicate>;
}

impl AsPredicate for Predicate {
    fn as_predicate(&self) -> Result<Predicate> {
        Ok(self.clone())
    }
}

impl AsPredicate for &Predicate {
    fn as_predicate(&self) -> Result<Predicate> {
        Ok((*self).clone())
    }
}

fn truth<'t>(column: impl AsColumn<'t, bool>) -> Result<Predicate> {
    let column = column.as_column().source()?;
    Ok(Predicate { column, comparison: Comparison::NotEqual, value: Value::Constant(0) })
}

impl AsPredicate for Column<'_, bool> {
    fn as_predicate(&self) -> Result<Predicate> {
        truth(*self)
    }
}

impl AsPredicate for &Column<'_, bool> {
    fn as_predicate(&self) -> Result<Predicate> {
        truth(**self)
    }
}

impl AsPredicate for &Table<bool> {
    fn as_predicate(&self) -> Result<Predicate> {
        truth(*self)
    }
}

impl Naming {
    pub(crate) fn filter(&mut self, predicate: &Predicate) -> Filter {
        Filter {
            column: self.view(&predicate.column),
            comparison: predicate.comparison,
            value: self.operand(&predicate.value),
        }
    }
}
