//! Fluids on a device in numbers of 64 bits. The modules are the same for both precisions; what they differ in is here.

use super::kernels::double as kernels;

/// What fluids are told in.
type Number = f64;

/// A number as it is told to others.
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

pub(super) use engine::{Engine, Meetings};
