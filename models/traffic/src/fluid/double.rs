//! Fluids on a device in 64-bit numbers. Both precisions share their modules; the definitions that differ are here.

use super::kernels::double as kernels;

/// Number type of fluids.
type Number = f64;

/// Converts a number to `f64` for results.
fn wide(number: Number) -> f64 {
    number
}

#[path = "engine.rs"]
mod engine;
#[path = "meters.rs"]
mod meters;
#[path = "plan/mod.rs"]
mod plan;
#[path = "tables.rs"]
mod tables;

pub(super) use engine::{Engine, SharedQueues};
