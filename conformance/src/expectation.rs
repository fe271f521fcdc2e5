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
    /// Kind of the failure.
    #[serde(default)]
    pub failing: Failing,
}

/// Kind of a failure on some devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Failing {
    /// The case fails in every run: a pass is a contradiction.
    #[default]
    Always,
    /// The case passes in some runs on the same device: a pass is no contradiction.
    Sometimes,
    /// The case does not end, or ends the process. The suite skips it, unless it runs
    /// [in a process of its own](crate::Suite::in_own_process).
    WithoutEnd,
}

impl Expectation {
    /// Returns `true` if this expectation covers a case on a device.
    #[must_use]
    pub fn covers(&self, device: &DeviceInfo, group: Group, case: &str) -> bool {
        self.speaks_of([&device.backend, &device.name, &device.driver], group, case)
    }

    /// Returns `true` if this expectation covers some case on a device.
    #[must_use]
    pub fn concerns(&self, device: &DeviceInfo) -> bool {
        contains(&device.backend, &self.backend)
            && contains(&device.name, &self.device)
            && contains(&device.driver, &self.driver)
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

/// PoCL 5.0 as Debian and Ubuntu build it.
const POCL_5: &str = "PoCL 5.0+debian  Linux, None+Asserts";
/// PoCL 6.0 as Debian 13 builds it.
const POCL_6: &str = "PoCL 6.0+debian  Linux, None+Asserts";
/// NVIDIA's Vulkan.
const NVIDIA_VULKAN: &str = "Vulkan, NVIDIA 580";
/// rusticl of Mesa 25.0.7.
const RUSTICL_25: &str = "rusticl, OpenCL 3.0, driver 25.0.7";
/// Reason for functions that are wrong where sums with constants are simplified.
const SIMPLIFIED: &str = "rusticl of Mesa 25.0.7 takes (a + c) - c for a (docs/driver-behaviour.md)";
/// Reason for failures that change from one compilation of a kernel to the next.
const COMPILED_AT_RANDOM: &str =
    "PoCL 5.0 compiles some kernels differently each time, in some of them wrongly, and keeps them (docs/drivers.md)";

/// Known failures of released drivers: driver with version, case, reference, and how the case fails.
///
/// The table of drivers in `docs/drivers.md` lists the same faults.
const KNOWN: &[(&str, &str, &str, Failing)] = &[
    (POCL_5, "primitives: tests of u32 count and select", COMPILED_AT_RANDOM, Failing::Sometimes),
    (POCL_5, "primitives: tests of f32 count and select", COMPILED_AT_RANDOM, Failing::Sometimes),
    (POCL_5, "primitives: a column of `bool` selects its true rows", COMPILED_AT_RANDOM, Failing::Sometimes),
    (
        POCL_6,
        "groups: scratch elements of type",
        "the compiler of PoCL 6.0 ends the process (docs/drivers.md)",
        Failing::WithoutEnd,
    ),
    (
        NVIDIA_VULKAN,
        "kernels: f32: zeros of both signs, by conditions",
        "NVIDIA's compiler makes minima of comparisons with zero (docs/driver-behaviour.md)",
        Failing::Sometimes,
    ),
    (RUSTICL_25, "kernels: f32: `a % b`", SIMPLIFIED, Failing::Always),
    (RUSTICL_25, "kernels: f32: `a.round_ties_even()`", SIMPLIFIED, Failing::Always),
    (RUSTICL_25, "kernels: f32: `round_ties_even` of constants", SIMPLIFIED, Failing::Always),
];

/// Returns the known failures of released drivers.
///
/// A case that is known to fail [always](Failing::Always) and passes is a failure of the run, which keeps the list up
/// to date. Cases that are known [not to end](Failing::WithoutEnd) are tried, and may so become out of date, only where
/// the suite runs [in a process of its own](crate::Suite::in_own_process). Entries of cases that fail
/// [sometimes](Failing::Sometimes) never become out of date. A suite of a backend elsewhere adds its own entries by
/// [`Suite::expecting`](crate::Suite::expecting).
#[must_use]
pub fn known_failures() -> Vec<Expectation> {
    let known = |(driver, case, reference, failing): &(&str, &str, &str, Failing)| Expectation {
        driver: (*driver).to_owned(),
        case: (*case).to_owned(),
        reference: (*reference).to_owned(),
        failing: *failing,
        ..Expectation::default()
    };
    KNOWN.iter().map(known).collect()
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
            ..Expectation::default()
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
