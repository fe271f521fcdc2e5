//! Bundles of resources, against kernels with a parameter for each resource.

mod given;
mod histories;
mod launches;
mod phases;

use crate::case::Cases;

pub(super) fn add(cases: &mut Cases) {
    launches::add(cases);
    phases::add(cases);
    histories::add(cases);
}
