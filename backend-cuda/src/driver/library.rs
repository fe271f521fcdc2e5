//! The driver library: whether it is there, and whether it has every function that this backend calls.
//!
//! cudarc loads the library and its functions when they are first called, and panics where one is missing. So all of
//! them are looked up here, once, before anything is called.

use super::codes;
use cudarc::driver::sys;
use imminent_core::{Error, Result};
use std::sync::OnceLock;

/// The oldest driver interface that is accepted, as the driver counts: 12.0.
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

/// A driver that was found and started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// The newest interface that it has, as 13000 for 13.0.
    pub(crate) version: i32,
}

impl Driver {
    /// Finds and starts the driver. The outcome is kept: it cannot change while the process lives.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it is missing, too old, or finds no device.
    pub(crate) fn get() -> Result<Driver> {
        static FOUND: OnceLock<Result<Driver>> = OnceLock::new();
        FOUND.get_or_init(start).clone()
    }

    /// The major version of CUDA that the driver runs.
    pub(crate) fn major(self) -> u32 {
        u32::try_from(self.version / 1000).unwrap_or(0)
    }

    /// As people write it: `13.0`.
    pub(crate) fn text(self) -> String {
        format!("{}.{}", self.version / 1000, self.version % 1000 / 10)
    }
}

fn unavailable(reason: String, remedy: &str) -> Error {
    Error::Unavailable { backend: "cuda".to_owned(), reason, tried: tried(), remedy: remedy.to_owned() }
}

/// The file names that the loader is asked for.
fn tried() -> String {
    let mut names: Vec<String> = ["cuda", "nvcuda"].into_iter().flat_map(cudarc::get_lib_name_candidates).collect();
    names.dedup();
    names.join(", ")
}

fn start() -> Result<Driver> {
    // SAFETY: this loads the driver library by the names under which NVIDIA installs it, and runs its initialisers.
    if !unsafe { sys::is_culib_present() } {
        return Err(unavailable(
            "the NVIDIA driver's library was not found".to_owned(),
            "Install the NVIDIA driver, or add the folder of libcuda.so.1 to LD_LIBRARY_PATH; `--backend auto` takes another backend",
        ));
    }
    // SAFETY: the library was found just now, so this does not panic.
    let library = unsafe { sys::culib() };
    let missing = FUNCTIONS.iter().find(|name| {
        // SAFETY: only whether the symbol is there is asked; it is not called as this type.
        unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err()
    });
    if let Some(missing) = missing {
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
    let mut version = 0;
    // SAFETY: one integer is written.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    if asked != sys::CUresult::CUDA_SUCCESS || version < OLDEST {
        return Err(unavailable(
            format!("the NVIDIA driver runs CUDA {} and 12.0 is needed", Driver { version }.text()),
            "Install a newer NVIDIA driver (525 or later)",
        ));
    }
    Ok(Driver { version })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;

    #[test]
    #[cfg_attr(cuda_driver, ignore = "there is a driver here")]
    fn without_a_driver_the_error_lists_what_was_tried() {
        let Err(error) = Driver::get() else { panic!("a driver was found") };
        assert!(matches!(error, Error::Unavailable { .. }));
        let text = error.to_string();
        assert!(text.contains("libcuda.so.1") && text.contains("LD_LIBRARY_PATH"), "{text}");
    }

    #[test]
    fn versions_are_written_as_people_do() {
        assert_eq!(Driver { version: 13_000 }.text(), "13.0");
        assert_eq!(Driver { version: 12_080 }.text(), "12.8");
        assert_eq!(Driver { version: 12_080 }.major(), 12);
    }
}
