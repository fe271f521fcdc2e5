//! Points at which the arrival of fires is told.

use crate::{Raster, shapes};
use imminent_cell::landscape::Landscape;
use imminent_cell::study::Misfit;

/// Returns the cells of the points of a file, and adds the assumptions and warnings about them.
pub(super) fn read(
    file: &str,
    (elevation, landscape): (&Raster, &Landscape),
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<(u32, u32)>, Misfit> {
    if file.is_empty() {
        return Ok(vec![]);
    }
    let placed = shapes::read(file.as_ref())?.place(elevation)?;
    if !placed.areas.is_empty() {
        return Err(Misfit::of(
            "at",
            format!("{file}: has lines or polygons, which fire reaches at many times: give points"),
        ));
    }
    assumed.extend(placed.projected);
    let burns =
        |&(row, column): &(u32, u32)| landscape.cell(row, column).is_some_and(|at| landscape.site(at).is_some());
    let never = placed.points.iter().filter(|point| !burns(point)).count();
    if never > 0 {
        warnings.push(format!("{file}: {never} points lie in cells that cannot burn, which no fire reaches"));
    }
    Ok(placed.points)
}
