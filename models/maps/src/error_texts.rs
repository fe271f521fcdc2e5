//! Snapshot of all error texts of this crate.

use crate::error::{Difference, MapError};
use crate::landscape::LayerError;
use crate::study::{GroundError, SettingError};
use imminent_common::input::InputError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;
use std::io;
use std::path::PathBuf;

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    let (grid, tiff) = (|| PathBuf::from("dem.asc"), || PathBuf::from("dem.tif"));
    let size = || Difference::Size { first: (613, 549), second: (612, 549) };
    error_texts!(texts, MapError {
        Read => [MapError::Read(InputError::Unreadable { file: "dem.asc".into(), reason: "no such file".into() })],
        Write => [MapError::Write { file: grid(), error: io::Error::other("no space left on device") }],
        UnknownFormat => [MapError::UnknownFormat { file: PathBuf::from("dem.png") }],
        Syntax => [MapError::Syntax { file: grid(), line: 20, found: "n/a".into(), expected: "a number".into() }],
        NoKey => [MapError::NoKey { file: grid(), key: "cellsize" }],
        Truncated => [MapError::Truncated { file: grid(), found: "12 values".into(), expected: "336537".into() }],
        Surplus => [MapError::Surplus { file: grid(), line: 20, expected: 336_537 }],
        TooLarge => [MapError::TooLarge { file: grid(), columns: 100_000, rows: 100_000 }],
        Memory => [MapError::Memory { file: tiff(), needed: 40_000_000_000, free: 4_000_000_000 }],
        Empty => [MapError::Empty { file: grid(), columns: 0, rows: 549 }],
        CellSize => [MapError::CellSize { file: grid(), size: -30.0 }],
        Tiff => [MapError::Tiff { file: tiff(), fault: "JPEG compression is not supported".into() }],
        Metadata => [MapError::Metadata { file: tiff(), fault: "its scale `a tenth` is no number".into() }],
        Mask => [MapError::Mask { file: tiff() }],
        Bands => [MapError::Bands { file: tiff(), bands: 3 }],
        NoLandscape => [MapError::NoLandscape { file: PathBuf::from("land.lcp") }],
        Rotated => [MapError::Rotated { file: tiff() }],
        NoPlace => [MapError::NoPlace { file: tiff(), world_file: PathBuf::from("dem.tfw") }],
        Different => [MapError::Different { first: grid(), second: tiff(), difference: size() }],
        NotSquare => [MapError::NotSquare { width: 30.0, height: 25.0 }],
        Values => [MapError::Values { values: 12, columns: 3, rows: 5 }],
        Shapes => [MapError::Shapes { file: PathBuf::from("lines.geojson"), fault: "has no shapes".into() }],
        Unprojected => [MapError::Unprojected {
            file: PathBuf::from("lines.geojson"),
            from: "longitude and latitude on WGS 84".into(),
            to: "an unknown coordinate system".into(),
        }],
        Outside => [MapError::Outside {
            file: PathBuf::from("lines.geojson"),
            kind: "polygon",
            point: (499_000.0, 4_400_010.0),
            west_south: (500_000.0, 4_400_000.0),
            east_north: (500_900.0, 4_400_720.0),
            system: "EPSG:32613".into(),
        }],
        Encode => [MapError::Encode("the picture has no columns".into())],
    });
    error_texts!(texts, Difference {
        Size => [size()],
        CellSize => [Difference::CellSize { first: (30.0, 30.0), second: (25.0, 25.0) }],
        Corner => [Difference::Corner { first: (0.0, 16_470.0), second: (30.0, 16_470.0) }],
        System => [Difference::System { first: "EPSG:5070".into(), second: "EPSG:4326".into() }],
    });
    error_texts!(texts, LayerError {
        Map => [LayerError::Map(MapError::Rotated { file: tiff() })],
        NoBand => [LayerError::NoBand { file: tiff(), layer: "fuel" }],
        Twice => [LayerError::Twice { file: tiff(), layer: "fuel", bands: [4, 9] }],
        Bands => [LayerError::Bands { file: tiff(), bands: 3 }],
        Unit => [LayerError::Unit {
            file: PathBuf::from("land.lcp, band 5 (Canopy cover)"),
            unit: "Categories (0-4)".into(),
            expected: "percent",
        }],
        Degrees => [LayerError::Degrees { file: tiff(), system: "EPSG:4326".into() }],
        Declination => [LayerError::Declination { degrees: 400.0 }],
        NotSquare => [LayerError::NotSquare { file: tiff(), width: 30.0, height: 25.0 }],
        Fuel => [LayerError::Fuel { file: PathBuf::from("fuel.tif"), row: 12, column: 40, value: -3.0 }],
        Landscape => [LayerError::Landscape {
            file: tiff(),
            error: imminent_cell::landscape::LandscapeError::CellSize { metres: 0.0 },
        }],
    });
    error_texts!(texts, GroundError {
        Missing => [GroundError::Missing { given: "elevation", missing: "fuel" }],
        Declination => [GroundError::Declination { given: "north".to_owned() }],
    });
    error_texts!(texts, SettingError {
        OfRuns => [SettingError::OfRuns { key: "weather" }],
        HalfAPlace => [SettingError::HalfAPlace { row: 300, column: -1 }],
        Same => [SettingError::Same { fires: 100, row: 300, column: 200 }],
    });
    insta::assert_snapshot!("errors", texts);
}
