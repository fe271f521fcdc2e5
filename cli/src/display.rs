//! Keeps a layer of the Vulkan loader from complaining about a display that nobody asked for.
//!
//! Mesa's device selection layer stands before every Vulkan driver. It asks the Wayland display for its GPU. Where
//! `XDG_RUNTIME_DIR` is not set, as in a container or over SSH, libwayland then prints `error: XDG_RUNTIME_DIR is invalid or not
//! set in the environment`, in front of whatever this program prints and whichever device it takes.

use std::env;
use std::path::Path;

/// A display that does not exist. libwayland needs no `XDG_RUNTIME_DIR` for an absolute path, and finds nothing there silently.
const NO_DISPLAY: &str = "/nonexistent/wayland";

/// Names a Wayland display that does not exist, where none can be found anyway.
///
/// # Safety
/// No other thread of the process reads or writes the environment meanwhile.
pub unsafe fn look_for_none() {
    let absolute = |variable| env::var_os(variable).is_some_and(|value| Path::new(&value).is_absolute());
    if cfg!(target_os = "linux") && !absolute("XDG_RUNTIME_DIR") && !absolute("WAYLAND_DISPLAY") {
        // SAFETY: the caller's promise.
        unsafe { env::set_var("WAYLAND_DISPLAY", NO_DISPLAY) };
    }
}
