//! Writing a GeoTIFF: one band, deflated.

use crate::raster::Sample;
use crate::{MapError, Raster, System};
use std::io::Cursor;
use tiff::TiffError;
use tiff::encoder::colortype::{ColorType, Gray8, Gray16, Gray32, Gray32Float, Gray64Float, GrayI8, GrayI16, GrayI32};
use tiff::encoder::compression::DeflateLevel;
use tiff::encoder::{Compression, TiffEncoder, TiffValue};
use tiff::tags::Tag;

pub(super) fn encode(raster: &Raster) -> Result<Vec<u8>, MapError> {
    let (sample, no_data) = sample(raster);
    let written = match sample {
        Sample::U8 => write::<Gray8>(raster, no_data, |value| value as u8),
        Sample::I8 => write::<GrayI8>(raster, no_data, |value| value as i8),
        Sample::U16 => write::<Gray16>(raster, no_data, |value| value as u16),
        Sample::I16 => write::<GrayI16>(raster, no_data, |value| value as i16),
        Sample::U32 => write::<Gray32>(raster, no_data, |value| value as u32),
        Sample::I32 => write::<GrayI32>(raster, no_data, |value| value as i32),
        Sample::F32 => write::<Gray32Float>(raster, no_data, |value| value as f32),
        Sample::F64 => write::<Gray64Float>(raster, no_data, |value| value),
    };
    written.map_err(|error| MapError::Encode(error.to_string()))
}

/// Returns the type that holds all values, and the number that stands for no data.
fn sample(raster: &Raster) -> (Sample, Option<f64>) {
    let has_gaps = raster.values().iter().any(|value| value.is_nan());
    let mark = raster.no_data.or(has_gaps.then(|| raster.sample.integers().map_or(f64::NAN, |range| range.0)));
    let is_free = |mark: f64| raster.no_data.is_some() || !raster.values().contains(&mark);
    let fits = |value: f64| value.is_nan() || raster.sample.holds(value);
    if raster.values().iter().all(|value| fits(*value)) && mark.is_none_or(|mark| fits(mark) && is_free(mark)) {
        return (raster.sample, mark);
    }
    (Sample::F64, raster.no_data.or(has_gaps.then_some(f64::NAN)))
}

fn write<C: ColorType>(
    raster: &Raster,
    no_data: Option<f64>,
    narrow: impl Fn(f64) -> C::Inner,
) -> Result<Vec<u8>, TiffError>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut file = TiffEncoder::new(&mut bytes)?.with_compression(Compression::Deflate(DeflateLevel::Fast));
    let mut image = file.new_image::<C>(raster.columns(), raster.rows())?;
    let tags = image.encoder();
    let place = &raster.place;
    tags.write_tag(Tag::ModelPixelScaleTag, &[place.cell_width, place.cell_height, 0.0][..])?;
    tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, place.west, place.north, 0.0][..])?;
    if let System::Keys(keys) = &place.system {
        tags.write_tag(Tag::GeoKeyDirectoryTag, &keys.directory[..])?;
        if !keys.doubles.is_empty() {
            tags.write_tag(Tag::GeoDoubleParamsTag, &keys.doubles[..])?;
        }
        if !keys.texts.is_empty() {
            tags.write_tag(Tag::GeoAsciiParamsTag, keys.texts.trim_end_matches('\0'))?;
        }
    }
    if let Some(mark) = no_data {
        let text = if mark.is_nan() { "nan".to_owned() } else { mark.to_string() };
        tags.write_tag(Tag::GdalNodata, &text[..])?;
    }
    let mark = no_data.unwrap_or(f64::NAN);
    let numbers: Vec<C::Inner> =
        raster.values().iter().map(|&value| narrow(if value.is_nan() { mark } else { value })).collect();
    image.write_data(&numbers)?;
    Ok(bytes.into_inner())
}
