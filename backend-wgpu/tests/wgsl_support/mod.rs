//! What the tests of the WGSL lowering share: hand-built modules, validation, and a bare-bones runner.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod build;
pub mod calls;
pub mod gpu;
pub mod kernels;
pub mod operations;
pub mod validate;
