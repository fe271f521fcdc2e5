//! Histories: rows that read each other's earlier steps, for any number of steps per launch.

mod entries;
mod host;
mod limits;
mod network;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    network::add(cases);
    entries::add(cases);
    limits::add(cases);
    host::add(cases);
}
