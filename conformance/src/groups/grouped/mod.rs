//! Groups of rows with their phases, tiles, and launches over subsets.

mod faults;
mod gaps;
mod own_rows;
mod phases;
mod reductions;
mod refusals;
mod scratch;
mod subsets;
mod tiles;
mod votes;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    phases::add(cases);
    scratch::add(cases);
    votes::add(cases);
    own_rows::add(cases);
    tiles::add(cases);
    reductions::add(cases);
    faults::add(cases);
    subsets::add(cases);
    gaps::add(cases);
    refusals::add(cases);
}
