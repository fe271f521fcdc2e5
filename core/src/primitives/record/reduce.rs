//! Reductions of columns, whole or by segment.

use crate::backend::{Census, Primitive, Reduction};
use crate::data::Row;
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::primitives::{AsColumn, AsPredicate, Float, Integer, Number, SumClass, portable};
use crate::program::{ColumnRef, Naming, ProgramBuilder};
use crate::reduce::ArgMin;
use crate::tables::{Output, Scalar, Table};
use imminent_ir::{Scalar as ScalarType, Scalars};
use std::sync::Arc;

/// Returns a reduction of a column to the value at the beginning of a memory.
fn reduction<T: Number>(naming: &mut Naming, op: Reduction, column: &ColumnRef, into: &Arc<Memory>) -> Primitive {
    let target = ColumnRef::new(into, T::TYPE, 0);
    Primitive::Reduce { op, column: naming.view(column), into: naming.view(&target), row: None }
}

fn reduce_to_new<T: Number>(builder: &mut ProgramBuilder, op: Reduction, column: &ColumnRef) -> Result<Scalar<T>> {
    let into = builder.primitive_giving(Scalars::new(&[T::TYPE]), one::<T>, |naming, into| {
        reduction::<T>(naming, op, column, into)
    })?;
    Ok(Scalar::of_memory(into))
}

/// Allocates a table of one row for a result.
fn one<T: Row>(device: &Device) -> Result<Storage> {
    Storage::result(device, &Table::<T>::allocation(1, 0))
}

/// Returns the memory of a table that takes a result, which its scalar names too.
fn taken<T: Output, R: Row>(into: &Table<R>) -> Result<Storage> {
    into.memory.check()?;
    Scalar::<T>::first_of(into)?;
    Ok(into.memory.clone())
}

macro_rules! plain {
    ($($name:ident, $name_into:ident: $bound:ident => $op:ident;)*) => {$(
        pub(in crate::primitives) fn $name<'t, T: $bound>(
            builder: &mut ProgramBuilder,
            column: impl AsColumn<'t, T>,
        ) -> Result<Scalar<T>> {
            let column = builder.column(column)?;
            reduce_to_new(builder, Reduction::$op, &column)
        }

        pub(in crate::primitives) fn $name_into<'t, T: $bound, R: Row>(
            builder: &mut ProgramBuilder,
            column: impl AsColumn<'t, T>,
            into: &mut Table<R>,
        ) -> Result<Scalar<T>> {
            let (column, into) = (builder.column(column)?, taken::<T, R>(into)?);
            builder.primitive(|naming| reduction::<T>(naming, Reduction::$op, &column, &into))?;
            Ok(Scalar::of_memory(into))
        }
    )*};
}

plain! {
    min, min_into: Number => Min;
    max, max_into: Number => Max;
    sum, sum_into: Integer => Sum;
}

pub(in crate::primitives) fn sum_as<'t, T: Float, C: SumClass>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    class: C,
) -> Result<Scalar<T>> {
    class.check(&builder.device, T::TYPE)?;
    let column = builder.column(column)?;
    reduce_to_new(builder, C::REDUCTION, &column)
}

fn arg<T: Number>(builder: &mut ProgramBuilder, op: Reduction, column: &ColumnRef) -> Result<Scalar<ArgMin<T>>> {
    let table = |device: &Device| portable::found(device, T::TYPE);
    let memory = builder.primitive_giving(Scalars::new(&[T::TYPE, ScalarType::U32]), table, |naming, memory| {
        let (value, row) =
            (ColumnRef::new(memory, T::TYPE, 0), ColumnRef::new(memory, ScalarType::U32, T::TYPE.words()));
        Primitive::Reduce { op, column: naming.view(column), into: naming.view(&value), row: Some(naming.view(&row)) }
    })?;
    Ok(Scalar::of_memory(memory))
}

pub(in crate::primitives) fn arg_min<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
) -> Result<Scalar<ArgMin<T>>> {
    let column = builder.column(column)?;
    arg(builder, Reduction::ArgMin, &column)
}

pub(in crate::primitives) fn arg_max<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
) -> Result<Scalar<ArgMin<T>>> {
    let column = builder.column(column)?;
    arg(builder, Reduction::ArgMax, &column)
}

macro_rules! censuses {
    ($($name:ident: $ty:ty => $what:ident;)*) => {$(
        pub(in crate::primitives) fn $name(
            builder: &mut ProgramBuilder,
            rows: impl AsPredicate,
        ) -> Result<Scalar<$ty>> {
            let predicate = builder.predicate(rows)?;
            let scalar = <$ty as Output>::SCALAR.unwrap_or(ScalarType::U32);
            let into = builder.primitive_giving(Scalars::new(&[scalar]), one::<$ty>, |naming, into| Primitive::Census {
                what: Census::$what,
                filter: naming.filter(&predicate),
                into: naming.view(&ColumnRef::new(into, scalar, 0)),
            })?;
            Ok(Scalar::of_memory(into))
        }
    )*};
}

censuses! {
    count: u32 => Count;
    any: bool => Any;
    all: bool => All;
}

fn segmented<T: Number>(
    builder: &mut ProgramBuilder,
    op: Reduction,
    column: &ColumnRef,
    offsets: &Table<u32>,
    into: &Table<T>,
) -> Result<()> {
    if offsets.len() != into.len() + 1 {
        let reason = format!(
            "it has {} rows, but {} segments have {} ends, the first start included",
            offsets.len(),
            into.len(),
            into.len() + 1
        );
        return Err(Error::invalid("offsets of segments", reason));
    }
    builder.primitive(|naming| Primitive::SegmentedReduce {
        op,
        column: naming.view(column),
        offsets: naming.view(&ColumnRef::of(offsets)),
        into: naming.view(&ColumnRef::of(into)),
    })
}

macro_rules! segmented {
    ($($name:ident: $bound:ident => $op:ident;)*) => {$(
        pub(in crate::primitives) fn $name<'t, T: $bound>(
            builder: &mut ProgramBuilder,
            column: impl AsColumn<'t, T>,
            offsets: &Table<u32>,
            into: &mut Table<T>,
        ) -> Result<()> {
            let column = builder.column(column)?;
            segmented(builder, Reduction::$op, &column, offsets, into)
        }
    )*};
}

segmented! {
    segmented_min: Number => Min;
    segmented_max: Number => Max;
    segmented_sum: Integer => Sum;
}

pub(in crate::primitives) fn segmented_sum_as<'t, T: Float, C: SumClass>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    offsets: &Table<u32>,
    class: C,
    into: &mut Table<T>,
) -> Result<()> {
    class.check(&builder.device, T::TYPE)?;
    let column = builder.column(column)?;
    segmented(builder, C::REDUCTION, &column, offsets, into)
}
