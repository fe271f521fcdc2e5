//! Rasters from files and to files: ESRI ASCII grids and GeoTIFF.
//!
//! The format follows from the ending of the name. An ASCII grid takes its coordinate system from a `.prj` file beside
//! it, and a TIFF without GeoTIFF tags its place from a world file (`.tfw`). Scale, offset and no-data value are taken
//! from GDAL's tag or `.aux.xml` file; a mask of cells, in the file or beside it (`.msk`), is refused. The size in a
//! header is compared with that of the file before memory is allocated.

mod ascii;
mod given;
mod metadata;
mod size;
mod tiff_read;
mod tiff_write;
mod world;

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

/// Reads a raster, and beside it the coordinate system of an ASCII grid or the world file of a TIFF that lacks
/// its place. A raster that was [given](give) for the file is returned instead.
///
/// # Errors
/// [`MapError`] names the file, where possible the line, and a remedy.
pub fn read(file: &Path) -> Result<Raster, MapError> {
    if let Some(raster) = given::of(file) {
        return Ok(raster);
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
    let aside = beside_whole_name(".aux.xml");
    let aside = beside(&aside)?
        .map(|text| Metadata::of_file(&text).map_err(|fault| MapError::Metadata { file: aside, fault }))
        .transpose()?
        .filter(|aside| *aside != Metadata::default());
    match format {
        Format::Ascii => {
            let mut raster = ascii::decode(file, &bytes)?;
            if let Some(text) = beside(&file.with_extension("prj"))? {
                raster.place.system = System::Text(text);
            }
            let Metadata { scale, offset, .. } = aside.unwrap_or_default();
            Ok(raster.scaled(scale, offset))
        }
        Format::GeoTiff => {
            let world_file = file.with_extension("tfw");
            let world = beside(&world_file)?.map(|text| WorldFile::parse(&world_file, &text)).transpose()?;
            tiff_read::decode(file, &bytes, world.as_ref(), aside)
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
        Format::GeoTiff => tiff_read::decode(file, bytes, None, None),
    }
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
