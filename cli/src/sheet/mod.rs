//! Tables of results, column by column, for CSV, Parquet and HTML.

pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;

/// Value of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Count(u64),
    Number(Option<f64>),
    Text(String),
}

/// Type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Count,
    Number,
    Text,
}

/// Table with named columns.
pub trait Sheet {
    /// Name of the table and of its files.
    fn name(&self) -> &'static str;
    /// Returns the name and type of each column.
    fn columns(&self) -> Vec<(String, Kind)>;
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Returns the value of an existing row and column.
    fn value(&self, row: usize, column: usize) -> Value;
}

/// Accessor of a column's value in a record.
pub enum Of<T> {
    Count(fn(&T) -> u64),
    Number(fn(&T) -> Option<f64>),
    Text(fn(&T) -> String),
}

/// Table with a row for each record.
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
