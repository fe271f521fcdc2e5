//! Places on disk where NVRTC may lie: the toolkit's folders, and those of the Python packages.
//!
//! The tests include this file too, so it uses the standard library alone.

use std::env;
use std::path::{Path, PathBuf};

/// Names that are passed to the system's loader, newest first.
pub(crate) const NAMES: &[&str] = if cfg!(windows) {
    &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"]
} else {
    &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"]
};

/// Returns files that look like NVRTC, in the order in which to try them. If the user names a file by `asked`, it is
/// the only one. A folder stands for the libraries in it.
pub(crate) fn files(asked: Option<&Path>) -> Vec<PathBuf> {
    let asked = asked.map(Path::to_path_buf).or_else(|| env::var_os("IMMINENT_NVRTC").map(PathBuf::from));
    if let Some(asked) = asked {
        return if asked.is_dir() { libraries(&asked) } else { vec![asked] };
    }
    let mut found: Vec<PathBuf> = Vec::new();
    for file in folders().iter().flat_map(|folder| libraries(folder)) {
        if !found.contains(&file) {
            found.push(file);
        }
    }
    found
}

/// Returns the folder, if NVRTC is in it.
pub(crate) fn folder_with_library(folder: &Path) -> Option<PathBuf> {
    (!libraries(folder).is_empty()).then(|| folder.to_path_buf())
}

fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for name in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"] {
        if let Some(root) = env::var_os(name).map(PathBuf::from) {
            folders.extend(["lib64", "lib", "bin"].map(|part| root.join(part)));
        }
    }
    let local = Path::new("/usr/local");
    for root in entries(local, "cuda") {
        folders.extend(["lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"].map(|part| root.join(part)));
    }
    folders.extend(["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"].map(PathBuf::from));
    for packages in site_packages() {
        let vendor = packages.join("nvidia");
        folders.extend(entries(&vendor, "cu1").into_iter().map(|root| root.join("lib")));
        folders.push(vendor.join("cuda_nvrtc").join("lib"));
    }
    folders
}

/// Returns the package folders of the Python installations to which the environment points.
fn site_packages() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(env::var_os).map(PathBuf::from).collect();
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path) {
        if folder.join("python3").exists()
            && let Some(prefix) = folder.parent()
        {
            prefixes.push(prefix.to_path_buf());
        }
    }
    prefixes.extend(env::var_os("HOME").map(|home| Path::new(&home).join(".local")));
    let mut packages = Vec::new();
    for python in prefixes.iter().flat_map(|prefix| entries(&prefix.join("lib"), "python3")) {
        packages.extend(["site-packages", "dist-packages"].map(|part| python.join(part)));
    }
    packages
}

/// Returns the libraries in a folder, newest first by name.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let start = if cfg!(windows) { "nvrtc64_" } else { "libnvrtc.so." };
    let mut files = entries(folder, start);
    // `libnvrtc.so.13` and `libnvrtc.so.13.0.48` usually are one file: the short name suffices.
    files.retain(|file| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // All versions from 11.2 to 11.8 are named `libnvrtc.so.11.2`.
        let is_short = |rest: &str| rest == "11.2" || rest.bytes().all(|b| b.is_ascii_digit());
        name.strip_prefix(start).is_some_and(|rest| cfg!(windows) || is_short(rest))
    });
    files
}

/// Returns the library of built-in functions for a version of NVRTC, if it lies beside it.
pub(crate) fn builtins(nvrtc: &Path, (major, minor): (u32, u32)) -> Option<PathBuf> {
    let file = nvrtc.parent()?.join(format!("libnvrtc-builtins.so.{major}.{minor}"));
    file.exists().then_some(file)
}

/// Returns the entries of a folder whose names begin with `start`, the greatest name first.
fn entries(folder: &Path, start: &str) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(start))
        .map(|entry| entry.path())
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}
