//! Loading of libOpenCL at run time.
//!
//! The `unsafe` code of this module only calls a foreign library: it finds its functions by name, and forwards calls to
//! them.

#[cfg(not(target_os = "macos"))]
mod forward;
#[cfg(not(target_os = "macos"))]
mod library;

#[cfg(not(target_os = "macos"))]
pub(crate) use forward::load;

use ocl::ffi::cl_int;

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
