//! Layers of a landscape from the files of options.

use super::super::fire::LandArgs;
use imminent::models::maps::file::Format;
use imminent::models::maps::landscape::{self, CanopyFiles, LayerError, LayerFiles, MappedLandscape};
use imminent_console::Failure;

/// Reads elevation and layers, and the format of the elevation.
pub(super) fn read(land: &LandArgs) -> Result<(MappedLandscape, Format), Failure> {
    let (Some(elevation), Some(fuel)) = (&land.elevation, &land.fuel) else {
        return Err(Failure::usage("a landscape needs two maps: name both, by --elevation and --fuel"));
    };
    let format = Format::of(elevation).map_err(Failure::usage)?;
    let slope_and_aspect = land.slope.clone().zip(land.aspect.clone()).map(|(slope, aspect)| [slope, aspect]);
    let trees = (&land.cover, &land.canopy_height, &land.base_height, &land.bulk_density);
    let canopy = match trees {
        (Some(cover), Some(height), Some(base_height), Some(bulk_density)) => Some(CanopyFiles {
            cover: cover.clone(),
            height: height.clone(),
            base_height: base_height.clone(),
            bulk_density: bulk_density.clone(),
        }),
        _ => None,
    };
    let declination = land.grid_declination;
    let files = LayerFiles { elevation: elevation.clone(), fuel: fuel.clone(), slope_and_aspect, canopy, declination };
    let mut found = landscape::read(&files).map_err(|error| match error {
        LayerError::Declination { .. } => Failure::option("--grid-declination", error),
        _ => Failure::usage(error),
    })?;
    found.landscape = found.landscape.with_corners(land.corners);
    Ok((found, format))
}
