//! Rasters with several bands: landscapes in one file give the fires of layers in files of their own.

#![allow(clippy::unwrap_used)]

use imminent_maps::file::{self, Band};
use imminent_maps::landscape::{CanopyFiles, Choices, LayerFiles, SlopeUnit, read, read_bands};
use imminent_maps::raster::{Georeference, Raster, Sample};
use std::path::Path;

const ROWS: u32 = 3;
const COLUMNS: u32 = 4;

/// Values of the eight layers in a cell.
fn values(cell: u32) -> [i16; 8] {
    let cell = cell as i16;
    let fuel = [102, 165, 98, 10][cell as usize % 4];
    [100 + cell, 5 * cell, (37 * cell) % 360, fuel, 60, 150 + cell, 12, 9]
}

/// Returns an entry of a directory of a TIFF; one of several numbers has the place where they begin.
fn entry(tag: u16, kind: u16, count: u32, value: u32) -> Vec<u8> {
    [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
}

/// Returns a GeoTIFF of 16-bit integers in strips of a row, whose bands are together in each strip or apart.
fn geotiff(bands: &[usize], planar: bool, metadata: &str) -> Vec<u8> {
    let count = bands.len();
    let number = |band: usize, cell: u32| values(cell)[band].to_le_bytes();
    let row = |row: u32| row * COLUMNS..(row + 1) * COLUMNS;
    let strips: Vec<Vec<u8>> = if planar {
        let strip = |band: usize, at: u32| row(at).flat_map(|cell| number(band, cell)).collect();
        bands.iter().flat_map(|&band| (0..ROWS).map(move |at| strip(band, at))).collect()
    } else {
        let cell = |cell: u32| bands.iter().flat_map(move |&band| number(band, cell));
        (0..ROWS).map(|at| row(at).flat_map(cell).collect()).collect()
    };
    let mut bytes = b"II*\0\0\0\0\0".to_vec();
    let mut put = |data: &[u8]| {
        let at = bytes.len() as u32;
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        at
    };
    let numbers = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let shorts = |number: u16| std::iter::repeat_n(number.to_le_bytes(), count).flatten().collect::<Vec<u8>>();
    let doubles = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let offsets: Vec<u32> = strips.iter().map(|strip| put(strip)).collect();
    let sizes: Vec<u32> = strips.iter().map(|strip| strip.len() as u32).collect();
    let (offsets, sizes) = (put(&numbers(&offsets)), put(&numbers(&sizes)));
    let (bits, format) = (put(&shorts(16)), put(&shorts(2)));
    let (scale, tie) = (put(&doubles(&[30.0, 30.0, 0.0])), put(&doubles(&[0.0, 0.0, 0.0, 500.0, 900.0, 0.0])));
    let text = put(format!("{metadata}\0").as_bytes());
    let start = put(&[]);
    let (strips, count) = (strips.len() as u32, count as u32);
    let mut entries = vec![
        entry(256, 4, 1, COLUMNS),
        entry(257, 4, 1, ROWS),
        entry(258, 3, count, bits),
        entry(259, 3, 1, 1),
        entry(262, 3, 1, 1),
        entry(273, 4, strips, offsets),
        entry(277, 3, 1, count),
        entry(278, 4, 1, 1),
        entry(279, 4, strips, sizes),
        entry(284, 3, 1, if planar { 2 } else { 1 }),
        entry(339, 3, count, format),
        entry(33_550, 12, 3, scale),
        entry(33_922, 12, 6, tie),
    ];
    if !metadata.is_empty() {
        entries.push(entry(42_112, 2, metadata.len() as u32 + 1, text));
    }
    bytes.extend((entries.len() as u16).to_le_bytes());
    bytes.extend(entries.concat());
    bytes.extend([0; 4]);
    bytes[4..8].copy_from_slice(&start.to_le_bytes());
    bytes
}

/// Metadata of GDAL with a name for each band.
fn named(names: &[&str]) -> String {
    let item = |(band, name): (usize, &&str)| {
        format!("<Item name=\"DESCRIPTION\" sample=\"{band}\" role=\"description\">{name}</Item>")
    };
    format!("<GDALMetadata>{}</GDALMetadata>", names.iter().enumerate().map(item).collect::<String>())
}

fn numbers(band: &Band) -> Vec<f64> {
    band.raster.values().to_vec()
}

#[test]
fn bands_are_read_together_and_apart() {
    for planar in [false, true] {
        let bytes = geotiff(&[0, 3, 5], planar, &named(&["height", "", "third"]));
        let bands = file::decode_bands("a.tif".as_ref(), &bytes).unwrap();
        for (band, layer) in bands.iter().zip([0, 3, 5]) {
            let expected: Vec<f64> = (0..ROWS * COLUMNS).map(|cell| f64::from(values(cell)[layer])).collect();
            assert_eq!((numbers(band), band.raster.sample), (expected, Sample::I16), "planar {planar}");
            assert_eq!(band.raster.place, Georeference::square(500.0, 900.0, 30.0));
        }
        let names: Vec<_> = bands.iter().map(|band| band.name.as_deref()).collect();
        assert_eq!(names, [Some("height"), None, Some("third")]);
        let single = file::decode("a.tif".as_ref(), &bytes).unwrap_err().to_string();
        assert!(single.contains("has 3 bands") && single.contains("`layers`"), "{single}");
        for length in 0..bytes.len() {
            if let Err(error) = file::decode_bands("a.tif".as_ref(), &bytes[..length]) {
                assert!(error.to_string().starts_with("a.tif: "), "{error}");
            }
        }
    }
}

/// Writes the layers as files of their own, and returns their names.
fn files(folder: &Path) -> LayerFiles {
    let write = |name: &str, layer: usize| {
        let values = (0..ROWS * COLUMNS).map(|cell| f64::from(values(cell)[layer])).collect();
        let raster = Raster::new(COLUMNS, ROWS, values, Georeference::square(500.0, 900.0, 30.0)).unwrap();
        let path = folder.join(name).with_extension("asc");
        file::write(&raster, &path).unwrap();
        path
    };
    LayerFiles {
        elevation: write("e", 0),
        fuel: write("f", 3),
        slope_and_aspect: Some([write("s", 1), write("a", 2)]),
        canopy: Some(CanopyFiles {
            cover: write("cc", 4),
            height: write("ch", 5),
            base_height: write("cbh", 6),
            bulk_density: write("cbd", 7),
        }),
    }
}

#[test]
fn one_file_gives_the_landscape_of_eight() {
    let folder = tempfile::tempdir().unwrap();
    let slope = |slope| Choices { slope, ..Choices::default() };
    let files = files(folder.path());
    let expected = read(&files, slope(SlopeUnit::Degrees)).unwrap().landscape;
    let in_percent = read(&files, Choices::default()).unwrap().landscape;
    assert_ne!(expected, in_percent);
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let order = [0, 1, 2, 3, 4, 5, 6, 7];
    // Without names in the order of landscape files, with slopes in degrees.
    let plain = read_bands(&put("plain.tif", geotiff(&order, true, "")), Choices::default()).unwrap();
    assert_eq!(plain.landscape, expected);
    assert!(plain.assumed.iter().any(|line| line.contains("in the order of landscape files")), "{:?}", plain.assumed);
    assert!(plain.assumed.iter().any(|line| line.contains("slope in degrees")), "{:?}", plain.assumed);
    let asked = read_bands(&folder.path().join("plain.tif"), slope(SlopeUnit::Percent)).unwrap();
    assert_eq!(asked.landscape, in_percent);
    // By the names of LANDFIRE in another order; these tell the unit of the slope.
    let names = ["FBFM40", "CBD", "CBH", "CH", "CC", "ASP", "SLPP", "ELEV"];
    let mixed = put("mixed.tif", geotiff(&[3, 7, 6, 5, 4, 2, 1, 0], false, &named(&names)));
    assert_eq!(read_bands(&mixed, Choices::default()).unwrap().landscape, in_percent);
    // Without three of the trees' layers there are no trees.
    let some = put("some.tif", geotiff(&[0, 3, 4], false, &named(&["elevation", "fuel", "canopy cover"])));
    let some = read_bands(&some, Choices::default()).unwrap();
    assert!(some.landscape.layers().canopy.is_none());
    assert!(
        some.assumed.iter().any(|line| line.contains("not all four"))
            && some.assumed.iter().any(|line| line.contains("Horn"))
    );
}

#[test]
fn files_that_are_no_landscapes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fault = |bands: &[usize], names: &[&str]| {
        let path = folder.path().join("a.tif");
        std::fs::write(&path, geotiff(bands, false, &named(names))).unwrap();
        read_bands(&path, Choices::default()).unwrap_err().to_string()
    };
    assert!(fault(&[0, 1, 3], &[]).contains("has 3 bands without names"));
    assert!(fault(&[0, 1, 3], &["elevation", "slope", "x"]).contains("has no band of fuel"));
    assert!(fault(&[0, 3, 3], &["elevation", "FBFM13", "FBFM40"]).contains("bands 2 and 3 are both fuel"));
    // GDAL's compressions that the decoder does not have: ZSTD, LERC, WebP.
    for compression in [50_000_u32, 34_887, 50_001] {
        let (from, to) = (entry(259, 3, 1, 1), entry(259, 3, 1, compression));
        let mut bytes = geotiff(&[0, 1, 2, 3], true, "");
        let place = bytes.windows(from.len()).rposition(|window| window == from).unwrap();
        bytes[place..place + to.len()].copy_from_slice(&to);
        let path = folder.path().join("packed.tif");
        std::fs::write(&path, bytes).unwrap();
        let error = read_bands(&path, Choices::default()).unwrap_err().to_string();
        assert!(
            error.contains("packed.tif: cannot be decoded") && error.contains("gdal_translate -co COMPRESS=DEFLATE"),
            "{error}"
        );
    }
    // Fuel numbers that are elevations.
    let error = fault(&[3, 0, 1], &["elevation", "fuel", "slope"]);
    assert!(error.contains("a.tif, band 2 (fuel)") && error.contains("fuel model 100"), "{error}");
}
