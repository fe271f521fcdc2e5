//! Rows of a Parquet file.

use super::error::{Place, ReplayFileError};
use super::rows::Rows;
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Largest number of rows. A small file can claim any number: equal rows take no place in it.
const MAX_ROWS: u64 = 1 << 26;

/// Rows of a Parquet file, whose entries are texts as in a CSV file.
///
/// The reader of a damaged file may panic; the file is then an error.
pub(super) struct Columns {
    file: String,
    rows: RowIter<'static>,
    headings: Vec<String>,
    entries: Vec<String>,
    read: u64,
}

impl Columns {
    pub(super) fn open(file: &str, contents: Vec<u8>) -> Result<Self, ReplayFileError> {
        let opened = catch_unwind(|| {
            let reader = SerializedFileReader::new(Bytes::from(contents)).ok()?;
            let fields = reader.metadata().file_metadata().schema().get_fields().to_vec();
            let headings: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
            Some((headings, RowIter::from_file_into(Box::new(reader))))
        });
        let (headings, rows) = opened.ok().flatten().ok_or_else(|| damaged(file))?;
        Ok(Self { file: file.to_owned(), rows, headings, entries: vec![], read: 0 })
    }
}

fn damaged(file: &str) -> ReplayFileError {
    ReplayFileError::Damaged { file: file.to_owned() }
}

impl Rows for Columns {
    fn headings(&self) -> &[String] {
        &self.headings
    }

    fn next(&mut self) -> Result<Option<Place>, ReplayFileError> {
        // A panic ends the reading, so the state of the rows does not matter afterwards.
        let rows = AssertUnwindSafe(&mut self.rows);
        let row = catch_unwind(move || {
            let AssertUnwindSafe(rows) = { rows };
            rows.next()
        });
        let row = match row {
            Ok(None) => return Ok(None),
            Ok(Some(Ok(row))) => row,
            Ok(Some(Err(_))) | Err(_) => return Err(damaged(&self.file)),
        };
        self.entries.clear();
        self.entries.extend(row.get_column_iter().map(|(_, field)| text(field)));
        self.read += 1;
        if self.read > MAX_ROWS {
            return Err(ReplayFileError::TooManyRows { file: self.file.clone(), most: MAX_ROWS });
        }
        Ok(Some(Place::Row(self.read)))
    }

    fn entry(&self, column: usize) -> &str {
        self.entries.get(column).map_or("", String::as_str)
    }
}

/// Returns a number or a text as a CSV file would have it. Other values are no number and no name.
fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.trim().to_owned(),
        Field::Byte(number) => number.to_string(),
        Field::Short(number) => number.to_string(),
        Field::Int(number) => number.to_string(),
        Field::Long(number) => number.to_string(),
        Field::UByte(number) => number.to_string(),
        Field::UShort(number) => number.to_string(),
        Field::UInt(number) => number.to_string(),
        Field::ULong(number) => number.to_string(),
        Field::Float(number) => f64::from(*number).to_string(),
        Field::Double(number) => number.to_string(),
        _ => char::REPLACEMENT_CHARACTER.to_string(),
    }
}

#[cfg(test)]
mod tests;
