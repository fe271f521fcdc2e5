//! Requirements of this backend's tests: NVRTC, a driver, the emulation.

#![allow(dead_code, clippy::unwrap_used)]

#[path = "../../src/nvrtc/places.rs"]
pub(crate) mod places;

use std::path::Path;

/// Requires NVRTC on disk.
pub(crate) fn nvrtc() -> Result<(), String> {
    let found = places::files(None).iter().any(|file| file.is_file()) || in_loader_path("libnvrtc.so");
    there(found, "NVRTC was not found: pip install nvidia-cuda-nvrtc")
}

/// Requires a driver: the one that `IMMINENT_CUDA_LIBRARY` names, or the system's. `IMMINENT_CUDA_TESTS=on` asserts
/// that there is one, wherever it lies, and `off` that it must not be used.
pub(crate) fn driver() -> Result<(), String> {
    let found = match std::env::var("IMMINENT_CUDA_TESTS").as_deref() {
        Ok("on") => true,
        Ok("off") => false,
        _ => named_driver() || has_system_driver(),
    };
    there(found, "there is no CUDA driver, nor its emulation: run ./test")
}

/// Requires the emulation of a driver in `tests/host-driver`, built into the folder `IMMINENT_CUDA_EMULATION`.
pub(crate) fn emulation() -> Result<(), String> {
    let folder = std::env::var_os("IMMINENT_CUDA_EMULATION");
    let found = folder.is_some_and(|folder| Path::new(&folder).join("kernel/language.h").is_file());
    there(found, "IMMINENT_CUDA_EMULATION names no folder with the emulation of CUDA: run ./test")
}

/// Requires a machine without a driver in the loader's path.
pub(crate) fn no_system_driver() -> Result<(), String> {
    there(!has_system_driver(), "there is a driver in the loader's path")
}

fn there(found: bool, missing: &str) -> Result<(), String> {
    if found { Ok(()) } else { Err(missing.to_owned()) }
}

fn named_driver() -> bool {
    std::env::var_os("IMMINENT_CUDA_LIBRARY").is_some_and(|path| Path::new(&path).is_file())
}

fn has_system_driver() -> bool {
    cfg!(windows) && Path::new("C:\\Windows\\System32\\nvcuda.dll").exists() || in_loader_path("libcuda.so.1")
}

fn in_loader_path(name: &str) -> bool {
    let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/nvidia/lib64",
    ];
    path.split(':').filter(|folder| !folder.is_empty()).chain(usual).any(|folder| Path::new(folder).join(name).exists())
}
