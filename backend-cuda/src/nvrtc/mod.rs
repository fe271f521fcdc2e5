//! Compilation of CUDA C++ at run time, with NVRTC.

mod library;
pub(crate) mod places;

use imminent_core::Result;
use imminent_device::dispatch;
use imminent_lowering::c::{COptions, compiler_options};
use library::{Nvrtc, Program};
use std::borrow::Cow;
use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::sync::Mutex;

/// NVRTC, and the compute capability for which it compiles.
#[derive(Debug)]
pub(crate) struct Compiler {
    nvrtc: Nvrtc,
    /// Compute capability of the device, as 75, 80, 90.
    device: u32,
    /// Major and minor version of CUDA that the driver runs, if there is one.
    driver: Option<(u32, u32)>,
}

/// Machine code, or PTX if the compiler does not know the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
}

/// Returns the compiler's options except for the architecture: those on which the meaning of a text depends, and with
/// `lines` one that makes profilers show the Rust line.
pub(crate) fn options(lines: bool) -> Vec<&'static str> {
    let mut options = compiler_options(&COptions::cuda());
    options.extend(lines.then_some("-lineinfo"));
    options.push("--std=c++17");
    options
}

impl Compiler {
    /// Finds NVRTC. `device` is the compute capability to compile for, `driver` the version of CUDA that
    /// the driver runs.
    ///
    /// # Errors
    /// [`Error::Unavailable`](imminent_core::Error::Unavailable) with a list of everything that was tried.
    pub(crate) fn find(asked: Option<&Path>, device: u32, driver: Option<(u32, u32)>) -> Result<Compiler> {
        Ok(Compiler { nvrtc: library::find(asked, driver)?, device, driver })
    }

    /// Returns major and minor version of NVRTC.
    pub(crate) fn version(&self) -> (u32, u32) {
        self.nvrtc.version
    }

    /// Returns the compute capabilities for which NVRTC generates machine code, in ascending order.
    pub(crate) fn architectures(&self) -> &[u32] {
        &self.nvrtc.architectures
    }

    /// Returns the largest number of bytes of a kernel's parameters, as [`parameter_bytes`] does.
    pub(crate) fn parameter_bytes(&self) -> u32 {
        parameter_bytes(self.version(), self.device)
    }

    /// Returns `true` if several threads may compile at the same time. Optimizer and assembler run side by side since
    /// CUDA 12.3; not every version before was thread-safe.
    fn is_concurrent(&self) -> bool {
        self.version() >= (12, 3)
    }

    /// Returns the number of threads that compile sooner than one.
    pub(crate) fn at_once(&self) -> usize {
        if self.is_concurrent() { dispatch::cores() } else { 1 }
    }

    /// Returns version and path of NVRTC.
    pub(crate) fn words(&self) -> String {
        let (major, minor) = self.version();
        format!("NVRTC {major}.{minor} ({})", self.nvrtc.path.display())
    }

    /// Returns the option for the architecture, as [`architecture`] chooses it.
    pub(crate) fn architecture(&self) -> Result<String, String> {
        let known = &self.nvrtc.architectures;
        match architecture(known, self.device, self.is_newer_than_driver()) {
            Some(architecture) => Ok(format!("--gpu-architecture={architecture}")),
            None => Err(format!(
                "NVRTC {}.{} compiles for compute capabilities from {} on, the device has {}: install an older NVRTC",
                self.nvrtc.version.0,
                self.nvrtc.version.1,
                known.first().copied().unwrap_or(0),
                self.device
            )),
        }
    }

    fn is_newer_than_driver(&self) -> bool {
        self.driver.is_some_and(|driver| self.version() > driver)
    }

    /// Returns what to do when the driver refuses the version of the PTX.
    pub(crate) fn remedy_for_ptx(&self) -> String {
        let (major, minor) = self.version();
        let driver = self.driver.map_or_else(String::new, |(major, minor)| format!(" of CUDA {major}.{minor}"));
        format!(
            "NVRTC {major}.{minor} does not know compute capability {}.{}, so it writes PTX, which the driver{driver} \
             does not read: install a newer driver, or an NVRTC of the driver's version with `pip install {}`",
            self.device / 10,
            self.device % 10,
            match self.driver {
                Some((major, minor)) if major > 12 => format!("nvidia-cuda-nvrtc=={major}.{minor}.*"),
                Some((major, minor)) => format!("nvidia-cuda-nvrtc-cu{major}=={major}.{minor}.*"),
                None => library::package(None),
            }
        )
    }

    /// Compiles a text with these options. `name` is its name in error texts.
    ///
    /// # Errors
    /// Whole output of the compiler.
    pub(crate) fn compile(&self, name: &str, text: &str, options: &[&str]) -> Result<Image, String> {
        let architecture = self.architecture()?;
        let machine_code = architecture.contains("=sm_");
        let c = |text: &str| CString::new(text).map_err(|_| "the text holds a zero byte".to_owned());
        let text = adapted(text, architecture_number(&architecture), self.version());
        let (text, name) = (c(&text)?, c(&format!("{name}.cu"))?);
        let options: Vec<CString> =
            options.iter().copied().chain([architecture.as_str()]).map(c).collect::<Result<_, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        static LOCK: Mutex<()> = Mutex::new(());
        let lock = || LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _one_at_a_time = (!self.is_concurrent()).then(lock);

        let mut program: Program = std::ptr::null_mut();
        let functions = &self.nvrtc.functions;
        // SAFETY: the texts end with 0 and outlive the program, which `Owned` destroys at the end of this function;
        // there are no headers, so null lists of length 0.
        let code = unsafe {
            (functions.create)(&mut program, text.as_ptr(), name.as_ptr(), 0, std::ptr::null(), std::ptr::null())
        };
        self.check(code)?;
        let program = Owned { nvrtc: &self.nvrtc, program };
        let count = c_int::try_from(pointers.len()).unwrap_or(0);
        // SAFETY: the program exists, and there are `count` options that end with 0.
        let code = unsafe { (functions.compile)(program.program, count, pointers.as_ptr()) };
        if code != 0 {
            let log = program.bytes(functions.log_size, functions.log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n']).to_owned();
            return Err(format!("{}\n{log}", self.nvrtc.words(code)));
        }
        let bytes = if machine_code {
            program.bytes(functions.cubin_size, functions.cubin)?
        } else {
            program.bytes(functions.ptx_size, functions.ptx)?
        };
        if bytes.is_empty() {
            return Err("the compiler reported success and gave no code".to_owned());
        }
        Ok(Image { bytes })
    }

    fn check(&self, code: c_int) -> Result<(), String> {
        if code == 0 { Ok(()) } else { Err(self.nvrtc.words(code)) }
    }
}

/// Returns the largest number of bytes of a kernel's parameters. More than 4 KiB came with CUDA 12.1 and the Volta
/// generation; both compiler and driver must support it.
pub(crate) fn parameter_bytes(compiler: (u32, u32), device: u32) -> u32 {
    if compiler >= (12, 1) && device >= 70 { 32_764 } else { 4096 }
}

/// Returns the architecture to compile for: that of the device, if the compiler knows it. Otherwise the newest virtual
/// one that is not newer than the device, whose code the driver translates. A driver older than the compiler does not
/// read such code: then machine code of the device's generation, which runs on all later members of it.
fn architecture(known: &[u32], device: u32, driver_is_older: bool) -> Option<String> {
    let older = known.iter().rev().find(|one| **one <= device)?;
    let machine_code = *older == device || (driver_is_older && older / 10 == device / 10);
    Some(format!("{}_{older}", if machine_code { "sm" } else { "compute" }))
}

/// Returns the number of an architecture: 52 for `--gpu-architecture=sm_52`.
fn architecture_number(option: &str) -> u32 {
    option.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

/// Returns a text without the qualifier that keeps parameters in constant memory, where it is unknown: below compute
/// capability 7.0, and before NVRTC 11.7. There each thread that indexes the launch block copies it.
fn adapted(text: &str, architecture: u32, version: (u32, u32)) -> Cow<'_, str> {
    if architecture >= 70 && version >= (11, 7) {
        return Cow::Borrowed(text);
    }
    // The compiler's own headers, which come before the text, define it as a macro.
    Cow::Owned(format!("#undef __grid_constant__\n#define __grid_constant__\n#line 1\n{text}"))
}

/// A program, destroyed when dropped.
struct Owned<'n> {
    nvrtc: &'n Nvrtc,
    program: Program,
}

impl Owned<'_> {
    /// Reads an output of the program, whose size is queried first.
    fn bytes(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
        fill: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ) -> Result<Vec<u8>, String> {
        let mut length = 0;
        // SAFETY: the program exists; one number is written.
        let code = unsafe { size(self.program, &mut length) };
        if code != 0 {
            return Err(self.nvrtc.words(code));
        }
        let mut bytes = vec![0u8; length];
        // SAFETY: the program exists, and exactly `length` bytes are written.
        let code = unsafe { fill(self.program, bytes.as_mut_ptr().cast()) };
        if code == 0 { Ok(bytes) } else { Err(self.nvrtc.words(code)) }
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: the program was created and is destroyed once.
        unsafe { (self.nvrtc.functions.destroy)(&mut self.program) };
    }
}

#[cfg(test)]
mod tests;
