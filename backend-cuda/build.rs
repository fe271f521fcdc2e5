//! Sets what the tests are chosen by, so that those that need something are visibly ignored where it is not there:
//! * `cfg(cuda_driver)`: a driver is there, by `IMMINENT_CUDA_LIBRARY` or in the loader's path. `IMMINENT_CUDA_TESTS=on` (or
//!   `off`) in the environment overrides the search.
//! * `cfg(system_driver)`: one is in the loader's path.
//! * `cfg(cuda_emulation)`: the emulation of `tests/host-driver` is there, in the folder `IMMINENT_CUDA_EMULATION`.
//! * `cfg(has_nvrtc)`: the compiler is found.

#[path = "src/nvrtc/places.rs"]
#[expect(dead_code, reason = "a build looks for files, and loads none")]
mod places;

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(cuda_driver)");
    println!("cargo::rustc-check-cfg=cfg(system_driver)");
    println!("cargo::rustc-check-cfg=cfg(cuda_emulation)");
    println!("cargo::rustc-check-cfg=cfg(has_nvrtc)");
    for name in [
        "IMMINENT_CUDA_TESTS",
        "IMMINENT_CUDA_LIBRARY",
        "IMMINENT_CUDA_EMULATION",
        "IMMINENT_NVRTC",
        "LD_LIBRARY_PATH",
        "VIRTUAL_ENV",
        "PATH",
    ] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/nvrtc/places.rs");
    let system = has_driver();
    let named = std::env::var_os("IMMINENT_CUDA_LIBRARY").is_some_and(|path| Path::new(&path).is_file());
    let emulation = std::env::var_os("IMMINENT_CUDA_EMULATION");
    if emulation.is_some_and(|folder| Path::new(&folder).join("kernel/language.h").is_file()) {
        println!("cargo::rustc-cfg=cuda_emulation");
    }
    let driver = match std::env::var("IMMINENT_CUDA_TESTS").as_deref() {
        Ok("on") => true,
        Ok("off") => false,
        _ => system || named,
    };
    if system {
        println!("cargo::rustc-cfg=system_driver");
    }
    if driver {
        println!("cargo::rustc-cfg=cuda_driver");
    }
    if places::files(None).iter().any(|file| file.is_file()) || in_loader_path("libnvrtc.so") {
        println!("cargo::rustc-cfg=has_nvrtc");
    }
}

fn has_driver() -> bool {
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
