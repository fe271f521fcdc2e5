//! Tables of counters.

use crate::kernels::programs::steps::Counter;
use imminent_core::{Device, Error, Table};

/// Creates counters that start at the given values.
pub(super) fn counters(device: &Device, start: &[u64]) -> Result<Table<Counter>, Error> {
    Table::from_rows(device, &start.iter().map(|n| Counter { n: *n }).collect::<Vec<_>>())
}

/// Returns the values of counters.
pub(super) fn values(table: &Table<Counter>) -> Result<Vec<u64>, Error> {
    Ok(table.read()?.into_iter().map(|counter| counter.n).collect())
}
