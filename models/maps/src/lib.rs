//! Maps for models over terrain: rasters from files, pictures and isochrones of results.
//!
//! | module | contents |
//! | --- | --- |
//! | [`raster`] | values over a grid of cells, with place, coordinate system and no-data value |
//! | [`mod@file`] | ESRI ASCII grids and GeoTIFF, with `.prj` and `.tfw` files |
//! | [`terrain`] | slope, aspect and hill shading of an elevation raster |
//! | [`landscape`] | layers of a landscape for fires, in the units of LANDFIRE |
//! | [`picture`] | pictures and animations with legend, scale bar and lines, as PNG |
//! | [`plate`] | rasters, pictures and films of results, as files |
//! | [`isochrones`] | lines of equal time, as GeoJSON |
//! | [`perimeter`] | polygons of cells, with holes, as GeoJSON |
//! | [`shapes`] | points, lines and polygons from a GeoJSON file, and the cells that they cover |
//!
//! ```
//! use imminent_maps::file::{self, Format};
//! use imminent_maps::terrain::{Terrain, percent};
//!
//! let text = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 100\ncellsize 10\nNODATA_value -9999\n0 1 2\n0 1 2\n";
//! let elevation = file::decode("ramp.asc".as_ref(), text.as_bytes())?;
//! // A metre of height in ten of distance, downhill to the west.
//! let terrain = Terrain::of(&elevation);
//! assert_eq!((percent(terrain.slope[0]).round(), terrain.aspect[0]), (10.0, 270.0));
//! let tiff = file::encode(&elevation, Format::GeoTiff)?;
//! assert_eq!(file::decode("ramp.tif".as_ref(), &tiff)?.values(), elevation.values());
//! # Ok::<(), imminent_maps::MapError>(())
//! ```
//!
//! Everything here is computed on the host, one thread, in the same order: the same input gives the same bytes.

mod error;
#[cfg(test)]
mod error_texts;
mod features;
pub mod file;
pub mod flooding;
pub mod isochrones;
pub mod landscape;
pub mod perimeter;
pub mod picture;
pub mod plate;
pub mod raster;
pub mod shapes;
pub mod study;
pub mod terrain;

pub use error::{Difference, MapError};
pub use raster::{Georeference, Raster, Sample, System};
