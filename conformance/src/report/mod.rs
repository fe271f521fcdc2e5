//! Results of a run of the suite.

mod html;
mod text;

use crate::case::{Group, SkipReason};
use crate::expectation::known_failures;
use crate::mode::Mode;
use imminent_core::{Capabilities, Device, Faults, FloatProbe};
use serde::{Deserialize, Serialize};

/// Outcome of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// The case passed.
    Pass,
    /// The case failed.
    Fail {
        /// Expected and found values.
        message: String,
    },
    /// The case could not be tried on this device.
    Skip {
        /// Reason for skipping the case.
        reason: SkipReason,
    },
    /// The case failed as expected.
    ExpectedFail {
        /// Expected and found values.
        message: String,
        /// Reference to an explanation of the failure.
        reference: String,
    },
    /// The case passed although a failure was expected: the expectation is out of date. Counts as a failure.
    UnexpectedPass {
        /// Reference to an explanation of the expected failure.
        reference: String,
    },
}

impl Outcome {
    /// Returns `true` if the outcome makes the run fail.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(self, Outcome::Fail { .. } | Outcome::UnexpectedPass { .. })
    }

    /// Returns the outcome as one word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail { .. } => "FAIL",
            Outcome::Skip { .. } => "skip",
            Outcome::ExpectedFail { .. } => "expected fail",
            Outcome::UnexpectedPass { .. } => "UNEXPECTED PASS",
        }
    }

    /// Returns details of the outcome; empty for a pass.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Outcome::Pass => String::new(),
            Outcome::Fail { message } => message.clone(),
            Outcome::Skip { reason } => reason.to_string(),
            Outcome::ExpectedFail { message, reference } => format!("{message} (known: {reference})"),
            Outcome::UnexpectedPass { reference } => {
                format!("this was expected to fail ({reference}) and passes: take it off the list of known failures")
            }
        }
    }
}

/// Result of one case of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CaseReport {
    /// Group of the case.
    pub group: Group,
    /// Name of the case: the statement that it tests.
    pub name: String,
    /// Outcome of the case.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Notes on values that were left out of the comparison, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Wall time of the case, in seconds.
    pub seconds: f64,
}

/// Digest of a model's final state: the same on every device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelDigest {
    /// Name of the model and its configuration.
    pub model: String,
    /// Digest in hexadecimal digits.
    pub digest: String,
}

/// The device of a run, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeviceReport {
    /// Name of the backend.
    pub backend: String,
    /// Name of the device.
    pub name: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Kind of the device.
    pub kind: String,
    /// Number of the device among the backend's devices.
    pub index: u32,
    /// Capabilities of the device for display, by name, in a fixed order.
    pub capabilities: Vec<(String, String)>,
    /// Capabilities of the device for programs: its [`Capabilities`], including all results of the float probes.
    pub details: serde_json::Value,
}

impl DeviceReport {
    /// Creates the description of a device.
    #[must_use]
    pub fn of(device: &Device) -> Self {
        let info = device.info();
        DeviceReport {
            backend: info.backend.clone(),
            name: info.name.clone(),
            driver: info.driver.clone(),
            kind: kebab(&info.kind),
            index: info.index,
            capabilities: describe(device.capabilities()),
            details: serde_json::to_value(device.capabilities()).unwrap_or_default(),
        }
    }

    /// Returns the device in one line.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} {}: {} ({})", self.backend, self.index, self.name, self.driver)
    }
}

/// Returns the name that an enum has in JSON.
fn kebab(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

fn describe(capabilities: &Capabilities) -> Vec<(String, String)> {
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let limits = &capabilities.limits;
    [
        ("64-bit integers", kebab(&capabilities.int64)),
        ("min and max of 64-bit tallies", yes(capabilities.tally_min_max_64)),
        ("f64", yes(capabilities.float64)),
        ("loops of any length", yes(capabilities.long_loops)),
        ("operands of faults", yes(capabilities.faults == Faults::Operands)),
        ("f32 promises", promise(capabilities.f32.as_ref())),
        ("f64 promises", promise(capabilities.f64.as_ref())),
        ("native rows", yes(capabilities.native_rows)),
        ("largest table, bytes", limits.table_bytes.to_string()),
        ("largest column, bytes", limits.column_bytes.to_string()),
        ("largest launch, rows", limits.rows.to_string()),
        ("tables and tallies of a kernel", limits.bindings.to_string()),
        ("memory, bytes", limits.memory_bytes.map_or_else(|| "not told".to_owned(), |bytes| bytes.to_string())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn promise(probe: Option<&FloatProbe>) -> String {
    let Some(probe) = probe else { return "not probed".to_owned() };
    let defects = probe.defects();
    if defects.is_empty() { probe.class().to_string() } else { format!("{}: {}", probe.class(), defects.join(", ")) }
}

/// Numbers of cases by their outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counts {
    /// Number of cases that passed.
    pub passed: usize,
    /// Number of cases that failed, without unexpected passes.
    pub failed: usize,
    /// Number of cases that were skipped.
    pub skipped: usize,
    /// Number of cases that failed as expected.
    pub expected_failures: usize,
    /// Number of cases that passed against an expectation.
    pub unexpected_passes: usize,
}

impl Counts {
    /// Returns the number of cases that were executed.
    #[must_use]
    pub const fn executed(&self) -> usize {
        self.passed + self.failed + self.expected_failures + self.unexpected_passes
    }

    /// Returns the number of all cases.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.executed() + self.skipped
    }

    /// Counts cases by their outcomes.
    #[must_use]
    pub fn of<'c>(cases: impl IntoIterator<Item = &'c CaseReport>) -> Counts {
        let mut counts = Counts::default();
        for case in cases {
            *match case.outcome {
                Outcome::Pass => &mut counts.passed,
                Outcome::Fail { .. } => &mut counts.failed,
                Outcome::Skip { .. } => &mut counts.skipped,
                Outcome::ExpectedFail { .. } => &mut counts.expected_failures,
                Outcome::UnexpectedPass { .. } => &mut counts.unexpected_passes,
            } += 1;
        }
        counts
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        if self.expected_failures > 0 {
            write!(f, ", {} failed as expected", self.expected_failures)?;
        }
        if self.unexpected_passes > 0 {
            write!(f, ", {} passed unexpectedly", self.unexpected_passes)?;
        }
        Ok(())
    }
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Version of the suite.
    pub suite: String,
    /// Extent of the run.
    pub mode: Mode,
    /// Seed of the random operands.
    pub seed: u64,
    /// Description of the selected cases, if not all were selected.
    pub selection: Option<String>,
    /// Device under test.
    pub device: DeviceReport,
    /// Results of the cases, in the order in which they ran.
    pub cases: Vec<CaseReport>,
    /// Digests of the models' final states.
    pub digests: Vec<ModelDigest>,
    /// Error in opening the CPU backend, which is the reference.
    pub reference_error: Option<String>,
    /// Wall time of the run, in seconds.
    pub seconds: f64,
}

impl Report {
    /// Returns the report of all [parts](crate::Suite::part) of a run, in their order, or `None` of none. Its time is
    /// the longest of theirs.
    #[must_use]
    pub fn of_parts(parts: Vec<Report>) -> Option<Report> {
        let mut parts = parts.into_iter();
        let mut whole = parts.next()?;
        let mut cases = vec![std::mem::take(&mut whole.cases).into_iter()];
        for part in parts {
            for digest in part.digests {
                if !whole.digests.contains(&digest) {
                    whole.digests.push(digest);
                }
            }
            whole.reference_error = whole.reference_error.or(part.reference_error);
            whole.seconds = whole.seconds.max(part.seconds);
            cases.push(part.cases.into_iter());
        }
        while cases.iter().any(|left| left.len() > 0) {
            whole.cases.extend(cases.iter_mut().filter_map(Iterator::next));
        }
        Some(whole)
    }

    /// Adds a case that ended the process in which it ran, or did not end in time. It counts as a failure, unless it is
    /// a known one.
    pub fn lose_case(&mut self, group: Group, name: &str, message: String) {
        let device = [self.device.backend.as_str(), &self.device.name, &self.device.driver];
        let known = known_failures().into_iter().find(|known| known.speaks_of(device, group, name));
        let outcome = match known {
            Some(known) => Outcome::ExpectedFail { message, reference: known.reference },
            None => Outcome::Fail { message },
        };
        self.cases.push(CaseReport { group, name: name.to_owned(), outcome, notes: Vec::new(), seconds: 0.0 });
    }

    pub(crate) fn new(device: DeviceReport, mode: Mode, seed: u64, selection: Option<String>) -> Self {
        Report {
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            mode,
            seed,
            selection,
            device,
            cases: Vec::new(),
            digests: Vec::new(),
            reference_error: None,
            seconds: 0.0,
        }
    }

    /// Returns the numbers of cases by their outcomes.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.cases)
    }

    /// Returns the numbers of cases of one group by their outcomes.
    #[must_use]
    pub fn counts_of(&self, group: Group) -> Counts {
        Counts::of(self.cases.iter().filter(|case| case.group == group))
    }

    /// Returns the cases that make the run fail.
    pub fn failures(&self) -> impl Iterator<Item = &CaseReport> {
        self.cases.iter().filter(|case| case.outcome.is_failure())
    }

    /// Returns the reason why the run has not passed; `None` if it has.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        if let Some(error) = &self.reference_error {
            return Some(format!("the CPU backend, which is the reference, cannot be opened: {error}"));
        }
        let counts = self.counts();
        if counts.total() == 0 {
            let selection = self.selection.as_deref().unwrap_or("the whole suite");
            return Some(format!("no case was chosen by {selection}: nothing was shown"));
        }
        if counts.executed() == 0 {
            return Some(format!("all {} cases were skipped: nothing was shown", counts.skipped));
        }
        let said: Vec<String> =
            [(counts.failed, "failed"), (counts.unexpected_passes, "passed against an expected failure")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} of {} executed cases {what}", counts.executed()))
                .collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Returns `true` if at least one case was executed and none failed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.problem().is_none()
    }

    /// Returns the report as JSON; [`Report::from_json`] reads it again.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a report written by [`Report::to_json`], for instance on another machine.
    ///
    /// # Errors
    /// An error for text that is not such a report.
    pub fn from_json(text: &str) -> serde_json::Result<Report> {
        serde_json::from_str(text)
    }
}

pub(crate) use html::{escape, page};

#[cfg(test)]
pub(crate) mod tests;
