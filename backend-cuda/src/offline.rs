//! Compilation of kernels for devices that are not present, as a build server needs it.

use crate::device::OLDEST;
use crate::module::fitting;
use crate::nvrtc::{self, Compiler};
use crate::options::Options;
use crate::runtime;
use crate::shipped;
use imminent_core::{DeviceInfo, DeviceKind, Error, ModuleSource, Result};
use imminent_device::dispatch::{decoded, flattened, location};
use imminent_device::kernel_cache::shipped::ship;
use imminent_lowering::c::COptions;
use rayon::prelude::*;
use std::path::Path;

/// NVRTC without a device.
#[derive(Debug)]
pub struct OfflineCompiler {
    compiler: Compiler,
    capability: u32,
    lowering: COptions,
    info: DeviceInfo,
}

/// A compiled kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompiledKernel {
    /// Name of the kernel in Rust.
    pub name: String,
    /// Generated CUDA C++.
    pub text: String,
    /// Symbol of its function.
    pub entry: String,
    /// Machine code, or PTX if the compiler cannot generate machine code for the device.
    pub image: Vec<u8>,
}

impl OfflineCompiler {
    /// Creates a compiler for devices of a compute capability, as 75, 80, 90. Needs NVRTC, but neither driver nor
    /// device.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if NVRTC is not found, with a list of everything that was tried.
    pub fn new(compute_capability: u32, options: &Options) -> Result<OfflineCompiler> {
        options.check()?;
        let info = DeviceInfo {
            backend: "cuda".to_owned(),
            name: format!("sm_{compute_capability}"),
            driver: "none".to_owned(),
            kind: DeviceKind::DiscreteGpu,
            index: 0,
        };
        let lowering =
            COptions { float64: options.float64, faults: options.faults, line_directives: true, ..COptions::cuda() };
        Ok(OfflineCompiler {
            compiler: Compiler::find(options.nvrtc.as_deref(), compute_capability, None)?,
            capability: compute_capability,
            lowering,
            info,
        })
    }

    /// Returns path and version of NVRTC.
    #[must_use]
    pub fn compiler(&self) -> String {
        self.compiler.words()
    }

    /// Returns the compute capabilities for which NVRTC generates machine code, as 75, 80, 90, in ascending order.
    #[must_use]
    pub fn architectures(&self) -> &[u32] {
        self.compiler.architectures()
    }

    /// Lowers and compiles every kernel of a module.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's whole output, [`Error::Module`], [`Error::Unsupported`].
    pub fn compile(&self, source: &'static ModuleSource) -> Result<Vec<CompiledKernel>> {
        let module = decoded(source)?;
        (0..module.kernels.len())
            .map(|position| {
                let most = self.compiler.parameter_bytes();
                let flat = flattened(module, position)?;
                let (source, _) = fitting(&self.info, self.lowering.clone(), most, &flat)?;
                let image = self.image(&flat.name, &source.code, location(&flat), &nvrtc::options(true))?;
                Ok(CompiledKernel { name: flat.name, entry: source.entry, text: source.code, image })
            })
            .collect()
    }

    /// Returns names and texts of the backend's own kernels: copies, loop control, reductions and primitives.
    ///
    /// # Errors
    /// [`Error::Module`] if one of them cannot be lowered.
    pub fn runtime_kernels() -> Result<Vec<(String, String)>> {
        runtime::texts()
    }

    /// Compiles CUDA C++ with the options of this backend: to machine code, or to PTX if the compiler does not know the
    /// device. `name` is the text's name in error texts.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's whole output.
    pub fn compile_text(&self, name: &str, text: &str) -> Result<Vec<u8>> {
        self.image(name, text, format!("{name}.cu"), &nvrtc::options(true))
    }

    /// Compiles texts that a device with the option `record` wrote ([`recorded`](crate::recorded)), side by side, and
    /// adds them to the kernels in a folder that is shipped with a program. Returns their bytes on disk.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's whole output, [`Error::Unavailable`] if NVRTC is older than 12.3 or does
    /// not know the devices, [`Error::Invalid`] if the folder cannot be written.
    pub fn ship(&self, folder: &Path, texts: &[(String, String)]) -> Result<u64> {
        self.can_ship()?;
        texts.par_iter().map(|(name, text)| self.ship_one(folder, name, text)).sum()
    }

    fn ship_one(&self, folder: &Path, name: &str, text: &str) -> Result<u64> {
        let image = self.image(name, text, format!("{name}.cu"), &shipped::options())?;
        let key = shipped::key(self.capability, text);
        ship(folder, "cuda", &shipped::devices(self.capability), key, &image).map_err(|error| {
            Error::invalid(folder.display().to_string(), format!("a kernel cannot be written to it: {error}"))
        })
    }

    /// Checks that this compiler makes machine code of these devices for all kernels.
    fn can_ship(&self) -> Result<()> {
        let refused = |reason: String, remedy: &str| Error::Unavailable {
            backend: "cuda".to_owned(),
            reason,
            tried: self.compiler(),
            remedy: remedy.to_owned(),
        };
        let ((major, minor), known) = (self.compiler.version(), self.architectures());
        if (major, minor) < OLDEST {
            return Err(refused(format!("NVRTC {major}.{minor} is too old"), "Install NVRTC 12.3 or later"));
        }
        if !known.contains(&self.capability) {
            let listed: Vec<String> = known.iter().map(u32::to_string).collect();
            let reason =
                format!("NVRTC {major}.{minor} makes no machine code for {}", shipped::devices(self.capability));
            return Err(refused(reason, &format!("Choose among {}, or install another NVRTC", listed.join(", "))));
        }
        Ok(())
    }

    fn image(&self, name: &str, text: &str, location: String, options: &[&str]) -> Result<Vec<u8>> {
        let image = self.compiler.compile(name, text, options).map_err(|message| Error::Compile {
            backend: self.info.backend.clone(),
            device: self.info.name.clone(),
            kernel: name.to_owned(),
            location,
            message,
        })?;
        Ok(image.bytes)
    }
}
