//! A TOML document that is read once, whatever is asked about it.

use super::tree::Table;
use super::{TomlError, objection, plain};
use serde::de::DeserializeOwned;

/// Text of a TOML document with its values.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    file: &'t str,
    /// Values; `None` if the text is no TOML, or has a number that is too large.
    table: Option<Table>,
}

impl<'t> Document<'t> {
    /// Reads a text. `file` is its name in errors. Errors are found when values are asked for.
    #[must_use]
    pub fn new(text: &'t str, file: &'t str) -> Self {
        let any = || toml::from_str::<toml::Table>(text).ok().map(Table::from);
        Self { text, file, table: plain::read(text).or_else(any) }
    }

    /// Refuses earlier names of keys, each of which is given with today's. A text that is not TOML has none.
    ///
    /// # Errors
    /// [`TomlError::Value`], with file and line, for the first of them that the text gives a value.
    pub fn refuse_earlier(&self, earlier: &[(&str, &str)]) -> Result<(), TomlError> {
        let has = |key: &str| {
            let mut parts = key.split('.');
            let first = parts.next().and_then(|part| self.table.as_ref()?.get(part));
            parts.try_fold(first, |value, part| value.map(|value| value.as_table()?.get(part))).flatten().is_some()
        };
        match earlier.iter().find(|(old, _)| has(old)) {
            Some((old, new)) => {
                Err(TomlError::value(old, format!("is called `{new}` now")).located(self.text, self.file))
            }
            None => Ok(()),
        }
    }

    /// Converts the document to the type of a configuration.
    ///
    /// # Errors
    /// [`TomlError::Syntax`], with file and line, for a text that is not TOML, unknown keys and values of the wrong
    /// type.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, TomlError> {
        let ready = self.table.as_ref().and_then(|table| T::deserialize(table).ok());
        // The parser knows the lines: it says what is wrong.
        ready.map_or_else(|| parse_again(self.text, self.file), Ok)
    }

    /// Returns the values.
    ///
    /// # Errors
    /// [`TomlError::Syntax`], with file and line, for a text that is not TOML.
    pub fn into_table(self) -> Result<Table, TomlError> {
        let Self { text, file, table } = self;
        table.map_or_else(|| parse_again::<toml::Table>(text, file).map(Table::from), Ok)
    }
}

fn parse_again<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, TomlError> {
    toml::from_str(text).map_err(|error| {
        let (line, quote, reason) = objection(&error, text);
        TomlError::Syntax { file: file.to_owned(), line, quote, reason }
    })
}
