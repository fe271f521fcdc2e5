//! An outcome for people, as a page.

use super::place::Place;
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Section};
use imminent_report::page::{self, escape};
use indicatif::HumanCount;

pub(super) fn page(outcome: &Outcome, place: &Place) -> String {
    let mut page = page::begin(&outcome.title);
    if let Some(answer) = &outcome.answer {
        page::answer(&mut page, answer);
    }
    if let Some(partial) = &outcome.partial {
        page.push_str(&page::warning(&format!("partial: {partial}")));
    }
    outcome.warnings.iter().for_each(|warning| page.push_str(&page::warning(warning)));
    let why = place.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let mut facts = vec![("device", format!("{}{why}", place.device))];
    facts.extend(outcome.facts.iter().map(|(name, value)| (name.as_str(), value.clone())));
    facts.push(("speed", outcome.speed.clone()));
    facts.push(("digest", outcome.digest.clone()));
    page::summary(&mut page, &facts);
    outcome.sections.iter().for_each(|section| write(&mut page, section));
    for note in &outcome.notes {
        page += &format!("<p>{}</p>\n", escape(note));
    }
    page.push_str("</body></html>\n");
    page
}

fn write(page: &mut String, section: &Section) {
    *page += &format!("<h2>{}</h2>\n", escape(&section.heading));
    match &section.content {
        Content::Table { columns, rows } => {
            let cells = |cells: &[String], tag: &str| -> String {
                let cell = |(column, cell): (usize, &String)| {
                    let class = if column == 0 { " class=\"text\"" } else { "" };
                    format!("<{tag}{class}>{}</{tag}>", escape(cell))
                };
                cells.iter().enumerate().map(cell).collect()
            };
            *page += &format!("<table><thead><tr>{}</tr></thead><tbody>", cells(columns, "th"));
            for row in rows {
                *page += &format!("<tr>{}</tr>", cells(row, "td"));
            }
            page.push_str("</tbody></table>\n");
        }
        Content::Counts(counts) => {
            let counts: Vec<_> =
                counts.iter().map(|(name, count)| (name.as_str(), HumanCount(*count).to_string())).collect();
            page::summary(page, &counts);
        }
        Content::Drawing(svg) => page.push_str(svg),
        Content::Text(sentences) => *page += &format!("<p>{}</p>\n", escape(sentences)),
        _ => {}
    }
}
