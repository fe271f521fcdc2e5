//! Tables, columns and tallies: allocation, transfer, growth.

mod accounts;
mod columns;
mod lifetime;
pub(super) mod mixed;
pub(super) mod packed;
mod ragged;
mod refusals;
mod reuse;
mod transfer;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    transfer::add(cases);
    columns::add(cases);
    lifetime::add(cases);
    refusals::add(cases);
    accounts::add(cases);
    reuse::add(cases);
    ragged::add(cases);
    packed::add(cases);
}
