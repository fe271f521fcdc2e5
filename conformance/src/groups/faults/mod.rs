//! Faults: the report, the results of a faulting launch, poisoning and recovery.

mod expected;
mod kinds;
mod poison;
mod which;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    kinds::add(cases);
    which::add(cases);
    poison::add(cases);
}
