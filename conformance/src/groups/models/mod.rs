//! Whole models: the engines on the device, against the sequential oracle and against stored digests.

mod cell_rules;
mod cells;
mod clusters;
mod crowds;
mod fluid_means;
mod fluids;
mod general;
mod hybrids;
mod studies;
mod toruses;
mod verdicts;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    toruses::add(cases);
    general::add(cases);
    clusters::add(cases);
    crowds::add(cases);
    fluids::add(cases);
    fluid_means::add(cases);
    hybrids::add(cases);
    studies::add(cases);
    cells::add(cases);
    cell_rules::add(cases);
}
