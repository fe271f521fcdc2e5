//! Search for the library.

use super::{Absent, LIBRARY_VARIABLE};
use libloading::Library;
use std::error::Error;
use std::ffi::OsString;

#[cfg(windows)]
const NAMES: [&str; 1] = ["OpenCL.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

/// Loads the first library in which `find` finds the functions of OpenCL 1.2, and returns these.
pub(super) fn open<T>(find: impl Fn(&'static Library) -> Option<T>) -> Result<T, Absent> {
    let names = match std::env::var_os(LIBRARY_VARIABLE) {
        Some(name) => vec![name],
        None => NAMES.map(OsString::from).to_vec(),
    };
    let mut tried = Vec::new();
    for name in names {
        // SAFETY: loading runs the library's initialisers. It is the system's OpenCL library, or its replacement named
        // by the user: trusted as one linked at build time would be.
        let why = match unsafe { Library::new(&name) } {
            // Leaked, not unloaded: drivers keep their own threads, and some crash when unloaded.
            Ok(library) => match find(Box::leak(Box::new(library))) {
                Some(functions) => return Ok(functions),
                None => "it is no library of OpenCL 1.2 or later".to_owned(),
            },
            Err(error) => match error.source() {
                Some(source) => source.to_string(),
                None => error.to_string(),
            },
        };
        tried.push(format!("{} ({why})", name.display()));
    }
    Err(Absent { tried })
}
