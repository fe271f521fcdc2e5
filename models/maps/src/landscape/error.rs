//! Reasons why files make no landscape.

use crate::MapError;
use imminent_cell::landscape::LandscapeError;
use std::path::PathBuf;
use thiserror::Error;

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
    /// A file with several bands lacks one.
    #[error("{}: has no band of {layer}: name its bands by the words or abbreviations of LANDFIRE, or give the layers as files of their own", file.display())]
    NoBand {
        /// The file.
        file: PathBuf,
        /// Layer that is missing.
        layer: &'static str,
    },
    /// Two bands have the name of one layer.
    #[error("{}: bands {} and {} are both {layer} by their names: leave one out, for instance with `gdal_translate -b`", file.display(), bands[0], bands[1])]
    Twice {
        /// The file.
        file: PathBuf,
        /// The layer.
        layer: &'static str,
        /// Numbers of the bands, from 1.
        bands: [usize; 2],
    },
    /// Bands without names have no known order.
    #[error(
        "{}: has {bands} bands without names of layers: give 4, 5, 8 or 10 in the order of landscape files (elevation, slope, aspect, fuel, \
         canopy cover, height, base height, bulk density, duff, coarse wood), or name them",
        file.display()
    )]
    Bands {
        /// The file.
        file: PathBuf,
        /// Number of bands.
        bands: usize,
    },
    /// A layer has a unit that cannot be converted.
    #[error("{}: is in `{unit}`, which is not read: convert it to {expected}", file.display())]
    Unit {
        /// The file, with the band.
        file: PathBuf,
        /// Name of the unit.
        unit: String,
        /// Units that are read.
        expected: &'static str,
    },
    /// A value is no number of a fuel model.
    #[error(
        "{}: row {row}, column {column} has fuel model {value}, which is no number of one: fuel models have whole numbers from 1 to 256",
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
        LandscapeError::Fuel { .. } => ", by `--fuel-models custom.fmd`",
        LandscapeError::Value { .. } => ", in metres, shares of 1, kg/m3 and tangents: check the units of the file",
        _ => "",
    }
}
