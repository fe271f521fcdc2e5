//! Fluids on a device in 32-bit numbers. Both precisions share their modules; the definitions that differ are here.

use super::kernels::single as kernels;

/// Number type of fluids.
type Number = f32;

/// Converts a number to `f64` for results.
fn wide(number: Number) -> f64 {
    number.into()
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
