//! An outcome for people, as text.

use super::run_device::RunDevice;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Listing, Section};
use indicatif::HumanCount;
use std::fmt::Write;

pub(super) fn text(outcome: &Outcome, run_device: &RunDevice) -> String {
    let mut text = format!("{}\n", outcome.title);
    let why = run_device.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let _ = writeln!(text, "device: {}{why}", run_device.device);
    for (name, value) in &outcome.facts {
        let _ = writeln!(text, "{name}: {value}");
    }
    if let Some(partial) = &outcome.partial {
        let _ = writeln!(text, "partial: {partial}");
    }
    text += &sections(&outcome.sections);
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let _ = writeln!(text, "{}\ndigest {}", run_device.said(outcome), outcome.digest);
    text
}

/// Returns the sections that a terminal shows.
pub(in crate::run) fn sections(sections: &[Section]) -> String {
    let mut text = String::new();
    sections.iter().for_each(|section| write(&mut text, section));
    text
}

fn write(text: &mut String, section: &Section) {
    let _ = match &section.content {
        Content::Table { columns, rows } | Content::Excerpt { columns, rows } => {
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
        Content::Listing(listing) if listing.printed > 0 => writeln!(text, "{}", listed(listing)),
        // Drawings are for reports.
        _ => Ok(()),
    };
}

/// Returns the rows and columns of a listing that a terminal shows.
fn listed(listing: &Listing) -> Table {
    let (headings, rows) = listing.shown(|count| HumanCount(count).to_string());
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(headings).add_rows(rows);
    table
}
