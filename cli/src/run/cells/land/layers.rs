//! Layers of a landscape from raster files.

use super::super::fire::LandArgs;
use crate::Failure;
use imminent::models::cell::landscape::{Canopy, Landscape, LandscapeError, Layers};
use imminent::models::maps::file::{self, Format};
use imminent::models::maps::raster::Unit;
use imminent::models::maps::terrain::Terrain;
use imminent::models::maps::{MapError, Raster};
use std::path::{Path, PathBuf};

/// Percent of a slope whose tangent is 1.
const PERCENT: f64 = 100.0;

/// Reads elevation and layers; says what is assumed of them.
pub(super) fn read(land: &LandArgs, assumed: &mut Vec<String>) -> Result<(Raster, Format, Landscape), Failure> {
    let (Some(elevation_file), Some(fuel_file)) = (&land.elevation, &land.fuel) else {
        return Err(Failure::usage("a landscape needs --elevation and --fuel"));
    };
    let format = Format::of(elevation_file).map_err(Failure::usage)?;
    let elevation = file::read(elevation_file).map_err(Failure::usage)?;
    let layer = |file: &PathBuf| -> Result<Raster, MapError> {
        let raster = file::read(file)?;
        elevation.fits(elevation_file, &raster, file)?;
        Ok(raster)
    };
    let layer = |file: &PathBuf| layer(file).map_err(Failure::usage);
    let cell_size = cell_size(elevation_file, &elevation, assumed)?;
    let fuel = fuels(fuel_file, &layer(fuel_file)?)?;
    let (slope, aspect) = match (&land.slope, &land.aspect) {
        (Some(slope), Some(aspect)) => {
            assumed.push(format!("{}: slope in percent", slope.display()));
            (scaled(&layer(slope)?, PERCENT), aspects(&layer(aspect)?))
        }
        _ => {
            assumed.push("slope and aspect from the elevation, by Horn's formula".to_owned());
            let terrain = Terrain::of(&elevation);
            let tangents = terrain.slope.iter().map(|degrees| degrees.to_radians().tan() as f32);
            (tangents.collect(), terrain.aspect.iter().map(|degrees| *degrees as f32).collect())
        }
    };
    let canopy = match (&land.cover, &land.canopy_height, &land.base_height, &land.bulk_density) {
        (Some(cover), Some(height), Some(base), Some(density)) => {
            assumed.push(
                "canopy cover in percent, heights in tenths of a metre, bulk density in hundredths of kg/m3".to_owned(),
            );
            Some(Canopy {
                cover: scaled(&layer(cover)?, 100.0),
                height: scaled(&layer(height)?, 10.0),
                base_height: scaled(&layer(base)?, 10.0),
                bulk_density: scaled(&layer(density)?, 100.0),
            })
        }
        _ => {
            assumed.push("no trees: no shelter from the wind, and no crown fire".to_owned());
            None
        }
    };
    let (rows, columns) = (elevation.rows(), elevation.columns());
    let layers = Layers { rows, columns, cell_size, fuel, slope, aspect, canopy };
    let landscape = Landscape::new(layers).map_err(|error| named(land, fuel_file, error))?;
    Ok((elevation, format, landscape))
}

/// Side of a cell in metres.
pub(in super::super) fn cell_size(file: &Path, elevation: &Raster, assumed: &mut Vec<String>) -> Result<f64, Failure> {
    let place = &elevation.place;
    let metres = place.cell_metres().ok_or_else(|| {
        Failure::usage(format!(
            "{}: is in degrees ({}): project all maps to metres, for instance with `gdalwarp -t_srs EPSG:5070`",
            file.display(),
            place.system.name()
        ))
    })?;
    if !place.is_square() {
        return Err(Failure::usage(format!(
            "{}: cells of {} x {} are not square: resample all maps, for instance with `gdalwarp -tr 30 30`",
            file.display(),
            place.cell_width,
            place.cell_height
        )));
    }
    if place.system.unit() == Unit::Unknown {
        assumed.push(format!("coordinates of {} in metres, which it does not tell", file.display()));
    }
    Ok(metres)
}

/// Numbers of fuel models; 0 where there is no data.
fn fuels(file: &Path, raster: &Raster) -> Result<Vec<u16>, Failure> {
    let number = |(cell, &value): (usize, &f64)| {
        if value.is_nan() {
            return Ok(0);
        }
        if value.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&value) {
            return Ok(value as u16);
        }
        let columns = raster.columns().max(1) as usize;
        Err(Failure::usage(format!(
            "{}: row {}, column {} has fuel model {value}, which is in no table: 1 to 13 and 101 to 204 burn, 91 to 99 and 0 do not",
            file.display(),
            cell / columns,
            cell % columns
        )))
    };
    raster.values().iter().enumerate().map(number).collect()
}

fn scaled(raster: &Raster, divisor: f64) -> Vec<f32> {
    raster.values().iter().map(|value| (value / divisor) as f32).collect()
}

/// Aspects; -1, which means flat, where there is no data.
fn aspects(raster: &Raster) -> Vec<f32> {
    raster.values().iter().map(|value| if value.is_nan() { -1.0 } else { *value as f32 }).collect()
}

/// A fault of a landscape, with the file that has it.
fn named(land: &LandArgs, fuel: &Path, error: LandscapeError) -> Failure {
    let file = match &error {
        LandscapeError::Fuel { .. } => Some(fuel),
        LandscapeError::Value { layer, .. } => match *layer {
            "slope" => land.slope.as_deref().or(land.elevation.as_deref()),
            "aspect" => land.aspect.as_deref().or(land.elevation.as_deref()),
            "canopy cover" => land.cover.as_deref(),
            "canopy height" => land.canopy_height.as_deref(),
            "canopy base height" => land.base_height.as_deref(),
            _ => land.bulk_density.as_deref(),
        },
        _ => land.elevation.as_deref(),
    };
    let remedy = match &error {
        LandscapeError::Value { value, .. } if value.is_nan() => {
            ", and NaN is no data: fill it, or mark the cell as unburnable fuel"
        }
        LandscapeError::Value { .. } => ", in metres, shares of 1, kg/m3 and tangents: check the units of the file",
        _ => "",
    };
    Failure::usage(match file {
        Some(file) => format!("{}: {error}{remedy}", file.display()),
        None => error.to_string(),
    })
}
