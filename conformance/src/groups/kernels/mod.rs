//! Every operation of the kernel language, at its edge values.

mod algebra;
mod bundles;
mod casts;
mod control;
mod floats;
mod grids;
mod integers;
mod language;
mod lists;
mod long_loops;
mod ragged;
mod reductions;
mod several;
mod structures;
mod tables;
mod tallies;
mod unsupported;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    integers::add(cases);
    floats::add(cases);
    algebra::add(cases);
    casts::add(cases);
    control::add(cases);
    language::add(cases);
    long_loops::add(cases);
    structures::add(cases);
    tables::add(cases);
    bundles::add(cases);
    lists::add(cases);
    ragged::add(cases);
    grids::add(cases);
    tallies::add(cases);
    reductions::add(cases);
    several::add(cases);
    unsupported::add(cases);
}
