//! Place of a landscape in the world: its declination, and the side of its cells.

use super::error::LayerError;
use crate::Georeference;
use crate::raster::{Raster, Unit};
use imminent_cell::landscape::Declination;
use std::path::Path;

/// Returns the declination that is given, or else that of the projection, and says which.
pub(super) fn declination(
    given: Option<f64>,
    (file, elevation): (&Path, &Raster),
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Declination, LayerError> {
    let system = elevation.place.system.name();
    if let Some(degrees) = given {
        if !(-180.0..=180.0).contains(&degrees) {
            return Err(LayerError::Declination { degrees });
        }
        assumed.push(format!("the north of the grid is {degrees} degrees clockwise from true north, as given"));
        return Ok(Declination::of(degrees));
    }
    let Some(found) = elevation.place.declination(elevation.columns(), elevation.rows()) else {
        warnings.push(format!(
            "{}: {system} does not tell where true north is: aspects and winds count from the north of the grid; give the grid declination",
            file.display()
        ));
        return Ok(Declination::default());
    };
    let corners = [found.north, found.south].concat();
    let (least, most) = corners.iter().fold((f64::MAX, f64::MIN), |(least, most), &at| (at.min(least), at.max(most)));
    assumed.push(format!(
        "the north of the grid is {least:.2} to {most:.2} degrees clockwise from true north, by the projection {system}: aspects and winds count from true north"
    ));
    Ok(found)
}

/// Turns aspects, which count from the north of the grid, to true north.
pub(super) fn from_true_north(aspects: &[f64], elevation: &Raster, declination: &Declination) -> Vec<f32> {
    let (rows, columns) = (f64::from(elevation.rows()), elevation.columns().max(1) as usize);
    let turned = |(cell, aspect): (usize, &f64)| {
        let (row, column) = ((cell / columns) as f64, (cell % columns) as f64);
        let by = declination.at((row + 0.5) / rows, (column + 0.5) / columns as f64);
        if by == 0.0 { *aspect as f32 } else { (aspect + by).rem_euclid(360.0) as f32 }
    };
    aspects.iter().enumerate().map(turned).collect()
}

/// Returns the side of a cell in metres.
///
/// # Errors
/// [`LayerError::Degrees`], [`LayerError::NotSquare`].
pub fn cell_size(file: &Path, elevation: &Raster, assumed: &mut Vec<String>) -> Result<f64, LayerError> {
    let Georeference { cell_width: width, cell_height: height, .. } = elevation.place;
    let place = &elevation.place;
    let file = || file.to_owned();
    let Some(metres) = place.cell_metres() else {
        return Err(LayerError::Degrees { file: file(), system: place.system.name().to_owned() });
    };
    if !place.is_square() {
        return Err(LayerError::NotSquare { file: file(), width, height });
    }
    if place.system.unit() == Unit::Unknown {
        assumed.push(format!("coordinates of {} in metres, which it does not tell", file().display()));
    }
    Ok(metres)
}
