//! Landscapes for fires, from raster files in the units of LANDFIRE, or from the bands of one file.
//!
//! Aspects and winds count from true north. The angle between it and the north of the grid follows from the projection.

mod build;
mod error;
mod north;
mod sources;
mod stack;
mod units;

pub use build::{Choices, MappedLandscape};
pub use error::LayerError;
pub use north::cell_size;
pub use units::SlopeUnit;

use crate::{MapError, file};
use build::of_sources;
use sources::{Source, Sources};
use std::path::{Path, PathBuf};

/// Files of the layers of a landscape. All have one grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerFiles {
    /// Elevation in metres.
    pub elevation: PathBuf,
    /// Numbers of fuel models: 1 to 13, 101 to 204 and custom ones burn, 90 to 99 and cells without data do not.
    pub fuel: PathBuf,
    /// Slope and its aspect in degrees clockwise from true north; by Horn's formula from the elevation if `None`.
    pub slope_and_aspect: Option<[PathBuf; 2]>,
    /// Trees; none if `None`.
    pub canopy: Option<CanopyFiles>,
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

/// Reads the layers of a landscape, each from a file of its own.
///
/// # Errors
/// [`LayerError`].
pub fn read(files: &LayerFiles, choices: Choices) -> Result<MappedLandscape, LayerError> {
    let source = |file: &PathBuf| -> Result<Source, MapError> {
        Ok(Source { name: file.clone(), raster: file::read(file)?, unit: None })
    };
    let all = |files: &[&PathBuf]| files.iter().map(|file| source(file)).collect::<Result<Vec<_>, _>>();
    let slope_and_aspect = match &files.slope_and_aspect {
        Some([slope, aspect]) => all(&[slope, aspect])?.try_into().ok(),
        None => None,
    };
    let canopy = match &files.canopy {
        Some(CanopyFiles { cover, height, base_height, bulk_density }) => {
            all(&[cover, height, base_height, bulk_density])?.try_into().ok()
        }
        None => None,
    };
    let (elevation, fuel) = (source(&files.elevation)?, source(&files.fuel)?);
    of_sources(Sources { elevation, fuel, slope_and_aspect, canopy }, choices, Vec::new())
}

/// Reads the layers of a landscape as the bands of one file: a GeoTIFF with several bands, or a landscape file of
/// FARSITE (`.lcp`).
///
/// Bands are found by their names, in words or in the abbreviations of LANDFIRE. Without names they are taken in the
/// order of landscape files. Units are those that the file tells, or else those of LANDFIRE, with slopes in degrees.
///
/// # Errors
/// [`LayerError`].
pub fn read_bands(file: &Path, choices: Choices) -> Result<MappedLandscape, LayerError> {
    let mut assumed = Vec::new();
    let sources = stack::sources(file, &mut assumed)?;
    // Slopes of landscape files are in degrees, unless they are too large for that.
    let is_steep = |[slope, _]: &[Source; 2]| slope.raster.values().iter().any(|value| *value > 90.0);
    let guess =
        if sources.slope_and_aspect.as_ref().is_some_and(is_steep) { SlopeUnit::Percent } else { SlopeUnit::Degrees };
    let told = sources.slope_and_aspect.as_ref().and_then(|[slope, _]| slope.told_slope());
    let slope = if choices.slope == SlopeUnit::Auto { told.unwrap_or(guess) } else { choices.slope };
    of_sources(sources, Choices { slope, ..choices }, assumed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Raster, raster};
    use imminent_cell::landscape::Declination;

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
        let files =
            LayerFiles { elevation: place("e.asc"), fuel: place("f.asc"), slope_and_aspect: None, canopy: None };
        let read = |declination| read(&files, Choices { declination, ..Choices::default() });
        let found = read(None).unwrap();
        let turn = found.landscape.declination().at(0.5, 0.5);
        // The cone's constant of EPSG:5070 is 0.602903; the place is at 72.6 W.
        assert!((turn - 0.602_903 * (96.0 - 72.6)).abs() < 0.2, "{turn}");
        // Uphill is the grid's north, whose true azimuth is the declination.
        let [north, east] = found.landscape.site(5).unwrap().uphill;
        assert!((east.atan2(north).to_degrees() - turn).abs() < 1e-3);
        assert!(
            found.warnings.is_empty() && found.assumed.iter().any(|line| line.contains("clockwise from true north"))
        );
        let given = read(Some(-3.0)).unwrap();
        assert_eq!(given.landscape.declination(), &Declination::of(-3.0));
        assert!(read(Some(f64::NAN)).unwrap_err().to_string().contains("grid declination of NaN"));
        for file in ["e.prj", "f.prj"] {
            std::fs::remove_file(place(file)).unwrap();
        }
        let unknown = read(None).unwrap();
        assert_eq!(unknown.landscape.declination(), &Declination::default());
        assert!(unknown.warnings[0].contains("does not tell where true north is"), "{:?}", unknown.warnings);
    }
}
