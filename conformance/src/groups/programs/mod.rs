//! Recorded programs and their loops, each against a plain loop on the host.

mod circles;
mod conditions;
mod control;
mod counters;
mod data;
mod exchange;
mod messages;
mod nested;
mod simulation;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    control::add(cases);
    conditions::add(cases);
    data::add(cases);
    circles::add(cases);
    exchange::add(cases);
    messages::add(cases);
    nested::add(cases);
    simulation::add(cases);
}
