//! Reports as plain text.

use super::{Outcome, Report};
use crate::case::Group;
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl Report {
    /// Returns the report as text: the device, a line for each group, every case that did not simply pass, and the
    /// verdict.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "Conformance of {}", self.device.label())?;
        let selection = self.selection.as_ref().map_or_else(String::new, |selection| format!(", only {selection}"));
        writeln!(text, "suite {}, {:?} mode, seed {}{selection}", self.suite, self.mode, self.seed)?;
        writeln!(text)?;
        for (name, value) in &self.device.capabilities {
            writeln!(text, "  {name:<32} {value}")?;
        }
        writeln!(text)?;
        for group in Group::ALL {
            let counts = self.counts_of(group);
            if counts.total() > 0 {
                writeln!(text, "  {group:<16} {counts} ({:.1} s)", self.seconds_of(group))?;
            }
        }
        self.write_troubles(text)?;
        self.write_skips(text)?;
        self.write_notes(text)?;
        if !self.digests.is_empty() {
            writeln!(text, "\nDigests of final states")?;
            for digest in &self.digests {
                writeln!(text, "  {}  {}", digest.digest, digest.model)?;
            }
        }
        let verdict = match self.problem() {
            None => "PASSED".to_owned(),
            Some(problem) => format!("NOT PASSED: {problem}"),
        };
        writeln!(text, "\n{verdict}. {} in {:.1} s", self.counts(), self.seconds)
    }

    pub(super) fn seconds_of(&self, group: Group) -> f64 {
        self.cases.iter().filter(|case| case.group == group).map(|case| case.seconds).sum()
    }

    fn write_troubles(&self, text: &mut String) -> std::fmt::Result {
        for case in &self.cases {
            if !matches!(case.outcome, Outcome::Pass | Outcome::Skip { .. }) {
                writeln!(text, "\n{}  {}: {}", case.outcome.word(), case.group, case.name)?;
                for line in case.outcome.detail().lines() {
                    writeln!(text, "    {line}")?;
                }
            }
        }
        Ok(())
    }

    /// Writes skipped cases by their reasons, which many cases share.
    fn write_skips(&self, text: &mut String) -> std::fmt::Result {
        let mut skips: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for case in &self.cases {
            if let Outcome::Skip { reason } = case.outcome {
                skips.entry(reason.explanation()).or_default().push(format!("{}: {}", case.group, case.name));
            }
        }
        for (reason, cases) in skips {
            writeln!(text, "\nskipped, because {reason}")?;
            for case in cases {
                writeln!(text, "    {case}")?;
            }
        }
        Ok(())
    }

    fn write_notes(&self, text: &mut String) -> std::fmt::Result {
        let mut first = true;
        for case in &self.cases {
            for note in &case.notes {
                if std::mem::take(&mut first) {
                    writeln!(text, "\nNotes")?;
                }
                writeln!(text, "    {}: {}: {note}", case.group, case.name)?;
            }
        }
        Ok(())
    }
}
