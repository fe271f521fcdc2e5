//! Kernels that are shipped with a program: their texts are recorded, compiled without a device, and found by their
//! hash.
//!
//! A user then waits for no compilation, and needs no NVRTC. What was not shipped is compiled as ever.

use crate::nvrtc;
use imminent_core::{Error, Result};
use imminent_device::kernel_cache::Key;
use imminent_device::kernel_cache::shipped::Shipped;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Extension of a file with a recorded text.
const TEXT: &str = "cu";

/// Returns the name of the devices of a compute capability: `sm_90` for 90.
pub(crate) fn devices(capability: u32) -> String {
    format!("sm_{capability}")
}

/// Finds the kernels that were shipped for devices of a compute capability.
///
/// # Errors
/// [`Error::Invalid`] for a variable with an invalid value, as [`Shipped::find`] says.
pub(crate) fn find(capability: u32) -> Result<Shipped> {
    Shipped::find("cuda", &devices(capability))
}

/// Returns the options of a shipped kernel's compiler. Lines for profilers are left out, which keeps it small.
pub(crate) fn options() -> Vec<&'static str> {
    nvrtc::options(false)
}

/// Returns the key of a shipped kernel. Versions of compiler and driver are no part of it: a driver that is too old for
/// a kernel refuses it, and it is compiled.
pub(crate) fn key(capability: u32, text: &str) -> Key {
    let (devices, options) = (devices(capability), options());
    let count = options.len().to_le_bytes();
    let head = [&b"cuda, shipped"[..], env!("CARGO_PKG_VERSION").as_bytes(), devices.as_bytes(), &count];
    Key::of(head.into_iter().chain(options.iter().map(|option| option.as_bytes())).chain([text.as_bytes()]))
}

/// Records the text of a kernel in a folder, once.
///
/// # Errors
/// [`Error::Invalid`] if the folder cannot be written.
pub(crate) fn record(folder: &Path, kernel: &str, text: &str) -> Result<()> {
    let hash = Key::of([text.as_bytes()]).to_string();
    let file = folder.join(format!("{kernel}-{hash}.{TEXT}"));
    let written = fs::create_dir_all(folder).and_then(|()| match file.exists() {
        true => Ok(()),
        false => fs::write(&file, text),
    });
    written.map_err(|error| Error::invalid("record", format!("{} cannot be written: {error}", file.display())))
}

/// Reads the texts that were recorded in a folder, by the names of their files.
///
/// # Errors
/// [`Error::Invalid`] if the folder or a text cannot be read, and if there is none.
pub fn recorded(folder: &Path) -> Result<Vec<(String, String)>> {
    let refused = |path: &Path, error: std::io::Error| {
        let why = match error.kind() {
            ErrorKind::NotFound => "it does not exist".to_owned(),
            _ => error.to_string(),
        };
        Error::invalid(path.display().to_string(), why)
    };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut files: Vec<PathBuf> =
        entries.map_err(|error| refused(folder, error))?.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == TEXT));
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).map_err(|error| refused(file, error))?;
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        Ok((name.unwrap_or_default(), text))
    };
    match files.is_empty() {
        true => Err(Error::invalid(folder.display().to_string(), "it holds no recorded text of a kernel (*.cu)")),
        false => files.iter().map(read).collect(),
    }
}
