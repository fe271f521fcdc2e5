//! Several queues, transfers concurrent with the host, asynchronous programs, and the order between them.

mod again;
mod handed;
mod order;
mod outcomes;
mod pipelines;
mod started;
mod transfers;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    transfers::add(cases);
    order::add(cases);
    started::add(cases);
    handed::add(cases);
    outcomes::add(cases);
    pipelines::add(cases);
    again::add(cases);
}
