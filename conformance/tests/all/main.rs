//! One program of all integration tests, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod broken;
mod broken_backend;
mod cpu;
mod failing;
mod own_kernels;
mod primitives;
mod selection;
mod twin;
mod wgpu;

/// Opens the device of the backend to copy, which interprets kernels.
fn skeleton() -> imminent_core::Device {
    imminent_core::Device::open(backend_skeleton::Skeleton::open()).unwrap()
}
