//! A single program of all integration tests, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adoption;
mod bare;
mod c_dialect_compile;
mod cache;
mod common;
mod conformance;
mod device;
mod drivers;
mod errors;
mod pool;
