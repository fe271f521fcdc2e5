//! One program for all integration tests except those of tint, so that only one is linked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adoption;
mod common;
mod device;
mod errors;
mod pieces;
mod pool;
mod shared;
mod wgsl_damaged;
mod wgsl_lower;
#[path = "../wgsl_support/mod.rs"]
mod wgsl_support;
