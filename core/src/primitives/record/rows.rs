//! Scans, selections and sorts.

use super::equally_long;
use crate::backend::{Primitive, ScanOp};
use crate::data::{Data, Row};
use crate::error::{Error, Result};
use crate::primitives::portable;
use crate::primitives::{AsColumn, AsPredicate, Number};
use crate::program::{ColumnRef, ProgramBuilder};
use crate::tables::{Output, Scalar, Selection, Table};

fn scan<T: Number>(
    builder: &mut ProgramBuilder,
    column: &ColumnRef,
    op: ScanOp,
    exclusive: bool,
    into: &Table<T>,
) -> Result<()> {
    equally_long(&into.memory, &column.memory, "a scan has a result for every row")?;
    builder.primitive(|naming| Primitive::Scan {
        op,
        exclusive,
        column: naming.view(column),
        into: naming.view(&ColumnRef::of(into)),
    })
}

pub(in crate::primitives) fn inclusive_scan<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    op: ScanOp,
    into: &mut Table<T>,
) -> Result<()> {
    let column = builder.column(column)?;
    scan(builder, &column, op, false, into)
}

pub(in crate::primitives) fn exclusive_scan<'t, T: Number>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, T>,
    op: ScanOp,
    into: &mut Table<T>,
) -> Result<()> {
    let column = builder.column(column)?;
    scan(builder, &column, op, true, into)
}

pub(in crate::primitives) fn select(builder: &mut ProgramBuilder, rows: impl AsPredicate) -> Result<Selection> {
    let predicate = builder.predicate(rows)?;
    let mut selection = Selection::with_capacity(&builder.device, predicate.column.rows() as usize)?;
    select_into(builder, predicate, &mut selection)?;
    Ok(selection)
}

pub(in crate::primitives) fn select_into(
    builder: &mut ProgramBuilder,
    rows: impl AsPredicate,
    into: &mut Selection,
) -> Result<()> {
    let predicate = builder.predicate(rows)?;
    let rows = predicate.column.rows() as usize;
    if into.of() < rows {
        let reason = format!("it has room for {} rows, the column tested has {rows}", into.of());
        return Err(Error::invalid("selection", reason));
    }
    builder.primitive(|naming| Primitive::Select {
        filter: naming.filter(&predicate),
        rows: naming.view(&ColumnRef::of(&into.rows)),
        count: naming.view(&ColumnRef::of(&into.count)),
    })
}

pub(in crate::primitives) fn sort<'t, K: Number>(
    builder: &mut ProgramBuilder,
    keys: impl AsColumn<'t, K>,
) -> Result<Selection> {
    let keys = builder.column(keys)?;
    sort_source(builder, &keys)
}

fn sort_source(builder: &mut ProgramBuilder, keys: &ColumnRef) -> Result<Selection> {
    let rows = Table::zeroed(&builder.device, keys.rows() as usize)?;
    // All rows are listed, in any order: the count is the same in every replay.
    let count = Table::from_rows(&builder.device, &[keys.rows()])?;
    builder.primitive(|naming| Primitive::Sort {
        keys: naming.view(keys),
        values: None,
        sorted_keys: None,
        sorted_values: naming.view(&ColumnRef::of(&rows)),
    })?;
    Ok(Selection { of: rows.len(), rows, count, has_gaps: false })
}

pub(in crate::primitives) fn group_by<'t>(
    builder: &mut ProgramBuilder,
    column: impl AsColumn<'t, u32>,
    kinds: u32,
    width: u32,
    into: &mut Selection,
) -> Result<()> {
    let column = builder.column(column)?;
    let (kinds, width) = (kinds.max(1), width.max(1));
    let needed = Selection::places_by_kind(column.rows() as usize, kinds, width);
    if into.of() < column.rows() as usize || into.capacity() < needed {
        let (of, places, rows) = (into.of(), into.capacity(), column.rows());
        let reason = format!(
            "it is of {of} rows and has {places} places; {rows} rows of {kinds} kinds that each begin at a multiple of {width} take {needed}: \
             make it with `Selection::by_kind`"
        );
        return Err(Error::invalid("selection", reason));
    }
    let order = sort_source(builder, &column)?;
    portable::kinds::list(builder, &column, &order, (kinds, width), into)
}

pub(in crate::primitives) fn sort_by_key<'t, 'v, K: Number, V: Data + Row + Output>(
    builder: &mut ProgramBuilder,
    keys: impl AsColumn<'t, K>,
    values: impl AsColumn<'v, V>,
    sorted_keys: &mut Table<K>,
    sorted_values: &mut Table<V>,
) -> Result<()> {
    let (keys, values) = (builder.column(keys)?, builder.column(values)?);
    equally_long(&values.memory, &keys.memory, "every row has a key and a value")?;
    equally_long(&sorted_keys.memory, &keys.memory, "every key has a place in the order")?;
    equally_long(&sorted_values.memory, &keys.memory, "every value has a place in the order")?;
    builder.primitive(|naming| Primitive::Sort {
        keys: naming.view(&keys),
        values: Some(naming.view(&values)),
        sorted_keys: Some(naming.view(&ColumnRef::of(sorted_keys))),
        sorted_values: naming.view(&ColumnRef::of(sorted_values)),
    })
}

pub(in crate::primitives) fn find_min_time<'t, T: Number>(
    builder: &mut ProgramBuilder,
    times: impl AsColumn<'t, T>,
) -> Result<Scalar<T>> {
    super::min(builder, times)
}

pub(in crate::primitives) fn find_imminents<'t, T: Number>(
    builder: &mut ProgramBuilder,
    times: impl AsColumn<'t, T>,
    now: &Scalar<T>,
) -> Result<Selection> {
    select(builder, times.as_column().equals(now)?)
}
