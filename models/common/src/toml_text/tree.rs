//! Values of a TOML document, in little memory.
//!
//! A configuration can have hundreds of thousands of small tables. The ones of [`toml`] have B-trees, of which the
//! smallest takes 700 bytes, and a copy of every name. Here a table is a sorted list, and equal names share their text.

use std::fmt;
use std::sync::Arc;

/// Name of a key. Equal names of one document share their text.
pub type Name = Arc<str>;

/// A value of a TOML document.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text.
    Text(Box<str>),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A date, a time, or both.
    Datetime(Box<toml::value::Datetime>),
    /// A list, or the tables of one `[[header]]`.
    List(Vec<Value>),
    /// A table.
    Table(Table),
}

/// Values by key, sorted by key.
#[derive(Debug, Clone, Default)]
pub struct Table {
    entries: Vec<(Name, Value)>,
    /// `true` if a header opened the table, so that later headers may lead into it.
    pub(super) is_open: bool,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Table {
    /// Creates an empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: vec![], is_open: false }
    }

    /// Creates an empty table that a header opens.
    pub(super) const fn opened() -> Self {
        Self { entries: vec![], is_open: true }
    }

    /// Returns the number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|(name, _)| (**name).cmp(key))
    }

    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        let place = self.place(key).ok()?;
        self.entries.get(place).map(|(_, value)| value)
    }

    /// Returns the value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let place = self.place(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Gives a key a value. Returns the value before.
    pub fn insert(&mut self, key: impl Into<Name>, value: Value) -> Option<Value> {
        let key = key.into();
        match self.place(&key).map(|place| self.entries.get_mut(place)) {
            Ok(Some((_, own))) => Some(std::mem::replace(own, value)),
            Ok(None) => None,
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// Returns the value of a key, which is made if there is none.
    pub fn get_or_insert_with(&mut self, key: &str, make: impl FnOnce() -> Value) -> &mut Value {
        let place = self.place(key).unwrap_or_else(|place| {
            self.entries.insert(place, (key.into(), make()));
            place
        });
        &mut self.entries[place].1
    }

    /// Removes a key. Returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.place(key).ok().map(|place| self.entries.remove(place).1)
    }

    /// Returns keys and values, sorted by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &Value)> {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// Returns keys and values, sorted by key, to change the values.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Name, &mut Value)> {
        self.entries.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// Gives back the memory that was reserved for further keys.
    pub(super) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
    }
}

impl Value {
    /// Returns the table, if the value is one.
    #[must_use]
    pub const fn as_table(&self) -> Option<&Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    /// Returns the table to change it, if the value is one.
    pub const fn as_table_mut(&mut self) -> Option<&mut Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    /// Parses a value as it stands in a document, after the sign of equality.
    ///
    /// # Errors
    /// The parser's error.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        text.parse::<toml::Value>().map(Self::from)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        toml::Value::from(self).fmt(f)
    }
}

impl From<toml::Value> for Value {
    fn from(value: toml::Value) -> Self {
        match value {
            toml::Value::String(text) => Self::Text(text.into_boxed_str()),
            toml::Value::Integer(number) => Self::Integer(number),
            toml::Value::Float(number) => Self::Float(number),
            toml::Value::Boolean(value) => Self::Boolean(value),
            toml::Value::Datetime(date) => Self::Datetime(Box::new(date)),
            toml::Value::Array(list) => Self::List(list.into_iter().map(Self::from).collect()),
            toml::Value::Table(table) => Self::Table(table.into()),
        }
    }
}

impl From<toml::Table> for Table {
    fn from(table: toml::Table) -> Self {
        let entries = table.into_iter().map(|(name, value)| (name.into(), value.into()));
        let mut entries: Vec<(Name, Value)> = entries.collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self { entries, is_open: false }
    }
}

impl From<&Value> for toml::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::String(text.to_string()),
            Value::Integer(number) => Self::Integer(*number),
            Value::Float(number) => Self::Float(*number),
            Value::Boolean(value) => Self::Boolean(*value),
            Value::Datetime(date) => Self::Datetime(**date),
            Value::List(list) => Self::Array(list.iter().map(Self::from).collect()),
            Value::Table(table) => Self::Table(table.into()),
        }
    }
}

impl From<&Table> for toml::Table {
    fn from(table: &Table) -> Self {
        table.iter().map(|(name, value)| (name.to_string(), value.into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_small() {
        assert_eq!((size_of::<Value>(), size_of::<(Name, Value)>()), (32, 48));
    }

    #[test]
    fn keys_are_sorted_and_replaced() {
        let mut table = Table::new();
        for (key, number) in [("b", 1), ("c", 2), ("a", 3)] {
            assert_eq!(table.insert(key, Value::Integer(number)), None);
        }
        assert_eq!(table.insert("b", Value::Integer(4)), Some(Value::Integer(1)));
        let keys: Vec<_> = table.iter().map(|(name, value)| (&**name, value.clone())).collect();
        assert_eq!(keys, [("a", Value::Integer(3)), ("b", Value::Integer(4)), ("c", Value::Integer(2))]);
        *table.get_or_insert_with("d", || Value::Boolean(true)) = Value::Boolean(false);
        assert_eq!(table.get("d"), Some(&Value::Boolean(false)));
        assert_eq!((table.remove("a"), table.remove("a"), table.len()), (Some(Value::Integer(3)), None, 3));
    }

    #[test]
    fn documents_of_the_parser_keep_their_values() {
        let text = "a = 1\nb = [1.5, 'x', 1979-05-27]\n[c]\nd = { e = true }\n";
        let theirs: toml::Table = toml::from_str(text).unwrap();
        let own = Table::from(theirs.clone());
        assert_eq!(toml::Table::from(&own), theirs);
        assert_eq!(own.get("b").map(ToString::to_string), Some(theirs["b"].to_string()));
    }
}
