//! Findings of an examination, as they are written.

use super::measure::Measures;
use crate::conform::{Tried, Untested};
use crate::devices::DeviceListing;
use imminent::conformance::{Expectation, Report};
use serde::Serialize;

/// Findings of an examination.
#[derive(Serialize)]
pub(super) struct Findings {
    /// Version and features of the program.
    pub(super) program: String,
    pub(super) system: System,
    pub(super) seconds: f64,
    pub(super) backends: Vec<Backend>,
}

#[derive(Serialize)]
pub(super) struct System {
    pub(super) os: &'static str,
    pub(super) architecture: &'static str,
    pub(super) processors: usize,
}

#[derive(Serialize)]
pub(super) struct Backend {
    pub(super) backend: String,
    pub(super) verdict: Verdict,
    /// Verdict as one line for people.
    pub(super) line: String,
    /// Reason and remedy if there is no device.
    pub(super) reason: Option<String>,
    pub(super) devices: Vec<Device>,
}

#[derive(Serialize)]
pub(super) struct Device {
    #[serde(flatten)]
    pub(super) listing: DeviceListing,
    pub(super) measures: Option<Measures>,
    /// Known faults of just this driver.
    pub(super) known: Vec<Expectation>,
    pub(super) suite: Option<Report>,
    /// Number of cases that no time was left for, and the first of them.
    pub(super) untried: usize,
    pub(super) next: Option<String>,
    /// Reason why the suite could not be executed.
    pub(super) refused: Option<String>,
}

/// Verdict of a backend: that of its worst device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// There is no device.
    Absent,
    /// All cases passed.
    Good,
    /// No case failed, and time was left for some of them alone.
    InPart,
    /// Cases failed that are known to, and no others.
    Known,
    /// A device cannot be opened or tested, or a case failed.
    Wrong,
}

impl Device {
    /// Notes the cases that were tried, or the reason why there are none. A device that no time was left for is no
    /// worse for it.
    pub(super) fn note(&mut self, tried: Result<Tried, Untested>) {
        match tried {
            Ok(Tried { report, untried, next }) => {
                (self.suite, self.untried, self.next) = (Some(report), untried, next);
            }
            Err(Untested::NoTime(_)) => {}
            Err(Untested::Refused(reason)) => self.refused = Some(reason),
        }
    }
}
