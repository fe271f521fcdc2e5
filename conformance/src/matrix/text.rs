//! The matrix as plain text.

use super::Matrix;
use std::fmt::Write as _;

impl Matrix {
    /// Returns the matrix as text: the numbered devices, each with its counts, then a table with a column for each
    /// number.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "Conformance, {}", self.run())?;
        for (number, device) in (1..).zip(&self.devices) {
            writeln!(text, "\n[{number}] {} {}: {}", device.backend, device.index, device.name)?;
            writeln!(text, "    driver    {}", device.driver)?;
            let known = match device.known.len() {
                0 => String::new(),
                known => format!(", {known} failed as expected"),
            };
            writeln!(
                text,
                "    executed  {} cases in {:.1} s, {} failed{known}",
                device.executed,
                device.seconds,
                device.failures.len()
            )?;
            if device.counts.skipped > 0 {
                writeln!(text, "    skipped   {}: {}", device.counts.skipped, device.skips())?;
            }
            writeln!(text, "    verdict   {}", device.verdict())?;
            for line in device.failures.iter().chain(&device.known).flat_map(|failure| failure.lines()) {
                writeln!(text, "      {line}")?;
            }
        }
        for reason in &self.left_out {
            writeln!(text, "\nnot tested: {reason}")?;
        }
        writeln!(text)?;
        self.write_table(text)?;
        writeln!(text, "\n{}", if self.passed { "PASSED" } else { "NOT PASSED" })
    }

    /// Describes the run in a few words.
    pub(super) fn run(&self) -> String {
        let selection = self.selection.as_ref().map_or_else(String::new, |selection| format!(", only {selection}"));
        format!("suite {}, {:?} mode, seed {}{selection}", self.suite, self.mode, self.seed)
    }

    fn write_table(&self, text: &mut String) -> std::fmt::Result {
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
        Ok(())
    }
}
