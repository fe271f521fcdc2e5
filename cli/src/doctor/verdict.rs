//! Verdicts of backends.

use super::findings::{Backend, Device, Verdict};
use imminent::conformance::{CaseReport, Counts};

impl Verdict {
    pub(super) fn of(devices: &[Device]) -> Verdict {
        devices.iter().map(Device::verdict).max().unwrap_or(Verdict::Absent)
    }
}

impl Device {
    pub(super) fn verdict(&self) -> Verdict {
        let is_refused = self.listing.error.is_some() || self.refused.is_some();
        let Some(counts) = self.suite.as_ref().map(|suite| Counts::of(&suite.cases)) else {
            return if is_refused { Verdict::Wrong } else { Verdict::InPart };
        };
        match counts {
            Counts { failed, unexpected_passes, .. } if failed + unexpected_passes > 0 => Verdict::Wrong,
            Counts { expected_failures, .. } if expected_failures > 0 => Verdict::Known,
            _ if self.untried > 0 => Verdict::InPart,
            Counts { passed: 0, .. } => Verdict::Wrong,
            _ => Verdict::Good,
        }
    }

    /// Returns the cases that failed.
    pub(super) fn failures(&self) -> impl Iterator<Item = &CaseReport> {
        self.suite.iter().flat_map(|suite| suite.failures())
    }
}

/// Returns the verdict of a backend as one line.
pub(super) fn line(backend: &Backend) -> String {
    let name = &backend.backend;
    let worst = backend.devices.iter().find(|device| device.verdict() == backend.verdict);
    let Some(device) = worst else {
        return format!("{name}: absent. {}", backend.reason.as_deref().unwrap_or("no device was found"));
    };
    let counts = device.suite.as_ref().map(|suite| Counts::of(&suite.cases)).unwrap_or_default();
    let all = counts.total() + device.untried;
    let passed = format!("{} of {all} cases passed", counts.passed);
    let advice = format!("`imminent conform --backend {name} --device {}`", device.listing.info.index);
    match backend.verdict {
        Verdict::Absent => format!("{name}: absent"),
        Verdict::Good => format!("{name}: good. {passed}, {} cannot be tried on it", counts.skipped),
        Verdict::InPart if counts.passed == 0 => {
            format!("{name}: no case was executed in the time: give more --seconds")
        }
        Verdict::InPart => format!("{name}: good so far. {passed} in the time; {advice} executes all"),
        Verdict::Known => {
            let known = counts.expected_failures;
            format!("{name}: known faults. {passed}, {known} failed as this driver is known to: see its page")
        }
        Verdict::Wrong => match (&device.listing.error, &device.refused, device.failures().next()) {
            (Some(error), ..) => format!("{name}: cannot be opened. {error}"),
            (_, Some(refused), _) => format!("{name}: cannot be tested. {refused}"),
            (_, _, Some(case)) => {
                let failed = counts.failed + counts.unexpected_passes;
                format!(
                    "{name}: wrong. {failed} cases failed, first `{}: {}`: attach this report to an issue",
                    case.group, case.name
                )
            }
            _ => format!("{name}: every case was skipped; {advice} tells why"),
        },
    }
}
