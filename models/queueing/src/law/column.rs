//! Durations from a column of a CSV file.

use super::error::LawShapeError;
use imminent_common::input;
use std::path::Path;

/// Reads the durations of the column with heading `column` from a CSV file. Since a model may come from a stranger, who
/// names a file of this machine, errors do not show what is in the file.
pub(super) fn read_column(path: &Path, column: &str) -> Result<Vec<f64>, LawShapeError> {
    let file = || path.display().to_string();
    let unreadable = |error: csv::Error| LawShapeError::File { file: file(), reason: error.to_string() };
    let text = input::text(path)?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let headings = reader.headers().map_err(unreadable)?;
    let index = headings.iter().position(|heading| heading == column).ok_or_else(|| LawShapeError::Column {
        file: file(),
        column: column.to_owned(),
        columns: headings.len(),
    })?;
    let mut values = vec![];
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let text = record.get(index).unwrap_or("");
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => values.push(value),
            _ => {
                return Err(LawShapeError::Entry {
                    file: file(),
                    line: record.position().map_or(0, csv::Position::line),
                    column: column.to_owned(),
                });
            }
        }
    }
    Ok(values)
}
