//! The driver library, and the check that it has every function that this backend calls.
//!
//! cudarc loads the library and its functions when they are first called, and panics if one is missing. So all of them
//! are looked up here, once, before any call. `IMMINENT_CUDA_LIBRARY` in the environment names a driver library that
//! replaces the system's.

use super::codes;
use cudarc::driver::sys;
use imminent_core::{Error, Result};
use libloading::Library;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Oldest driver interface that is accepted, in the driver's numbering: 12.0.
const OLDEST: i32 = 12_000;

/// Every driver function that this backend calls.
const FUNCTIONS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGraphAddKernelNode_v2",
    "cuGraphCreate",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphUpload",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAllocAsync",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemPoolGetAttribute",
    "cuMemPoolSetAttribute",
    "cuMemPoolTrimTo",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD32Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// Further functions for loops of programs in WHILE nodes.
const CONDITIONAL_NODES: &[&str] = &["cuGraphAddNode_v2", "cuGraphConditionalHandleCreate"];
/// The first driver interface with WHILE nodes: 12.3.
const FIRST_CONDITIONAL: i32 = 12_030;

/// Variable that names a driver library to use instead of the system's.
const NAMED_BY: &str = "IMMINENT_CUDA_LIBRARY";

/// Symbol that only an emulation of the driver has, such as that of the tests (`tests/host-driver`).
const EMULATION: &[u8] = b"imminent_emulation";

/// A driver that was found and started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// Newest interface that it has, as 13000 for 13.0.
    pub(crate) version: i32,
    /// `true` if its devices are emulated on the host. Such a device shows the meaning of a program, and nothing about
    /// a GPU.
    pub(crate) emulated: bool,
    /// `true` if graphs may have WHILE nodes.
    pub(crate) conditional: bool,
}

/// Returns the driver library that the environment names.
pub(crate) fn named() -> Option<PathBuf> {
    std::env::var_os(NAMED_BY).filter(|name| !name.is_empty()).map(PathBuf::from)
}

impl Driver {
    /// Finds and starts the driver. The result is kept: it cannot change during the life of the process.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is missing, too old, or finds no device.
    pub(crate) fn get() -> Result<Driver> {
        static FOUND: OnceLock<Result<Driver>> = OnceLock::new();
        FOUND.get_or_init(start).clone()
    }

    /// Returns the major and minor version of CUDA that the driver runs.
    pub(crate) fn numbers(self) -> (u32, u32) {
        let number = |part| u32::try_from(part).unwrap_or(0);
        (number(self.version / 1000), number(self.version % 1000 / 10))
    }

    /// Returns the name of a device's driver.
    pub(crate) fn name(self) -> String {
        let text = text(self.version);
        if self.emulated { format!("emulation on the host of CUDA {text}, no GPU") } else { format!("CUDA {text}") }
    }
}

/// Formats a version for people: `13.0`.
pub(crate) fn text(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn unavailable(reason: String, remedy: &str) -> Error {
    Error::Unavailable { backend: "cuda".to_owned(), reason, tried: tried(), remedy: remedy.to_owned() }
}

/// Returns the file names that the loader is asked for.
fn tried() -> String {
    let mut names: Vec<String> = ["cuda", "nvcuda"].into_iter().flat_map(cudarc::get_lib_name_candidates).collect();
    names.dedup();
    names.join(", ")
}

/// Loads the library that the environment names. The loader then finds exactly this one by the driver's name.
fn load_named(path: &Path) -> Result<()> {
    let failed = |reason: String| Error::Unavailable {
        backend: "cuda".to_owned(),
        reason,
        tried: path.display().to_string(),
        remedy: format!("Correct or unset {NAMED_BY}"),
    };
    // SAFETY: this runs the library's initialisers. The user who named the file promises that it is a driver.
    let library = unsafe { Library::new(path) }
        .map_err(|error| failed(format!("the driver library that {NAMED_BY} names cannot be loaded: {error}")))?;
    // It stays loaded: cudarc holds it from here on.
    let library = ManuallyDrop::new(library);
    // SAFETY: searching the library under its usual names runs initialisers of drivers alone.
    let found = unsafe { sys::is_culib_present() };
    let of = |library: &Library| {
        // SAFETY: only the function's address is read.
        unsafe { library.get::<unsafe extern "C" fn()>(b"cuInit") }.ok().map(|symbol| *symbol as usize)
    };
    // SAFETY: the library was found just now, so this does not panic.
    if found && of(&library).is_some() && of(&library) == of(unsafe { sys::culib() }) {
        return Ok(());
    }
    Err(failed(format!(
        "the driver library that {NAMED_BY} names is not the one that the loader finds: its folder must come first in LD_LIBRARY_PATH"
    )))
}

fn start() -> Result<Driver> {
    if let Some(path) = named() {
        load_named(&path)?;
    }
    // SAFETY: this loads the driver library by the names under which NVIDIA installs it, and runs its initialisers.
    if !unsafe { sys::is_culib_present() } {
        return Err(unavailable(
            "the NVIDIA driver's library was not found".to_owned(),
            "Install the NVIDIA driver, or add the folder of libcuda.so.1 to LD_LIBRARY_PATH; `--backend auto` takes another backend",
        ));
    }
    // SAFETY: the library was found just now, so this does not panic.
    let library = unsafe { sys::culib() };
    // SAFETY: only the existence of the symbol is tested; it is not called as this type.
    let has = |name: &[u8]| unsafe { library.get::<unsafe extern "C" fn()>(name) }.is_ok();
    if let Some(missing) = FUNCTIONS.iter().find(|name| !has(name.as_bytes())) {
        return Err(unavailable(
            format!("the NVIDIA driver is older than 12.0: it has no function {missing}"),
            "Install a newer NVIDIA driver (525 or later)",
        ));
    }
    // SAFETY: no condition.
    let started = unsafe { sys::cuInit(0) };
    if started != sys::CUresult::CUDA_SUCCESS {
        let remedy = match started {
            sys::CUresult::CUDA_ERROR_NO_DEVICE => {
                "Check that the machine has an NVIDIA GPU and that CUDA_VISIBLE_DEVICES does not hide it"
            }
            sys::CUresult::CUDA_ERROR_STUB_LIBRARY => {
                "The library found is the toolkit's stub: remove its `stubs` folder from LD_LIBRARY_PATH"
            }
            _ => "Run nvidia-smi to see whether the driver works; reboot after an update of the driver",
        };
        return Err(unavailable(format!("the NVIDIA driver does not start: {}", codes::words(started)), remedy));
    }
    let emulated = has(EMULATION);
    let mut version = 0;
    // SAFETY: one integer is written.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    if asked != sys::CUresult::CUDA_SUCCESS || version < OLDEST {
        return Err(unavailable(
            format!("the NVIDIA driver runs CUDA {} and 12.0 is needed", text(version)),
            "Install a newer NVIDIA driver (525 or later)",
        ));
    }
    let conditional = version >= FIRST_CONDITIONAL && CONDITIONAL_NODES.iter().all(|name| has(name.as_bytes()));
    Ok(Driver { version, emulated, conditional })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;

    use imminent_testkit::process;

    /// Returns the message of a test in a separate process, in which the environment names this driver library.
    fn message(test: &str, name: &str) -> String {
        let texts = process::texts_inside(&format!("driver::library::tests::{test}"), &[(NAMED_BY, name)]);
        texts.into_iter().next().unwrap_or_default()
    }

    fn send_outcome() {
        match Driver::get() {
            Err(error @ Error::Unavailable { .. }) => process::send_text(error),
            other => process::send_text(format!("{other:?}")),
        }
    }

    #[test]
    fn a_driver_that_is_named_and_cannot_be_loaded_is_a_typed_error() {
        if process::inside() {
            return send_outcome();
        }
        let text = message("a_driver_that_is_named_and_cannot_be_loaded_is_a_typed_error", "/nowhere/libcuda.so.1");
        assert!(text.contains("/nowhere/libcuda.so.1") && text.contains(NAMED_BY), "{text}");
    }

    #[test]
    fn versions_are_written_as_people_do() {
        assert_eq!(text(13_000), "13.0");
        assert_eq!(text(12_080), "12.8");
        assert_eq!(Driver { version: 12_080, emulated: false, conditional: true }.numbers(), (12, 8));
    }
}
