//! Landscapes for fires, from raster files in the units of LANDFIRE.
//!
//! Aspects and winds count from true north. The angle between it and the north of the grid follows from the projection.

use crate::file;
use crate::raster::{Raster, Unit};
use crate::terrain::Terrain;
use crate::{MapError, raster};
use imminent_cell::landscape::{Canopy, Declination, Landscape, LandscapeError, Layers};
use imminent_cell::memory;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Percent of a slope whose tangent is 1, and of a fraction of 1.
const PERCENT: f64 = 100.0;

/// Tenths of a metre in a metre.
const DECIMETRES: f64 = 10.0;

/// Files of the layers of a landscape. All have one grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerFiles {
    /// Elevation in metres.
    pub elevation: PathBuf,
    /// Numbers of fuel models: 1 to 13 and 101 to 204 burn, 91 to 99 and cells without data do not.
    pub fuel: PathBuf,
    /// Slope in percent and its aspect in degrees clockwise from true north, computed by Horn's formula from the
    /// elevation if `None`.
    pub slope_and_aspect: Option<[PathBuf; 2]>,
    /// Trees; none if `None`.
    pub canopy: Option<CanopyFiles>,
    /// Degrees clockwise from true north to the north of the grid, computed from the elevation's projection if `None`.
    pub declination: Option<f64>,
}

/// Files of the trees of a landscape.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CanopyFiles {
    /// Cover in percent.
    pub cover: PathBuf,
    /// Height of the trees in tenths of a metre.
    pub height: PathBuf,
    /// Height at which the crowns begin, in tenths of a metre.
    pub base_height: PathBuf,
    /// Bulk density of the crowns in hundredths of kg/m3.
    pub bulk_density: PathBuf,
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

/// Reasons why files make no landscape.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LayerError {
    /// A file cannot be read, or has another grid than the elevation.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A map has coordinates in degrees.
    #[error("{}: is in degrees ({system}): project all maps to metres, for instance with `gdalwarp -t_srs EPSG:5070`", file.display())]
    Degrees {
        /// The file.
        file: PathBuf,
        /// Coordinate system of the file.
        system: String,
    },
    /// An angle between two norths is none.
    #[error(
        "a grid declination of {degrees} degrees: give -180 to 180, clockwise from true north to the north of the grid"
    )]
    Declination {
        /// Degrees asked for.
        degrees: f64,
    },
    /// Cells of a map are not square.
    #[error("{}: cells of {width} x {height} are not square: resample all maps, for instance with `gdalwarp -tr 30 30`", file.display())]
    NotSquare {
        /// The file.
        file: PathBuf,
        /// Width of a cell, in units of the map.
        width: f64,
        /// Height of a cell, in units of the map.
        height: f64,
    },
    /// A value is no number of a fuel model.
    #[error(
        "{}: row {row}, column {column} has fuel model {value}, which is in no table: 1 to 13 and 101 to 204 burn, 91 to 99 and 0 do not",
        file.display()
    )]
    Fuel {
        /// The file.
        file: PathBuf,
        /// Row of the cell.
        row: usize,
        /// Column of the cell.
        column: usize,
        /// Value of the cell.
        value: f64,
    },
    /// A value of a layer is none that a landscape can have.
    #[error("{}: {error}{}", file.display(), remedy(error))]
    Landscape {
        /// The file of the layer.
        file: PathBuf,
        /// The fault of the landscape.
        error: LandscapeError,
    },
}

fn remedy(error: &LandscapeError) -> &'static str {
    match error {
        LandscapeError::Value { value, .. } if value.is_nan() => {
            ", and NaN is no data: fill it, or mark the cell as unburnable fuel"
        }
        LandscapeError::Value { .. } => ", in metres, shares of 1, kg/m3 and tangents: check the units of the file",
        _ => "",
    }
}

/// Reads the layers of a landscape.
///
/// # Errors
/// [`LayerError`].
pub fn read(files: &LayerFiles) -> Result<MappedLandscape, LayerError> {
    let (mut assumed, mut warnings) = (Vec::new(), Vec::new());
    let elevation = file::read(&files.elevation)?;
    let scaled_by = RefCell::new(Vec::new());
    let note = |file: &Path, raster: &Raster| {
        if let Some((scale, offset)) = raster.scaling {
            let sentence = format!("{}: numbers times {scale} plus {offset}, as the file tells", file.display());
            scaled_by.borrow_mut().push(sentence);
        }
    };
    note(&files.elevation, &elevation);
    let layer = |file: &PathBuf| -> Result<Raster, MapError> {
        let raster = file::read(file)?;
        elevation.fits(&files.elevation, &raster, file)?;
        note(file, &raster);
        Ok(raster)
    };
    file::room(&files.elevation, memory::landscape(elevation.values().len() as u64))?;
    let declination = declination(files, &elevation, &mut assumed, &mut warnings)?;
    let cell_size = cell_size(&files.elevation, &elevation, &mut assumed)?;
    let fuel = fuels(&files.fuel, &layer(&files.fuel)?)?;
    let (slope, aspect) = match &files.slope_and_aspect {
        Some([slope, aspect]) => {
            assumed.push(format!("{}: slope in percent", slope.display()));
            (scaled(&layer(slope)?, PERCENT), aspects(&layer(aspect)?))
        }
        None => {
            assumed.push("slope and aspect from the elevation, by Horn's formula".to_owned());
            let terrain = Terrain::of(&elevation);
            let tangents = terrain.slope.iter().map(|degrees| degrees.to_radians().tan() as f32);
            (tangents.collect(), from_true_north(&terrain.aspect, &elevation, &declination))
        }
    };
    let canopy = match &files.canopy {
        Some(files) => {
            assumed.push(
                "canopy cover in percent, heights in tenths of a metre, bulk density in hundredths of kg/m3".to_owned(),
            );
            Some(Canopy {
                cover: scaled(&layer(&files.cover)?, PERCENT),
                height: scaled(&layer(&files.height)?, DECIMETRES),
                base_height: scaled(&layer(&files.base_height)?, DECIMETRES),
                bulk_density: scaled(&layer(&files.bulk_density)?, PERCENT),
            })
        }
        None => {
            assumed.push("no trees: no shelter from the wind, and no crown fire".to_owned());
            None
        }
    };
    let (rows, columns) = (elevation.rows(), elevation.columns());
    let layers = Layers { rows, columns, cell_size, fuel, slope, aspect, canopy };
    let landscape =
        Landscape::new(layers).map_err(|error| LayerError::Landscape { file: at_fault(files, &error), error })?;
    let landscape = landscape.with_declination(declination);
    assumed.append(&mut scaled_by.into_inner());
    Ok(MappedLandscape { landscape, elevation, assumed, warnings })
}

/// Returns the declination that is given, or else that of the projection, and says which.
fn declination(
    files: &LayerFiles,
    elevation: &Raster,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Declination, LayerError> {
    let system = elevation.place.system.name();
    if let Some(degrees) = files.declination {
        if !(-180.0..=180.0).contains(&degrees) {
            return Err(LayerError::Declination { degrees });
        }
        assumed.push(format!("the north of the grid is {degrees} degrees clockwise from true north, as given"));
        return Ok(Declination::of(degrees));
    }
    let Some(found) = elevation.place.declination(elevation.columns(), elevation.rows()) else {
        warnings.push(format!(
            "{}: {system} does not tell where true north is: aspects and winds count from the north of the grid; give the grid declination",
            files.elevation.display()
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
fn from_true_north(aspects: &[f64], elevation: &Raster, declination: &Declination) -> Vec<f32> {
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
    let raster::Georeference { cell_width: width, cell_height: height, .. } = elevation.place;
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

fn scaled(raster: &Raster, divisor: f64) -> Vec<f32> {
    raster.values().iter().map(|value| (value / divisor) as f32).collect()
}

/// Returns the aspects; -1, which means flat, where there is no data.
fn aspects(raster: &Raster) -> Vec<f32> {
    raster.values().iter().map(|value| if value.is_nan() { -1.0 } else { *value as f32 }).collect()
}

/// Returns the file of the layer that a fault is in.
fn at_fault(files: &LayerFiles, error: &LandscapeError) -> PathBuf {
    let canopy = files.canopy.as_ref();
    let [slope, aspect] = [0, 1].map(|place| files.slope_and_aspect.as_ref().and_then(|pair| pair.get(place)));
    let file = match error {
        LandscapeError::Fuel { .. } => Some(&files.fuel),
        LandscapeError::Value { layer, .. } => match *layer {
            "slope" => slope,
            "aspect" => aspect,
            "canopy cover" => canopy.map(|canopy| &canopy.cover),
            "canopy height" => canopy.map(|canopy| &canopy.height),
            "canopy base height" => canopy.map(|canopy| &canopy.base_height),
            _ => canopy.map(|canopy| &canopy.bulk_density),
        },
        _ => None,
    };
    file.unwrap_or(&files.elevation).clone()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A plane that rises by a metre in ten to the grid's north, at Vermont's place in EPSG:5070.
    #[test]
    fn aspects_from_the_elevation_count_from_true_north() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let write = |name: &str, value: fn(u32) -> f64, system: &str| {
            let place = raster::Georeference {
                system: raster::System::Text(system.to_owned()),
                ..raster::Georeference::square(1_833_825.0, 2_617_605.0, 30.0)
            };
            let raster = Raster::new(4, 4, (0..16).map(value).collect(), place).unwrap();
            file::write(&raster, &folder.path().join(name)).unwrap();
        };
        let albers = r#"PROJCS["Albers",GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Albers_Conic_Equal_Area"],PARAMETER["standard_parallel_1",29.5],PARAMETER["standard_parallel_2",45.5],PARAMETER["latitude_of_center",23],PARAMETER["longitude_of_center",-96],UNIT["metre",1],AUTHORITY["EPSG","5070"]]"#;
        write("e.asc", |cell| 3.0 * f64::from(4 - cell / 4), albers);
        write("f.asc", |_| 1.0, albers);
        let files = |declination| LayerFiles {
            elevation: place("e.asc"),
            fuel: place("f.asc"),
            slope_and_aspect: None,
            canopy: None,
            declination,
        };
        let found = read(&files(None)).unwrap();
        let turn = found.landscape.declination().at(0.5, 0.5);
        // The cone's constant of EPSG:5070 is 0.602903; the place is at 72.6 W.
        assert!((turn - 0.602_903 * (96.0 - 72.6)).abs() < 0.2, "{turn}");
        // Uphill is the grid's north, whose true azimuth is the declination.
        let [north, east] = found.landscape.site(5).unwrap().uphill;
        assert!((east.atan2(north).to_degrees() - turn).abs() < 1e-3);
        assert!(
            found.warnings.is_empty() && found.assumed.iter().any(|line| line.contains("clockwise from true north"))
        );
        let given = read(&files(Some(-3.0))).unwrap();
        assert_eq!(given.landscape.declination(), &Declination::of(-3.0));
        assert!(read(&files(Some(f64::NAN))).unwrap_err().to_string().contains("grid declination of NaN"));
        for file in ["e.prj", "f.prj"] {
            std::fs::remove_file(place(file)).unwrap();
        }
        let unknown = read(&files(None)).unwrap();
        assert_eq!(unknown.landscape.declination(), &Declination::default());
        assert!(unknown.warnings[0].contains("does not tell where true north is"), "{:?}", unknown.warnings);
    }
}
