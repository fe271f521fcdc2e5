//! Types of the columns of primitives, and classes of float sums.

use crate::backend::Reduction;
use crate::capability::{Determinism, FloatProbe};
use crate::data::{Data, Row};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::reduce::Reducible;
use crate::tables::{Column, Output, Table};
use imminent_ir::Scalar as ScalarType;

mod sealed {
    pub trait Sealed {}
}

/// A number: `u32`, `i32`, `u64`, `i64`, `f32` or `f64`.
pub trait Number: Reducible + Output + Row + sealed::Sealed {
    /// Scalar type as data.
    const TYPE: ScalarType;
}

/// An integer: `u32`, `i32`, `u64` or `i64`.
pub trait Integer: Number {}

/// A float: `f32` or `f64`.
pub trait Float: Number {}

macro_rules! numbers {
    ($($kind:ident: $($ty:ty => $scalar:ident),*;)*) => {$($(
        impl sealed::Sealed for $ty {}
        impl Number for $ty {
            const TYPE: ScalarType = ScalarType::$scalar;
        }
        impl $kind for $ty {}
    )*)*};
}

numbers! {
    Integer: u32 => U32, i32 => I32, u64 => U64, i64 => I64;
    Float: f32 => F32, f64 => F64;
}

/// A value that stands for a column of `T`: a column of a table, or a whole table of a bare scalar.
pub trait AsColumn<'t, T: Data> {
    /// Returns the column.
    fn as_column(&self) -> Column<'t, T>;
}

impl<'t, T: Data> AsColumn<'t, T> for Column<'t, T> {
    fn as_column(&self) -> Column<'t, T> {
        *self
    }
}

impl<'t, T: Data> AsColumn<'t, T> for &Column<'t, T> {
    fn as_column(&self) -> Column<'t, T> {
        **self
    }
}

impl<'t, T: Data + Row> AsColumn<'t, T> for &'t Table<T> {
    fn as_column(&self) -> Column<'t, T> {
        self.column(0)
    }
}

/// Order of the terms in a sum of floats.
pub trait SumClass: sealed::Sealed {
    /// Reduction of this class.
    const REDUCTION: Reduction;

    /// Checks that a device can give this class for a float type.
    ///
    /// # Errors
    /// [`Error::Determinism`] with the result of the device's probe.
    fn check(self, device: &Device, scalar: ScalarType) -> Result<()>;
}

/// Sums over the [fixed tree](crate::reduce), which depends on the number of terms alone. The bits are identical on all
/// devices that round sums correctly, as the probe in [`Capabilities`](crate::Capabilities) shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reproducible;

/// Sums in the fastest order: the bits may change from device to device and from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unordered;

impl sealed::Sealed for Reproducible {}
impl sealed::Sealed for Unordered {}

impl SumClass for Reproducible {
    const REDUCTION: Reduction = Reduction::Sum;

    fn check(self, device: &Device, scalar: ScalarType) -> Result<()> {
        let capabilities = device.capabilities();
        let probe = if scalar == ScalarType::F64 { &capabilities.f64 } else { &capabilities.f32 };
        let Some(probe) = probe else { return Ok(()) };
        let defects = sum_defects(probe);
        if defects.is_empty() {
            return Ok(());
        }
        let info = device.info();
        Err(Error::Determinism {
            backend: info.backend.clone(),
            device: info.name.clone(),
            what: format!("a sum of `{scalar}`"),
            asked: Determinism::Reproducible,
            offered: probe.class(),
            reason: defects.join(", "),
            remedy: "Use the class `Unordered`".to_owned(),
        })
    }
}

impl SumClass for Unordered {
    const REDUCTION: Reduction = Reduction::SumUnordered;

    fn check(self, _device: &Device, _scalar: ScalarType) -> Result<()> {
        Ok(())
    }
}

/// Lists the defects that keep the sums of a float type from being reproducible: those results of the probe that
/// concern additions.
fn sum_defects(probe: &FloatProbe) -> Vec<&'static str> {
    [
        (probe.basic_correct, "addition is not correctly rounded"),
        (!probe.rearranges, "expressions are rearranged"),
        (probe.subnormals, "subnormal numbers are flushed"),
        (probe.non_finite, "NaN or infinity is not kept"),
    ]
    .into_iter()
    .filter_map(|(good, defect)| (!good).then_some(defect))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_needs_no_division() {
        let probe = FloatProbe {
            basic_correct: true,
            division_correct: false,
            sqrt_correct: false,
            contracts: true,
            rearranges: false,
            subnormals: true,
            non_finite: true,
        };
        assert!(sum_defects(&probe).is_empty());
        assert_eq!(sum_defects(&FloatProbe { rearranges: true, ..probe }), ["expressions are rearranged"]);
    }
}
