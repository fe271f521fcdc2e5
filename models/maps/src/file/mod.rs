//! Rasters from files and to files: ESRI ASCII grids and GeoTIFF, and several bands from GeoTIFF and landscape files.
//!
//! The format follows from the ending of the name. An ASCII grid takes its coordinate system from a `.prj` file beside
//! it, and a TIFF without GeoTIFF tags its place from a world file (`.tfw`). Scale, offset and no-data value are taken
//! from GDAL's tag or `.aux.xml` file; a mask of cells, in the file or beside it (`.msk`), is refused. The size in a
//! header is compared with that of the file before memory is allocated.

mod ascii;
mod band;
mod given;
mod lcp;
mod metadata;
mod size;
mod tiff_read;
mod tiff_write;
mod world;

pub use band::Band;
pub use given::{give, take_back};
pub use size::room;
pub use world::WorldFile;

use crate::raster::System;
use crate::{MapError, Raster};
use imminent_common::{file, input};
use metadata::Metadata;
use std::fs;
use std::path::{Path, PathBuf};

/// Format of a raster file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// ESRI ASCII grid, `.asc`.
    Ascii,
    /// GeoTIFF, `.tif`.
    GeoTiff,
}

impl Format {
    /// Returns the format that the ending of a name stands for: `.asc` and `.grd`, `.tif` and `.tiff`.
    ///
    /// # Errors
    /// [`MapError::UnknownFormat`] for every other ending.
    pub fn of(file: &Path) -> Result<Self, MapError> {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "asc" | "grd" => Ok(Format::Ascii),
            "tif" | "tiff" => Ok(Format::GeoTiff),
            _ => Err(MapError::UnknownFormat { file: file.to_owned() }),
        }
    }

    /// Returns the ending of names of such files, without a dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Format::Ascii => "asc",
            Format::GeoTiff => "tif",
        }
    }
}

/// Greatest number of bands of a file: hours of six weeks.
const MAX_BANDS: u16 = 1024;

/// Reads a raster, and beside it the coordinate system of an ASCII grid or the world file of a TIFF that lacks
/// its place. A raster that was [given](give) for the file is returned instead.
///
/// # Errors
/// [`MapError`] names the file, where possible the line, and a remedy.
pub fn read(file: &Path) -> Result<Raster, MapError> {
    if let Some(raster) = given::of(file) {
        return Ok(raster);
    }
    Format::of(file)?;
    first(file, of_file(file, 1)?)
}

/// Reads all bands of a raster file as [`read`] does, or those of a landscape file (`.lcp`), whose coordinate system is
/// in a `.prj` file beside it.
///
/// # Errors
/// [`MapError`] names the file, where possible the line, and a remedy.
pub fn read_bands(file: &Path) -> Result<Vec<Band>, MapError> {
    match given::of(file) {
        Some(raster) => Ok(vec![Band { raster, name: None, unit: None }]),
        None => of_file(file, MAX_BANDS),
    }
}

/// Reads the bands of a file, of which there may be `most`.
fn of_file(file: &Path, most: u16) -> Result<Vec<Band>, MapError> {
    let system = || beside(&file.with_extension("prj")).map(|text| text.map_or(System::Unknown, System::Text));
    if is_landscape(file) {
        return lcp::decode(file, &contents(file)?, system()?);
    }
    let format = Format::of(file)?;
    let bytes = contents(file)?;
    let beside_whole_name = |ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    if beside_whole_name(".msk").exists() {
        return Err(MapError::Mask { file: file.to_owned() });
    }
    let aside_file = beside_whole_name(".aux.xml");
    let text = beside(&aside_file)?;
    let aside = |band: usize| {
        let fault = |fault| MapError::Metadata { file: aside_file.clone(), fault };
        text.as_ref().map_or(Ok(Metadata::default()), |text| Metadata::of_file(text, band).map_err(fault))
    };
    match format {
        Format::Ascii => {
            let mut raster = ascii::decode(file, &bytes)?;
            raster.place.system = system()?;
            let Metadata { name, unit, scale, offset, .. } = aside(0)?;
            let raster = raster.scaled(scale.unwrap_or(1.0), offset.unwrap_or(0.0));
            Ok(vec![Band { raster, name, unit }])
        }
        Format::GeoTiff => {
            let world_file = file.with_extension("tfw");
            let world = beside(&world_file)?.map(|text| WorldFile::parse(&world_file, &text)).transpose()?;
            tiff_read::decode(file, &bytes, world.as_ref(), &aside, most)
        }
    }
}

/// Reads a raster from the bytes of a file, whose name gives the format and appears in errors.
///
/// # Errors
/// [`MapError`] names the file, where possible the line, and a remedy.
pub fn decode(file: &Path, bytes: &[u8]) -> Result<Raster, MapError> {
    match Format::of(file)? {
        Format::Ascii => ascii::decode(file, bytes),
        Format::GeoTiff => first(file, tiff_read::decode(file, bytes, None, &|_| Ok(Metadata::default()), 1)?),
    }
}

/// Reads all bands from the bytes of a GeoTIFF or landscape file, whose name gives the format and appears in errors.
///
/// # Errors
/// [`MapError`] names the file and a remedy.
pub fn decode_bands(file: &Path, bytes: &[u8]) -> Result<Vec<Band>, MapError> {
    if is_landscape(file) {
        return lcp::decode(file, bytes, System::Unknown);
    }
    match Format::of(file)? {
        Format::Ascii => Ok(vec![Band { raster: ascii::decode(file, bytes)?, name: None, unit: None }]),
        Format::GeoTiff => tiff_read::decode(file, bytes, None, &|_| Ok(Metadata::default()), MAX_BANDS),
    }
}

/// Returns whether the name of a file ends as that of a landscape file.
fn is_landscape(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("lcp"))
}

/// Returns the only band of a file.
fn first(file: &Path, bands: Vec<Band>) -> Result<Raster, MapError> {
    let none = || MapError::Bands { file: file.to_owned(), bands: 0 };
    bands.into_iter().next().map(|band| band.raster).ok_or_else(none)
}

/// Returns the bytes of a file that holds a raster.
///
/// Numbers are written in the raster's type, or in 64-bit floating point where that type cannot hold one of them; in
/// text, by the shortest digits that give the same number of that type. A coordinate system in well-known text goes
/// into a `.prj` file: [`coordinate_text`].
///
/// # Errors
/// [`MapError::NotSquare`] if cells are not square, of an ASCII grid; [`MapError::Encode`] if the encoder fails.
pub fn encode(raster: &Raster, format: Format) -> Result<Vec<u8>, MapError> {
    match format {
        Format::Ascii => ascii::encode(raster),
        Format::GeoTiff => tiff_write::encode(raster),
    }
}

/// Returns the text of the `.prj` file that belongs to an ASCII grid; `None` if the coordinate system has no text.
#[must_use]
pub fn coordinate_text(raster: &Raster) -> Option<&str> {
    match &raster.place.system {
        System::Text(text) => Some(text),
        System::Unknown | System::Keys(_) => None,
    }
}

/// Writes a raster in the format that the ending of the name stands for, with a `.prj` file where the coordinate system
/// is a text.
///
/// # Errors
/// The errors of [`Format::of`] and [`encode`]; [`MapError::Write`] if a file cannot be written.
pub fn write(raster: &Raster, file: &Path) -> Result<(), MapError> {
    let bytes = encode(raster, Format::of(file)?)?;
    let save = |path: &Path, bytes: &[u8]| {
        file::replace(path, bytes).map_err(|error| MapError::Write { file: path.to_owned(), error })
    };
    save(file, &bytes)?;
    coordinate_text(raster).map_or(Ok(()), |text| save(&file.with_extension("prj"), text.as_bytes()))
}

fn contents(file: &Path) -> Result<Vec<u8>, MapError> {
    Ok(input::bytes(file, input::MAX_DATA)?)
}

/// Reads the text of a file that may be missing.
fn beside(file: &Path) -> Result<Option<String>, MapError> {
    Ok(if fs::exists(file).is_ok_and(|exists| !exists) { None } else { Some(input::text(file)?) })
}
