//! Reasons why a map cannot be read, compared or written.

use crate::raster::MAX_CELLS;
use imminent_common::free_memory::Bytes;
use imminent_common::input::InputError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A map that cannot be read, compared or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MapError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] InputError),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Message of the operating system.
        error: io::Error,
    },
    /// The name of a file does not end as those of a known format.
    #[error("{}: the name ends neither in .asc nor in .tif: name an ESRI ASCII grid or a GeoTIFF, or give a landscape file (.lcp) by `layers`", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// A word of a text file is not the expected one.
    #[error("{}:{line}: found `{found}`, expected {expected}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The word that was found.
        found: String,
        /// Description of the words that may stand there.
        expected: String,
    },
    /// The header of an ESRI ASCII grid lacks a key.
    #[error("{}: the header has no `{key}`: add a line `{key} NUMBER` at the beginning", file.display())]
    NoKey {
        /// The file.
        file: PathBuf,
        /// The missing key.
        key: &'static str,
    },
    /// A file ends before its last value.
    #[error("{}: ends early: {found} of {expected} are there; copy or download the file again", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Amount that is there, with its unit.
        found: String,
        /// Amount that its header gives, with its unit.
        expected: String,
    },
    /// A file goes on after its last value.
    #[error("{}:{line}: a value more than the {expected} of its header: correct `ncols` or `nrows`", file.display())]
    Surplus {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Number of values, from the header.
        expected: u64,
    },
    /// A raster has more cells than a raster may have.
    #[error(
        "{}: {columns} columns x {rows} rows are more than {MAX_CELLS} cells: cut the part of interest out of it, for instance with \
         `gdal_translate -srcwin`", file.display()
    )]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Number of columns.
        columns: u64,
        /// Number of rows.
        rows: u64,
    },
    /// A raster, or what is made of it, does not fit into memory.
    #[error(
        "{}: needs {} of memory, and {} are available here: cut the part of interest out of it, for instance with \
         `gdal_translate -srcwin`, or give the process more memory", file.display(), Bytes(*needed), Bytes(*free)
    )]
    Memory {
        /// The file.
        file: PathBuf,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are available.
        free: u64,
    },
    /// A raster has no cells.
    #[error("{}: {columns} columns x {rows} rows are no cells: name a raster with at least one", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
        /// Number of columns.
        columns: u64,
        /// Number of rows.
        rows: u64,
    },
    /// The side of a cell is no positive number.
    #[error("{}: a cell size of {size} is no positive number: correct it", file.display())]
    CellSize {
        /// The file.
        file: PathBuf,
        /// Size found, in units of the map.
        size: f64,
    },
    /// A TIFF cannot be decoded.
    #[error("{}: cannot be decoded: {fault}; `gdal_translate -co COMPRESS=DEFLATE` makes a GeoTIFF that can be read", file.display())]
    Tiff {
        /// The file.
        file: PathBuf,
        /// Message of the decoder.
        fault: String,
    },
    /// Metadata that GDAL wrote cannot be used.
    #[error("{}: GDAL's metadata cannot be read: {fault}; `gdal_translate -unscale` writes a file without", file.display())]
    Metadata {
        /// The file.
        file: PathBuf,
        /// Description of the fault.
        fault: String,
    },
    /// A raster has a mask of the cells that have data.
    #[error("{}: has a mask of the cells with data, which is not read: mark the others by a number, with `gdalwarp -dstnodata -9999`", file.display())]
    Mask {
        /// The file.
        file: PathBuf,
    },
    /// A TIFF has several values for each cell.
    #[error("{}: has {bands} bands: pick one, for instance with `gdal_translate -b 1`, or give a landscape in one file by `layers`", file.display())]
    Bands {
        /// The file.
        file: PathBuf,
        /// Number of bands.
        bands: u16,
    },
    /// A file is no landscape file of FARSITE.
    #[error("{}: is no landscape file of FARSITE 4: give a file that FlamMap, FARSITE or `gdal_translate -of LCP` wrote", file.display())]
    NoLandscape {
        /// The file.
        file: PathBuf,
    },
    /// Rows of a raster do not lead from west to east, or columns not from north to south.
    #[error("{}: is rotated or mirrored: make a north-up raster of it with `gdalwarp`", file.display())]
    Rotated {
        /// The file.
        file: PathBuf,
    },
    /// A TIFF has no georeference.
    #[error("{}: has neither GeoTIFF tags nor a world file: put one beside it, named {}", file.display(), world_file.display())]
    NoPlace {
        /// The file.
        file: PathBuf,
        /// The world file that was looked for.
        world_file: PathBuf,
    },
    /// Two rasters do not cover the same cells.
    #[error("{} and {} do not fit together: {difference}; bring both to one grid, for instance with `gdalwarp`", first.display(), second.display())]
    Different {
        /// The first file.
        first: PathBuf,
        /// The second file.
        second: PathBuf,
        /// The difference.
        difference: Difference,
    },
    /// Cells are not square, which an ESRI ASCII grid cannot express.
    #[error("cells of {width} x {height} are not square: write a GeoTIFF instead of an ESRI ASCII grid")]
    NotSquare {
        /// Width of a cell, in units of the map.
        width: f64,
        /// Height of a cell, in units of the map.
        height: f64,
    },
    /// A raster was made of another number of values than it has cells.
    #[error("{values} values for {columns} columns x {rows} rows: give one for each cell")]
    Values {
        /// Number of values.
        values: usize,
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
    },
    /// A file has no shapes that can be used.
    #[error("{}: {fault}: write a GeoJSON FeatureCollection of points, lines or polygons", file.display())]
    Shapes {
        /// The file.
        file: PathBuf,
        /// Description of the fault.
        fault: String,
    },
    /// Coordinates of a file cannot be converted to those of the map.
    #[error(
        "{}: is in {from}, which cannot be projected to {to} here: project it to the coordinates of the map, for instance with `ogr2ogr -t_srs`",
        file.display()
    )]
    Unprojected {
        /// The file.
        file: PathBuf,
        /// Coordinate system of the file.
        from: String,
        /// Coordinate system of the map.
        to: String,
    },
    /// A shape lies outside of the map.
    #[error(
        "{}: {kind} {}, {} is outside of the map: give x from {} to {} and y from {} to {}, in {system}, or longitude and latitude",
        file.display(), point.0, point.1, west_south.0, east_north.0, west_south.1, east_north.1
    )]
    Outside {
        /// The file.
        file: PathBuf,
        /// Kind of the shape.
        kind: &'static str,
        /// First point of the shape, in units of the map.
        point: (f64, f64),
        /// South-western corner of the map.
        west_south: (f64, f64),
        /// North-eastern corner of the map.
        east_north: (f64, f64),
        /// Coordinate system of the map.
        system: String,
    },
    /// An encoder failed.
    #[error("a map cannot be encoded: {0}")]
    Encode(String),
}

/// A difference between two rasters that should cover the same cells.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Difference {
    /// Numbers of columns or rows differ.
    #[error("one has {} columns x {} rows, the other {} x {}", first.0, first.1, second.0, second.1)]
    Size {
        /// Columns and rows of the first.
        first: (u32, u32),
        /// Columns and rows of the second.
        second: (u32, u32),
    },
    /// Sizes of cells differ.
    #[error("one has cells of {} x {}, the other of {} x {}", first.0, first.1, second.0, second.1)]
    CellSize {
        /// Width and height of cells of the first, in units of the map.
        first: (f64, f64),
        /// Width and height of cells of the second, in units of the map.
        second: (f64, f64),
    },
    /// The rasters lie at different places.
    #[error("one begins at {}, {} (north-western corner), the other at {}, {}", first.0, first.1, second.0, second.1)]
    Corner {
        /// North-western corner of the first, in units of the map.
        first: (f64, f64),
        /// North-western corner of the second, in units of the map.
        second: (f64, f64),
    },
    /// Coordinate systems differ.
    #[error("one is in {first}, the other in {second}")]
    System {
        /// Name of the first coordinate system.
        first: String,
        /// Name of the second coordinate system.
        second: String,
    },
}
