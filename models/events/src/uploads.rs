//! What simulations bring, as tables.

use imminent_core::{Device, Result, Row, Table};

/// A table of rows, each with the lanes that it has. Where the device stores rows as they are, they move there and are not copied.
///
/// # Errors
/// Those of the device.
pub(super) fn table<R: Row>(device: &Device, rows: Vec<R>) -> Result<Table<R>> {
    if R::layout().lane_words == 0 {
        return moved(Table::zeroed(device, rows.len())?, rows);
    }
    let capacities: Vec<u32> = rows.iter().map(Row::capacity).collect();
    moved(Table::ragged(device, &capacities)?, rows)
}

/// A table of rows, all of which get as many lanes as the roomiest of them has.
///
/// # Errors
/// Those of the device.
pub(super) fn even_table<R: Row>(device: &Device, mut rows: Vec<R>) -> Result<Table<R>> {
    let capacity = rows.iter().map(Row::capacity).max().unwrap_or(0);
    rows.iter_mut().filter(|row| row.capacity() < capacity).for_each(|row| row.set_capacity(capacity));
    moved(Table::with_capacity(device, rows.len(), capacity)?, rows)
}

/// Fills a new table with rows that have the room of its own.
fn moved<R: Row>(mut table: Table<R>, mut rows: Vec<R>) -> Result<Table<R>> {
    if table.with_native_rows(|own| own.swap_with_slice(&mut rows))?.is_none() {
        table.write(&rows)?;
    }
    Ok(table)
}
