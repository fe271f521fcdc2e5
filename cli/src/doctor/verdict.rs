//! Verdicts of backends.

use super::findings::{Backend, Device, Verdict};
use imminent::conformance::{CaseReport, Counts, Report};

impl Verdict {
    pub(super) fn of(devices: &[Device]) -> Verdict {
        devices.iter().map(Device::verdict).max().unwrap_or(Verdict::Absent)
    }
}

impl Device {
    pub(super) fn verdict(&self) -> Verdict {
        let is_refused = self.listing.error.is_some() || self.refused.is_some();
        let Some(suite) = &self.suite else {
            return if is_refused { Verdict::Wrong } else { Verdict::InPart };
        };
        match Counts::of(&suite.cases) {
            _ if suite.reference_error.is_some() => Verdict::Wrong,
            Counts { failed, unexpected_passes, .. } if failed + unexpected_passes > 0 => Verdict::Wrong,
            Counts { expected_failures, .. } if expected_failures > 0 => Verdict::Known,
            _ if self.untried > 0 => Verdict::InPart,
            Counts { passed: 0, .. } => Verdict::Wrong,
            _ => Verdict::Good,
        }
    }

    /// Returns the reason why no case could be executed, although the device was opened.
    fn obstacle(&self) -> Option<String> {
        let suite = self.suite.as_ref().filter(|suite| suite.reference_error.is_some());
        self.refused.clone().or_else(|| suite.and_then(Report::problem))
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
        Verdict::Wrong => match (&device.listing.error, device.obstacle(), device.failures().next()) {
            (Some(error), ..) => format!("{name}: cannot be opened. {error}"),
            (_, Some(obstacle), _) => format!("{name}: cannot be tested. {obstacle}"),
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::conform::{Tried, Untested};
    use crate::devices::DeviceListing;
    use imminent::DeviceSelection;
    use imminent::conformance::Suite;

    fn backend(tried: Result<Tried, Untested>) -> Backend {
        let info = imminent::open(&DeviceSelection::backend("cpu")).unwrap().info().clone();
        let listing = DeviceListing { error: None, ..DeviceListing::refused(info, String::new()) };
        let mut device =
            Device { listing, measures: None, known: Vec::new(), suite: None, untried: 0, next: None, refused: None };
        device.note(tried);
        let (verdict, devices) = (device.verdict(), vec![device]);
        Backend { backend: "cpu".to_owned(), verdict, line: String::new(), reason: None, devices }
    }

    #[test]
    fn a_device_whose_process_ended_is_wrong_and_one_without_time_is_not() {
        let refused = backend(Err(Untested::Refused("it ended".to_owned())));
        assert_eq!((refused.verdict, line(&refused)), (Verdict::Wrong, "cpu: cannot be tested. it ended".to_owned()));
        let late = backend(Err(Untested::NoTime("cpu 0".to_owned())));
        assert_eq!(late.verdict, Verdict::InPart);
        assert!(line(&late).contains("give more --seconds"), "{}", line(&late));
    }

    #[test]
    fn a_suite_without_its_reference_is_wrong() {
        let device = imminent::open(&DeviceSelection::backend("cpu")).unwrap();
        let mut report = Suite::new(&device).begun();
        report.reference_error = Some("no threads".to_owned());
        let found = backend(Ok(Tried { report, untried: 900, next: None }));
        assert_eq!(found.verdict, Verdict::Wrong);
        assert!(line(&found).contains("cannot be tested") && line(&found).contains("no threads"), "{}", line(&found));
    }
}
