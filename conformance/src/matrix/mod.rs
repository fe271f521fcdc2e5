//! Several reports side by side.

mod html;
mod text;

use crate::case::Group;
use crate::report::{Counts, Outcome, Report};
use crate::suite::Mode;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a row of the matrix shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// The counts of a group.
    Group,
    /// The digest of a model: the same in every column.
    Digest,
}

/// One row: what it is about, and a cell for each device; `None` where the device's run did not have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// What the row shows.
    pub kind: RowKind,
    /// The group's or the model's name.
    pub name: String,
    /// A cell for each column.
    pub cells: Vec<Option<String>>,
    /// Whether the row speaks for conformance: no failure in a group, no difference in a digest.
    pub good: bool,
}

/// Cases that were skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The reason, as a clause.
    pub because: String,
    /// How many cases.
    pub cases: usize,
}

/// One device, with what its run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// The backend.
    pub backend: String,
    /// Number among the backend's devices.
    pub index: u32,
    /// The device's name.
    pub name: String,
    /// The driver and its version.
    pub driver: String,
    /// The kind of device.
    pub kind: String,
    /// How many cases were executed.
    pub executed: usize,
    /// How they ended.
    pub counts: Counts,
    /// What was skipped, and why.
    pub skipped_because: Vec<Skipped>,
    /// The cases for which the run fails, with what was expected and found.
    pub failures: Vec<String>,
    /// Why the run has not passed; `None` if it has.
    pub problem: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

impl Column {
    fn new(report: &Report) -> Column {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for case in &report.cases {
            if let Outcome::Skip { reason } = case.outcome {
                *reasons.entry(reason.explanation()).or_default() += 1;
            }
        }
        let device = &report.device;
        let counts = report.counts();
        let failure = |case: &crate::report::CaseReport| {
            format!("{} {}: {}: {}", case.outcome.word(), case.group, case.name, case.outcome.detail())
        };
        Column {
            backend: device.backend.clone(),
            index: device.index,
            name: device.name.clone(),
            driver: device.driver.clone(),
            kind: device.kind.clone(),
            executed: counts.executed(),
            counts,
            skipped_because: reasons
                .into_iter()
                .map(|(because, cases)| Skipped { because: because.to_owned(), cases })
                .collect(),
            failures: report.failures().map(failure).collect(),
            problem: report.problem(),
            seconds: report.seconds,
        }
    }

    /// The verdict in words.
    fn verdict(&self) -> String {
        self.problem.as_ref().map_or_else(|| "passed".to_owned(), |why| format!("NOT PASSED: {why}"))
    }

    /// What was skipped and why, in words; nothing if nothing was.
    fn skips(&self) -> String {
        let reasons: Vec<String> = self
            .skipped_because
            .iter()
            .map(|skipped| format!("{} because {}", skipped.cases, skipped.because))
            .collect();
        reasons.join("; ")
    }
}

/// Several runs side by side: groups and model digests down, devices across.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix {
    /// Version of the suite.
    pub suite: String,
    /// How much was tried.
    pub mode: Mode,
    /// Seed of the random operands.
    pub seed: u64,
    /// Which cases were chosen, where not all were.
    pub selection: Option<String>,
    /// Whether every run has passed and no digest differs.
    pub passed: bool,
    /// The devices.
    pub devices: Vec<Column>,
    /// Backends and devices that were not tested, and why.
    pub left_out: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Puts reports side by side. What they share, the mode for instance, is that of the first.
    #[must_use]
    pub fn new(reports: &[Report]) -> Matrix {
        let mut rows: Vec<Row> = Group::ALL.into_iter().filter_map(|group| group_row(reports, group)).collect();
        let mut models: Vec<&str> = Vec::new();
        for digest in reports.iter().flat_map(|report| &report.digests) {
            if !models.contains(&digest.model.as_str()) {
                models.push(&digest.model);
            }
        }
        rows.extend(models.into_iter().map(|model| digest_row(reports, model)));
        let devices: Vec<Column> = reports.iter().map(Column::new).collect();
        let first = reports.first();
        Matrix {
            suite: first.map_or_else(|| env!("CARGO_PKG_VERSION").to_owned(), |report| report.suite.clone()),
            mode: first.map_or(Mode::Quick, |report| report.mode),
            seed: first.map_or(0, |report| report.seed),
            selection: first.and_then(|report| report.selection.clone()),
            // No device at all is not a pass.
            passed: !devices.is_empty()
                && devices.iter().all(|device| device.problem.is_none())
                && rows.iter().all(|row| row.good),
            devices,
            left_out: Vec::new(),
            rows,
        }
    }

    /// Says which backends have no device here, and why. That is no failure.
    #[must_use]
    pub fn without(mut self, reasons: Vec<String>) -> Matrix {
        self.left_out.extend(reasons);
        self
    }

    /// Says which devices are here and could not be tested, and why. If there are any, the matrix has not passed.
    #[must_use]
    pub fn spoiled_by(mut self, reasons: Vec<String>) -> Matrix {
        self.passed &= reasons.is_empty();
        self.left_out.extend(reasons);
        self
    }

    /// Whether there is a run, every run has passed, and no digest differs between devices.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// The matrix as JSON.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

fn group_row(reports: &[Report], group: Group) -> Option<Row> {
    let counts: Vec<_> = reports.iter().map(|report| report.counts_of(group)).collect();
    if counts.iter().all(|counts| counts.total() == 0) {
        return None;
    }
    let good = counts.iter().all(|counts| counts.failed == 0 && counts.unexpected_passes == 0);
    let cells = counts.iter().map(|counts| (counts.total() > 0).then(|| counts.to_string())).collect();
    Some(Row { kind: RowKind::Group, name: group.to_string(), cells, good })
}

fn digest_row(reports: &[Report], model: &str) -> Row {
    let cells: Vec<Option<String>> = reports
        .iter()
        .map(|report| report.digests.iter().find(|digest| digest.model == model).map(|digest| digest.digest.clone()))
        .collect();
    let mut found = cells.iter().flatten();
    let first = found.next();
    let good = found.all(|digest| Some(digest) == first);
    Row { kind: RowKind::Digest, name: model.to_owned(), cells, good }
}

#[cfg(test)]
mod tests;
