//! Tables of results as data, column by column. Programs write them as CSV, Parquet or HTML.

/// Value of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Whole number.
    Count(u64),
    /// Real number; `None` where there is none, which leaves the cell empty.
    Number(Option<f64>),
    /// Text.
    Text(String),
}

/// Type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Count,
    /// Real numbers, some of which may be missing.
    Number,
    /// Texts.
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

/// Returns the heading of a column for people: `sojourn ±` for the half-widths in `sojourn_ci95`.
#[must_use]
pub fn heading(column: &str) -> String {
    let is_level = |level: &str| level.parse::<f64>().is_ok();
    match column.rsplit_once("_ci") {
        Some((name, level)) if is_level(level) => name.replace('_', " ") + " ±",
        _ => column.replace('_', " "),
    }
}

/// Accessor of a column's value in a record.
pub enum Of<T> {
    /// Accessor of a whole number.
    Count(fn(&T) -> u64),
    /// Accessor of a real number that may be missing.
    Number(fn(&T) -> Option<f64>),
    /// Accessor of a text.
    Text(fn(&T) -> String),
}

/// Table with a row for each record.
///
/// ```
/// use imminent_common::sheet::{Of, Records, Sheet, Value};
///
/// struct Gauge {
///     name: &'static str,
///     depth: Option<f64>,
/// }
/// let columns = [("gauge", Of::Text(|g: &Gauge| g.name.into())), ("depth_m", Of::Number(|g: &Gauge| g.depth))];
/// let gauges = [Gauge { name: "weir", depth: Some(1.5) }, Gauge { name: "lock", depth: None }];
/// let sheet = Records { name: "gauges", columns: &columns, rows: &gauges };
/// assert_eq!((sheet.rows(), sheet.value(0, 1)), (2, Value::Number(Some(1.5))));
/// ```
pub struct Records<'a, T: 'a> {
    /// Name of the table and of its files.
    pub name: &'static str,
    /// Name and accessor of each column.
    pub columns: &'a [(&'static str, Of<T>)],
    /// Records in the order of rows.
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
