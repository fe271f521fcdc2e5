//! One program of all integration tests but those of tint, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adoption;
mod common;
mod device;
mod errors;
mod pieces;
mod pool;
mod wgsl_damaged;
mod wgsl_lower;
#[path = "../wgsl_support/mod.rs"]
mod wgsl_support;
