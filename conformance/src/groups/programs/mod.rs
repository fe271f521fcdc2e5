//! Recorded programs and their loops, each against a plain loop on the host.

mod conditions;
mod control;
mod data;
mod exchange;
mod messages;
mod nested;
mod simulation;

use crate::case::Cases;
use crate::kernels::programs::steps::Counter;
use imminent_core::{Device, Error, Table};

pub(super) fn add(cases: &mut Cases) {
    control::add(cases);
    conditions::add(cases);
    data::add(cases);
    exchange::add(cases);
    messages::add(cases);
    nested::add(cases);
    simulation::add(cases);
}

/// Creates counters that start at the given values.
fn counters(device: &Device, start: &[u64]) -> Result<Table<Counter>, Error> {
    Table::from_rows(device, &start.iter().map(|n| Counter { n: *n }).collect::<Vec<_>>())
}

/// Returns the values of counters.
fn values(table: &Table<Counter>) -> Result<Vec<u64>, Error> {
    Ok(table.read()?.into_iter().map(|counter| counter.n).collect())
}
