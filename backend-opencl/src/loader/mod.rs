//! Loading libOpenCL at run time.
//!
//! The `unsafe` of this module is that of calling a foreign library at all: finding its functions by name, and passing calls
//! on to them.

#[cfg(not(target_os = "macos"))]
mod forward;

use ocl::ffi::cl_int;

/// What a call gives when there is no library, or the library lacks the function: the status by which ICD loaders say that
/// there is no platform.
#[cfg(not(target_os = "macos"))]
const ABSENT: cl_int = NO_PLATFORM;

/// `CL_PLATFORM_NOT_FOUND_KHR`.
pub(crate) const NO_PLATFORM: cl_int = -1001;

/// The environment variable that names the library to load instead of the usual ones.
pub(crate) const LIBRARY_VARIABLE: &str = "IMMINENT_OPENCL_LIBRARY";

/// Why there is no library.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    /// The files that were looked for, each with the loader's words.
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
                // SAFETY: loading runs the library's initialisers. It is the system's OpenCL library, or the one that the
                // user named for it: trusted as one linked at build time would be.
                let why = match unsafe { Library::new(&name) } {
                    Ok(library) => {
                        // Leaked, not unloaded: drivers keep threads of their own, and some crash at being let go of.
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

    /// Loads the library, once in a process.
    pub(crate) fn load() -> Result<(), Absent> {
        loaded().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The library's functions, if it could be loaded.
    pub(super) fn functions() -> Option<&'static Functions> {
        loaded().as_ref().ok()
    }
}
