//! Tables of arrivals in files.

use super::behaviour_shape::ReplayShape;
use crate::network::{Replay, Replayed};
use imminent_common::input::{self, InputError, MAX_DATA};
use std::collections::BTreeMap;
use thiserror::Error;

/// Longest time of a table, in time units: about the longest run with the default tick.
const MAX_UNITS: f64 = 1e12;

/// Reasons why a file is no table of arrivals. Since a model may come from a stranger, who names a file of this
/// machine, errors do not show what is in the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is no CSV file.
    #[error("{file}, line {line}: no row of a CSV file in UTF-8: give each row as many entries as there are headings")]
    Csv {
        /// Name of the file.
        file: String,
        /// Line, from 1; 0 if it is not known.
        line: u64,
    },
    /// The file has no rows.
    #[error("{file}: no rows after the headings: give at least one arrival")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// A column is missing.
    #[error("{file}: none of the {columns} headings is '{column}': name one of them")]
    Column {
        /// Name of the file.
        file: String,
        /// Heading that was wanted.
        column: String,
        /// Number of headings.
        columns: usize,
    },
    /// An entry is wrong.
    #[error("{file}, line {line}, column '{column}': {problem}")]
    Entry {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: u64,
        /// Heading of the column.
        column: String,
        /// Problem, and a remedy.
        problem: &'static str,
    },
}

/// Returns the line of a record. The reader counts empty lines before it as a part of it.
fn line(record: &csv::StringRecord, contents: &[u8]) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let from = contents.get(position.byte() as usize..).unwrap_or(&[]);
    let empty = from.iter().take_while(|byte| byte.is_ascii_whitespace()).filter(|byte| **byte == b'\n');
    position.line() + empty.count() as u64
}

impl ReplayShape {
    /// Reads the table, whose stations are left to the caller. Tokens without a column for classes are of `class`.
    pub(super) fn read(&self, class: u32, class_of: &dyn Fn(&str) -> Option<u32>) -> Result<Replay, ReplayFileError> {
        let file = self.file.display().to_string();
        let contents = input::bytes(&self.file, MAX_DATA)?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(contents.as_slice());
        let line_of = |error: &csv::Error| error.position().map_or(0, csv::Position::line);
        let no_row = |error: csv::Error| ReplayFileError::Csv { file: file.clone(), line: line_of(&error) };
        let headings = reader.headers().map_err(no_row)?.clone();
        let place = |column: &str| {
            headings.iter().position(|heading| heading == column).ok_or_else(|| ReplayFileError::Column {
                file: file.clone(),
                column: column.to_owned(),
                columns: headings.len(),
            })
        };
        let time = place(self.time.as_deref().unwrap_or("time"))?;
        let classes = self.class.as_deref().map(place).transpose()?;
        let number = self.number.as_deref().map(place).transpose()?;
        let lengths = self.services.values().map(|column| place(column)).collect::<Result<Vec<_>, _>>()?;
        let mut replay = Replay::default();
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(no_row)? {
            let wrong = |place: usize, problem: &'static str| ReplayFileError::Entry {
                file: file.clone(),
                line: line(&record, &contents),
                column: headings.get(place).unwrap_or_default().to_owned(),
                problem,
            };
            let entry = |place: usize| record.get(place).unwrap_or_default();
            let units = |place: usize| entry(place).parse::<f64>().ok().filter(|units| units.abs() <= MAX_UNITS);
            let arrival =
                units(time).ok_or_else(|| wrong(time, "no time: give a number of time units, at most 10^12"))?;
            let before = replay.rows.last().map_or(0.0, |row: &Replayed| row.time);
            if arrival < 0.0 {
                return Err(wrong(time, "a time before the start of the run: give 0 or more"));
            }
            if arrival < before {
                return Err(wrong(time, "a time before that of the row above: sort the rows by time"));
            }
            let class = match classes {
                None => class,
                Some(place) => match known.get(entry(place)) {
                    Some(class) => *class,
                    None => {
                        let name = entry(place);
                        let unknown = "no class of the network: add its name to 'classes', or correct it";
                        let class = class_of(name).ok_or_else(|| wrong(place, unknown))?;
                        known.insert(name.to_owned(), class);
                        class
                    }
                },
            };
            let tokens = match number {
                None => 1,
                Some(place) => {
                    let tokens = entry(place).parse().ok();
                    let range = "no number of tokens: give a whole number from 1 to 1,000,000";
                    let fits = |tokens: &u32| (1..=Replay::MAX_TOKENS).contains(tokens);
                    tokens.filter(fits).ok_or_else(|| wrong(place, range))?
                }
            };
            for &place in &lengths {
                let length = match entry(place) {
                    "" => None,
                    _ => {
                        let length = units(place).filter(|length| *length >= 0.0);
                        let range = "no length of a service: give 0 to 10^12 time units, or nothing to draw it";
                        Some(length.ok_or_else(|| wrong(place, range))?)
                    }
                };
                replay.services.push(length);
            }
            replay.rows.push(Replayed { time: arrival, class, tokens });
        }
        if replay.rows.is_empty() {
            return Err(ReplayFileError::Empty { file });
        }
        Ok(replay)
    }
}
