//! Values that scans and segments combine, by the names of their modules: each has `Word`, `Order`, `take`, `give` and
//! `combine`.

pub(super) use super::reals::sums::{double, single};
pub(super) use super::words::counts;
pub(super) use super::words::keys::{narrow, wide};
