//! Reading a GeoTIFF: the bands of the first image.

use super::band::Band;
use super::metadata::Metadata;
use super::size::cells;
use super::world::WorldFile;
use crate::raster::{GeoKeys, Georeference, Sample};
use crate::{MapError, Raster, System};
use std::io::Cursor;
use std::path::Path;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

/// Greatest number of bytes to which one byte of a compressed file expands: 4096-byte strings in 12 bits for LZW, and
/// 1032 for deflate.
const MAX_EXPANSION: u64 = 4096;
/// Largest chunk of an image that is decoded at once, in bytes.
const MAX_CHUNK_BYTES: usize = 1 << 31;

/// Tag in which GDAL writes metadata as XML.
const GDAL_METADATA: u16 = 42_112;
/// Most images of a file that are looked through for masks.
const MAX_IMAGES: usize = 1 << 10;
/// Value of the tag for bands whose values are apart from one another.
const PLANAR: u16 = 2;
/// Bit of the kind of an image which says that it is a mask of another one.
const MASK: u32 = 4;

struct Reader<'a> {
    file: &'a Path,
    decoder: Decoder<Cursor<&'a [u8]>>,
}

/// Decodes the bands of a raster, of which there may be `most`. `aside` returns the metadata of a band in a file beside
/// it, which count before those in the file.
pub(super) fn decode(
    file: &Path,
    bytes: &[u8],
    world: Option<&WorldFile>,
    aside: &dyn Fn(usize) -> Result<Metadata, MapError>,
    most: u16,
) -> Result<Vec<Band>, MapError> {
    let fault = |error| faulty(file, &error);
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_CHUNK_BYTES;
    limits.intermediate_buffer_size = MAX_CHUNK_BYTES;
    // Offsets of all strips: one for each row of each band at most.
    limits.ifd_value_size = bytes.len().saturating_add(64);
    let decoder = Decoder::new(Cursor::new(bytes)).map_err(fault)?.with_limits(limits);
    let mut reader = Reader { file, decoder };
    let (columns, rows) = reader.decoder.dimensions().map_err(fault)?;
    let (bands, bits) = reader.bands()?;
    if bands == 0 || bands > most {
        return Err(MapError::Bands { file: file.to_owned(), bands });
    }
    let expected = cells(file, u64::from(columns), u64::from(rows), bands)? * u64::from(bands);
    let size = expected * u64::from(bits.div_ceil(8));
    if size > (bytes.len() as u64).saturating_mul(MAX_EXPANSION) {
        let expected = format!("{expected} values ({rows} rows of {columns})");
        return Err(MapError::Truncated { file: file.to_owned(), found: format!("{} bytes", bytes.len()), expected });
    }
    if reader.has_mask()? {
        return Err(MapError::Mask { file: file.to_owned() });
    }
    let of_file = reader.no_data()?;
    let metadata: Vec<Metadata> = reader.metadata(usize::from(bands), aside)?;
    let marks: Vec<Option<f64>> = metadata.iter().map(|metadata| metadata.no_data.or(of_file)).collect();
    let (tables, sample) = reader.values(columns, rows, &marks)?;
    let place = reader.place(world)?;
    let band = |((metadata, mut values), mark): ((Metadata, Vec<f64>), Option<f64>)| {
        if let Some(mark) = mark {
            let is_mark = |value: f64| value == mark || (sample == Sample::F32 && value as f32 == mark as f32);
            values.iter_mut().filter(|value| is_mark(**value)).for_each(|value| *value = f64::NAN);
        }
        let mut raster = Raster::new(columns, rows, values, place.clone())?;
        (raster.no_data, raster.sample) = (mark, sample);
        let (scale, offset) = metadata.scaling();
        Ok(Band { raster: raster.scaled(scale, offset), name: metadata.name, unit: metadata.unit })
    };
    metadata.into_iter().zip(tables).zip(marks).map(band).collect()
}

/// Says why a TIFF cannot be decoded; the end of the file within it means that it is truncated.
fn faulty(file: &Path, error: &TiffError) -> MapError {
    if let TiffError::IoError(error) = error
        && error.kind() == std::io::ErrorKind::UnexpectedEof
    {
        let (found, expected) = ("a part".to_owned(), "its parts".to_owned());
        return MapError::Truncated { file: file.to_owned(), found, expected };
    }
    MapError::Tiff { file: file.to_owned(), fault: error.to_string() }
}

impl Reader<'_> {
    /// Returns the number of bands, and the number of bits of a value.
    fn bands(&mut self) -> Result<(u16, u32), MapError> {
        let bands = match self.decoder.colortype().map_err(|error| faulty(self.file, &error))? {
            ColorType::Gray(bits) | ColorType::Palette(bits) => return Ok((1, u32::from(bits))),
            ColorType::Multiband { num_samples, bit_depth } => return Ok((num_samples, u32::from(bit_depth))),
            ColorType::GrayA(_) => 2,
            ColorType::RGB(_) | ColorType::YCbCr(_) | ColorType::Lab(_) => 3,
            ColorType::RGBA(_) | ColorType::CMYK(_) => 4,
            ColorType::CMYKA(_) => 5,
            _ => 0,
        };
        Err(MapError::Bands { file: self.file.to_owned(), bands })
    }

    /// Returns whether the file has an image that masks cells.
    fn has_mask(&mut self) -> Result<bool, MapError> {
        let mut next = self.decoder.ifd_pointer();
        for _ in 0..MAX_IMAGES {
            let Some(pointer) = next else { return Ok(false) };
            let fault = |error| faulty(self.file, &error);
            let directory = self.decoder.read_directory(pointer).map_err(fault)?;
            let kind = self.decoder.read_directory_tags(&directory).find_tag_unsigned::<u32>(Tag::NewSubfileType);
            if kind.map_err(fault)?.is_some_and(|kind| kind & MASK != 0) {
                return Ok(true);
            }
            next = directory.next();
        }
        let fault = format!("it has more than {MAX_IMAGES} images");
        Err(MapError::Tiff { file: self.file.to_owned(), fault })
    }

    /// Returns the metadata of all bands.
    fn metadata(
        &mut self,
        bands: usize,
        aside: &dyn Fn(usize) -> Result<Metadata, MapError>,
    ) -> Result<Vec<Metadata>, MapError> {
        let text = self.decoder.find_tag(Tag::Unknown(GDAL_METADATA)).map_err(|error| faulty(self.file, &error))?;
        let text = text.and_then(|value| value.into_string().ok());
        let inside = |band: usize| {
            let fault = |fault| MapError::Metadata { file: self.file.to_owned(), fault };
            text.as_ref().map_or(Ok(Metadata::default()), |text| Metadata::of_tag(text, band).map_err(fault))
        };
        (0..bands).map(|band| Ok(aside(band)?.or(inside(band)?))).collect()
    }

    /// Returns the bytes that each strip or tile takes in the file; those of 0 bytes are left out of a sparse file.
    fn chunk_bytes(&mut self) -> Result<Vec<u64>, MapError> {
        let tag = match self.decoder.get_chunk_type() {
            ChunkType::Strip => Tag::StripByteCounts,
            ChunkType::Tile => Tag::TileByteCounts,
        };
        let found = self.decoder.find_tag_unsigned_vec(tag).map_err(|error| faulty(self.file, &error))?;
        Ok(found.unwrap_or_default())
    }

    /// Decodes the values of all strips or tiles into their places, band by band. Those that a sparse file leaves out
    /// have no data, or are 0 if no number stands for it, as GDAL has it. `marks` has these numbers of all bands.
    fn values(&mut self, columns: u32, rows: u32, marks: &[Option<f64>]) -> Result<(Vec<Vec<f64>>, Sample), MapError> {
        let bytes = self.chunk_bytes()?;
        let (columns, rows) = (columns as usize, rows as usize);
        let (width, height) = self.decoder.chunk_dimensions();
        let (width, height) = (width.max(1) as usize, height.max(1) as usize);
        let empty = |mark: &Option<f64>| vec![if mark.is_some() { f64::NAN } else { 0.0 }; columns * rows];
        let mut tables: Vec<Vec<f64>> = marks.iter().map(empty).collect();
        let mut sample = Sample::F64;
        let across = columns.div_ceil(width);
        let of_plane = across * rows.div_ceil(height);
        // A chunk has the values of all bands, cell by cell, or those of one band.
        let planes = if self.is_planar()? { tables.len() } else { 1 };
        let together = tables.len() / planes;
        for index in 0..of_plane * planes {
            if bytes.get(index) == Some(&0) {
                continue;
            }
            let chunk = self.decoder.read_chunk(index as u32).map_err(|error| faulty(self.file, &error))?;
            let (chunk, found) = numbers(chunk).ok_or_else(|| MapError::Tiff {
                file: self.file.to_owned(),
                fault: "64-bit integers and 16-bit floats are not supported".to_owned(),
            })?;
            sample = found;
            let (plane, index) = (index / of_plane, index % of_plane);
            let (left, top) = ((index % across) * width, (index / across) * height);
            let inside = width.min(columns - left);
            for (row, line) in chunk.chunks_exact(inside * together).enumerate() {
                let start = (top + row) * columns + left;
                for (first, table) in tables.iter_mut().skip(plane * together).take(together).enumerate() {
                    if let Some(places) = table.get_mut(start..start + inside) {
                        let values = line.iter().skip(first).step_by(together);
                        places.iter_mut().zip(values).for_each(|(place, value)| *place = *value);
                    }
                }
            }
        }
        Ok((tables, sample))
    }

    /// Returns whether each band has chunks of its own.
    fn is_planar(&mut self) -> Result<bool, MapError> {
        let tag = self.decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration);
        Ok(tag.map_err(|error| faulty(self.file, &error))? == Some(PLANAR))
    }

    fn no_data(&mut self) -> Result<Option<f64>, MapError> {
        match self.decoder.find_tag(Tag::GdalNodata) {
            Ok(Some(value)) => {
                let text = value.into_string().unwrap_or_default();
                let text = text.trim_matches(['\0', ' ', '\n']);
                let fault = || format!("`{text}` in the tag GDAL_NODATA is no number");
                text.parse().map(Some).map_err(|_| MapError::Tiff { file: self.file.to_owned(), fault: fault() })
            }
            Ok(None) => Ok(None),
            Err(error) => Err(faulty(self.file, &error)),
        }
    }

    fn doubles(&mut self, tag: Tag) -> Result<Option<Vec<f64>>, MapError> {
        let found = self.decoder.find_tag(tag).and_then(|value| value.map(|value| value.into_f64_vec()).transpose());
        found.map_err(|error| faulty(self.file, &error))
    }

    fn keys(&mut self) -> Result<Option<GeoKeys>, MapError> {
        let fault = |error: TiffError| faulty(self.file, &error);
        let Some(directory) = self.decoder.find_tag(Tag::GeoKeyDirectoryTag).map_err(fault)? else { return Ok(None) };
        let directory = directory.into_u16_vec().map_err(fault)?;
        let texts = self.decoder.find_tag(Tag::GeoAsciiParamsTag).map_err(fault)?;
        let texts = texts.map(|texts| texts.into_string()).transpose().map_err(fault)?.unwrap_or_default();
        let doubles = self.doubles(Tag::GeoDoubleParamsTag)?.unwrap_or_default();
        Ok(Some(GeoKeys { directory, doubles, texts }))
    }

    /// Reads the place from the tags of a GeoTIFF, or else from a world file.
    fn place(&mut self, world: Option<&WorldFile>) -> Result<Georeference, MapError> {
        let keys = self.keys()?;
        let is_of_points = keys.as_ref().is_some_and(GeoKeys::is_of_points);
        let system = keys.map_or(System::Unknown, |keys| System::Keys(keys.of_areas()));
        let rotated = || MapError::Rotated { file: self.file.to_owned() };
        let scale = self.doubles(Tag::ModelPixelScaleTag)?;
        let tie = self.doubles(Tag::ModelTiepointTag)?;
        let matrix = self.doubles(Tag::ModelTransformationTag)?;
        let (cell_width, cell_height, west, north) = match (scale.as_deref(), tie.as_deref(), matrix.as_deref()) {
            (Some(&[width, height, ..]), Some(&[column, row, _, x, y, ..]), _) => {
                (width, height, x - column * width, y + row * height)
            }
            (_, _, Some(&[width, turn, _, x, turned, down, _, y, ..])) => {
                if turn != 0.0 || turned != 0.0 {
                    return Err(rotated());
                }
                (width, -down, x, y)
            }
            _ => {
                let world_file = self.file.with_extension("tfw");
                let missing = || MapError::NoPlace { file: self.file.to_owned(), world_file };
                return world.map(|world| world.place(system)).ok_or_else(missing);
            }
        };
        if cell_width < 0.0 || cell_height < 0.0 {
            return Err(rotated());
        }
        for size in [cell_width, cell_height] {
            if size.is_nan() || size <= 0.0 || size.is_infinite() {
                return Err(MapError::CellSize { file: self.file.to_owned(), size });
            }
        }
        let inset = if is_of_points { 0.5 } else { 0.0 };
        let (west, north) = (west - inset * cell_width, north + inset * cell_height);
        Ok(Georeference { west, north, cell_width, cell_height, system })
    }
}

/// Converts the numbers of a chunk, and returns their type.
fn numbers(chunk: DecodingResult) -> Option<(Vec<f64>, Sample)> {
    fn wide<T: Into<f64>>(values: Vec<T>) -> Vec<f64> {
        values.into_iter().map(Into::into).collect()
    }
    Some(match chunk {
        DecodingResult::U8(values) => (wide(values), Sample::U8),
        DecodingResult::I8(values) => (wide(values), Sample::I8),
        DecodingResult::U16(values) => (wide(values), Sample::U16),
        DecodingResult::I16(values) => (wide(values), Sample::I16),
        DecodingResult::U32(values) => (wide(values), Sample::U32),
        DecodingResult::I32(values) => (wide(values), Sample::I32),
        DecodingResult::F32(values) => (wide(values), Sample::F32),
        DecodingResult::F64(values) => (values, Sample::F64),
        _ => return None,
    })
}
