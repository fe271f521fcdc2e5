//! Comma-separated values (RFC 4180), with a header.

use imminent_common::sheet::{Sheet, Value};
use std::io::{Result, Write};

/// Writes one line for each row.
pub fn write(file: &mut impl Write, sheet: &dyn Sheet) -> Result<()> {
    let columns = sheet.columns();
    let names: Vec<_> = columns.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(file, "{}", names.join(","))?;
    for row in 0..sheet.rows() {
        for column in 0..columns.len() {
            let comma = if column == 0 { "" } else { "," };
            match sheet.value(row, column) {
                Value::Count(count) => write!(file, "{comma}{count}")?,
                Value::Number(Some(number)) => write!(file, "{comma}{number}")?,
                Value::Number(None) => write!(file, "{comma}")?,
                Value::Text(text) => write!(file, "{comma}\"{}\"", text.replace('"', "\"\""))?,
            }
        }
        writeln!(file)?;
    }
    Ok(())
}
