//! The backends of this package.

use super::BackendProvider;
use crate::any_backend::AnyBackend;
use imminent_core::{DeviceInfo, Error, Result};
use std::sync::Arc;

/// Returns a backend if its feature is on, and else what says how to get it.
macro_rules! built_in {
    ($feature:literal, $provider:expr) => {{
        #[cfg(feature = $feature)]
        let provider: Arc<dyn BackendProvider> = Arc::new($provider);
        #[cfg(not(feature = $feature))]
        let provider: Arc<dyn BackendProvider> = Arc::new(NotCompiledIn($feature));
        provider
    }};
}

/// Makes the provider of a backend whose options are set one by one.
#[allow(unused_macros, reason = "which backends are there depends on the features")]
macro_rules! driver {
    ($name:literal, $backend:ty, $options:ty, $first_run:path) => {
        Driver {
            name: $name,
            list: || {
                let adapters = <$backend>::list(&<$options>::default())?;
                Ok(adapters.into_iter().map(|adapter| adapter.info).collect())
            },
            open: |index, options| {
                let mut chosen = <$options>::default();
                for (key, value) in options {
                    chosen.set(key, value)?;
                }
                Ok(<$backend>::open(index, &chosen)?.into())
            },
            are_compiled: |model| {
                use $first_run as first_run;
                first_run::are_compiled($name, model)
            },
            note_run: |model| {
                use $first_run as first_run;
                first_run::note_run($name, model)
            },
        }
    };
}

/// Returns the providers, compiled in or not.
pub(super) fn providers() -> [Arc<dyn BackendProvider>; 4] {
    [
        built_in!("cpu", Cpu),
        built_in!(
            "wgpu",
            driver!("wgpu", imminent_wgpu::WgpuBackend, imminent_wgpu::Options, imminent_wgpu::first_run)
        ),
        built_in!(
            "opencl",
            driver!("opencl", imminent_opencl::OpenClBackend, imminent_opencl::Options, imminent_opencl::first_run)
        ),
        built_in!(
            "cuda",
            driver!("cuda", imminent_cuda::CudaBackend, imminent_cuda::Options, imminent_cuda::first_run)
        ),
    ]
}

/// Native code over a thread pool.
#[cfg(feature = "cpu")]
#[derive(Debug)]
struct Cpu;

#[cfg(feature = "cpu")]
impl BackendProvider for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        use crate::any_backend::OpenDevice;
        Ok(vec![self.open(0, &[])?.device_info().clone()])
    }

    fn open(&self, index: u32, options: &[(String, String)]) -> Result<AnyBackend> {
        if index > 0 {
            let available = "1 device, the host".to_owned();
            return Err(Error::NoDevice { backend: self.name().to_owned(), index, available });
        }
        let mut chosen = imminent_cpu::Options::default();
        for (key, value) in options {
            chosen.set(key, value)?;
        }
        Ok(imminent_cpu::CpuBackend::open(&chosen)?.into())
    }

    fn loads_drivers(&self) -> bool {
        false
    }
}

/// Opens a device by its index, with options.
#[cfg(any(feature = "wgpu", feature = "opencl", feature = "cuda"))]
type Open = fn(u32, &[(String, String)]) -> Result<AnyBackend>;

/// A backend whose driver is a library, loaded when devices are looked for.
#[cfg(any(feature = "wgpu", feature = "opencl", feature = "cuda"))]
#[derive(Debug)]
struct Driver {
    name: &'static str,
    list: fn() -> Result<Vec<DeviceInfo>>,
    open: Open,
    are_compiled: fn(&str) -> bool,
    note_run: fn(&str),
}

#[cfg(any(feature = "wgpu", feature = "opencl", feature = "cuda"))]
impl BackendProvider for Driver {
    fn name(&self) -> &str {
        self.name
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        (self.list)()
    }

    fn open(&self, index: u32, options: &[(String, String)]) -> Result<AnyBackend> {
        (self.open)(index, options)
    }

    fn are_compiled(&self, model: &str) -> bool {
        (self.are_compiled)(model)
    }

    fn note_run(&self, model: &str) {
        (self.note_run)(model);
    }
}

/// A backend that this build lacks.
#[derive(Debug)]
#[cfg(not(all(feature = "cpu", feature = "wgpu", feature = "opencl", feature = "cuda")))]
struct NotCompiledIn(&'static str);

#[cfg(not(all(feature = "cpu", feature = "wgpu", feature = "opencl", feature = "cuda")))]
impl BackendProvider for NotCompiledIn {
    fn name(&self) -> &str {
        self.0
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Err(not_compiled_in(self.0))
    }

    fn open(&self, _index: u32, _options: &[(String, String)]) -> Result<AnyBackend> {
        Err(not_compiled_in(self.0))
    }

    fn is_compiled_in(&self) -> bool {
        false
    }

    fn loads_drivers(&self) -> bool {
        false
    }
}

/// Returns the error of a backend that this build lacks.
#[doc(hidden)]
#[must_use]
pub fn not_compiled_in(backend: &str) -> Error {
    Error::Unavailable {
        backend: backend.to_owned(),
        reason: "it is not compiled in".to_owned(),
        tried: "nothing".to_owned(),
        remedy: format!("Build with `--features {backend}`, or `--features full` for every backend"),
    }
}
