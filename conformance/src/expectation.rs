//! Known failures, with references to their explanations.

use crate::case::Group;
use imminent_core::DeviceInfo;
use serde::{Deserialize, Serialize};

/// A case that is known to fail on some devices.
///
/// Patterns match a part of the text, ignoring case; an empty one matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// Pattern for the backend's name.
    pub backend: String,
    /// Pattern for the device's name.
    pub device: String,
    /// Pattern for the driver's name and version.
    pub driver: String,
    /// Pattern for the case's group and name, as `kernels: ...`.
    pub case: String,
    /// Reference to an explanation of the failure: an issue, a page, a section of the documentation.
    pub reference: String,
}

impl Expectation {
    /// Returns `true` if this expectation covers a case on a device.
    #[must_use]
    pub fn covers(&self, device: &DeviceInfo, group: Group, case: &str) -> bool {
        self.speaks_of([&device.backend, &device.name, &device.driver], group, case)
    }

    /// Returns `true` if this expectation covers a case for the names of a backend, a device and a driver.
    pub(crate) fn speaks_of(&self, [backend, device, driver]: [&str; 3], group: Group, case: &str) -> bool {
        contains(backend, &self.backend)
            && contains(device, &self.device)
            && contains(driver, &self.driver)
            && contains(&format!("{group}: {case}"), &self.case)
    }
}

/// Returns `true` if `text` contains `pattern`, ignoring case.
pub(crate) fn contains(text: &str, pattern: &str) -> bool {
    text.to_lowercase().contains(&pattern.to_lowercase())
}

/// Returns the known failures of released drivers. An entry whose case passes is a failure, which keeps the list up to
/// date.
#[must_use]
pub fn known_failures() -> Vec<Expectation> {
    vec![Expectation {
        backend: "opencl".to_owned(),
        driver: "PoCL 5.0+debian  Linux, None+Asserts".to_owned(),
        case: "groups: groups take their own ways through loops, breaks and returns".to_owned(),
        reference: "PoCL 5.0 with assertions ends the process in WorkitemLoops.cc:1290 (docs/results.md)".to_owned(),
        ..Expectation::default()
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::DeviceKind;

    fn device() -> DeviceInfo {
        DeviceInfo {
            backend: "wgpu".to_owned(),
            name: "llvmpipe (LLVM 15.0.7, 256 bits)".to_owned(),
            driver: "Mesa 22.3.6".to_owned(),
            kind: DeviceKind::CpuDevice,
            index: 0,
        }
    }

    #[test]
    fn every_pattern_must_match() {
        let all = Expectation {
            backend: "WGPU".to_owned(),
            device: "llvm".to_owned(),
            driver: "mesa 22".to_owned(),
            case: "kernels: f32".to_owned(),
            reference: String::new(),
        };
        assert!(all.covers(&device(), Group::Kernels, "f32: `a % b`"));
        assert!(!all.covers(&device(), Group::Faults, "f32: `a % b`"));
        let other = Expectation { driver: "Mesa 23".to_owned(), ..all };
        assert!(!other.covers(&device(), Group::Kernels, "f32: `a % b`"));
    }

    #[test]
    fn an_empty_expectation_covers_everything() {
        assert!(Expectation::default().covers(&device(), Group::Memory, "anything"));
    }
}
