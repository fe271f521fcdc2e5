//! An outcome for people, as text.

use super::place::Place;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Section};
use imminent_console::clock;
use indicatif::HumanCount;
use std::fmt::Write;

pub(super) fn text(outcome: &Outcome, place: &Place) -> String {
    let mut text = format!("{}\n", outcome.title);
    let why = place.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let _ = writeln!(text, "device: {}{why}", place.device);
    for (name, value) in &outcome.facts {
        let _ = writeln!(text, "{name}: {value}");
    }
    if let Some(partial) = &outcome.partial {
        let _ = writeln!(text, "partial: {partial}");
    }
    outcome.sections.iter().for_each(|section| write(&mut text, section));
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let total = clock::elapsed().as_secs_f64();
    let _ = writeln!(text, "{}; {total:.3} s from the start of the process\ndigest {}", outcome.speed, outcome.digest);
    text
}

fn write(text: &mut String, section: &Section) {
    let _ = match &section.content {
        Content::Table { columns, rows } => {
            let mut table = Table::new();
            let unnamed = columns.first().is_some_and(String::is_empty);
            let first = if unnamed { Some(&section.heading) } else { None };
            let headings = first.into_iter().chain(columns.iter().skip(usize::from(unnamed)));
            table.load_style(UTF8_FULL_CONDENSED).set_header(headings).add_rows(rows);
            writeln!(text, "{table}")
        }
        Content::Counts(counts) => {
            let counts: Vec<_> = counts.iter().map(|(name, count)| format!("{} {name}", HumanCount(*count))).collect();
            writeln!(text, "{}: {}", section.heading.to_lowercase(), counts.join(", "))
        }
        Content::Text(sentences) => writeln!(text, "{sentences}"),
        // Drawings are for reports.
        _ => Ok(()),
    };
}
