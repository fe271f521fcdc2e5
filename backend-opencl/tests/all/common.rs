//! Devices for the tests. Without an OpenCL device a test fails and names the packages to install: it never passes by
//! doing nothing.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::Device;
use imminent_opencl::{Cache, OpenClBackend, Options};
use std::path::Path;

/// Options with which every test of results is run: results must not depend on them.
pub(crate) const VARIANTS: [&str; 4] =
    ["", "workgroup=64", "int64-atomics=off,float64=off", "workgroup=64,faults=operands"];

/// Advice for machines without a device.
pub(crate) const INSTALL: &str =
    "these tests need an OpenCL device, a real one or PoCL (apt install ocl-icd-libopencl1 pocl-opencl-icd)";

/// Reads options; compiled programs go to a separate folder of the tests, unless the options name one.
pub(crate) fn options(text: &str) -> Options {
    let mut options: Options = text.parse().expect("the options are well formed");
    if options.cache == Cache::Auto {
        options.cache = Cache::Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join("opencl-cache"));
    }
    options
}

/// Opens the first device.
pub(crate) fn backend(text: &str) -> OpenClBackend {
    OpenClBackend::open(0, &options(text)).unwrap_or_else(|error| panic!("{INSTALL}: {error}"))
}

/// Opens the first device as a core device.
pub(crate) fn device(text: &str) -> Device {
    Device::open(backend(text)).unwrap()
}
