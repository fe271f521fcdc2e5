//! Any backend, as one type.

use enum_dispatch::enum_dispatch;
use imminent_core::{Backend, Device, DeviceInfo, Result};

/// Operations on a backend before it becomes a [`Device`]: the part of [`Backend`] that the facade needs, dispatched
/// statically over the backends of this package.
#[enum_dispatch]
pub trait OpenDevice {
    /// Returns name, driver and kind of the device.
    fn device_info(&self) -> &DeviceInfo;

    /// Makes the device ready to run kernels: creates a queue, and probes its floats.
    ///
    /// # Errors
    /// Errors of [`Device::open`].
    fn open_device(self) -> Result<Device>;
}

macro_rules! open_device {
    ($($(#[$cfg:meta])* $backend:ty;)*) => {$(
        $(#[$cfg])*
        impl OpenDevice for $backend {
            fn device_info(&self) -> &DeviceInfo {
                self.info()
            }

            fn open_device(self) -> Result<Device> {
                Device::open(self)
            }
        }
    )*};
}

open_device! {
    #[cfg(feature = "cpu")] imminent_cpu::CpuBackend;
    #[cfg(feature = "wgpu")] imminent_wgpu::WgpuBackend;
    #[cfg(feature = "cuda")] imminent_cuda::CudaBackend;
    #[cfg(feature = "opencl")] imminent_opencl::OpenClBackend;
}

impl OpenDevice for Box<dyn Backend> {
    fn device_info(&self) -> &DeviceInfo {
        (**self).info()
    }

    fn open_device(self) -> Result<Device> {
        Device::open_boxed(self)
    }
}

/// A device of any backend: of one that is compiled in, or of a stranger's.
#[enum_dispatch(OpenDevice)]
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a process has few, and opens each at once")]
#[non_exhaustive]
pub enum AnyBackend {
    /// Native code over a thread pool.
    #[cfg(feature = "cpu")]
    Cpu(imminent_cpu::CpuBackend),
    /// WebGPU.
    #[cfg(feature = "wgpu")]
    Wgpu(imminent_wgpu::WgpuBackend),
    /// CUDA.
    #[cfg(feature = "cuda")]
    Cuda(imminent_cuda::CudaBackend),
    /// OpenCL.
    #[cfg(feature = "opencl")]
    OpenCl(imminent_opencl::OpenClBackend),
    /// A backend of another package.
    Other(Box<dyn Backend>),
}

impl AnyBackend {
    /// Takes a device of another package's backend.
    #[must_use]
    pub fn other(backend: impl Backend + 'static) -> AnyBackend {
        AnyBackend::Other(Box::new(backend))
    }
}
