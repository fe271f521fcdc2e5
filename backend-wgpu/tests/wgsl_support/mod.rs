//! What the tests of the WGSL lowering share: validation, and a bare-bones runner.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod damaged;
pub mod every;
pub mod gpu;
pub mod validate;
