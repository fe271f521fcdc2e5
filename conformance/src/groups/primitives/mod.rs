//! Primitives over columns, against plain Rust on the host.

mod census;
mod fold;
mod moves;
mod order;
mod programs;
mod refusals;
mod sample;
mod scan;
mod segments;
mod sort;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    fold::add(cases);
    census::add(cases);
    segments::add(cases);
    scan::add(cases);
    order::add(cases);
    sort::add(cases);
    moves::add(cases);
    programs::add(cases);
    refusals::add(cases);
    super::memory::packed::add_primitives(cases);
}
