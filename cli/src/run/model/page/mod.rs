//! An outcome for people, as a page.

use super::run_device::RunDevice;
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, GridView, Listing, Section};
use imminent_report::page::{self, escape, sortable};
use imminent_report::plot::{PlotError, density, line};
use indicatif::HumanCount;

pub(super) fn page(outcome: &Outcome, run_device: &RunDevice) -> Result<String, PlotError> {
    let mut page = page::begin(&outcome.title);
    if let Some(answer) = &outcome.answer {
        page::answer(&mut page, answer);
    }
    if let Some(partial) = &outcome.partial {
        page.push_str(&page::warning(&format!("partial: {partial}")));
    }
    outcome.failures.iter().chain(&outcome.warnings).for_each(|warning| page.push_str(&page::warning(warning)));
    let why = run_device.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let mut facts = vec![("device", format!("{}{why}", run_device.device))];
    facts.extend(outcome.facts.iter().map(|(name, value)| (name.as_str(), value.clone())));
    facts.push(("speed", run_device.said(outcome).replace('\n', "; ")));
    facts.push(("digest", outcome.digest.clone()));
    page::summary(&mut page, &facts);
    // Contents under one heading stand together, and maps side by side.
    let is_map = |section: &&Section| matches!(section.content, Content::Map { .. });
    // Excerpts are for terminals, and pictures may be left out.
    let has = |name: &str| outcome.files.iter().any(|file| file.name == name);
    let is_shown = |section: &&Section| match &section.content {
        Content::Excerpt { .. } => false,
        Content::Picture { file, .. } => has(file),
        Content::Grid(grid) => has(&format!("{}.png", grid.name)),
        _ => true,
    };
    let shown: Vec<&Section> = outcome.sections.iter().filter(is_shown).collect();
    for alike in shown.chunk_by(|a, b| a.heading == b.heading) {
        alike.iter().take(1).for_each(|first| page += &format!("<h2>{}</h2>\n", escape(&first.heading)));
        for same in alike.chunk_by(|a, b| is_map(a) == is_map(b)) {
            let are_maps = same.first().is_some_and(is_map);
            page.push_str(if are_maps { "<div class=\"maps\">" } else { "" });
            same.iter().try_for_each(|section| write(&mut page, section, outcome))?;
            page.push_str(if are_maps { "</div>\n" } else { "" });
        }
    }
    for note in &outcome.notes {
        page += &format!("<p>{}</p>\n", escape(note));
    }
    page.push_str(&sortable::end());
    Ok(page)
}

fn write(page: &mut String, section: &Section, outcome: &Outcome) -> Result<(), PlotError> {
    let picture = |name: &str, caption: &str| {
        let file = outcome.files.iter().find(|file| file.name == name);
        file.map_or_else(String::new, |file| page::picture(&file.bytes, caption))
    };
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
        Content::Text(sentences) | Content::Remark(sentences) => *page += &format!("<p>{}</p>\n", escape(sentences)),
        Content::Picture { file, caption } => page.push_str(&picture(file, caption)),
        Content::Grid(grid) => {
            page.push_str(&picture(&format!("{}.png", grid.name), &grid.caption));
            if let GridView::Arrival { .. } = grid.view {
                let caption = "The same as a film; cells that were just reached are bright.";
                page.push_str(&picture(&format!("{}.apng", grid.name), caption));
            }
        }
        Content::Sheet(name) => {
            if let Some(sheet) = outcome.tables.iter().find(|table| table.name() == *name) {
                let listing = Listing::of_report(&**sheet);
                page.push_str(&sortable::table(&listing, listing.all));
            }
        }
        Content::Listing(listing) => page.push_str(&sortable::table(listing, listing.all)),
        Content::Plot(plot) => page.push_str(&page::plot(plot)?),
        Content::Columns { values, label, caption } => page.push_str(&page::columns(values, label, caption)?),
        Content::Curve { points, labels: [x, y], caption } => {
            *page += &format!("<figure>{}<figcaption>{}</figcaption></figure>\n", line(points, x, y)?, escape(caption));
        }
        Content::Density { portions, unit, caption } => {
            let (plot, beyond) = density(portions, unit)?.unwrap_or_default();
            let caption = format!("{caption} {:.2} % are beyond the axis.", 100.0 * beyond);
            *page += &format!("<figure>{plot}<figcaption>{}</figcaption></figure>\n", escape(&caption));
        }
        Content::Map { map, name } => page.push_str(&page::node_map(map, name)),
        Content::LinkMap(map) => page.push_str(&page::link_map(map)),
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests;
