//! Grids of an outcome as files: rasters, pictures, films, lines of equal time.

use crate::results::ResultsArgs;
use imminent::models::study::Outcome;
use imminent::models::study::experiment::Experiments;
use imminent_console::Failure;

/// Refuses a folder of results with files that this program cannot write.
pub(super) fn check(experiments: &dyn Experiments, results: &ResultsArgs) -> Result<(), Failure> {
    #[cfg(not(feature = "maps"))]
    if results.named().is_some() && !experiments.files().is_empty() {
        return Err(Failure::usage(crate::absent::Absent::Maps { what: "--out" }));
    }
    let _ = (experiments, results);
    Ok(())
}

/// Adds the files of the grids of an outcome. Pictures are drawn if asked for.
pub(super) fn draw(outcome: &mut Outcome, with_pictures: bool) -> Result<(), Failure> {
    #[cfg(feature = "maps")]
    for section in &outcome.sections {
        if let imminent::models::study::outcome::Content::Grid(grid) = &section.content {
            let files = imminent::models::maps::plate::of_grid(&section.heading, grid, with_pictures);
            outcome.files.append(&mut files.map_err(Failure::run)?);
        }
    }
    let _ = (outcome, with_pictures);
    Ok(())
}
