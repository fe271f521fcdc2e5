//! Numbers of cells of a cell space.

use super::error::{Built, Problem};
use super::parse::{self, Names};
use super::sections::{Entry, Section, needed};
use super::source::{Sources, text_of};

fn cells(sources: &Sources, entry: &Entry) -> Built<u32> {
    text_of(sources, &entry.value).parse().map_err(|_| {
        Problem::new(entry.value.clone(), format!("`{}` has to be a number of cells", entry.key), "no whole number")
    })
}

/// Returns the numbers of cells of a cell space along its dimensions.
pub(super) fn dimensions(sources: &Sources, section: &Section) -> Built<Vec<u32>> {
    let Some(entry) = section.first("dim") else {
        // A plane: rows first.
        let (height, width) = (needed(section, "height")?, needed(section, "width")?);
        return Ok(vec![cells(sources, height)?, cells(sources, width)?]);
    };
    let names = Names::of_positions(1);
    let mut found = parse::positions(sources.text(), &entry.value, &names)?.into_iter();
    let position = found.next().map(|(position, _)| position);
    let position = position.filter(|position| position.iter().all(|&cells| cells > 0));
    let wrong = || Problem::new(entry.value.clone(), "`dim` has to be numbers of cells", "expected `(rows,columns)`");
    Ok(position.ok_or_else(wrong)?.into_iter().map(|cells| cells as u32).collect())
}
