//! Comparison of several reports in a table.

mod html;
mod text;

use crate::case::Group;
use crate::mode::Mode;
use crate::report::{Counts, Outcome, Report};
use serde::Serialize;
use std::collections::BTreeMap;

/// Contents of a row of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RowKind {
    /// The counts of a group.
    Group,
    /// Digest of a model: the same in every column.
    Digest,
}

/// A row of the matrix, with a cell for each device; `None` if the device's run has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// Contents of the row.
    pub kind: RowKind,
    /// Name of the group or of the model.
    pub name: String,
    /// Cells, one for each column.
    pub cells: Vec<Option<String>>,
    /// `true` if the row indicates conformance: no failure in a group, no difference in a digest.
    pub good: bool,
}

/// Number of cases that were skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Skipped {
    /// Reason, as a clause.
    pub because: String,
    /// Number of cases.
    pub cases: usize,
}

/// A device with the results of its run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Column {
    /// Name of the backend.
    pub backend: String,
    /// Number of the device among the backend's devices.
    pub index: u32,
    /// Name of the device.
    pub name: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Kind of the device.
    pub kind: String,
    /// Number of cases that were executed.
    pub executed: usize,
    /// Numbers of cases by their outcomes.
    pub counts: Counts,
    /// Numbers of skipped cases, by reason.
    pub skipped_because: Vec<Skipped>,
    /// Cases that make the run fail, with expected and found values.
    pub failures: Vec<String>,
    /// Cases that failed as expected, with expected and found values and the reference.
    pub known: Vec<String>,
    /// Reason why the run has not passed; `None` if it has.
    pub problem: Option<String>,
    /// Wall time of the run, in seconds.
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
            known: report
                .cases
                .iter()
                .filter(|case| matches!(case.outcome, Outcome::ExpectedFail { .. }))
                .map(failure)
                .collect(),
            problem: report.problem(),
            seconds: report.seconds,
        }
    }

    /// Returns the verdict in words.
    fn verdict(&self) -> String {
        self.problem.as_ref().map_or_else(|| "passed".to_owned(), |why| format!("NOT PASSED: {why}"))
    }

    /// Describes skipped cases and the reasons; empty if there are none.
    fn skips(&self) -> String {
        let reasons: Vec<String> = self
            .skipped_because
            .iter()
            .map(|skipped| format!("{} because {}", skipped.cases, skipped.because))
            .collect();
        reasons.join("; ")
    }
}

/// Several runs side by side: a row for each group and model digest, a column for each device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Matrix {
    /// Version of the suite.
    pub suite: String,
    /// Extent of the runs.
    pub mode: Mode,
    /// Seed of the random operands.
    pub seed: u64,
    /// Description of the selected cases, if not all were selected.
    pub selection: Option<String>,
    /// `true` if every run has passed and no digest differs.
    pub passed: bool,
    /// Columns of the matrix, one for each device.
    pub devices: Vec<Column>,
    /// Backends and devices that were not tested, with reasons.
    pub left_out: Vec<String>,
    /// Rows of the matrix.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Combines reports. Common properties, such as the mode, are those of the first.
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
            // A matrix without devices has not passed.
            passed: !devices.is_empty()
                && devices.iter().all(|device| device.problem.is_none())
                && rows.iter().all(|row| row.good),
            devices,
            left_out: Vec::new(),
            rows,
        }
    }

    /// Adds backends without a device on this machine, with reasons. They are not failures.
    #[must_use]
    pub fn without(mut self, reasons: Vec<String>) -> Matrix {
        self.left_out.extend(reasons);
        self
    }

    /// Adds devices that could not be tested, with reasons. If there are any, the matrix has not passed.
    #[must_use]
    pub fn spoiled_by(mut self, reasons: Vec<String>) -> Matrix {
        self.passed &= reasons.is_empty();
        self.left_out.extend(reasons);
        self
    }

    /// Returns `true` if there is a run, every run has passed, and no digest differs between devices.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// Returns the matrix as JSON.
    ///
    /// # Errors
    /// Errors of the serializer.
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
