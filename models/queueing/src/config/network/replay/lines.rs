//! Rows of a CSV file.

use super::error::{Place, ReplayFileError};
use super::rows::Rows;
use std::io::Cursor;

/// Rows of a CSV file.
pub(super) struct Lines {
    file: String,
    reader: csv::Reader<Cursor<Vec<u8>>>,
    headings: Vec<String>,
    record: csv::StringRecord,
}

impl Lines {
    pub(super) fn open(file: &str, contents: Vec<u8>) -> Result<Self, ReplayFileError> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(Cursor::new(contents));
        let headings = reader.headers().map_err(|error| no_row(file, &error))?;
        let headings = headings.iter().map(str::to_owned).collect();
        Ok(Self { file: file.to_owned(), reader, headings, record: csv::StringRecord::new() })
    }
}

fn no_row(file: &str, error: &csv::Error) -> ReplayFileError {
    ReplayFileError::Csv { file: file.to_owned(), line: error.position().map_or(0, csv::Position::line) }
}

impl Rows for Lines {
    fn headings(&self) -> &[String] {
        &self.headings
    }

    fn next(&mut self) -> Result<Option<Place>, ReplayFileError> {
        let is_read = self.reader.read_record(&mut self.record).map_err(|error| no_row(&self.file, &error))?;
        Ok(is_read.then(|| Place::Line(line(&self.record, self.reader.get_ref().get_ref()))))
    }

    fn entry(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or_default()
    }
}

/// Returns the line of a record. The reader counts empty lines before it as a part of it.
fn line(record: &csv::StringRecord, contents: &[u8]) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let from = contents.get(position.byte() as usize..).unwrap_or(&[]);
    let empty = from.iter().take_while(|byte| byte.is_ascii_whitespace()).filter(|byte| **byte == b'\n');
    position.line() + empty.count() as u64
}
