//! One program of all integration tests, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod broken;
mod broken_backend;
mod cpu;
mod own_kernels;
mod primitives;
mod selection;
mod smallest;
mod twin;
mod wgpu;
