//! Landscapes of a study, kept from point to point.

use super::config::{AUTO, FILES, WildfireConfig};
use super::fuel_models;
use super::moistures::{self, FuelMoistures};
use super::winds::WindFiles;
use crate::landscape::{CanopyFiles, Choices, LayerFiles, MappedLandscape, read, read_bands};
use crate::shapes::{self, Barriers};
use crate::{Georeference, Raster};
use imminent_cell::landscape::{BurnableCells, Corners, Directions, Landscape, synthetic};
use imminent_cell::rothermel::{FuelModels, LengthToWidth};
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Landscapes that are kept at once.
const KEPT: usize = 8;

/// Names of files that make no landscape.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroundError {
    /// A file is there without another one that it needs.
    #[error("`{given}` needs `{missing}`: name that file too, or leave both out")]
    Missing {
        /// Parameter that is given.
        given: &'static str,
        /// Parameter that is not.
        missing: &'static str,
    },
    /// The direction of the grid's north is no number.
    #[error(
        "`grid_declination` is \"{given}\": give degrees from -180 to 180 in quotes, or \"auto\" to take them from the projection of the elevation"
    )]
    Declination {
        /// Text that is given.
        given: String,
    },
}

/// Distinguishes landscapes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroundKey {
    source: Source,
    choices: Choices,
    rules: Rules,
    /// File with custom fuel models.
    fuel_models: Option<PathBuf>,
    /// File with moistures of fuel models.
    moistures: Option<PathBuf>,
    /// File with barriers.
    barriers: Option<PathBuf>,
    /// Files with winds by the hour.
    winds: Option<WindFiles>,
}

/// Rules by which fire spreads on a landscape.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rules {
    corners: Corners,
    directions: Directions,
    length_to_width: LengthToWidth,
}

/// Origin of a landscape.
#[derive(Debug, Clone, PartialEq)]
enum Source {
    /// Rows, columns and seed.
    Synthetic(u32, u32, u64),
    /// Names of files, in the order of [`FILES`].
    Files([Option<PathBuf>; FILES.len()]),
    /// Name of a file with all layers.
    Bands(PathBuf),
}

impl GroundKey {
    pub(super) fn of(config: &WildfireConfig) -> Result<Self, GroundError> {
        let c = config;
        let rules = Rules { corners: c.corners, directions: c.directions, length_to_width: c.length_to_width };
        let file = |name: &String| Some(name).filter(|name| !name.is_empty()).map(PathBuf::from);
        let (fuel_models, moistures, barriers) = (file(&c.fuel_models), file(&c.fuel_moistures), file(&c.barriers));
        let [elevation, fuel, slope, aspect] = [&c.elevation, &c.fuel, &c.slope, &c.aspect];
        let names = [elevation, fuel, slope, aspect, &c.cover, &c.canopy_height, &c.base_height, &c.bulk_density];
        let files = names.map(file);
        let declination = match c.grid_declination.as_str() {
            AUTO => None,
            text => {
                let degrees = text.parse().ok().filter(|degrees| (-180.0..=180.0).contains(degrees));
                Some(degrees.ok_or_else(|| GroundError::Declination { given: text.to_owned() })?)
            }
        };
        let choices = Choices { declination, slope: c.slope_units, ..Choices::default() };
        let (speeds, directions) = ("wind_speeds", "wind_directions");
        match (c.wind_grids.is_empty(), c.wind_speeds.is_empty(), c.wind_directions.is_empty()) {
            (true, false, true) => return Err(GroundError::Missing { given: speeds, missing: directions }),
            (true, true, false) => return Err(GroundError::Missing { given: directions, missing: speeds }),
            _ => {}
        }
        let winds = WindFiles::of(c);
        let key = |source| GroundKey { source, choices, rules, fuel_models, moistures, barriers, winds };
        if !c.layers.is_empty() {
            return Ok(key(Source::Bands(PathBuf::from(&c.layers))));
        }
        if files.iter().all(Option::is_none) {
            if declination.is_some() {
                return Err(GroundError::Missing { given: "grid_declination", missing: "elevation" });
            }
            return Ok(key(Source::Synthetic(c.rows, c.columns, c.landscape)));
        }
        let needs = |from: usize, to: usize| match (files.get(from), files.get(to)) {
            (Some(Some(_)), Some(None)) => Err(GroundError::Missing { given: FILES[from], missing: FILES[to] }),
            _ => Ok(()),
        };
        for place in 1..FILES.len() {
            needs(place, 0)?;
        }
        for (from, to) in [(0, 1), (2, 3), (3, 2), (4, 5), (5, 6), (6, 7), (7, 4)] {
            needs(from, to)?;
        }
        Ok(key(Source::Files(files)))
    }
}

impl GroundKey {
    /// Reads or makes the landscape.
    pub(super) fn landscape(&self) -> Result<MappedLandscape, Fault> {
        let (fuels, told) = self.fuels()?;
        let choices = Choices { fuels, ..self.choices.clone() };
        let mut mapped = match &self.source {
            Source::Synthetic(rows, columns, seed) => {
                let landscape = synthetic(*rows, *columns, *seed)?;
                let side = landscape.cell_size();
                let place = Georeference::square(0.0, f64::from(*rows) * side, side);
                let elevation = Raster::new(*columns, *rows, vec![0.0; landscape.cells()], place)?;
                let assumed = vec![format!("a synthetic landscape of seed {seed}")];
                MappedLandscape { landscape, elevation, assumed, warnings: vec![] }
            }
            Source::Files(files) => read(&layers(files.clone()), choices)?,
            Source::Bands(file) => read_bands(file, choices)?,
        };
        mapped.assumed.extend(told);
        let Rules { corners, directions, length_to_width } = self.rules;
        let landscape = mapped.landscape.with_corners(corners).with_directions(directions);
        mapped.landscape = landscape.with_length_to_width(length_to_width);
        if let Some(file) = &self.moistures {
            let FuelMoistures { by_fuel, unknown } = moistures::read(file, mapped.landscape.fuel_models())?;
            let left_out =
                if unknown > 0 { format!("; {unknown} models in no table are left out") } else { String::new() };
            let (name, models) = (file.display(), by_fuel.len());
            mapped
                .assumed
                .push(format!("{name}: {models} fuel models have its moistures in place of the weather's{left_out}"));
            mapped.landscape = mapped.landscape.with_fuel_moistures(by_fuel)?;
        }
        if let Some(file) = &self.barriers {
            let Barriers { cells, left_out, projected } = shapes::read(file)?.barriers(&mapped.elevation)?;
            let (name, count) = (file.display(), cells.len());
            let outside = if left_out > 0 {
                format!("; {left_out} shapes outside of the map are left out")
            } else {
                String::new()
            };
            mapped.assumed.extend(projected);
            mapped.assumed.push(format!("{name}: {count} cells are barriers, which never burn{outside}"));
            mapped.landscape = mapped.landscape.with_barriers(&cells)?;
        }
        if let Some(files) = &self.winds {
            let (winds, told) = files.read(&mapped, self.name())?;
            mapped.assumed.push(told);
            mapped.landscape = mapped.landscape.with_winds(winds)?;
        }
        Ok(mapped)
    }

    /// Returns the file that has the place of the landscape, or words for one that has none.
    fn name(&self) -> &Path {
        match &self.source {
            Source::Synthetic(..) => Path::new("the synthetic landscape"),
            Source::Files([elevation, ..]) => elevation.as_deref().unwrap_or(Path::new("the elevation")),
            Source::Bands(file) => file,
        }
    }

    /// Reads the fuel models that cells may have, and says which are custom.
    fn fuels(&self) -> Result<(FuelModels, Option<String>), Fault> {
        let Some(file) = &self.fuel_models else { return Ok((FuelModels::default(), None)) };
        let (fuels, numbers) = fuel_models::read(file)?;
        let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
        Ok((fuels, Some(format!("{}: custom fuel models {}", file.display(), numbers.join(", ")))))
    }

    /// Returns the assumptions about how fire spreads from cell to cell, as sentences.
    pub(super) fn spread(&self) -> [String; 2] {
        let told = match self.rules.directions {
            Directions::Adaptive => "fire spreads along straight segments in all directions",
            Directions::Eight => "fire spreads to eight neighbours, so its shape depends on the direction of the grid",
        };
        let formula = match self.rules.length_to_width {
            LengthToWidth::FireLib => "fireLib",
            LengthToWidth::BehavePlus => "BehavePlus",
            LengthToWidth::Farsite => "FARSITE",
        };
        [told.to_owned(), format!("ratio of length to width of a fire by {formula}'s formula")]
    }
}

fn layers(files: [Option<PathBuf>; FILES.len()]) -> LayerFiles {
    let [elevation, fuel, slope, aspect, cover, height, base_height, bulk_density] = files;
    let canopy = match (cover, height, base_height, bulk_density) {
        (Some(cover), Some(height), Some(base_height), Some(bulk_density)) => {
            Some(CanopyFiles { cover, height, base_height, bulk_density })
        }
        _ => None,
    };
    let slope_and_aspect = slope.zip(aspect).map(|(slope, aspect)| [slope, aspect]);
    let (elevation, fuel) = (elevation.unwrap_or_default(), fuel.unwrap_or_default());
    LayerFiles { elevation, fuel, slope_and_aspect, canopy }
}

/// A landscape on which fires burn.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) landscape: Arc<Landscape>,
    pub(super) burnable: BurnableCells,
}

/// Landscapes that were read or made last.
#[derive(Debug, Default)]
pub(super) struct Grounds {
    kept: Vec<(GroundKey, Arc<Ground>)>,
}

impl Grounds {
    /// Returns a landscape, which is read or made unless it is kept.
    pub(super) fn at(&mut self, key: &GroundKey) -> Result<Arc<Ground>, Fault> {
        if let Some((_, ground)) = self.kept.iter().find(|(kept, _)| kept == key) {
            return Ok(Arc::clone(ground));
        }
        let landscape = key.landscape()?.landscape;
        let burnable = BurnableCells::of(&landscape);
        let ground = Arc::new(Ground { landscape: Arc::new(landscape), burnable });
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push((key.clone(), Arc::clone(&ground)));
        Ok(ground)
    }
}
