//! Search for devices in a separate process first, where a driver that crashes does no harm.

use imminent::BackendProvider;
use std::process::{Child, Command, Stdio};

/// Process that searches for devices.
pub(super) struct Look {
    backend: String,
    /// `None` if the backend loads no foreign code, or if no process could be started; this process then searches
    /// without a test.
    process: Option<Child>,
}

/// Starts a search for a backend's devices.
pub(super) fn send(backend: &dyn BackendProvider) -> Look {
    let start = |program| {
        Command::new(program)
            .args(["devices", "--only-look", backend.name()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    };
    let process = if backend.loads_drivers() { std::env::current_exe().ok().and_then(start) } else { None };
    Look { backend: backend.name().to_owned(), process }
}

impl Look {
    /// Returns the reason if this process must not search itself.
    pub(super) fn reason(self) -> Option<String> {
        let ended = self.process?.wait().ok()?;
        if ended.success() {
            return None;
        }
        let drivers = match self.backend.as_str() {
            "opencl" => "the .icd files in /etc/OpenCL/vendors, or in the folder that OCL_ICD_VENDORS names",
            "wgpu" => "the files in /usr/share/vulkan/icd.d, or those that VK_DRIVER_FILES names",
            "cuda" => "the NVIDIA driver's library, libcuda.so.1",
            _ => "the libraries that it loads",
        };
        Some(format!(
            "{}: looking for devices ended a process ({ended}): a driver crashes when it is loaded. Look at {drivers}",
            self.backend
        ))
    }
}
