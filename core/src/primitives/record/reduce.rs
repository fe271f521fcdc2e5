//! Reductions of columns, whole or by segment.

use crate::backend::{Census, Primitive, Reduction};
use crate::data::Row;
use crate::error::{Error, Result};
use crate::primitives::request::Source;
use crate::primitives::{AsColumn, AsPredicate, Float, Integer, Number, SumClass, portable};
use crate::program::ProgramBuilder;
use crate::reduce::ArgMin;
use crate::scalar::{Output, Scalar};
use crate::table::{Memory, Table};
use imminent_ir::Scalar as ScalarType;
use std::sync::Arc;

fn reduce<T: Number>(
    builder: &mut ProgramBuilder,
    op: Reduction,
    column: &Source,
    into: Arc<Memory>,
) -> Result<Scalar<T>> {
    let target = Source::new(&into, T::TYPE, 0);
    builder.primitive(|naming| Primitive::Reduce {
        op,
        column: naming.view(column),
        into: naming.view(&target),
        row: None,
    })?;
    Ok(Scalar::of_memory(into))
}

/// A new table of one row for a result.
fn one<T: Row>(builder: &ProgramBuilder) -> Result<Arc<Memory>> {
    Memory::result(&builder.device, &Table::<T>::allocation(1, 0))
}

/// The memory of a table that takes a result, which its scalar names too.
fn taken<T: Output, R: Row>(into: &Table<R>) -> Result<Arc<Memory>> {
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
            let into = one::<T>(builder)?;
            reduce(builder, Reduction::$op, &column.as_column().source()?, into)
        }

        pub(in crate::primitives) fn $name_into<'t, T: $bound, R: Row>(
            builder: &mut ProgramBuilder,
            column: impl AsColumn<'t, T>,
            into: &mut Table<R>,
        ) -> Result<Scalar<T>> {
            let into = taken::<T, R>(into)?;
            reduce(builder, Reduction::$op, &column.as_column().source()?, into)
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
    let into = one::<T>(builder)?;
    reduce(builder, C::REDUCTION, &column.as_column().source()?, into)
}

fn arg<T: Number>(builder: &mut ProgramBuilder, op: Reduction, column: &Source) -> Result<Scalar<ArgMin<T>>> {
    let memory = portable::found(&builder.device, T::TYPE)?;
    let (value, row) = (Source::new(&memory, T::TYPE, 0), Source::new(&memory, ScalarType::U32, T::TYPE.words()));
    builder.primitive(|naming| Primitive::Reduce {
        op,
        column: naming.view(column),
        into: naming.view(&value),
        row: Some(naming.view(&row)),
    })?;
    Ok(Scalar::of_memory(memory))
}

pub(in crate::primitives) fn arg_min<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
) -> Result<Scalar<ArgMin<T>>> {
    arg(builder, Reduction::ArgMin, &column.as_column().source()?)
}

pub(in crate::primitives) fn arg_max<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
) -> Result<Scalar<ArgMin<T>>> {
    arg(builder, Reduction::ArgMax, &column.as_column().source()?)
}

macro_rules! censuses {
    ($($name:ident: $ty:ty => $what:ident;)*) => {$(
        pub(in crate::primitives) fn $name(
            builder: &mut ProgramBuilder,
            rows: impl AsPredicate,
        ) -> Result<Scalar<$ty>> {
            let predicate = rows.as_predicate()?;
            let into = one::<$ty>(builder)?;
            let target = Source::new(&into, <$ty as Output>::SCALAR.unwrap_or(ScalarType::U32), 0);
            builder.primitive(|naming| Primitive::Census {
                what: Census::$what,
                filter: naming.filter(&predicate),
                into: naming.view(&target),
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
    column: &Source,
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
        offsets: naming.view(&Source::of(offsets)),
        into: naming.view(&Source::of(into)),
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
            segmented(builder, Reduction::$op, &column.as_column().source()?, offsets, into)
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
    segmented(builder, C::REDUCTION, &column.as_column().source()?, offsets, into)
}
