//! Keys of a TOML table, written as errors write them: `network.node[2].servers`.

use super::laboratory::Fault;
use super::value::Value;
use imminent_common::toml_text::{self, Table, TomlError, Value as Tree};
use serde::de::DeserializeOwned;
use std::fmt::Write as _;

/// The value of a key; none if only the last part of it is not there.
///
/// # Errors
/// The part of the key that is not there.
pub(crate) fn find<'t>(table: &'t Table, key: &str) -> Result<Option<&'t Tree>, String> {
    let parts = parts(key);
    let (last, path) = parts.split_last().ok_or_else(|| key.to_owned())?;
    let mut inner = Inner::Table(table);
    let mut so_far = String::new();
    for part in path {
        part.write(&mut so_far);
        inner = inner.get(part).and_then(Inner::of).ok_or_else(|| so_far.clone())?;
    }
    last.write(&mut so_far);
    match (&inner, last) {
        (Inner::Table(_), Segment::Name(_)) => Ok(inner.get(last)),
        _ => inner.get(last).map(Some).ok_or(so_far),
    }
}

/// Gives a key a value. Tables and lists on the way that are not there are those of `defaults`, or empty tables.
/// Nothing happens for an index that a list does not have.
pub(crate) fn set(table: &mut Table, key: &str, value: Tree, defaults: &Table) {
    let parts = parts(key);
    if let Some((Segment::Name(first), rest)) = parts.split_first() {
        let usual = defaults.get(first);
        set_in(table.get_or_insert_with(first, || or_table(usual)), rest, value, usual);
    }
}

/// Sets of names of keys, each of which excludes the others of its set beside it.
pub type Alternatives = &'static [&'static [&'static str]];

/// Removes the alternatives of a key that is to be set, except for those that are themselves `given`.
///
/// The alternative of a table moves into it: the `mean` beside a `service` whose law is to be set is the mean of that
/// law.
pub(crate) fn remove_alternatives(table: &mut Table, key: &str, sets: Alternatives, given: &[&str]) {
    let (parts, mut so_far) = (parts(key), String::new());
    let mut inner = Some(InnerMut::Table(table));
    for (place, part) in parts.iter().enumerate() {
        let Some(mut slot) = inner else { return };
        let is_inside = place + 1 < parts.len();
        if let (InnerMut::Table(table), Segment::Name(name)) = (&mut slot, part) {
            let others = sets.iter().filter(|set| set.contains(&name.as_str())).flat_map(|set| set.iter());
            for other in others.filter(|other| *other != name) {
                let mut beside = so_far.clone();
                Segment::Name((*other).to_owned()).write(&mut beside);
                if given.iter().any(|given| is_within(given, &beside)) {
                    continue;
                }
                let Some(value) = table.remove(other).filter(|value| is_inside && value.as_table().is_none()) else {
                    continue;
                };
                let own = table.get_or_insert_with(name, || Tree::Table(Table::new()));
                own.as_table_mut().map(|own| own.get_or_insert_with(other, || value));
            }
        }
        part.write(&mut so_far);
        inner = slot.get(part);
    }
}

/// Returns `true` if a key is another one, or an element of it.
pub(crate) fn is_within(key: &str, outer: &str) -> bool {
    key.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Sets a value so many steps inside a slot, of which `usual` is the default.
fn set_in(slot: &mut Tree, path: &[Segment], value: Tree, usual: Option<&Tree>) {
    let Some((part, path)) = path.split_first() else {
        *slot = value;
        return;
    };
    let usual = usual.and_then(Inner::of).and_then(|inner| inner.get(part));
    let inner = match (slot, part) {
        (Tree::Table(table), Segment::Name(name)) => Some(table.get_or_insert_with(name, || or_table(usual))),
        (Tree::List(list), Segment::Index(index)) => list.get_mut(*index),
        _ => None,
    };
    if let Some(inner) = inner {
        set_in(inner, path, value, usual);
    }
}

fn or_table(usual: Option<&Tree>) -> Tree {
    usual.cloned().unwrap_or_else(|| Tree::Table(Table::new()))
}

/// A value of a parameter.
///
/// # Errors
/// The name of the value's type, if no parameter can have that type.
pub(crate) fn value(value: &Tree) -> Result<Value, &'static str> {
    match value {
        Tree::Text(text) => Ok(Value::Text(text.to_string())),
        Tree::Integer(number) => Ok(Value::Integer(*number)),
        Tree::Float(number) => Ok(Value::Number(*number)),
        Tree::Boolean(value) => Ok(Value::Boolean(*value)),
        Tree::Datetime(_) => Err("a date"),
        Tree::List(_) => Err("a list"),
        Tree::Table(_) => Err("a table"),
    }
}

/// A value of a configuration.
pub(crate) fn to_toml(value: &Value) -> Tree {
    match value {
        Value::Boolean(value) => Tree::Boolean(*value),
        Value::Integer(value) => Tree::Integer(*value),
        Value::Number(value) => Tree::Float(*value),
        Value::Text(value) => Tree::Text(value.as_str().into()),
    }
}

/// Converts a table to the type of a configuration. An error begins with the key at fault, if the parser names it.
pub(crate) fn parse<C: DeserializeOwned>(table: &Table) -> Result<C, Fault> {
    if let Ok(configuration) = C::deserialize(table) {
        return Ok(configuration);
    }
    toml::Table::from(table).try_into().map_err(|error: toml::de::Error| {
        let text = error.to_string();
        let key = text.lines().find_map(|line| line.strip_prefix("in `")?.strip_suffix('`'));
        match key {
            Some(key) => TomlError::value(key, toml_text::told(&error)).into(),
            None => toml_text::told(&error).into(),
        }
    })
}

enum Inner<'t> {
    Table(&'t Table),
    List(&'t [Tree]),
}

impl<'t> Inner<'t> {
    fn of(value: &'t Tree) -> Option<Self> {
        match value {
            Tree::Table(table) => Some(Self::Table(table)),
            Tree::List(list) => Some(Self::List(list)),
            _ => None,
        }
    }

    fn get(&self, part: &Segment) -> Option<&'t Tree> {
        match (self, part) {
            (Self::Table(table), Segment::Name(name)) => table.get(name),
            (Self::List(list), Segment::Index(index)) => list.get(*index),
            _ => None,
        }
    }
}

enum InnerMut<'t> {
    Table(&'t mut Table),
    List(&'t mut [Tree]),
}

impl<'t> InnerMut<'t> {
    fn get(self, part: &Segment) -> Option<Self> {
        let value = match (self, part) {
            (Self::Table(table), Segment::Name(name)) => table.get_mut(name),
            (Self::List(list), Segment::Index(index)) => list.get_mut(*index),
            _ => None,
        };
        match value? {
            Tree::Table(table) => Some(Self::Table(table)),
            Tree::List(list) => Some(Self::List(list)),
            _ => None,
        }
    }
}

/// A step from a table or a list inward.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Name(String),
    Index(usize),
}

impl Segment {
    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Self::Name(name) => write_name(text, name),
            Self::Index(index) => write_index(text, *index),
        }
    }
}

/// Writes a name after the key of the table that has it.
pub(crate) fn write_name(key: &mut String, name: &str) {
    let dot = if key.is_empty() { "" } else { "." };
    key.extend([dot, name]);
}

/// Writes an index after the key of a list.
pub(crate) fn write_index(key: &mut String, index: usize) {
    // Text never fails to be written to a string.
    let _ = write!(key, "[{index}]");
}

/// Returns the steps of a key from the outermost table inward.
pub(crate) fn parts(key: &str) -> Vec<Segment> {
    let mut parts = vec![];
    for word in key.split('.') {
        let mut pieces = word.split('[');
        parts.push(Segment::Name(pieces.next().unwrap_or("").to_owned()));
        for piece in pieces {
            // What is no index is a name that is not there.
            let index = piece.strip_suffix(']').and_then(|index| index.parse().ok());
            parts.push(index.map_or_else(|| Segment::Name(format!("[{piece}")), Segment::Index));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Table {
        toml_text::Document::new(text, "read.toml").into_table().unwrap()
    }

    #[test]
    fn keys_are_found_and_set() {
        let text =
            "[network]\nmean = 2.0\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'a'\n[[network.node]]\nname = 'b'\n";
        let mut table = read(text);
        assert_eq!(find(&table, "network.mean").unwrap().unwrap(), &Tree::Float(2.0));
        assert_eq!(find(&table, "network.node[1].name").unwrap().unwrap(), &Tree::Text("b".into()));
        assert_eq!(find(&table, "network.links[0][1]").unwrap().unwrap(), &Tree::Text("b".into()));
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
        let none = Table::new();
        for key in ["network.mean", "network.node[1].servers", "network.links[0][1]", "new", "run.horizon"] {
            set(&mut table, key, Tree::Integer(7), &none);
            assert_eq!(find(&table, key).unwrap().unwrap(), &Tree::Integer(7), "{key}");
        }
        // A value takes the place of its alternatives, unless they are given too.
        let text = "network = { mean = 2, node = [{ rate = 1, name = 'a' }] }";
        let mut laws = read(text);
        let sets: Alternatives = &[&["mean", "rate", "service"]];
        remove_alternatives(&mut laws, "network.service.law", sets, &["network.mean"]);
        remove_alternatives(&mut laws, "network.node[1].mean", sets, &[]);
        assert_eq!(laws, read(text));
        remove_alternatives(&mut laws, "network.service.law", sets, &["network.service.law"]);
        remove_alternatives(&mut laws, "network.node[0].mean", sets, &[]);
        let kept = "network = { service = { mean = 2 }, node = [{ name = 'a' }] }";
        assert_eq!(laws, read(kept));
        remove_alternatives(&mut laws, "network.service.rate", sets, &[]);
        assert_eq!(laws, read("network = { service = {}, node = [{ name = 'a' }] }"));
        // Elements of lists are not made up.
        let before = table.clone();
        set(&mut table, "network.node[2].servers", Tree::Integer(7), &none);
        assert_eq!(table, before);
        // What is on the way is what it is by default.
        let usual = read("[mac]\nbackoff = [1, 2]\nqueue = 5\n[mac.more]\nx = 1\ny = 2\n");
        set(&mut table, "mac.backoff[1]", Tree::Integer(7), &usual);
        set(&mut table, "mac.more.y", Tree::Integer(7), &usual);
        let expected = read("backoff = [1, 7]\nqueue = 5\nmore = { x = 1, y = 7 }");
        assert_eq!(table.get("mac").and_then(Tree::as_table), Some(&expected));
    }
}
