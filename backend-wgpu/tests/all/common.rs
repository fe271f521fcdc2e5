//! Devices for the tests. Without a Vulkan device a test fails and says what to install: it never passes without
//! testing.
//!
//! Every test opens devices of its own. NVIDIA's driver 580 was seen to hang in `vkDestroyDevice` while other threads
//! submit work to other devices: with that driver, run the tests with `--test-threads=1`.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::Device;
use imminent_wgpu::{Options, WgpuBackend};

/// Options with which every test of results is run; results must not depend on them. The last one cuts tables of more
/// than a thousand rows into segments; a column of 64-bit values still fits one segment up to [`MAX_ROWS`].
pub(crate) const VARIANTS: [&str; 6] = [
    "int64=auto",
    "int64=emulated",
    "int64=emulated,workgroup=64",
    "int64=emulated,faults=operands",
    "bindings=8",
    "int64=auto,max-binding-bytes=40000",
];

/// Rows of the largest table that can be cut in the last variant.
pub(crate) const MAX_ROWS: usize = 4991;

/// Opens the first device.
pub(crate) fn backend(options: &str) -> WgpuBackend {
    let options: Options = options.parse().expect("the options are well formed");
    match WgpuBackend::open(0, &options) {
        Ok(backend) => backend,
        Err(error) => panic!(
            "these tests need a Vulkan device, a real one or Mesa's software device \
             (apt install mesa-vulkan-drivers libvulkan1): {error}"
        ),
    }
}

/// Opens the first device as a core device.
pub(crate) fn device(options: &str) -> Device {
    Device::open(backend(options)).unwrap()
}
