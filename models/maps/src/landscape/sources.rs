//! Layers with the names of their files and the units that these tell.

use super::error::LayerError;
use super::units::{self, SlopeUnit};
use crate::{MapError, Raster, file};
use imminent_cell::landscape::LandscapeError;
use imminent_cell::memory;
use std::path::PathBuf;

/// A layer with the unit that its file tells.
pub(super) struct Source {
    /// Name of the file, and band, for errors.
    pub(super) name: PathBuf,
    pub(super) raster: Raster,
    pub(super) unit: Option<String>,
}

/// Layers of a landscape.
pub(super) struct Sources {
    pub(super) elevation: Source,
    pub(super) fuel: Source,
    pub(super) slope_and_aspect: Option<[Source; 2]>,
    /// Cover, height, base height and bulk density.
    pub(super) canopy: Option<[Source; 4]>,
}

impl Source {
    /// Returns the unit of a slope that the file or its name tells.
    pub(super) fn told_slope(&self) -> Option<SlopeUnit> {
        let name = self.name.file_name().unwrap_or_default().to_string_lossy();
        self.unit.as_deref().and_then(SlopeUnit::named).or_else(|| SlopeUnit::named(&name))
    }

    /// Returns the factor of the unit that the file tells, or else `default`.
    pub(super) fn factor(
        &self,
        of: fn(&str) -> Option<f64>,
        default: f64,
        expected: &'static str,
    ) -> Result<f64, LayerError> {
        let Some(unit) = &self.unit else { return Ok(default) };
        let fault = || LayerError::Unit { file: self.name.clone(), unit: unit.clone(), expected };
        of(unit).ok_or_else(fault)
    }

    pub(super) fn scaled(&self, factor: f64) -> Vec<f32> {
        // Quotients by whole numbers are exact more often than products by their inverses.
        let divisor = 1.0 / factor;
        let rounded = divisor.round();
        let divisor = if (divisor - rounded).abs() < 1e-9 * divisor { rounded } else { divisor };
        self.raster.values().iter().map(|value| (value / divisor) as f32).collect()
    }

    /// Returns the aspects in degrees clockwise from north; -1, which means flat, where there is no data.
    pub(super) fn aspects(&self) -> Result<Vec<f32>, LayerError> {
        let unit = self.unit.as_deref().unwrap_or("degrees");
        let fault =
            || LayerError::Unit { file: self.name.clone(), unit: unit.to_owned(), expected: "azimuths in degrees" };
        let (begin, factor) = units::azimuth(unit).ok_or_else(fault)?;
        let azimuth = |value: &f64| {
            if value.is_nan() {
                -1.0
            } else if factor == 1.0 {
                *value as f32
            } else {
                // GRASS has 0 where it is flat.
                if *value <= 0.0 { -1.0 } else { (begin + factor * value).rem_euclid(360.0) as f32 }
            }
        };
        Ok(self.raster.values().iter().map(azimuth).collect())
    }
}

impl Sources {
    fn all(&self) -> impl Iterator<Item = &Source> {
        let (pair, trees) = (self.slope_and_aspect.iter().flatten(), self.canopy.iter().flatten());
        [&self.elevation, &self.fuel].into_iter().chain(pair).chain(trees)
    }

    /// Checks that all layers have one grid and fit into memory. Returns sentences about numbers that were scaled.
    pub(super) fn check(&self) -> Result<Vec<String>, MapError> {
        let Source { name: file, raster: elevation, .. } = &self.elevation;
        for layer in self.all() {
            elevation.fits(file, &layer.raster, &layer.name)?;
        }
        file::room(file, memory::landscape(elevation.values().len() as u64))?;
        let scaled = |layer: &Source| {
            let (scale, offset) = layer.raster.scaling?;
            Some(format!("{}: numbers times {scale} plus {offset}, as the file tells", layer.name.display()))
        };
        Ok(self.all().filter_map(scaled).collect())
    }

    /// Returns the file of the layer that a fault is in.
    pub(super) fn at_fault(&self, error: &LandscapeError) -> PathBuf {
        let terrain = |place: usize| self.slope_and_aspect.as_ref().and_then(|pair| pair.get(place));
        let trees = |place: usize| self.canopy.as_ref().and_then(|layers| layers.get(place));
        let layer = match error {
            LandscapeError::Fuel { .. } => Some(&self.fuel),
            LandscapeError::Value { layer, .. } => match *layer {
                "slope" => terrain(0),
                "aspect" => terrain(1),
                "canopy cover" => trees(0),
                "canopy height" => trees(1),
                "canopy base height" => trees(2),
                _ => trees(3),
            },
            _ => None,
        };
        layer.unwrap_or(&self.elevation).name.clone()
    }
}
