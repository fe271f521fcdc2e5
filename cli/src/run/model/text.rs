//! An outcome for people, as text.

use super::run_device::RunDevice;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::sheet::{Value, heading};
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Listing, Section};
use imminent_report::digits::or_dash;
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
    let shown = |place: &usize| listing.columns.get(*place).is_some_and(|(.., is_printed)| *is_printed);
    let places: Vec<usize> = (0..listing.columns.len()).filter(shown).collect();
    let name = |place: &usize| listing.columns.get(*place).map_or("", |(name, ..)| name.as_str());
    let names = places.iter().skip(1).map(|place| heading(name(place)));
    let cell = |row: &[Value], place: usize| match row.get(place) {
        Some(Value::Count(count)) => HumanCount(*count).to_string(),
        Some(Value::Number(number)) => or_dash(*number),
        Some(Value::Text(text)) => text.clone(),
        None => String::new(),
    };
    let rows = listing.rows.iter().take(listing.printed);
    let rows = rows.map(|row| places.iter().map(|place| cell(row, *place)).collect::<Vec<_>>());
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header([listing.head.clone()].into_iter().chain(names)).add_rows(rows);
    table
}
