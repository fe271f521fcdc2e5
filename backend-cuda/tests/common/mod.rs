//! Devices for the tests.

use imminent_core::{Device, Error};
use imminent_cuda::{CudaBackend, Options};

/// Opens the first device.
pub(crate) fn backend(options: &str) -> CudaBackend {
    let options: Options = options.parse().expect("the options are well formed");
    match CudaBackend::open(0, &options) {
        Ok(backend) => backend,
        Err(error) => panic!("these tests need a CUDA device and NVRTC: {error}"),
    }
}

/// Opens the first device as a core device.
pub(crate) fn device(options: &str) -> Device {
    Device::open(backend(options)).unwrap()
}

/// Returns `true` if the driver has WHILE nodes.
pub(crate) fn has_while_nodes() -> bool {
    let options: Options = "loops=conditional".parse().expect("the option is well formed");
    match CudaBackend::open(0, &options) {
        Ok(_) => true,
        Err(Error::Unsupported { .. }) => false,
        Err(error) => panic!("these tests need a CUDA device and NVRTC: {error}"),
    }
}
