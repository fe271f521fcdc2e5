//! Rasters come back from their files as they were, and damaged files are refused.

#![allow(clippy::unwrap_used)]

use imminent_maps::file::{self, Format};
use imminent_maps::isochrones::{geojson, isochrones};
use imminent_maps::raster::{GeoKeys, Georeference, Raster, Sample, System};
use proptest::collection::vec;
use proptest::prelude::*;

/// Keys of EPSG:5070, as LANDFIRE's files have them.
fn keys() -> GeoKeys {
    let directory = vec![
        1, 1, 0, 7, 1024, 0, 1, 1, 1025, 0, 1, 1, 1026, 34737, 31, 0, 2049, 34737, 6, 31, 2054, 0, 1, 9102, 3072, 0, 1,
        5070, 3076, 0, 1, 9001,
    ];
    GeoKeys { directory, doubles: Vec::new(), texts: "NAD_1983_Contiguous_USA_Albers|NAD83|".to_owned() }
}

fn rasters() -> impl Strategy<Value = Raster> {
    let samples = prop_oneof![
        Just(Sample::U8),
        Just(Sample::I16),
        Just(Sample::U16),
        Just(Sample::I32),
        Just(Sample::F32),
        Just(Sample::F64)
    ];
    let shape = (1_u32..40, 1_u32..30, samples, any::<bool>());
    shape
        .prop_flat_map(|(columns, rows, sample, has_keys)| {
            let value = match sample {
                Sample::U8 => (0..250_u8).prop_map(f64::from).boxed(),
                Sample::U16 => (0..60_000_u16).prop_map(f64::from).boxed(),
                Sample::I16 => (-9000..30_000_i16).prop_map(f64::from).boxed(),
                Sample::I32 => (-9000..2_000_000_000_i32).prop_map(f64::from).boxed(),
                Sample::F32 => (-9000.0..1e6_f32).prop_map(f64::from).boxed(),
                _ => (-9000.0..1e6_f64).boxed(),
            };
            let value = prop_oneof![8 => value, 1 => Just(f64::NAN)];
            let cells = vec(value, (columns * rows) as usize);
            let corner = (-2e6..2e6_f64, -2e6..2e6_f64, 0.1..100.0_f64);
            (Just((columns, rows, sample, has_keys)), cells, corner)
        })
        .prop_map(|((columns, rows, sample, has_keys), values, (west, north, cell))| {
            let mut place = Georeference::square(west, north, cell);
            if has_keys {
                place.system = System::Keys(keys());
            }
            let mut raster = Raster::new(columns, rows, values, place).unwrap();
            raster.sample = sample;
            raster.no_data = (!matches!(sample, Sample::U8 | Sample::U16)).then_some(-9999.0);
            raster
        })
}

/// Bits of values; those of every NaN are the same.
fn bits(raster: &Raster) -> Vec<u64> {
    raster.values().iter().map(|value| if value.is_nan() { u64::MAX } else { value.to_bits() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn geotiffs_keep_everything(raster in rasters()) {
        let bytes = file::encode(&raster, Format::GeoTiff).unwrap();
        let found = file::decode("a.tif".as_ref(), &bytes).unwrap();
        prop_assert_eq!(bits(&found), bits(&raster));
        prop_assert_eq!(&found.place, &raster.place);
        if raster.no_data.is_some() {
            prop_assert_eq!((found.sample, found.no_data), (raster.sample, raster.no_data));
        }
        prop_assert_eq!(found.place.system.epsg(), raster.place.system.epsg());
    }

    #[test]
    fn ascii_grids_keep_values_and_place(raster in rasters()) {
        let bytes = file::encode(&raster, Format::Ascii).unwrap();
        let found = file::decode("a.asc".as_ref(), &bytes).unwrap();
        if raster.sample == Sample::F32 {
            // Digits are those of the 32-bit number.
            let narrow = |raster: &Raster| -> Vec<f64> {
                raster.values().iter().map(|value| f64::from(*value as f32)).collect()
            };
            let narrow = |from: &Raster| bits(&from.with_values(narrow(from)).unwrap());
            prop_assert_eq!(narrow(&found), narrow(&raster));
        } else {
            prop_assert_eq!(bits(&found), bits(&raster));
        }
        prop_assert!(raster.fits("a".as_ref(), &found, "b".as_ref()).is_ok());
        let again = file::encode(&found, Format::Ascii).unwrap();
        let third = file::decode("a.asc".as_ref(), &again).unwrap();
        prop_assert_eq!((bits(&third), third.place, third.sample), (bits(&found), found.place, found.sample));
    }

    #[test]
    fn damaged_files_are_errors_or_rasters(
        raster in rasters(), tiff in any::<bool>(), cut in 0.0..1.0_f64, at in 0.0..1.0_f64, byte in any::<u8>()
    ) {
        let (format, name) = if tiff { (Format::GeoTiff, "a.tif") } else { (Format::Ascii, "a.asc") };
        let bytes = file::encode(&raster, format).unwrap();
        let cut = &bytes[..(bytes.len() as f64 * cut) as usize];
        if let Err(error) = file::decode(name.as_ref(), cut) {
            prop_assert!(error.to_string().contains(name), "{error}");
        }
        let mut changed = bytes.clone();
        let place = (bytes.len() as f64 * at) as usize;
        changed[place] = byte;
        if let Err(error) = file::decode(name.as_ref(), &changed) {
            prop_assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn isochrones_are_closed_and_within_the_map(raster in rasters(), time in 0.0..1e5_f64) {
        let found = isochrones(&raster, &[time, 2.0 * time], time.max(1.0)).unwrap();
        let place = &raster.place;
        for ring in found.iter().flat_map(|isochrone| &isochrone.rings) {
            prop_assert!(ring.len() > 3 && ring.first() == ring.last());
            for &(column, row) in ring {
                let inside = (0.0..=f64::from(raster.columns())).contains(&column)
                    && (0.0..=f64::from(raster.rows())).contains(&row);
                prop_assert!(inside, "{column} {row}");
            }
        }
        let value: serde_json::Value = serde_json::from_str(&geojson(&found, place)).unwrap();
        let system = &value["crs"]["properties"]["name"];
        prop_assert_eq!(system.as_str(), place.system.epsg().map(|_| "urn:ogc:def:crs:EPSG::5070"));
    }
}

#[test]
fn truncated_and_absurd_tiffs_are_refused_with_a_remedy() {
    let raster = Raster::new(30, 20, (0..600).map(f64::from).collect(), Georeference::square(0.0, 0.0, 30.0)).unwrap();
    let bytes = file::encode(&raster, Format::GeoTiff).unwrap();
    let error = |bytes: &[u8]| file::decode("a.tif".as_ref(), bytes).unwrap_err().to_string();
    assert!(error(&bytes[..bytes.len() / 2]).contains("a.tif: "));
    assert!(error(b"II*\0").contains("copy or download the file again"));
    assert!(error(b"ncols 3").contains("gdal_translate"));
    // Width, height and rows of a strip in a file of some hundred bytes.
    let start = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let with = |changes: &[(u16, u32)]| {
        let mut changed = bytes.clone();
        for entry in (0..14).map(|entry| start + 2 + 12 * entry) {
            let tag = u16::from_le_bytes([changed[entry], changed[entry + 1]]);
            if let Some((_, value)) = changes.iter().find(|(wanted, _)| *wanted == tag) {
                // One number of 32 bits.
                changed[entry + 2..entry + 4].copy_from_slice(&4_u16.to_le_bytes());
                changed[entry + 8..entry + 12].copy_from_slice(&value.to_le_bytes());
            }
        }
        error(&changed)
    };
    let text = with(&[(256, 2_000_000_000), (257, 2_000_000_000)]);
    assert!(text.contains("gdal_translate"), "{text}");
    let text = with(&[(257, 2_000_000_000), (278, 2_000_000_000)]);
    assert!(text.contains("30 columns x 2000000000 rows are more than 268435456 cells"), "{text}");
    let text = with(&[(257, 8_000_000), (278, 8_000_000)]);
    assert!(text.contains("ends early") && text.contains("of 240000000 values (8000000 rows of 30)"), "{text}");
}

#[test]
fn differences_between_rasters_are_told_with_both_names() {
    let make = |columns, west, cell, system| {
        let place = Georeference { system, ..Georeference::square(west, 0.0, cell) };
        Raster::new(columns, 2, vec![1.0; columns as usize * 2], place).unwrap()
    };
    let base = make(3, 0.0, 30.0, System::Keys(keys()));
    let told = |other: &Raster| base.fits("e.tif".as_ref(), other, "f.tif".as_ref()).unwrap_err().to_string();
    assert!(told(&make(4, 0.0, 30.0, System::Unknown)).contains("one has 3 columns x 2 rows, the other 4 x 2"));
    assert!(told(&make(3, 0.0, 10.0, System::Unknown)).contains("cells of 30 x 30, the other of 10 x 10"));
    assert!(
        told(&make(3, 30.0, 30.0, System::Unknown))
            .contains("begins at 0, 0 (north-western corner), the other at 30, 0")
    );
    let mut other = keys();
    other.directory[27] = 32618;
    let text = told(&make(3, 0.0, 30.0, System::Keys(other)));
    assert!(text.starts_with("e.tif and f.tif") && text.contains("EPSG:5070") && text.contains("EPSG:32618"), "{text}");
    assert!(base.fits("a".as_ref(), &make(3, 0.1, 30.0, System::Unknown), "b".as_ref()).is_ok());
}

#[test]
fn files_beside_a_raster_tell_its_system_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let text = "PROJCS[\"here\",UNIT[\"metre\",1]]";
    let mut raster = Raster::new(2, 2, vec![1.0, 2.0, 3.0, f64::NAN], Georeference::square(5.0, 9.0, 2.0)).unwrap();
    raster.place.system = System::Text(text.to_owned());
    let path = folder.path().join("a.asc");
    file::write(&raster, &path).unwrap();
    let found = file::read(&path).unwrap();
    assert_eq!((bits(&found), &found.place), (bits(&raster), &raster.place));
    // A TIFF without tags: those of our own file are renamed to private ones.
    let mut bytes = file::encode(&raster, Format::GeoTiff).unwrap();
    for tag in [33_550_u16, 33_922] {
        let place = bytes.windows(4).rposition(|window| window == [tag.to_le_bytes(), 12_u16.to_le_bytes()].concat());
        let place = place.unwrap();
        bytes[place..place + 2].copy_from_slice(&(tag + 7).to_le_bytes());
    }
    let path = folder.path().join("b.tif");
    std::fs::write(&path, bytes).unwrap();
    assert!(file::read(&path).unwrap_err().to_string().contains("b.tfw"));
    std::fs::write(path.with_extension("tfw"), "2\n0\n0\n-2\n6\n8\n").unwrap();
    assert_eq!(file::read(&path).unwrap().place, Georeference::square(5.0, 9.0, 2.0));
}

/// Returns a TIFF of 4 x 4 numbers 1 to 16 in two strips, with some tags.
fn strips(tags: &[(u16, &str)], mask: bool) -> Vec<u8> {
    use tiff::encoder::{TiffEncoder, colortype::GrayI16};
    use tiff::tags::Tag;
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut file = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = file.new_image::<GrayI16>(4, 4).unwrap();
    image.rows_per_strip(2).unwrap();
    image.encoder().write_tag(Tag::ModelPixelScaleTag, &[30.0, 30.0, 0.0][..]).unwrap();
    image.encoder().write_tag(Tag::ModelTiepointTag, &[0.0; 6][..]).unwrap();
    for (tag, text) in tags {
        image.encoder().write_tag(Tag::Unknown(*tag), *text).unwrap();
    }
    image.write_data(&(1..=16).collect::<Vec<i16>>()).unwrap();
    if mask {
        let mut image = file.new_image::<tiff::encoder::colortype::Gray8>(4, 4).unwrap();
        image.encoder().write_tag(Tag::NewSubfileType, 4_u32).unwrap();
        image.write_data(&[255; 16]).unwrap();
    }
    bytes.into_inner()
}

/// Leaves the first strip of a TIFF out, as a sparse file does: its offset and length are 0.
fn without_first_strip(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let start = number(&bytes, 4);
    for tag in [273_u16, 279] {
        let entry = (0..20).map(|entry| start + 2 + 12 * entry).find(|&at| bytes[at..at + 2] == tag.to_le_bytes());
        let values = number(&bytes, entry.unwrap() + 8);
        bytes[values..values + 4].fill(0);
    }
    bytes
}

#[test]
fn strips_that_a_sparse_file_leaves_out_have_no_data_or_zeros() {
    let read = |bytes: &[u8]| file::decode("a.tif".as_ref(), bytes).unwrap();
    let marked = read(&without_first_strip(strips(&[(42_113, "-9999")], false)));
    assert!(marked.values()[..8].iter().all(|value| value.is_nan()), "{:?}", marked.values());
    assert_eq!(marked.values()[8..], (9..=16).map(f64::from).collect::<Vec<_>>());
    let unmarked = read(&without_first_strip(strips(&[], false)));
    assert_eq!((unmarked.values()[7], unmarked.values()[8]), (0.0, 9.0));
}

#[test]
fn scale_and_offset_make_the_values_and_masks_are_refused() {
    let item = |role: &str, number: &str| format!("<Item name=\"X\" sample=\"0\" role=\"{role}\">{number}</Item>");
    let xml = format!("<GDALMetadata>{}{}</GDALMetadata>", item("scale", "0.5"), item("offset", "100"));
    let scaled = strips(&[(42_112, &xml), (42_113, "3")], false);
    let found = file::decode("a.tif".as_ref(), &scaled).unwrap();
    // The number for no data stands before the scale.
    assert_eq!((found.at(0, 0), found.at(0, 2), found.at(3, 3)), (Some(100.5), None, Some(108.0)));
    assert_eq!(found.scaling, Some((0.5, 100.0)));
    // A raster that is written has values without a scale.
    let again = file::decode("a.tif".as_ref(), &file::encode(&found, Format::GeoTiff).unwrap()).unwrap();
    assert_eq!((bits(&again), again.scaling), (bits(&found), None));
    let fault = file::decode("a.tif".as_ref(), &strips(&[(42_112, "<GDALMetadata>")], false)).unwrap_err();
    assert!(fault.to_string().starts_with("a.tif: GDAL's metadata cannot be read"), "{fault}");
    let masked = file::decode("a.tif".as_ref(), &strips(&[], true)).unwrap_err();
    assert!(masked.to_string().starts_with("a.tif: has a mask"), "{masked}");
    // Files beside a raster say the same.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.tif");
    std::fs::write(&path, strips(&[], false)).unwrap();
    let aside = folder.path().join("b.tif.aux.xml");
    let band = "<Scale>10</Scale><NoDataValue>16</NoDataValue>";
    std::fs::write(&aside, format!("<PAMDataset><PAMRasterBand band=\"1\">{band}</PAMRasterBand></PAMDataset>"))
        .unwrap();
    let found = file::read(&path).unwrap();
    assert_eq!((found.at(0, 1), found.at(3, 3)), (Some(20.0), None));
    std::fs::write(folder.path().join("b.tif.msk"), "").unwrap();
    assert!(file::read(&path).unwrap_err().to_string().contains("has a mask"));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let text = "\u{feff}ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n7\n";
    assert_eq!(file::decode("a.asc".as_ref(), text.as_bytes()).unwrap().values(), [7.0]);
}
