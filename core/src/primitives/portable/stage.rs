//! Conversion of columns to tables that the portable kernels can bind, and of results back to columns.

use crate::backend::Primitive;
use crate::capability::DeviceKind;
use crate::data::Row;
use crate::device::Storage;
use crate::error::{Error, Result};
use crate::program::{ColumnRef, ProgramBuilder};
use crate::tables::Table;

/// Returns the column as a table of `R`, a row of one field of as many words: the column's own memory if that has this
/// layout, otherwise a copy.
pub(super) fn input<R: Row>(builder: &mut ProgramBuilder, column: &ColumnRef) -> Result<Table<R>> {
    if let Some(table) = in_place(builder, column) {
        return Ok(table);
    }
    let table = Table::zeroed(&builder.device, column.rows() as usize)?;
    copy_column(builder, column, &whole(&table)?)?;
    Ok(table)
}

/// Returns a table of `R` for the new values of a column: the column's own memory if that has this layout. [`deliver`]
/// it afterwards.
pub(super) fn output<R: Row>(builder: &ProgramBuilder, column: &ColumnRef) -> Result<Table<R>> {
    match in_place(builder, column) {
        Some(table) => Ok(table),
        None => Table::zeroed(&builder.device, column.rows() as usize),
    }
}

/// Copies a table from [`output`] into its column, unless it is the column.
pub(super) fn deliver<R: Row>(builder: &mut ProgramBuilder, table: &Table<R>, column: &ColumnRef) -> Result<()> {
    if std::sync::Arc::ptr_eq(&table.memory, &column.memory) {
        return Ok(());
    }
    copy_column(builder, &whole(table)?, column)
}

/// Copies a column, as a separate primitive, since the backend may override it.
pub(super) fn copy_column(builder: &mut ProgramBuilder, from: &ColumnRef, to: &ColumnRef) -> Result<()> {
    builder.primitive(|naming| Primitive::CopyColumn { from: naming.view(from), to: naming.view(to) })
}

/// Returns the only column of a table.
pub(super) fn whole<R: Row>(table: &Table<R>) -> Result<ColumnRef> {
    match R::layout().columns.first() {
        Some(column) => Ok(ColumnRef::new(&table.memory, column.scalar, column.word)),
        None => Err(Error::invalid("kernel module of the portable primitives", "a row has no column")),
    }
}

fn in_place<R: Row>(builder: &ProgramBuilder, column: &ColumnRef) -> Option<Table<R>> {
    // Tables on the host are of native structs, in every backend: they cannot be bound as rows of another type.
    let backend = builder.device.backend();
    let native = backend.capabilities().native_rows || backend.info().kind == DeviceKind::Host;
    let layout = column.memory.layout?;
    let alone = layout.fixed_words == R::layout().fixed_words && layout.lane_words == 0;
    let all = column.span.rows == (0..column.memory.rows) && column.span.lane.is_none() && column.span.word == 0;
    (!native && alone && all).then(|| Table::of_memory(Storage::of(&builder.device, &column.memory)))
}
