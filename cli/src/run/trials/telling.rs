//! Results of trials: printed as text or JSON, and written into a folder.

use super::super::model::{RunDevice, save, sections};
use super::TrialArgs;
use crate::results::told;
use imminent::models::study::Outcome;
use imminent_console::Failure;
use imminent_console::print::{print_json, print_text};
use imminent_report::folder::Names;
use serde::Serialize;
use std::fmt::Write;

/// Results of trials for people, programs and files.
pub(in crate::run) struct Told<J> {
    /// Results for people, with their table for files.
    pub(in crate::run) outcome: Outcome,
    /// Results for programs.
    pub(in crate::run) object: J,
    pub(in crate::run) run_device: RunDevice,
}

/// Carries trials out, and tells their results. `table` is the name of their table for files.
pub(in crate::run) fn carry_out<J: Serialize>(
    args: &TrialArgs,
    table: &str,
    run: impl FnOnce() -> Result<Told<J>, Failure>,
) -> Result<(), Failure> {
    let tables = ["csv", "parquet"].map(|kind| format!("{table}.{kind}"));
    let written: Vec<&str> =
        ["result.json", "report.html"].into_iter().chain(tables.iter().map(|name| &**name)).collect();
    let folder = args.results.folder(Names { written: &written, kept: &[] })?;
    let Told { mut outcome, object, run_device } = run()?;
    if let Some(folder) = folder {
        let replaced = folder.replace(|draft| {
            save(&outcome, &run_device, draft)?;
            draft.json(&object)
        });
        // What cannot be kept is printed all the same.
        outcome.failures.extend(replaced.err().map(|error| error.to_string()));
    }
    if args.results.json {
        print_json(&object)?
    } else {
        print_text(&text(&outcome))?
    }
    told(outcome.failures)
}

/// Returns the results as text.
fn text(outcome: &Outcome) -> String {
    let mut text = format!("{}\n", outcome.title);
    for (name, value) in &outcome.facts {
        let _ = writeln!(text, "{name}: {value}");
    }
    text += &sections(&outcome.sections);
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    for digest in outcome.digest.split("; ").filter(|digest| !digest.is_empty()) {
        let _ = writeln!(text, "digest {digest}");
    }
    text
}
