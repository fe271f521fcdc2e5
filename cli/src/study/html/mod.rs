//! The HTML report of a study.

mod answer;
mod figures;
mod names;

use super::output::{digits, failures, left, size};
use super::report::Report;
use imminent::models::sheet::{Kind, Sheet, Value};
use imminent::models::study::sheets::Points;
use imminent::models::study::{Results, Study};
use imminent_report::page::sortable::{self, MAX_ROWS};
use imminent_report::page::{self, escape};
use imminent_report::plot::PlotError;
use indicatif::HumanCount;
use std::fmt::Write;

/// Makes the whole page.
pub(super) fn page(report: &Report<'_>, study: &Study, results: &Results) -> Result<String, PlotError> {
    let title = report.title.clone().unwrap_or_else(|| format!("Study of {}", report.model));
    let mut page = page::begin(&title);
    page::answer(&mut page, &answer::answer(report, study, results));
    summary(&mut page, report, study);
    if !report.complete {
        let _ = writeln!(page, "<p class=\"warning\">{}: the rest is missing here.</p>", left(report));
    }
    if !report.failed.is_empty() {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(&failures(study, results)).replace('\n', "<br>"));
    }
    for note in &report.notes {
        let _ = writeln!(page, "<p class=\"note\">Note: {}</p>", escape(note));
    }
    measures(&mut page, study);
    figures::figures(&mut page, study, results)?;
    page.push_str("<h2>Points</h2>\n");
    let points = Points::new(study, results);
    let all = points.rows();
    if all > MAX_ROWS {
        let _ = writeln!(page, "<p>The first {MAX_ROWS} of {all} rows; all are in the files beside this page.</p>");
    }
    page.push_str(&sortable::table(&First(points), all.min(MAX_ROWS)));
    page.push_str(&sortable::end());
    Ok(page)
}

fn summary(page: &mut String, report: &Report<'_>, study: &Study) {
    let device = report.device.as_ref().zip(report.backend.as_ref());
    let mut rows = vec![
        ("model", format!("{}, revision {}: {}", report.model, report.revision, study.description().about)),
        (
            "device",
            device.map_or_else(|| "none: all runs were finished before".to_owned(), |(d, b)| format!("{d} ({b})")),
        ),
        ("runs", size(study)),
        (
            "seed",
            format!("{}{}", report.seed, if report.common_random_numbers { ", common to all points" } else { "" }),
        ),
        ("events", format!("{} in {} finished runs", HumanCount(report.events), HumanCount(report.done))),
        ("wall time", format!("{} s", digits(report.wall_s))),
    ];
    if !report.fixed.is_empty() {
        let fixed = report.fixed.iter().map(|(name, value)| format!("{name} = {value}"));
        rows.push(("fixed", fixed.collect::<Vec<_>>().join(", ")));
    }
    rows.push(("fingerprint", report.fingerprint.clone()));
    rows.push(("digest", report.digest.clone()));
    page::summary(page, &rows);
}

/// Writes the list of varying parameters and of measures.
fn measures(page: &mut String, study: &Study) {
    let description = study.description();
    let mut table = |heading: &str, rows: Vec<(String, &String, &String)>| {
        let _ = write!(page, "<h2>{heading}</h2>\n<table><tbody>");
        for (name, about, key) in rows {
            let _ = write!(
                page,
                "<tr><th class=\"text\">{}</th><td class=\"about\">{}</td><td class=\"text\"><code>{}</code></td></tr>",
                escape(&name),
                escape(about),
                escape(key)
            );
        }
        page.push_str("</tbody></table>\n");
    };
    let varying = study.varying();
    let varying = varying.iter().filter_map(|place| description.parameters.get(*place));
    table("What varies", varying.map(|own| (names::parameter(own), &own.about, &own.name)).collect());
    let measures = description.measures.iter();
    table("What is measured", measures.map(|own| (names::measure(own), &own.about, &own.name)).collect());
}

/// The first rows of a table.
struct First<S>(S);

impl<S: Sheet> Sheet for First<S> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let level =
            |name: &str| name.strip_prefix("ci").filter(|level| level.parse::<f64>().is_ok()).map(str::to_owned);
        let short = |(name, kind): (String, Kind)| match level(&name) {
            Some(level) => (format!("{level} % ±"), kind),
            None => (names::of_key(&name), kind),
        };
        self.0.columns().into_iter().map(short).collect()
    }

    fn rows(&self) -> usize {
        self.0.rows().min(MAX_ROWS)
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.0.value(row, column)
    }
}

#[cfg(test)]
mod tests;
