//! Reports as a single self-contained page.

use super::Report;
use crate::case::Group;
use std::fmt::Write as _;

/// Style of the page. Colours carry no meaning of their own: every verdict is also a word.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:.5rem 0 1.5rem}\
td,th{text-align:left;vertical-align:top;padding:.15rem 1rem .15rem 0;border-bottom:1px solid #8884}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
pre,code{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap;margin:0}\
.pass{color:#197a2f}.FAIL,.UNEXPECTED{color:#c21807;font-weight:600}.skip{color:#777}.expected{color:#9a6700}\
summary{cursor:pointer;font-weight:600;margin:.6rem 0}";

impl Report {
    /// Returns the report as one HTML page with its style inside and no script.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut body = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_body(&mut body);
        page(&format!("Conformance of {}", self.device.label()), &body)
    }

    fn write_body(&self, body: &mut String) -> std::fmt::Result {
        writeln!(body, "<h1>Conformance of {}</h1>", escape(&self.device.label()))?;
        let (class, verdict) = match self.problem() {
            None => ("pass", "Passed".to_owned()),
            Some(problem) => ("FAIL", format!("Not passed: {problem}")),
        };
        writeln!(body, "<p class=\"{class}\">{}. {}.</p>", escape(&verdict), self.counts())?;
        let selection = self.selection.as_ref().map_or_else(String::new, |text| format!(", only {}", escape(text)));
        writeln!(
            body,
            "<p>Suite {}, {:?} mode, seed {}{selection}, {:.1} s.</p>",
            escape(&self.suite),
            self.mode,
            self.seed,
            self.seconds
        )?;
        self.write_device(body)?;
        self.write_groups(body)?;
        self.write_digests(body)?;
        for group in Group::ALL {
            self.write_group(body, group)?;
        }
        Ok(())
    }

    fn write_device(&self, body: &mut String) -> std::fmt::Result {
        writeln!(body, "<h2>Device</h2>\n<table>")?;
        let device = &self.device;
        let own =
            [("backend", &device.backend), ("name", &device.name), ("driver", &device.driver), ("kind", &device.kind)];
        let rest = device.capabilities.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in own.into_iter().chain(rest) {
            writeln!(body, "<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(value))?;
        }
        writeln!(body, "</table>")
    }

    fn write_groups(&self, body: &mut String) -> std::fmt::Result {
        writeln!(body, "<h2>Groups</h2>\n<table>")?;
        writeln!(
            body,
            "<tr><th>group</th><th class=n>passed</th><th class=n>failed</th><th class=n>skipped</th>\
             <th class=n>failed as expected</th><th class=n>passed unexpectedly</th><th class=n>seconds</th></tr>"
        )?;
        for group in Group::ALL {
            let counts = self.counts_of(group);
            if counts.total() > 0 {
                let numbers =
                    [counts.passed, counts.failed, counts.skipped, counts.expected_failures, counts.unexpected_passes];
                let cells: String = numbers.iter().map(|number| format!("<td class=n>{number}</td>")).collect();
                writeln!(body, "<tr><th>{group}</th>{cells}<td class=n>{:.1}</td></tr>", self.seconds_of(group))?;
            }
        }
        writeln!(body, "</table>")
    }

    fn write_digests(&self, body: &mut String) -> std::fmt::Result {
        if self.digests.is_empty() {
            return Ok(());
        }
        writeln!(body, "<h2>Digests of final states</h2>\n<table>")?;
        for digest in &self.digests {
            writeln!(
                body,
                "<tr><td>{}</td><td><code>{}</code></td></tr>",
                escape(&digest.model),
                escape(&digest.digest)
            )?;
        }
        writeln!(body, "</table>")
    }

    fn write_group(&self, body: &mut String, group: Group) -> std::fmt::Result {
        let cases: Vec<_> = self.cases.iter().filter(|case| case.group == group).collect();
        if cases.is_empty() {
            return Ok(());
        }
        let open = if cases.iter().any(|case| case.outcome.is_failure()) { " open" } else { "" };
        writeln!(body, "<details{open}><summary>{group}: {}</summary>\n<table>", self.counts_of(group))?;
        for case in cases {
            let word = case.outcome.word();
            let class = word.split(' ').next().unwrap_or(word);
            let mut said = vec![case.outcome.detail()];
            said.extend(case.notes.iter().cloned());
            said.retain(|text| !text.is_empty());
            let said = if said.is_empty() { String::new() } else { format!("<pre>{}</pre>", escape(&said.join("\n"))) };
            writeln!(
                body,
                "<tr><td class=\"{class}\">{word}</td><td>{}{said}</td><td class=n>{:.3}</td></tr>",
                escape(&case.name),
                case.seconds
            )?;
        }
        writeln!(body, "</table></details>")
    }
}

/// Returns a page around a body.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{}</title><style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        escape(title)
    )
}

/// Escapes text for HTML.
pub(crate) fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
        escaped
    })
}
