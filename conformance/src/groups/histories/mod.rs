//! Histories: what rows hear of one another's past, whatever the number of steps in a launch.

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
