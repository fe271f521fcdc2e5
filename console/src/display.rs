//! Keeps a layer of the Vulkan loader from complaining about a missing display.
//!
//! Mesa's device selection layer stands before every Vulkan driver. It asks the Wayland display for its GPU. If
//! `XDG_RUNTIME_DIR` is not set, as in a container or over SSH, libwayland prints
//! `error: XDG_RUNTIME_DIR is invalid or not set in the environment`. This happens for every device, before the output
//! of this program.

use std::env;
use std::path::Path;

/// Path of a display that does not exist. libwayland needs no `XDG_RUNTIME_DIR` for an absolute path, and fails
/// silently.
const NO_DISPLAY: &str = "/nonexistent/wayland";

/// Selects a Wayland display that does not exist, if none can be found anyway.
///
/// # Safety
/// No other thread of the process may read or write the environment meanwhile.
pub unsafe fn look_for_none() {
    let absolute = |variable| env::var_os(variable).is_some_and(|value| Path::new(&value).is_absolute());
    if cfg!(target_os = "linux") && !absolute("XDG_RUNTIME_DIR") && !absolute("WAYLAND_DISPLAY") {
        // SAFETY: the caller's promise.
        unsafe { env::set_var("WAYLAND_DISPLAY", NO_DISPLAY) };
    }
}
