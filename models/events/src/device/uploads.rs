//! Tables of the initial rows of simulations.

use imminent_core::{Device, Result, Row, Table};

/// Creates a table of rows, each with its own number of lanes. If the device stores rows in the host's format, they are
/// moved without a copy.
///
/// # Errors
/// Errors of the device.
pub(super) fn table<R: Row>(device: &Device, rows: Vec<R>) -> Result<Table<R>> {
    if R::layout().lane_words == 0 {
        return moved(Table::zeroed(device, rows.len())?, rows);
    }
    let capacities: Vec<u32> = rows.iter().map(Row::capacity).collect();
    moved(Table::ragged(device, &capacities)?, rows)
}

/// Creates a table of rows with as many lanes each as the largest of them has.
///
/// # Errors
/// Errors of the device.
pub(super) fn even_table<R: Row>(device: &Device, mut rows: Vec<R>) -> Result<Table<R>> {
    let capacity = rows.iter().map(Row::capacity).max().unwrap_or(0);
    rows.iter_mut().filter(|row| row.capacity() < capacity).for_each(|row| row.set_capacity(capacity));
    moved(Table::with_capacity(device, rows.len(), capacity)?, rows)
}

/// Fills a new table with rows of the table's capacity.
fn moved<R: Row>(mut table: Table<R>, mut rows: Vec<R>) -> Result<Table<R>> {
    if table.with_native_rows(|own| own.swap_with_slice(&mut rows))?.is_none() {
        table.write(&rows)?;
    }
    Ok(table)
}
