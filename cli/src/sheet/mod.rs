//! Tables of what a run found, column by column: the same in CSV, Parquet and HTML.

pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;

/// A value of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Count(u64),
    Number(Option<f64>),
    Text(String),
}

/// What all values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Count,
    Number,
    Text,
}

/// Rows of values under named columns.
pub trait Sheet {
    /// What the rows are: the name of files with the table, and the table's own where a format has one.
    fn name(&self) -> &'static str;
    /// Every column: its name, and what its values are.
    fn columns(&self) -> Vec<(String, Kind)>;
    /// Number of rows.
    fn rows(&self) -> usize;
    /// The value in a row and column that are there.
    fn value(&self, row: usize, column: usize) -> Value;
}

/// What a column takes of a record.
pub enum Of<T> {
    Count(fn(&T) -> u64),
    Number(fn(&T) -> Option<f64>),
    Text(fn(&T) -> String),
}

/// A table with a row for each record.
pub struct Records<'a, T: 'a> {
    pub name: &'static str,
    pub columns: &'a [(&'static str, Of<T>)],
    pub rows: &'a [T],
}

impl<T> Sheet for Records<'_, T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let kind = |of: &Of<T>| match of {
            Of::Count(_) => Kind::Count,
            Of::Number(_) => Kind::Number,
            Of::Text(_) => Kind::Text,
        };
        self.columns.iter().map(|(name, of)| ((*name).to_owned(), kind(of))).collect()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some((record, (_, of))) = self.rows.get(row).zip(self.columns.get(column)) else {
            return Value::Number(None);
        };
        match of {
            Of::Count(of) => Value::Count(of(record)),
            Of::Number(of) => Value::Number(of(record)),
            Of::Text(of) => Value::Text(of(record)),
        }
    }
}
