//! Several reports side by side.

use crate::case::Group;
use crate::report::{Report, escape, page};
use serde::Serialize;
use std::fmt::Write as _;

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

/// Several runs side by side: groups and model digests down, devices across.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// The devices.
    pub devices: Vec<String>,
    /// For each device, why its run has not passed; `None` if it has.
    pub problems: Vec<Option<String>>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Puts reports side by side.
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
        Matrix {
            devices: reports.iter().map(|report| report.device.label()).collect(),
            problems: reports.iter().map(Report::problem).collect(),
            rows,
        }
    }

    /// Whether there is a run, every run has passed, and no digest differs between devices.
    #[must_use]
    pub fn passed(&self) -> bool {
        !self.devices.is_empty() && self.problems.iter().all(Option::is_none) && self.rows.iter().all(|row| row.good)
    }

    /// The matrix as JSON.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// The matrix as text: the devices numbered, then a table with a column for each number.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        for (number, (device, problem)) in (1..).zip(self.devices.iter().zip(&self.problems)) {
            let verdict = problem.as_ref().map_or_else(|| "passed".to_owned(), |why| format!("NOT PASSED: {why}"));
            writeln!(text, "[{number}] {device}: {verdict}")?;
        }
        writeln!(text)?;
        let cell = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "-".to_owned());
        let widths: Vec<usize> = (0..self.devices.len())
            .map(|column| self.rows.iter().map(|row| cell(&row.cells[column]).len()).max().unwrap_or(0).max(4))
            .collect();
        let names = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        let line = |name: &str, cells: &mut dyn Iterator<Item = String>, remark: &str| {
            let cells: String = cells.zip(&widths).map(|(cell, width)| format!("  {cell:<width$}")).collect();
            format!("{name:names$}{cells}{remark}").trim_end().to_owned()
        };
        writeln!(text, "{}", line("", &mut (1..=self.devices.len()).map(|number| format!("[{number}]")), ""))?;
        for row in &self.rows {
            let remark = if row.good { "" } else { "  <-- differs or failed" };
            writeln!(text, "{}", line(&row.name, &mut row.cells.iter().map(cell), remark))?;
        }
        writeln!(text, "\n{}", if self.passed() { "PASSED" } else { "NOT PASSED" })
    }

    /// The matrix as one HTML page that needs nothing else.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut body = String::from("<h1>Conformance</h1>\n");
        // Writing to a string cannot fail.
        let _ = self.write_html(&mut body);
        page("Conformance", &body)
    }

    fn write_html(&self, body: &mut String) -> std::fmt::Result {
        let (class, verdict) = if self.passed() { ("pass", "Passed") } else { ("FAIL", "Not passed") };
        writeln!(body, "<p class=\"{class}\">{verdict}.</p>\n<table>\n<tr><th></th>")?;
        for device in &self.devices {
            writeln!(body, "<th>{}</th>", escape(device))?;
        }
        writeln!(body, "</tr>\n<tr><th>verdict</th>")?;
        for problem in &self.problems {
            match problem {
                None => writeln!(body, "<td class=\"pass\">passed</td>")?,
                Some(why) => writeln!(body, "<td class=\"FAIL\">not passed: {}</td>", escape(why))?,
            }
        }
        writeln!(body, "</tr>")?;
        for row in &self.rows {
            write!(body, "<tr><th>{}</th>", escape(&row.name))?;
            let class = if row.good { "pass" } else { "FAIL" };
            for cell in &row.cells {
                match cell {
                    Some(text) => write!(body, "<td class=\"{class}\">{}</td>", escape(text))?,
                    None => write!(body, "<td class=\"skip\">not run</td>")?,
                }
            }
            writeln!(body, "</tr>")?;
        }
        writeln!(body, "</table>")
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
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::report::Outcome;
    use crate::report::tests::{case, mixed};

    fn passing() -> Report {
        let mut report = mixed();
        report.device.backend = "cpu".to_owned();
        report.cases = vec![case(Group::Memory, "a new table is zero", Outcome::Pass)];
        report
    }

    #[test]
    fn equal_digests_pass_and_different_ones_do_not() {
        let mut other = passing();
        assert!(Matrix::new(&[passing(), other.clone()]).passed());
        other.digests[0].digest = "00fe".to_owned();
        assert!(!Matrix::new(&[passing(), other]).passed());
    }

    #[test]
    fn a_failed_run_spoils_the_matrix_and_so_does_none() {
        assert!(!Matrix::new(&[passing(), mixed()]).passed());
        assert!(!Matrix::new(&[]).passed());
    }

    #[test]
    fn the_three_forms() {
        let matrix = Matrix::new(&[passing(), mixed()]);
        insta::assert_snapshot!("matrix.txt", matrix.to_text());
        insta::assert_snapshot!("matrix.json", matrix.to_json().unwrap());
        insta::assert_snapshot!("matrix.html", matrix.to_html());
    }
}
