//! Landscape and weather of fires, and what was assumed.

use super::super::config::WildfireConfig;
use super::super::grounds::GroundKey;
use super::ignition::{self, Lit};
use super::points;
use super::weather::{self, Scenario};
use crate::file::Format;
use crate::landscape::MappedLandscape;
use crate::picture::{Colour, Map};
use crate::plate::{Plate, Window, middles};
use crate::{MapError, Raster};
use imminent_cell::landscape::Landscape;
use imminent_cell::memory;
use imminent_cell::study::Misfit;
use imminent_common::free_memory::{MemoryError, fits};
use std::path::Path;
use std::sync::Arc;

/// Square metres of a hectare.
const HECTARE: f64 = 10_000.0;

/// Landscape and weather of fires, and what was assumed.
pub(super) struct Scene {
    pub(super) landscape: Arc<Landscape>,
    pub(super) elevation: Raster,
    /// Format of the elevation, in which results are written.
    pub(super) format: Format,
    pub(super) scenarios: Vec<Scenario>,
    pub(super) lit: Lit,
    /// Cells at which the arrival of each fire is told.
    pub(super) points: Vec<(u32, u32)>,
    pub(super) assumed: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Scene {
    pub(super) fn read(config: &WildfireConfig) -> Result<Self, Misfit> {
        let key = GroundKey::of(config)?;
        // What cannot fit on the smallest landscape does not wait for one to be read.
        check_memory(config, 1, 0)?;
        let format = match config.elevation.as_str() {
            "" if config.has_files() => Format::GeoTiff,
            "" => Format::Ascii,
            file => Format::of(Path::new(file))?,
        };
        let MappedLandscape { landscape, elevation, mut assumed, mut warnings } =
            key.landscape().map_err(Misfit::other)?;
        check_memory(config, landscape.cells() as u64, 0)?;
        if config.behaviour.is_none() {
            assumed.extend(key.spread());
        }
        let scenarios = weather::of(config, &mut assumed, &mut warnings)?;
        warnings.extend(weather::of_winds(config, &landscape)?);
        let lit = ignition::lit(config, (&elevation, &landscape), &mut assumed, &mut warnings)?;
        let points = points::read(&config.at, (&elevation, &landscape), &mut assumed, &mut warnings)?;
        check_memory(config, landscape.cells() as u64, points.len() as u64)?;
        match config.fires {
            None if lit.cells.is_empty() && config.behaviour.is_none() => Err(Misfit::other(
                "say where the fire begins: --ignite ROW,COLUMN, --ignite-at X,Y or --ignite-file shapes.geojson; --fires N draws cells at random, and --behaviour HOUR needs none",
            )),
            Some(_) if !lit.cells.is_empty() => {
                Err(Misfit::of("fires", "cells are lit that were given, by one fire: leave this out, or the cells"))
            }
            _ => {
                let landscape = Arc::new(landscape);
                Ok(Scene { landscape, elevation, format, scenarios, lit, points, assumed, warnings })
            }
        }
    }

    pub(super) fn cell_hectares(&self) -> f64 {
        self.landscape.cell_size() * self.landscape.cell_size() / HECTARE
    }

    /// Describes the landscape.
    pub(super) fn described(&self) -> String {
        let landscape = &self.landscape;
        format!(
            "{} rows x {} columns of {} m, {} cells that can burn, in {}",
            landscape.rows(),
            landscape.columns(),
            landscape.cell_size(),
            landscape.burnable(),
            self.elevation.place.system.name()
        )
    }

    /// Returns a raster of values of the landscape's cells.
    pub(super) fn raster(&self, values: Vec<f64>) -> Result<Raster, MapError> {
        self.elevation.with_values(values)
    }

    /// Draws pictures of the part of the landscape in which a raster has data.
    pub(super) fn with_plate(
        &self,
        title: &str,
        shown: &Raster,
        draw: impl FnOnce(&Plate<'_>) -> Result<(), MapError>,
    ) -> Result<(), MapError> {
        let layers = self.landscape.layers();
        let cover = layers.canopy.as_ref().map(|canopy| &canopy.cover);
        let window = Window::around(shown);
        let ground = |cell: usize| {
            let cell = window.cell(cell, layers.columns);
            let fuel = layers.fuel.get(cell).copied().unwrap_or(0);
            let cover = cover.and_then(|cover| cover.get(cell)).copied().unwrap_or(0.0);
            ground(fuel).or((cover > 0.1).then_some(FOREST))
        };
        let map = Map::new(&window.cut(&self.elevation)?, ground);
        let mut keys: Vec<(Colour, String)> = KEYS
            .iter()
            .filter(|(number, _, _)| layers.fuel.contains(number))
            .map(|(_, colour, name)| (*colour, (*name).to_owned()))
            .collect();
        if cover.is_some() {
            keys.push((FOREST, "forest".to_owned()));
        }
        let (left, top) = (f64::from(window.column), f64::from(window.row));
        let points: Vec<_> = middles(&self.lit.points).into_iter().map(|(x, y)| (x - left, y - top)).collect();
        draw(&Plate { title, map: &map, window, points: &points, keys })
    }
}

/// Checks that the weathers and fires that are asked for fit into memory, on a landscape of so many cells and with
/// arrivals at so many points.
fn check_memory(config: &WildfireConfig, cells: u64, points: u64) -> Result<(), MemoryError> {
    if let Some(weathers) = config.weathers {
        fits("--weathers", weathers.into(), |weathers| memory::fires(cells, weathers, 1, 1))?;
    }
    let Some(fires) = config.fires else { return Ok(()) };
    let has_flames = config.flame_probabilities;
    fits("--fires", fires.into(), |fires| {
        memory::fires(cells, 1, fires, 1).saturating_add(memory::details(cells, fires, points, 1, has_flames))
    })
}

const FOREST: Colour = [204, 218, 190];

/// Ground that does not burn: numbers, colours, names.
const KEYS: [(u16, Colour, &str); 5] = [
    (91, [196, 188, 186], "built-up"),
    (92, [250, 252, 255], "snow, ice"),
    (93, [232, 222, 176], "agriculture"),
    (98, [142, 186, 214], "water"),
    (99, [214, 204, 190], "bare ground"),
];

fn ground(fuel: u16) -> Option<Colour> {
    KEYS.iter().find(|(number, _, _)| *number == fuel).map(|(_, colour, _)| *colour)
}
