//! Text output of a study.

use super::report::{PointReport, Report, varying};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::free_memory;
use imminent::models::study::{Results, Study, Value};
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use indicatif::{HumanCount, HumanFloatCount};
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// Most points that are listed.
const MAX_POINTS: usize = 60;

/// Bytes of results from which on their size is reported.
const LARGE: u64 = 1 << 30;

/// Output for a study that is planned only.
#[derive(Serialize)]
struct Plan<'a> {
    model: &'a str,
    fingerprint: String,
    repetitions: u64,
    runs: u64,
    /// Bytes of memory that the results take.
    result_bytes: u64,
    /// `true` if every point was checked, `false` if values were checked one by one.
    checks_every_point: bool,
    points: Planned<'a>,
}

/// Points of a study, produced one by one: they may exceed the memory.
struct Planned<'a>(&'a Study);

impl Serialize for Planned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.points()).map(|point| varying(self.0, point)))
    }
}

/// Prints the points of a study without running it.
pub(super) fn plan(study: &Study, json: bool) -> Result<(), Failure> {
    let result_bytes = Results::bytes(study);
    if json {
        return print_json(&Plan {
            model: &study.description().name,
            fingerprint: study.fingerprint().to_string(),
            repetitions: study.repetitions(),
            runs: study.runs(),
            result_bytes,
            checks_every_point: study.checks_every_point(),
            points: Planned(study),
        });
    }
    let mut text = format!("{}\n", size(study));
    if !study.checks_every_point() {
        text += "each value was checked beside the first of the others; a run of values that are not possible together fails by itself\n";
    }
    if result_bytes >= LARGE {
        let free = free_memory::free().filter(|free| *free < result_bytes).map_or_else(String::new, |free| {
            format!(", and {:.3} GB are free here: it cannot be carried out on this machine", free as f64 / 1e9)
        });
        let _ = writeln!(text, "its results take {:.3} GB of memory{free}", result_bytes as f64 / 1e9);
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(std::iter::once("point".to_owned()).chain(names(study)));
    for point in (0..study.points()).take(MAX_POINTS) {
        let values = study.varying().into_iter().filter_map(|place| study.value(point, place)).map(Value::to_string);
        table.add_row(std::iter::once(point.to_string()).chain(values));
    }
    let _ = writeln!(text, "{table}");
    text += &others(study.points() as usize, "--json lists all");
    print_text(&text)
}

/// Most failures that are listed.
const MAX_FAILURES: usize = 10;

/// Formats the report of a study or run that was carried out.
pub(super) fn text(report: &Report<'_>, study: &Study) -> String {
    let mut text = match &report.title {
        Some(title) => format!("{title}\n"),
        None => format!("study of {}\n", report.model),
    };
    let _ = writeln!(text, "{}", size(study));
    if let Some((device, why)) = report.device.as_ref().zip(report.why.as_ref()) {
        let _ = writeln!(text, "on {device} ({why})");
    }
    text += &points(report, study);
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let rate =
        report.events_per_s.map_or_else(String::new, |rate| format!(": {} events/s", HumanFloatCount(rate.round())));
    let _ = writeln!(text, "{} in {:.3} s{rate}", counted(report.events, "event"), report.wall_s);
    let _ = writeln!(text, "{:.3} s from the start of the process\ndigest {}", report.total_s, report.digest);
    text
}

/// Returns the table of the points of a study.
fn points(report: &Report<'_>, study: &Study) -> String {
    let mut table = Table::new();
    let measures = study.description().measures.iter().map(|measure| measure.name.replace('_', " "));
    let header = std::iter::once("point".to_owned()).chain(names(study)).chain(measures);
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for point in (0..study.points()).take(MAX_POINTS) {
        table.add_row(row(&report.points.point(point), study));
    }
    let mut text = format!("{table}\n");
    text += &others(study.points() as usize, "--out writes all, --json prints them");
    text += &match report.repetitions {
        1 => "values of one repetition, which has no interval\n".to_owned(),
        repetitions => format!("means with their {} intervals over {repetitions} repetitions\n", report.confidence),
    };
    text
}

/// Says how many runs have ended.
pub(super) fn left(report: &Report<'_>) -> String {
    let verb = if report.runs == 1 { "is" } else { "are" };
    format!("{} of {} {verb} finished", HumanCount(report.done), counted(report.runs, "run"))
}

/// Lists the runs that failed, with the varying parameters at their points.
pub(super) fn failures(study: &Study, results: &Results) -> String {
    let one = |(run, why): (u64, &str)| {
        let (point, repetition) = (run / study.repetitions(), run % study.repetitions());
        let values = study.varied(point);
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
        format!("run {run}, repetition {repetition} of point {point}{values}, failed: {why}")
    };
    let mut lines: Vec<_> = results.failures().take(MAX_FAILURES).map(one).collect();
    let more = (results.failed() as usize).saturating_sub(MAX_FAILURES);
    if more > 0 {
        lines.push(format!("and {more} more runs failed: --out writes why, --json prints it"));
    }
    lines.join("\n")
}

/// Says how many runs a study has.
pub(super) fn size(study: &Study) -> String {
    let times = match study.repetitions() {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{} times", HumanCount(many)),
    };
    format!("{}: {}, {times} each", counted(study.runs(), "run"), counted(study.points(), "point"))
}

/// Returns a number with a noun.
fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}

/// Names the parameters that vary.
fn names(study: &Study) -> Vec<String> {
    let parameters = &study.description().parameters;
    study.varying().iter().filter_map(|place| Some(parameters.get(*place)?.name.clone())).collect()
}

fn row(point: &PointReport<'_>, study: &Study) -> Vec<String> {
    let mut row = vec![point.point.to_string()];
    row.extend(
        names(study)
            .iter()
            .map(|name| point.parameters.get(name.as_str()).map_or_else(String::new, ToString::to_string)),
    );
    for measure in &study.description().measures {
        let summary = point.measures.get(measure.name.as_str()).copied().unwrap_or_default();
        row.push(match (summary.mean, summary.half_width()) {
            (Some(mean), Some(half)) => format!("{} ± {}", digits(mean), digits(half)),
            (Some(mean), None) => digits(mean),
            (None, _) => "–".to_owned(),
        });
    }
    row
}

/// Formats a number with five digits.
pub(super) fn digits(number: f64) -> String {
    let rounded = format!("{number:.4e}").parse::<f64>().unwrap_or(number);
    if rounded != 0.0 && !(1e-4..1e7).contains(&rounded.abs()) { format!("{rounded:e}") } else { format!("{rounded}") }
}

fn others(points: usize, where_they_are: &str) -> String {
    match points.saturating_sub(MAX_POINTS) {
        0 => String::new(),
        1 => format!("and 1 more point: {where_they_are}\n"),
        more => format!("and {more} more points: {where_they_are}\n"),
    }
}
