//! A landscape from its layers.

use super::error::LayerError;
use super::north;
use super::sources::{Source, Sources};
use super::units::{self, SlopeUnit};
use crate::Raster;
use crate::terrain::Terrain;
use imminent_cell::landscape::{Canopy, Landscape, Layers};
use imminent_cell::rothermel::FuelModels;
use std::path::Path;

/// Choices about layers that files may not tell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    /// Degrees clockwise from true north to the north of the grid, computed from the elevation's projection if `None`.
    pub declination: Option<f64>,
    /// Unit of the slope.
    pub slope: SlopeUnit,
    /// Fuel models that cells may have.
    pub fuels: FuelModels,
}

/// A landscape from files.
#[derive(Debug, Clone)]
pub struct MappedLandscape {
    /// The landscape itself.
    pub landscape: Landscape,
    /// Raster of the elevation, which has the georeference.
    pub elevation: Raster,
    /// Assumptions about values that the files lack, as sentences.
    pub assumed: Vec<String>,
    /// Reasons why results may be wrong, as sentences.
    pub warnings: Vec<String>,
}

/// Makes a landscape of its layers.
pub(super) fn of_sources(
    mut sources: Sources,
    choices: Choices,
    mut assumed: Vec<String>,
) -> Result<MappedLandscape, LayerError> {
    let mut warnings = Vec::new();
    let scaled_by = sources.check()?;
    let height = sources.elevation.factor(units::metres, 1.0, "metres")?;
    if height != 1.0 {
        let raster = &sources.elevation.raster;
        sources.elevation.raster = raster.with_values(raster.values().iter().map(|value| value * height).collect())?;
    }
    let Sources { elevation: Source { name: file, raster: elevation, .. }, fuel, slope_and_aspect, canopy } = &sources;
    let declination = north::declination(choices.declination, (file, elevation), &mut assumed, &mut warnings)?;
    let cell_size = north::cell_size(file, elevation, &mut assumed)?;
    let fuels = fuels(&fuel.name, &fuel.raster)?;
    let (slope, aspect) = match slope_and_aspect {
        Some([slope, aspect]) => {
            let told = slope.told_slope().unwrap_or(SlopeUnit::Percent);
            let unit = if choices.slope == SlopeUnit::Auto { told } else { choices.slope };
            assumed.push(format!("{}: slope in {}", slope.name.display(), unit.name()));
            let tangents = slope.raster.values().iter().map(|value| unit.tangent(*value));
            (tangents.collect(), aspect.aspects()?)
        }
        None => {
            assumed.push("slope and aspect from the elevation, by Horn's formula".to_owned());
            let terrain = Terrain::of(elevation);
            let tangents = terrain.slope.iter().map(|degrees| degrees.to_radians().tan() as f32);
            (tangents.collect(), north::from_true_north(&terrain.aspect, elevation, &declination))
        }
    };
    let trees = canopy.as_ref().map(|canopy| canopy_of(canopy, &mut assumed)).transpose()?;
    if trees.is_none() {
        assumed.push("no trees: no shelter from the wind, and no crown fire".to_owned());
    }
    let (rows, columns) = (elevation.rows(), elevation.columns());
    let layers = Layers { rows, columns, cell_size, fuel: fuels, slope, aspect, canopy: trees };
    let landscape = Landscape::with_fuel_models(layers, choices.fuels)
        .map_err(|error| LayerError::Landscape { file: sources.at_fault(&error), error })?;
    let landscape = landscape.with_declination(declination);
    assumed.extend(scaled_by);
    Ok(MappedLandscape { landscape, elevation: elevation.clone(), assumed, warnings })
}

/// Converts the layers of trees, and says in which units they are if the files do not.
fn canopy_of(layers: &[Source; 4], assumed: &mut Vec<String>) -> Result<Canopy, LayerError> {
    let [cover, height, base_height, bulk_density] = layers;
    if layers.iter().any(|layer| layer.unit.is_none()) {
        let units = "canopy cover in percent, heights in tenths of a metre, bulk density in hundredths of kg/m3";
        assumed.push(units.to_owned());
    }
    let of_height =
        |layer: &Source| Ok::<_, LayerError>(layer.scaled(layer.factor(units::metres, 0.1, "metres or feet")?));
    Ok(Canopy {
        cover: cover.scaled(cover.factor(units::share, 0.01, "percent")?),
        height: of_height(height)?,
        base_height: of_height(base_height)?,
        bulk_density: bulk_density.scaled(bulk_density.factor(units::density, 0.01, "kg/m3 or lb/ft3")?),
    })
}

/// Returns the numbers of fuel models; 0 where there is no data.
fn fuels(file: &Path, raster: &Raster) -> Result<Vec<u16>, LayerError> {
    let number = |(cell, &value): (usize, &f64)| {
        if value.is_nan() {
            return Ok(0);
        }
        if value.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&value) {
            return Ok(value as u16);
        }
        let columns = raster.columns().max(1) as usize;
        Err(LayerError::Fuel { file: file.to_owned(), row: cell / columns, column: cell % columns, value })
    };
    raster.values().iter().enumerate().map(number).collect()
}
