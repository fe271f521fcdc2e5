//! Keys of a TOML table, written as errors write them: `network.node[2].servers`.

use super::super::value::Value;

/// The value of a key; none if only the last part of it is not there.
///
/// # Errors
/// The part of the key that is not there.
pub(super) fn find<'t>(table: &'t toml::Table, key: &str) -> Result<Option<&'t toml::Value>, String> {
    let parts = parts(key);
    let (last, path) = parts.split_last().ok_or_else(|| key.to_owned())?;
    let mut inner = Inner::Table(table);
    let mut so_far = String::new();
    for part in path {
        part.write(&mut so_far);
        inner = match inner.get(part) {
            Some(toml::Value::Table(table)) => Inner::Table(table),
            Some(toml::Value::Array(array)) => Inner::Array(array),
            _ => return Err(so_far),
        };
    }
    last.write(&mut so_far);
    match (&inner, last) {
        (Inner::Table(_), Part::Name(_)) => Ok(inner.get(last)),
        _ => inner.get(last).map(Some).ok_or(so_far),
    }
}

/// Gives a key a value, where [`find`] finds it or its table.
pub(super) fn set(table: &mut toml::Table, key: &str, value: toml::Value) {
    let parts = parts(key);
    let Some((Part::Name(first), rest)) = parts.split_first() else { return };
    let mut slot = match rest {
        [] => return drop(table.insert(first.clone(), value)),
        _ => table.get_mut(first),
    };
    for (number, part) in rest.iter().enumerate() {
        slot = match (slot, part) {
            (Some(toml::Value::Table(inner)), Part::Name(name)) if number + 1 == rest.len() => {
                inner.insert(name.clone(), value);
                return;
            }
            (Some(toml::Value::Table(inner)), Part::Name(name)) => inner.get_mut(name),
            (Some(toml::Value::Array(inner)), Part::Index(index)) => inner.get_mut(*index),
            _ => None,
        };
    }
    if let Some(slot) = slot {
        *slot = value;
    }
}

/// A value of a parameter.
///
/// # Errors
/// The name of the value's type, if no parameter can have that type.
pub(super) fn value(value: &toml::Value) -> Result<Value, &'static str> {
    match value {
        toml::Value::String(text) => Ok(Value::Text(text.clone())),
        toml::Value::Integer(number) => Ok(Value::Integer(*number)),
        toml::Value::Float(number) => Ok(Value::Number(*number)),
        toml::Value::Boolean(value) => Ok(Value::Boolean(*value)),
        toml::Value::Datetime(_) => Err("a date"),
        toml::Value::Array(_) => Err("a list"),
        toml::Value::Table(_) => Err("a table"),
    }
}

/// A value of a configuration.
pub(super) fn to_toml(value: &Value) -> toml::Value {
    match value {
        Value::Boolean(value) => toml::Value::Boolean(*value),
        Value::Integer(value) => toml::Value::Integer(*value),
        Value::Number(value) => toml::Value::Float(*value),
        Value::Text(value) => toml::Value::String(value.clone()),
    }
}

enum Inner<'t> {
    Table(&'t toml::Table),
    Array(&'t [toml::Value]),
}

impl<'t> Inner<'t> {
    fn get(&self, part: &Part) -> Option<&'t toml::Value> {
        match (self, part) {
            (Self::Table(table), Part::Name(name)) => table.get(name),
            (Self::Array(array), Part::Index(index)) => array.get(*index),
            _ => None,
        }
    }
}

/// A step from a table or a list inward.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Name(String),
    Index(usize),
}

impl Part {
    fn write(&self, text: &mut String) {
        match self {
            Self::Name(name) if text.is_empty() => text.push_str(name),
            Self::Name(name) => *text += &format!(".{name}"),
            Self::Index(index) => *text += &format!("[{index}]"),
        }
    }
}

fn parts(key: &str) -> Vec<Part> {
    let mut parts = vec![];
    for word in key.split('.') {
        let mut pieces = word.split('[');
        parts.push(Part::Name(pieces.next().unwrap_or("").to_owned()));
        for piece in pieces {
            // What is no index is a name that is not there.
            let index = piece.strip_suffix(']').and_then(|index| index.parse().ok());
            parts.push(index.map_or_else(|| Part::Name(format!("[{piece}")), Part::Index));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn keys_are_found_and_set() {
        let text =
            "[network]\nmean = 2.0\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'a'\n[[network.node]]\nname = 'b'\n";
        let mut table: toml::Table = toml::from_str(text).unwrap();
        assert_eq!(find(&table, "network.mean").unwrap().unwrap().as_float(), Some(2.0));
        assert_eq!(find(&table, "network.node[1].name").unwrap().unwrap().as_str(), Some("b"));
        assert_eq!(find(&table, "network.links[0][1]").unwrap().unwrap().as_str(), Some("b"));
        assert_eq!(find(&table, "network.node[1].servers").unwrap(), None);
        for (key, missing) in [
            ("network.node[2].servers", "network.node[2]"),
            ("net.mean", "net"),
            ("network.mean.of", "network.mean"),
            ("network.links[0][2]", "network.links[0][2]"),
            ("network.node[x].name", "network.node.[x]"),
        ] {
            assert_eq!(find(&table, key).unwrap_err(), missing, "{key}");
        }
        for key in ["network.mean", "network.node[1].servers", "network.links[0][1]", "new"] {
            set(&mut table, key, toml::Value::Integer(7));
            assert_eq!(find(&table, key).unwrap().unwrap().as_integer(), Some(7), "{key}");
        }
        // What is not there is not made up.
        let before = table.clone();
        set(&mut table, "network.node[2].servers", toml::Value::Integer(7));
        assert_eq!(table, before);
    }
}
