//! NVRTC, as a device uses it: loaded when a kernel has to be compiled, and never if all its kernels were shipped.

use crate::nvrtc::{Compiler, parameter_bytes};
use imminent_core::{Error, Result};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Oldest NVRTC beside shipped kernels, and to make them with: the first one that knows all features of this backend.
pub(crate) const OLDEST: (u32, u32) = (12, 3);

/// The compiler of a device.
#[derive(Debug)]
pub(crate) struct DeviceCompiler {
    wanted: Wanted,
    loaded: OnceLock<Compiler>,
    loading: Mutex<()>,
}

/// Place and requirements of the compiler that is looked for.
#[derive(Debug)]
pub(super) struct Wanted {
    /// File or folder that was named, if one was.
    pub(super) path: Option<PathBuf>,
    /// Compute capability of the device, as 75, 80, 90.
    pub(super) capability: u32,
    /// Major and minor version of CUDA that the driver runs.
    pub(super) driver: (u32, u32),
    /// `true` if kernels for such devices were shipped: the compiler is loaded when one is missing.
    pub(super) later: bool,
}

impl DeviceCompiler {
    /// Creates the compiler of a device.
    ///
    /// # Errors
    /// [`Error::Unavailable`] as from [`DeviceCompiler::get`], unless the compiler is loaded later.
    pub(super) fn new(wanted: Wanted) -> Result<DeviceCompiler> {
        let compiler = DeviceCompiler { wanted, loaded: OnceLock::new(), loading: Mutex::default() };
        if !compiler.wanted.later {
            compiler.get()?;
        }
        Ok(compiler)
    }

    /// Returns the compiler, loaded at the first call.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if none is found that fits the driver and the kernels that were shipped.
    pub(crate) fn get(&self) -> Result<&Compiler> {
        let _one_at_a_time = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiler) = self.loaded.get() {
            return Ok(compiler);
        }
        let Wanted { path, capability, driver, later } = &self.wanted;
        let found = Compiler::find(path.as_deref(), *capability, Some(*driver))?;
        if *later && found.version() < OLDEST {
            return Err(too_old(&found));
        }
        Ok(self.loaded.get_or_init(|| found))
    }

    /// Returns the compiler, if it is loaded.
    pub(crate) fn loaded(&self) -> Option<&Compiler> {
        self.loaded.get()
    }

    /// Returns major and minor version of NVRTC; of one that is not loaded yet, the oldest that it may have.
    pub(crate) fn version(&self) -> (u32, u32) {
        self.loaded.get().map_or(OLDEST, Compiler::version)
    }

    /// Returns the largest number of bytes of a kernel's parameters.
    pub(crate) fn parameter_bytes(&self) -> u32 {
        parameter_bytes(self.version(), self.wanted.capability)
    }

    /// Returns the number of threads that compile sooner than one.
    pub(crate) fn at_once(&self) -> usize {
        self.loaded.get().map_or_else(imminent_device::dispatch::cores, Compiler::at_once)
    }

    /// Describes the compiler in a few words.
    pub(crate) fn words(&self) -> String {
        self.loaded.get().map_or_else(|| "NVRTC was not needed yet".to_owned(), Compiler::words)
    }
}

fn too_old(found: &Compiler) -> Error {
    Error::Unavailable {
        backend: "cuda".to_owned(),
        reason: format!("{} is older than 12.3, and cannot compile what the shipped kernels lack", found.words()),
        tried: "the first NVRTC that fits the driver".to_owned(),
        remedy: "Install a newer NVRTC, or set IMMINENT_KERNELS=off".to_owned(),
    }
}
