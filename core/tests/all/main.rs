//! One program of all integration tests, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod emission;
mod fixed_point;
mod groups;
mod histories;
mod ir_snapshot;
mod random;
mod templates;
mod variates;
