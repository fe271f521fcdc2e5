//! Reasons why a file is no table of arrivals.

use imminent_common::input::InputError;
use std::fmt;
use thiserror::Error;

/// Reasons why a file is no table of arrivals. Since a model may come from a stranger, who names a file of this
/// machine, errors do not show what is in the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is no Parquet file, or it is damaged.
    #[error("{file}: a damaged Parquet file: write it once more, or give a CSV file")]
    Damaged {
        /// Name of the file.
        file: String,
    },
    /// The program reads no Parquet files.
    #[error(
        "{file}: a Parquet file, which this program was built without: give a CSV file, or build it with the feature `parquet`"
    )]
    NoParquet {
        /// Name of the file.
        file: String,
    },
    /// The file is no CSV file.
    #[error("{file}, line {line}: no row of a CSV file in UTF-8: give each row as many entries as there are headings")]
    Csv {
        /// Name of the file.
        file: String,
        /// Line, from 1; 0 if it is not known.
        line: u64,
    },
    /// The file has more rows than such files may have.
    #[error("{file}: has more than {most} rows, the most that such a file may have: give a part of it")]
    TooManyRows {
        /// Name of the file.
        file: String,
        /// Limit.
        most: u64,
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
    #[error("{file}, {place}, column '{column}': {problem}")]
    Entry {
        /// Name of the file.
        file: String,
        /// Line or row of the file.
        place: Place,
        /// Heading of the column.
        column: String,
        /// Problem, and a remedy.
        problem: &'static str,
    },
}

/// Place of a row in a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Line of a text.
    Line(u64),
    /// Row of a table.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}
