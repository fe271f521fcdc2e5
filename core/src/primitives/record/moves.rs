//! Histograms, and moves of rows and columns.

use super::equally_long;
use crate::backend::Primitive;
use crate::data::{Data, Row, TallyScalar};
use crate::error::{Error, Result};
use crate::primitives::predicate::ThresholdValue;
use crate::primitives::{AsColumn, Integer, Number, Threshold};
use crate::program::{ColumnRef, ProgramBuilder};
use crate::tables::{Column, Output, Table, TallyTable};
use imminent_ir::Scalar as ScalarType;

pub(in crate::primitives) fn histogram<'t, T: Integer + TallyScalar>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    lowest: T,
    width: u64,
    into: &mut TallyTable<u32>,
) -> Result<()> {
    if width == 0 {
        return Err(Error::invalid("width of a histogram's slots", "it is 0: every slot takes at least one value"));
    }
    let column = builder.column(column)?;
    let tally = ColumnRef::new(&into.memory, ScalarType::U32, 0);
    builder.primitive(|naming| Primitive::Histogram {
        column: naming.view(&column),
        lowest: Data::leaf(&lowest, 0),
        width,
        tally: naming.view(&tally),
    })
}

pub(in crate::primitives) fn gather<R: Row>(
    builder: &mut ProgramBuilder,
    rows: &Table<u32>,
    from: &Table<R>,
    to: &mut Table<R>,
) -> Result<()> {
    equally_long(&rows.memory, &to.memory, "a gather names the source of every row")?;
    same_capacity(from, to)?;
    take_rows(builder, rows, from, to)
}

/// Records a gather to rows that have at least as much room for lanes as their source rows.
pub(crate) fn take_rows<R: Row>(
    builder: &mut ProgramBuilder,
    rows: &Table<u32>,
    from: &Table<R>,
    to: &mut Table<R>,
) -> Result<()> {
    builder.primitive(|naming| Primitive::Gather {
        rows: naming.view(&ColumnRef::of(rows)),
        from: naming.whole(&from.memory),
        to: naming.whole(&to.memory),
    })
}

pub(in crate::primitives) fn scatter<R: Row>(
    builder: &mut ProgramBuilder,
    rows: &Table<u32>,
    from: &Table<R>,
    to: &mut Table<R>,
) -> Result<()> {
    equally_long(&rows.memory, &from.memory, "a scatter names the destination of every row")?;
    same_capacity(from, to)?;
    builder.primitive(|naming| Primitive::Scatter {
        rows: naming.view(&ColumnRef::of(rows)),
        from: naming.whole(&from.memory),
        to: naming.whole(&to.memory),
    })
}

/// Checks that every row of one table has room for any row of the other: ragged tables do not guarantee that.
fn same_capacity<R: Row>(from: &Table<R>, to: &Table<R>) -> Result<()> {
    if let Some(ragged) = [from, to].into_iter().find(|table| table.is_ragged()) {
        let reason = "its rows have room of their own, so another row may not fit: read and write to move its rows";
        return Err(Error::invalid(&ragged.memory.what, reason));
    }
    if from.capacity() == to.capacity() {
        return Ok(());
    }
    let reason = format!("it has {} lanes, the other table {}: grow one of them", to.capacity(), from.capacity());
    Err(Error::invalid(&to.memory.what, reason))
}

pub(in crate::primitives) fn copy_column<'t, T: Data + Row + Output>(
    builder: &mut ProgramBuilder,
    from: impl AsColumn<'t, T>,
    to: Column<'_, T>,
) -> Result<()> {
    let (from, to) = (from.as_column().source()?, to.source()?);
    equally_long(&to.memory, &from.memory, "a copy takes every value over")?;
    builder.primitive(|naming| Primitive::CopyColumn { from: naming.view(&from), to: naming.view(&to) })
}

pub(in crate::primitives) fn fill<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    value: impl Threshold<T>,
) -> Result<()> {
    let column = column.as_column().source()?;
    let ThresholdValue(value) = value.value()?;
    builder.primitive(|naming| Primitive::Fill { column: naming.view(&column), value: naming.operand(&value) })
}
