//! Shared parts of the tests of the WGSL lowering: every kernel, damaged modules, validation.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod damaged;
pub mod every;
pub mod validate;
