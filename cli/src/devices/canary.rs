//! Looking for devices in a process of its own first: there a driver that crashes harms nobody.

use imminent::BackendName;
use std::process::{Child, Command, Stdio};

/// A process that is looking.
pub(super) struct Look {
    backend: BackendName,
    /// `None` where nothing foreign is loaded, or no process could be started: then the look is taken without one.
    process: Option<Child>,
}

/// Starts looking for a backend's devices.
pub(super) fn send(backend: BackendName) -> Look {
    let foreign = backend != BackendName::Cpu && backend.compiled_in();
    let start = |program| {
        Command::new(program)
            .args(["devices", "--only-look", backend.name()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    };
    let process = if foreign { std::env::current_exe().ok().and_then(start) } else { None };
    Look { backend, process }
}

impl Look {
    /// Why this process had better not look, if so.
    pub(super) fn reason(self) -> Option<String> {
        let ended = self.process?.wait().ok()?;
        if ended.success() {
            return None;
        }
        let drivers = match self.backend {
            BackendName::OpenCl => "the .icd files in /etc/OpenCL/vendors, or in the folder that OCL_ICD_VENDORS names",
            BackendName::Wgpu => "the files in /usr/share/vulkan/icd.d, or those that VK_DRIVER_FILES names",
            _ => "the NVIDIA driver's library, libcuda.so.1",
        };
        Some(format!(
            "{}: looking for devices ended a process ({ended}): a driver crashes when it is loaded. Look at {drivers}",
            self.backend
        ))
    }
}
