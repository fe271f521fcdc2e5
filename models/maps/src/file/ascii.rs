//! ESRI ASCII grids: a header of keys, then the values row by row from the north.

use super::size::cells;
use crate::raster::{Georeference, NO_DATA, Sample};
use crate::{MapError, Raster, System};
use std::fmt::Write;
use std::path::Path;

/// Keys of a header, in lower case.
const KEYS: [&str; 10] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy", "nodata_value"];

/// Header with the numbers that were found.
#[derive(Default)]
struct Header {
    numbers: [Option<f64>; KEYS.len()],
}

impl Header {
    fn get(&self, key: &str) -> Option<f64> {
        let place = KEYS.iter().position(|known| *known == key)?;
        self.numbers.get(place).copied().flatten()
    }

    fn need(&self, file: &Path, key: &'static str) -> Result<f64, MapError> {
        self.get(key).ok_or_else(|| MapError::NoKey { file: file.to_owned(), key })
    }

    fn count(&self, file: &Path, key: &'static str) -> Result<u64, MapError> {
        let number = self.need(file, key)?;
        if number >= 0.0 && number.fract() == 0.0 && number < 1e15 {
            return Ok(number as u64);
        }
        let found = format!("{key} {number}");
        Err(MapError::Syntax { file: file.to_owned(), line: 1, found, expected: "a whole number of them".to_owned() })
    }

    fn place(&self, file: &Path, rows: u64) -> Result<Georeference, MapError> {
        let cell_width = self.get("dx").map_or_else(|| self.need(file, "cellsize"), Ok)?;
        let cell_height = self.get("dy").map_or_else(|| self.need(file, "cellsize"), Ok)?;
        for size in [cell_width, cell_height] {
            if size.is_nan() || size <= 0.0 || size.is_infinite() {
                return Err(MapError::CellSize { file: file.to_owned(), size });
            }
        }
        let edge = |centre, corner, cell: f64| match self.get(centre) {
            Some(centre) => Ok(centre - 0.5 * cell),
            None => self.need(file, corner),
        };
        let west = edge("xllcenter", "xllcorner", cell_width)?;
        let south = edge("yllcenter", "yllcorner", cell_height)?;
        let north = south + rows as f64 * cell_height;
        Ok(Georeference { west, north, cell_width, cell_height, system: System::Unknown })
    }
}

pub(super) fn decode(file: &Path, bytes: &[u8]) -> Result<Raster, MapError> {
    let syntax = |line: usize, found: &[u8], expected: &str| {
        let found = String::from_utf8_lossy(found.get(..40).unwrap_or(found)).into_owned();
        MapError::Syntax { file: file.to_owned(), line, found, expected: expected.to_owned() }
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut words = Words { rest: text, line: 1 };
    let mut header = Header::default();
    let mut first = words.next();
    while let Some((line, word)) = first.filter(|(_, word)| !is_number(word)) {
        let key = String::from_utf8_lossy(word).to_ascii_lowercase();
        let place = KEYS.iter().position(|known| *known == key);
        let slot = place.and_then(|place| header.numbers.get_mut(place));
        let slot = slot.ok_or_else(|| syntax(line, word, "a key of the header, such as `ncols`, or a number"))?;
        let (line, word) = words.next().unwrap_or((line, b""));
        *slot = Some(number(word).ok_or_else(|| syntax(line, word, "a number behind the key"))?);
        first = words.next();
    }
    let (columns, rows) = (header.count(file, "ncols")?, header.count(file, "nrows")?);
    let expected = cells(file, columns, rows, 1)?;
    let place = header.place(file, rows)?;
    let truncated = |found: u64| MapError::Truncated {
        file: file.to_owned(),
        found: format!("{found} values"),
        expected: format!("{expected} ({rows} rows of {columns})"),
    };
    // A value takes a digit and a space at least: nothing is allocated for values that cannot be there.
    if expected > bytes.len() as u64 {
        return Err(truncated(first.iter().count() as u64 + words.count() as u64));
    }
    let no_data = header.get("nodata_value");
    let mut values = Vec::with_capacity(expected as usize);
    let (mut least, mut greatest, mut is_whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
    for (line, word) in first.into_iter().chain(words) {
        let value = number(word).ok_or_else(|| syntax(line, word, "a number, with a point for decimals"))?;
        if values.len() as u64 == expected {
            return Err(MapError::Surplus { file: file.to_owned(), line, expected });
        }
        if Some(value) == no_data || value.is_nan() {
            values.push(f64::NAN);
        } else {
            (least, greatest) = (least.min(value), greatest.max(value));
            is_whole &= value.fract() == 0.0;
            values.push(value);
        }
    }
    if (values.len() as u64) < expected {
        return Err(truncated(values.len() as u64));
    }
    let is_whole = is_whole && [Some(least), Some(greatest), no_data].into_iter().flatten().all(|v| v.fract() == 0.0);
    let holds =
        |sample: &Sample| [least, greatest, no_data.unwrap_or(NO_DATA)].into_iter().all(|value| sample.holds(value));
    let whole = [Sample::I16, Sample::I32].into_iter().find(|sample| is_whole && holds(sample));
    let mut raster = Raster::new(columns as u32, rows as u32, values, place)?;
    raster.no_data = no_data;
    raster.sample = whole.unwrap_or(Sample::F64);
    Ok(raster)
}

pub(super) fn encode(raster: &Raster) -> Result<Vec<u8>, MapError> {
    let place = &raster.place;
    if !place.is_square() {
        return Err(MapError::NotSquare { width: place.cell_width, height: place.cell_height });
    }
    let south = place.north - f64::from(raster.rows()) * place.cell_height;
    let no_data = raster.no_data.filter(|mark| !mark.is_nan()).unwrap_or_else(|| free_mark(raster));
    let mut text = String::with_capacity(raster.values().len() * 8);
    let _ = write!(
        text,
        "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value {no_data}\n",
        raster.columns(),
        raster.rows(),
        rounded(place.west, place.cell_width),
        rounded(south, place.cell_height),
        place.cell_width
    );
    for row in raster.values().chunks(raster.columns().max(1) as usize) {
        for (column, &value) in row.iter().enumerate() {
            let separator = if column == 0 { "" } else { " " };
            let value = if value.is_nan() { no_data } else { value };
            // The shortest digits that give the same number again.
            let _ = match raster.sample {
                Sample::F32 if Sample::F32.holds(value) => write!(text, "{separator}{}", value as f32),
                _ => write!(text, "{separator}{value}"),
            };
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Finds a number that no cell has: -9999, or one of more nines.
fn free_mark(raster: &Raster) -> f64 {
    let mut mark = NO_DATA;
    while raster.values().contains(&mark) {
        mark = mark * 10.0 - 9.0;
    }
    mark
}

/// Rounds a position to remove noise of less than a millionth of a cell.
fn rounded(position: f64, cell: f64) -> f64 {
    let scale = 10_f64.powi((6.0 - cell.log10().floor()) as i32);
    let rounded = (position * scale).round() / scale;
    if rounded.is_finite() { rounded } else { position }
}

fn is_number(word: &[u8]) -> bool {
    number(word).is_some()
}

fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok().filter(|number: &f64| !number.is_infinite())
}

/// Words of a text with their lines.
struct Words<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let (space, word) = self.rest.split_at_checked(start)?;
        self.line += space.iter().filter(|&&byte| byte == b'\n').count();
        let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        let (word, rest) = word.split_at_checked(end)?;
        self.rest = rest;
        Some((self.line, word))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const GRID: &str =
        "ncols 3\nnrows 2\nxllcorner 10.5\nyllcorner -4\ncellsize 0.5\nNODATA_value -9999\n1 2.25 -9999\n4 5 6e3\n";

    fn read(text: &str) -> Result<Raster, MapError> {
        decode("a.asc".as_ref(), text.as_bytes())
    }

    #[test]
    fn header_and_values_are_read_and_written_as_they_were() {
        let raster = read(GRID).unwrap();
        assert_eq!((raster.columns(), raster.rows(), raster.sample), (3, 2, Sample::F64));
        assert_eq!((raster.place.west, raster.place.north, raster.place.cell_width), (10.5, -3.0, 0.5));
        assert_eq!((raster.at(0, 1), raster.at(0, 2), raster.at(1, 2)), (Some(2.25), None, Some(6000.0)));
        assert_eq!(String::from_utf8(encode(&raster).unwrap()).unwrap(), GRID.replace("6e3", "6000"));
        let centres = read(&GRID.replace("corner 10.5", "center 10.75").replace("corner -4", "center -3.75")).unwrap();
        assert_eq!(centres.place, raster.place);
        let shouted = read(&GRID.to_uppercase().replace('\n', "\r\n")).unwrap();
        assert_eq!(shouted.place, raster.place);
    }

    #[test]
    fn faults_tell_the_line_and_a_remedy() {
        let fault = |from: &str, to: &str| read(&GRID.replace(from, to)).unwrap_err().to_string();
        assert_eq!(fault("2.25", "2,25"), "a.asc:7: found `2,25`, expected a number, with a point for decimals");
        assert!(fault("ncols", "columns").starts_with("a.asc:1: found `columns`, expected a key"));
        assert!(fault("nrows 2\n", "").contains("no `nrows`: add"));
        assert!(fault("nrows 2", "nrows 2.5").contains("nrows 2.5"));
        assert!(fault("cellsize 0.5", "cellsize 0").contains("cell size of 0"));
        assert!(fault("nrows 2", "nrows 0").contains("no cells"));
        assert!(fault(" 6e3", "").contains("ends early: 5 values of 6 (2 rows of 3)"));
        assert!(fault("6e3", "6e3 7").starts_with("a.asc:8: a value more than the 6"));
    }

    #[test]
    fn sizes_that_the_file_cannot_hold_are_refused_before_memory_is_taken() {
        let fault = |rows: &str| read(&GRID.replace("nrows 2", rows)).unwrap_err().to_string();
        assert!(fault("nrows 80000000").contains("6 values of 240000000"));
        assert!(fault("nrows 900000000").contains("more than 268435456 cells"));
        assert!(fault("nrows 1e300").contains("whole number"));
    }

    #[test]
    fn numbers_keep_neighbouring_rasters_aligned() {
        let mut raster = read(GRID).unwrap();
        (raster.place.north, raster.place.cell_width, raster.place.cell_height) = (0.3, 0.1, 0.1);
        let text = String::from_utf8(encode(&raster).unwrap()).unwrap();
        assert!(text.contains("yllcorner 0.1\n"), "{text}");
    }
}
