//! Reading a landscape file of FARSITE 4 (`.lcp`).
//!
//! A header of 7,316 bytes is followed by the cells from the north-west, row by row, with a 16-bit integer for each
//! band. Numbers are little-endian. Places and codes of the header are those that GDAL's driver reads
//! (<https://gdal.org/drivers/raster/lcp.html>). -9999 stands for no data.

use super::band::Band;
use super::size::cells;
use crate::raster::{Georeference, Sample, System};
use crate::{MapError, Raster};
use std::path::Path;

/// Bytes of the header.
const HEADER: usize = 7316;
/// Number that stands for no data.
const NO_DATA: f64 = -9999.0;

/// Places of numbers in the header.
mod at {
    /// 21 with bands of height, base and density of the canopy, 20 without.
    pub(super) const CROWNS: usize = 0;
    /// 21 with bands of duff and coarse wood, 20 without.
    pub(super) const GROUND: usize = 4;
    pub(super) const COLUMNS: usize = 4164;
    pub(super) const ROWS: usize = 4168;
    pub(super) const WEST: usize = 4180;
    pub(super) const NORTH: usize = 4188;
    /// Unit of coordinates: 0 metres, 1 feet, 2 kilometres.
    pub(super) const LENGTH: usize = 4204;
    pub(super) const CELL_WIDTH: usize = 4208;
    pub(super) const CELL_HEIGHT: usize = 4216;
    /// Codes of the units of the first eight bands, 16 bits each.
    pub(super) const UNITS: usize = 4224;
}

/// Names of bands with those of their units by code.
const BANDS: [(&str, &[&str]); 10] = [
    ("Elevation", &["Meters", "Feet"]),
    ("Slope", &["Degrees", "Percent"]),
    ("Aspect", &["Grass categories", "Grass degrees", "Azimuth degrees"]),
    ("Fuel models", &[]),
    ("Canopy cover", &["Categories (0-4)", "Percent"]),
    ("Canopy height", &["", "Meters", "Feet", "Meters x 10", "Feet x 10"]),
    ("Canopy base height", &["", "Meters", "Feet", "Meters x 10", "Feet x 10"]),
    ("Canopy bulk density", &["", "kg/m^3", "lb/ft^3", "kg/m^3 x 100", "lb/ft^3 x 1000"]),
    ("Duff", &[]),
    ("Coarse woody debris", &[]),
];

struct Header<'a>(&'a [u8]);

impl Header<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        self.0.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
    }

    fn integer(&self, at: usize) -> i32 {
        i32::from_le_bytes(self.bytes(at))
    }

    fn real(&self, at: usize) -> f64 {
        f64::from_le_bytes(self.bytes(at))
    }

    /// Returns the name of the unit of a band, by its number.
    fn unit(&self, band: usize) -> Option<String> {
        let code = u16::from_le_bytes(self.bytes(at::UNITS + 2 * band));
        let (_, names) = BANDS.get(band)?;
        names.get(usize::from(code)).filter(|name| !name.is_empty()).map(|name| (*name).to_owned())
    }

    /// Returns the numbers of the bands in the file, among all.
    fn bands(&self) -> Option<Vec<usize>> {
        let has = |at: usize| match self.integer(at) {
            20 => Some(false),
            21 => Some(true),
            _ => None,
        };
        let (crowns, ground) = (has(at::CROWNS)?, has(at::GROUND)?);
        Some((0..BANDS.len()).filter(|band| *band < 5 || if *band < 8 { crowns } else { ground }).collect())
    }
}

/// Decodes the bands of a landscape file. `system` is the coordinate system of a `.prj` file beside it.
pub(super) fn decode(file: &Path, bytes: &[u8], system: System) -> Result<Vec<Band>, MapError> {
    let truncated = |expected: String| MapError::Truncated {
        file: file.to_owned(),
        found: format!("{} bytes", bytes.len()),
        expected,
    };
    let header = Header(bytes.get(..HEADER).ok_or_else(|| truncated(format!("at least {HEADER}")))?);
    let bands = header.bands().ok_or_else(|| MapError::NoLandscape { file: file.to_owned() })?;
    let side = |at: usize| u32::try_from(header.integer(at)).unwrap_or(0);
    let (columns, rows) = (side(at::COLUMNS), side(at::ROWS));
    let count = cells(file, columns.into(), rows.into(), bands.len() as u16)? as usize;
    let numbers = bytes.get(HEADER..).unwrap_or_default();
    let (numbers, _) = numbers.as_chunks::<2>();
    if numbers.len() < count * bands.len() {
        let expected = HEADER + 2 * count * bands.len();
        return Err(truncated(format!("{expected} ({rows} rows of {columns} cells with {} bands)", bands.len())));
    }
    let place = place(file, &header, system)?;
    let band = |(place_of, &number): (usize, &usize)| {
        let cells = numbers.iter().skip(place_of).step_by(bands.len()).take(count);
        let value = |bytes: &[u8; 2]| f64::from(i16::from_le_bytes(*bytes));
        let values = cells.map(value).map(|value| if value == NO_DATA { f64::NAN } else { value }).collect();
        let mut raster = Raster::new(columns, rows, values, place.clone())?;
        (raster.no_data, raster.sample) = (Some(NO_DATA), Sample::I16);
        let name = BANDS.get(number).map(|(name, _)| (*name).to_owned());
        Ok(Band { raster, name, unit: header.unit(number) })
    };
    bands.iter().enumerate().map(band).collect()
}

fn place(file: &Path, header: &Header<'_>, system: System) -> Result<Georeference, MapError> {
    let [west, north, cell_width, cell_height] =
        [at::WEST, at::NORTH, at::CELL_WIDTH, at::CELL_HEIGHT].map(|at| header.real(at));
    if let Some(size) = [cell_width, cell_height].into_iter().find(|size| !(*size > 0.0 && size.is_finite())) {
        return Err(MapError::CellSize { file: file.to_owned(), size });
    }
    if !(west.is_finite() && north.is_finite()) {
        return Err(MapError::NoLandscape { file: file.to_owned() });
    }
    // Without a `.prj` file the header tells the unit alone.
    let unit = |name: &str, metres: f64| System::Text(format!("LOCAL_CS[\"{name}\",UNIT[\"{name}\",{metres}]]"));
    let system = match (system, header.integer(at::LENGTH)) {
        (System::Unknown, 1) => unit("foot", 0.3048),
        (System::Unknown, 2) => unit("kilometre", 1000.0),
        (system, _) => system,
    };
    Ok(Georeference { west, north, cell_width, cell_height, system })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A landscape of 2 rows and 3 columns, whose cell has ten times its number plus that of the band.
    fn landscape(crowns: bool, ground: bool, length: i32) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        let mut put = |at: usize, number: &[u8]| bytes[at..at + number.len()].copy_from_slice(number);
        for (at, number) in [
            (at::CROWNS, 20 + i32::from(crowns)),
            (at::GROUND, 20 + i32::from(ground)),
            (at::COLUMNS, 3),
            (at::ROWS, 2),
            (at::LENGTH, length),
        ] {
            put(at, &number.to_le_bytes());
        }
        for (at, number) in [(at::WEST, 500.0), (at::NORTH, 900.0), (at::CELL_WIDTH, 30.0), (at::CELL_HEIGHT, 30.0)] {
            put(at, &f64::to_le_bytes(number));
        }
        for (band, code) in [0_u16, 1, 2, 0, 1, 3, 4, 2].into_iter().enumerate() {
            put(at::UNITS + 2 * band, &code.to_le_bytes());
        }
        let bands = 5 + 3 * i16::from(crowns) + 2 * i16::from(ground);
        for cell in 0..6 {
            for band in 0..bands {
                let number = if cell == 4 && band == 3 { -9999 } else { 10 * cell + band };
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<Band>, MapError> {
        decode("a.lcp".as_ref(), bytes, System::Unknown)
    }

    #[test]
    fn bands_have_their_names_units_and_values() {
        let bands = read(&landscape(true, false, 0)).unwrap();
        let units: Vec<_> = bands.iter().map(|band| band.unit.as_deref().unwrap_or("-")).collect();
        assert_eq!(units[..5], ["Meters", "Percent", "Azimuth degrees", "-", "Percent"]);
        assert_eq!(units[5..], ["Meters x 10", "Feet x 10", "lb/ft^3"]);
        let fuel = &bands[3];
        assert_eq!(fuel.name.as_deref(), Some("Fuel models"));
        assert_eq!((fuel.raster.at(0, 2), fuel.raster.at(1, 0), fuel.raster.at(1, 1)), (Some(23.0), Some(33.0), None));
        assert_eq!(bands[0].raster.place, Georeference::square(500.0, 900.0, 30.0));
        let names = |crowns, ground| -> Vec<String> {
            read(&landscape(crowns, ground, 0)).unwrap().into_iter().filter_map(|band| band.name).collect()
        };
        assert_eq!((names(false, false).len(), names(true, true).len()), (5, 10));
        assert_eq!(names(false, true)[5..], ["Duff", "Coarse woody debris"]);
        let feet = read(&landscape(false, false, 1)).unwrap();
        assert!((feet[0].raster.place.cell_metres().unwrap() - 9.144).abs() < 1e-9);
    }

    #[test]
    fn damaged_landscapes_are_refused() {
        let whole = landscape(true, false, 0);
        let fault = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(fault(&whole[..100]).contains("100 bytes of at least 7316"));
        assert!(fault(&whole[..whole.len() - 1]).contains("of 7412 (2 rows of 3 cells with 8 bands)"));
        let with = |at: usize, bytes: &[u8]| {
            let mut changed = whole.clone();
            changed[at..at + bytes.len()].copy_from_slice(bytes);
            fault(&changed)
        };
        assert!(with(at::CROWNS, &7_i32.to_le_bytes()).contains("no landscape file"));
        assert!(with(at::WEST, &f64::NAN.to_le_bytes()).contains("no landscape file"));
        assert!(with(at::CELL_WIDTH, &(-30.0_f64).to_le_bytes()).contains("cell size of -30"));
        assert!(with(at::ROWS, &(-1_i32).to_le_bytes()).contains("no cells"));
        assert!(with(at::ROWS, &i32::MAX.to_le_bytes()).contains("cut the part of interest"));
    }
}
