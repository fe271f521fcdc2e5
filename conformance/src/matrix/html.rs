//! The matrix as a single self-contained page.

use super::{Column, Matrix};
use crate::report::{escape, page};
use std::fmt::Write as _;

/// Function that returns a fact about the device of a column.
type Fact = fn(&Column) -> String;

impl Matrix {
    /// Returns the matrix as one HTML page with its style inside and no script.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut body = String::from("<h1>Conformance</h1>\n");
        // Writing to a string cannot fail.
        let _ = self.write_html(&mut body);
        page("Conformance", &body)
    }

    fn write_html(&self, body: &mut String) -> std::fmt::Result {
        let (class, verdict) = if self.passed { ("pass", "Passed") } else { ("FAIL", "Not passed") };
        writeln!(body, "<p class=\"{class}\">{verdict}.</p>\n<p>{}.</p>\n<table>\n<tr><th></th>", escape(&self.run()))?;
        for device in &self.devices {
            writeln!(body, "<th>{} {}: {}</th>", escape(&device.backend), device.index, escape(&device.name))?;
        }
        writeln!(body, "</tr>")?;
        self.write_facts(body)?;
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
        writeln!(body, "</table>")?;
        for reason in &self.left_out {
            writeln!(body, "<p>Not tested: {}</p>", escape(reason))?;
        }
        let failed = |device: &&Column| !device.failures.is_empty() || !device.known.is_empty();
        for device in self.devices.iter().filter(failed) {
            writeln!(
                body,
                "<h2>Failures of {} {}: {}</h2>",
                escape(&device.backend),
                device.index,
                escape(&device.name)
            )?;
            for failure in device.failures.iter().chain(&device.known) {
                writeln!(body, "<pre>{}</pre>", escape(failure))?;
            }
        }
        Ok(())
    }

    /// Writes the table rows with the properties and verdicts of the devices.
    fn write_facts(&self, body: &mut String) -> std::fmt::Result {
        let facts: [(&str, Fact); 6] = [
            ("driver", |device| device.driver.clone()),
            ("executed", |device| format!("{} cases in {:.1} s", device.executed, device.seconds)),
            ("failed", |device| device.failures.len().to_string()),
            ("failed as expected", |device| device.known.len().to_string()),
            ("skipped", |device| match device.counts.skipped {
                0 => "0".to_owned(),
                skipped => format!("{skipped}: {}", device.skips()),
            }),
            ("verdict", Column::verdict),
        ];
        for (name, fact) in facts {
            write!(body, "<tr><th>{name}</th>")?;
            for device in &self.devices {
                let class = if name != "verdict" {
                    ""
                } else if device.problem.is_none() {
                    "pass"
                } else {
                    "FAIL"
                };
                write!(body, "<td class=\"{class}\">{}</td>", escape(&fact(device)))?;
            }
            writeln!(body, "</tr>")?;
        }
        Ok(())
    }
}
