//! Tables of arrivals in files.

#[cfg(feature = "parquet")]
mod columns;
mod error;
mod lines;
mod rows;

use super::behaviour_shape::ReplayShape;
use crate::network::{Replay, Replayed};
pub use error::{Place, ReplayFileError};
use imminent_common::input::{self, MAX_DATA};
use lines::Lines;
use rows::Rows;
use std::collections::BTreeMap;

/// Longest time of a table, in time units: about the longest run with the default tick.
const MAX_UNITS: f64 = 1e12;

/// Returns the rows of a file with these contents: a Parquet file if they begin as one, and otherwise a CSV file.
fn table(file: &str, contents: Vec<u8>) -> Result<Box<dyn Rows>, ReplayFileError> {
    if contents.starts_with(b"PAR1") {
        #[cfg(feature = "parquet")]
        return Ok(Box::new(columns::Columns::open(file, contents)?));
        #[cfg(not(feature = "parquet"))]
        return Err(ReplayFileError::NoParquet { file: file.to_owned() });
    }
    Ok(Box::new(Lines::open(file, contents)?))
}

impl ReplayShape {
    /// Reads the table, whose stations are left to the caller. Tokens without a column for classes are of `class`.
    pub(super) fn read(&self, class: u32, class_of: &dyn Fn(&str) -> Option<u32>) -> Result<Replay, ReplayFileError> {
        let file = self.file.display().to_string();
        let contents = input::bytes(&self.file, MAX_DATA)?;
        let mut rows = table(&file, contents)?;
        let headings = rows.headings().to_vec();
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
        while let Some(row) = rows.next()? {
            let wrong = |place: usize, problem: &'static str| ReplayFileError::Entry {
                file: file.clone(),
                place: row,
                column: headings.get(place).cloned().unwrap_or_default(),
                problem,
            };
            let entry = |place: usize| rows.entry(place);
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
