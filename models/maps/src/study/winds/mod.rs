//! Winds over a landscape by the hour, from rasters of their speed and direction.

mod atmosphere;

use super::config::WildfireConfig;
use super::wind::{self, WindNorth};
use crate::landscape::MappedLandscape;
use crate::{MapError, Raster, file};
use atmosphere::{Atmosphere, HourlyFiles};
use imminent_cell::landscape::{HourlyWind, Winds, WindsError};
use imminent_cell::memory;
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};

/// Files of winds by the hour.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WindFiles {
    source: Source,
    north: WindNorth,
}

#[derive(Debug, Clone, PartialEq)]
enum Source {
    /// Rasters with a band for each hour, or one raster for each.
    Rasters {
        speeds: Vec<PathBuf>,
        directions: Vec<PathBuf>,
        /// Hours from one band to the next.
        step: f64,
        /// Metres a second at 20 ft for each unit of a speed.
        factor: f64,
    },
    /// Atmosphere file of FARSITE, and the start of fires, if it is given.
    Atmosphere { file: PathBuf, start: String },
}

impl WindFiles {
    /// Returns the files that a configuration names; `None` if the weather has the wind. Rasters of speed and direction
    /// are both there, or none.
    pub(super) fn of(config: &WildfireConfig) -> Option<Self> {
        let c = config;
        let paths = |names: &[String]| names.iter().map(PathBuf::from).collect();
        let source = if !c.wind_grids.is_empty() {
            Source::Atmosphere { file: PathBuf::from(&c.wind_grids), start: c.start.clone() }
        } else if c.has_winds() {
            let (speeds, directions) = (paths(&c.wind_speeds), paths(&c.wind_directions));
            let factor = wind::factor(c.wind_units, c.wind_height);
            Source::Rasters { speeds, directions, step: c.wind_step, factor }
        } else {
            return None;
        };
        Some(WindFiles { source, north: c.wind_north })
    }

    /// Reads the winds of a landscape, whose file has a name, and says what they are.
    pub(super) fn read(&self, mapped: &MappedLandscape, ground: &Path) -> Result<(Winds, String), Fault> {
        let over = |factor, hourly| self.over((mapped, ground), factor, hourly);
        match &self.source {
            Source::Rasters { speeds, directions, step, factor } => {
                let (speeds, directions) = (bands(speeds)?, bands(directions)?);
                if speeds.len() != directions.len() {
                    return Err(format!(
                        "`wind_speeds` has {} rasters, and `wind_directions` {}: give both for the same hours",
                        speeds.len(),
                        directions.len()
                    )
                    .into());
                }
                let hours = (0..).map(|band| f64::from(band) * step);
                let pairs = speeds.into_iter().zip(directions).zip(hours);
                over(*factor, &mut pairs.map(|((speed, from), hour)| Ok((hour, speed, from))))
            }
            Source::Atmosphere { file, start } => {
                let atmosphere = Atmosphere::read(file, start)?;
                let factor = atmosphere.factor();
                let rasters = |hour: HourlyFiles| Ok((hour.hour, Band::only(&hour.speed)?, Band::only(&hour.from)?));
                over(factor, &mut atmosphere.hours.into_iter().map(rasters))
            }
        }
    }

    /// Puts rasters of speed and direction over a landscape, hour by hour.
    fn over(
        &self,
        (mapped, ground): (&MappedLandscape, &Path),
        factor: f64,
        hourly: &mut dyn Iterator<Item = Result<(f64, Band, Band), Fault>>,
    ) -> Result<(Winds, String), Fault> {
        let mut grid: Option<(Band, Winds)> = None;
        for hour in hourly {
            let (hour, speed, from) = hour?;
            let (first, winds) = match grid.take() {
                Some(before) => before,
                None => (
                    Band { name: speed.name.clone(), raster: speed.raster.clone() },
                    prepared((mapped, ground), &speed)?,
                ),
            };
            for band in [&speed, &from] {
                first.raster.fits(&first.name, &band.raster, &band.name)?;
            }
            let named = |error: WindsError| Fault::from(format!("{}: {error}", speed.name.display()));
            file::room(&speed.name, memory::winds(speed.raster.values().len() as u64))?;
            let speeds = speed.raster.values().iter().map(|speed| speed * factor).collect();
            let from = self.directions(mapped, &from.raster);
            let winds = winds.with_hour(HourlyWind { hour, speed: speeds, from }).map_err(named)?;
            grid = Some((first, winds));
        }
        let (first, winds) = grid.ok_or("there are no winds: give rasters of at least one hour")?;
        let [begin, end] = [winds.hours().next(), winds.hours().next_back()].map(Option::unwrap_or_default);
        let (raster, north) =
            (&first.raster, if self.north == WindNorth::True { "true north" } else { "the grid's north" });
        let told = format!(
            "winds of {} rows x {} columns by the hour from {}, of hours {begin} to {end}, in place of those of the weather; directions count from {north}",
            raster.rows(),
            raster.columns(),
            first.name.display()
        );
        Ok((winds, told))
    }

    /// Returns directions that count from true north.
    fn directions(&self, mapped: &MappedLandscape, raster: &Raster) -> Vec<f64> {
        if self.north == WindNorth::True {
            return raster.values().to_vec();
        }
        let (elevation, declination) = (&mapped.elevation, mapped.landscape.declination());
        let columns = raster.columns().max(1) as usize;
        let turned = |(cell, from): (usize, &f64)| {
            let (row, column) = ((cell / columns) as f64 + 0.5, (cell % columns) as f64 + 0.5);
            let (x, y) = raster.place.point(column, row);
            let share = |along: f64, cells: u32| (along / f64::from(cells)).clamp(0.0, 1.0);
            let down = share((elevation.place.north - y) / elevation.place.cell_height, elevation.rows());
            let right = share((x - elevation.place.west) / elevation.place.cell_width, elevation.columns());
            (from + declination.at(down, right)).rem_euclid(360.0)
        };
        raster.values().iter().enumerate().map(turned).collect()
    }
}

/// A raster with the name of its file and the number of its band.
struct Band {
    name: PathBuf,
    raster: Raster,
}

impl Band {
    /// Reads the only band of a file.
    fn only(file: &Path) -> Result<Self, MapError> {
        Ok(Band { name: file.to_owned(), raster: file::read(file)? })
    }
}

/// Reads all bands of some files, of one quantity in the order of their hours.
fn bands(files: &[PathBuf]) -> Result<Vec<Band>, MapError> {
    let mut bands = Vec::new();
    for file in files {
        let of_file = file::read_bands(file)?;
        let is_one = of_file.len() == 1;
        bands.extend(of_file.into_iter().enumerate().map(|(number, band)| Band {
            name: if is_one { file.clone() } else { format!("{}, band {}", file.display(), number + 1).into() },
            raster: band.raster,
        }));
    }
    Ok(bands)
}

/// Finds the cell of a raster in which the middle of each cell of a landscape lies.
fn prepared((mapped, ground): (&MappedLandscape, &Path), band: &Band) -> Result<Winds, Fault> {
    let (elevation, raster) = (&mapped.elevation, &band.raster);
    elevation.shares_system(ground, raster, &band.name)?;
    let columns = raster.columns();
    let cell = |row: u32, column: u32| {
        let (x, y) = elevation.place.point(f64::from(column) + 0.5, f64::from(row) + 0.5);
        raster.cell_at(x, y).map(|(row, column)| row * columns + column)
    };
    let cells: Vec<Option<u32>> = (0..elevation.rows())
        .flat_map(|row| (0..elevation.columns()).map(move |column| (row, column)))
        .map(|(row, column)| cell(row, column))
        .collect();
    mapped
        .landscape
        .winds_of(raster.values().len() as u32, &cells)
        .map_err(|error| format!("{}: {error}", band.name.display()).into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::grounds::GroundKey;
    use super::*;
    use imminent_cell::landscape::{Potential, Weather};
    use imminent_cell::rothermel::Moisture;
    use std::fs;
    use tiff::encoder::{TiffEncoder, colortype::RGB32Float};

    /// Writes a TIFF with three bands of 2 rows and 3 columns of 60 m, each of one value.
    fn three(folder: &Path, name: &str, values: [f32; 3]) -> String {
        let file = folder.join(name);
        let mut encoder = TiffEncoder::new(fs::File::create(&file).unwrap()).unwrap();
        encoder.write_image::<RGB32Float>(3, 2, &values.repeat(6)).unwrap();
        // Bands of numbers are not colours: the photometric interpretation (262) is 1, as GDAL has it.
        let mut bytes = fs::read(&file).unwrap();
        let colours = [6, 1, 3, 0, 1, 0, 0, 0, 2, 0];
        let at = bytes.windows(10).position(|entry| entry == colours).unwrap();
        bytes[at + 8] = 1;
        fs::write(&file, bytes).unwrap();
        // Size and middle of the north-western cell.
        fs::write(file.with_extension("tfw"), "60\n0\n0\n-60\n530\n890\n").unwrap();
        file.to_str().unwrap().to_owned()
    }

    /// A plane of 4 rows and 6 columns of 30 m.
    fn config(folder: &Path) -> WildfireConfig {
        let header = "ncols 6\nnrows 4\nxllcorner 500\nyllcorner 800\ncellsize 30\n";
        let layer = |name: &str, value: u32| {
            let file = folder.join(name);
            fs::write(&file, header.to_owned() + &format!("{value} ").repeat(24)).unwrap();
            file.to_str().unwrap().to_owned()
        };
        let (elevation, fuel) = (layer("e.asc", 100), layer("f.asc", 1));
        WildfireConfig { elevation, fuel, grid_declination: "0".to_owned(), ..WildfireConfig::default() }
    }

    #[test]
    fn bands_of_a_file_are_hours() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let winds = WildfireConfig {
            wind_speeds: vec![three(folder, "ws.tif", [2.0, 6.0, 4.0])],
            wind_directions: vec![three(folder, "wd.tif", [90.0, 180.0, 200.0])],
            wind_step: 0.5,
            ..config(folder)
        };
        let mapped = GroundKey::of(&winds).unwrap().landscape().unwrap();
        let landscape = &mapped.landscape;
        assert_eq!(landscape.winds().unwrap().hours().collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        let told = mapped.assumed.iter().find(|told| told.contains("winds of 2 rows x 3 columns")).unwrap();
        assert!(told.contains("ws.tif, band 1, of hours 0 to 1"), "{told}");
        let moisture = Moisture([0.06, 0.07, 0.08, 0.6, 0.9]);
        let weather = |wind, from| [Weather { hour: 0.0, wind, from, moisture, foliar_moisture: 1.0 }];
        let plain = GroundKey::of(&config(folder)).unwrap().landscape().unwrap().landscape;
        for (hour, wind, from) in [(0.0, 2.0, 90.0), (0.5, 6.0, 180.0), (7.0, 4.0, 200.0)] {
            let found = Potential::new(landscape, &weather(9.0, 9.0), hour).unwrap();
            assert_eq!(found, Potential::new(&plain, &weather(wind, from), 0.0).unwrap(), "hour {hour}");
        }
        let two = WildfireConfig { wind_directions: vec![three(folder, "wd.tif", [0.0; 3]); 2], ..winds };
        let error = GroundKey::of(&two).unwrap().landscape().unwrap_err().to_string();
        assert!(error.contains("`wind_speeds` has 3 rasters, and `wind_directions` 6"), "{error}");
    }

    #[test]
    fn directions_from_the_north_of_the_grid_are_turned() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let winds = |north, from| WildfireConfig {
            wind_speeds: vec![three(folder, "ws.tif", [5.0; 3])],
            wind_directions: vec![three(folder, &format!("{from}.tif"), [from; 3])],
            wind_north: north,
            grid_declination: "-12".to_owned(),
            ..config(folder)
        };
        let landscape = |config| GroundKey::of(&config).unwrap().landscape().unwrap().landscape;
        let grid = landscape(winds(WindNorth::Grid, 5.0));
        assert_eq!(grid.winds(), landscape(winds(WindNorth::True, 353.0)).winds());
    }
}
