//! Loading of libOpenCL at run time.
//!
//! The `unsafe` code of this module only calls a foreign library: it finds its functions by name, and forwards calls to
//! them.

#[cfg(not(target_os = "macos"))]
mod forward;

use ocl::ffi::cl_int;

/// Status of a call if there is no library, or the library lacks the function: the status with which ICD loaders report
/// that there is no platform.
#[cfg(not(target_os = "macos"))]
const ABSENT: cl_int = NO_PLATFORM;

/// `CL_PLATFORM_NOT_FOUND_KHR`.
pub(crate) const NO_PLATFORM: cl_int = -1001;

/// Environment variable that names the library to load instead of the usual ones.
pub(crate) const LIBRARY_VARIABLE: &str = "IMMINENT_OPENCL_LIBRARY";

/// Reason why there is no library.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    /// Files that were looked for, each with the loader's message.
    pub(crate) tried: Vec<String>,
}

#[cfg(target_os = "macos")]
pub(crate) fn load() -> Result<(), Absent> {
    Ok(())
}

#[cfg(not(target_os = "macos"))]
pub(crate) use real::load;

#[cfg(not(target_os = "macos"))]
use real::functions;

#[cfg(not(target_os = "macos"))]
mod real {
    use super::forward::Functions;
    use super::{Absent, LIBRARY_VARIABLE};
    use libloading::Library;
    use std::error::Error;
    use std::ffi::OsString;
    use std::sync::OnceLock;

    #[cfg(windows)]
    const NAMES: [&str; 1] = ["OpenCL.dll"];
    #[cfg(not(windows))]
    const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

    static LOADED: OnceLock<Result<Functions, Absent>> = OnceLock::new();

    fn loaded() -> &'static Result<Functions, Absent> {
        LOADED.get_or_init(|| {
            let names = match std::env::var_os(LIBRARY_VARIABLE) {
                Some(name) => vec![name],
                None => NAMES.map(OsString::from).to_vec(),
            };
            let mut tried = Vec::new();
            for name in names {
                // SAFETY: loading runs the library's initialisers. It is the system's OpenCL library, or its
                // replacement named by the user: trusted as one linked at build time would be.
                let why = match unsafe { Library::new(&name) } {
                    Ok(library) => {
                        // Leaked, not unloaded: drivers keep their own threads, and some crash when unloaded.
                        let functions = Functions::of(Box::leak(Box::new(library)));
                        if functions.are_there() {
                            return Ok(functions);
                        }
                        "it is no library of OpenCL 1.2 or later".to_owned()
                    }
                    Err(error) => match error.source() {
                        Some(source) => source.to_string(),
                        None => error.to_string(),
                    },
                };
                tried.push(format!("{} ({why})", name.display()));
            }
            Err(Absent { tried })
        })
    }

    /// Loads the library, once per process.
    pub(crate) fn load() -> Result<(), Absent> {
        loaded().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// Returns the library's functions, if it could be loaded.
    pub(super) fn functions() -> Option<&'static Functions> {
        loaded().as_ref().ok()
    }
}
