//! Keys of a model's configuration: what each takes, as the schema of the configuration's type says.
//!
//! A key is written as errors write it: `network.range`, `network.speed[1]`. The schema is derived from the type by
//! [`schemars`]: descriptions are its doc comments, ranges and units its attributes.
//!
//! | attribute of a field | meaning |
//! | --- | --- |
//! | `#[schemars(range(min = 0, max = 9))]` | least and greatest value |
//! | `#[schemars(extend("unit" = "m"))]` | unit |
//! | `#[schemars(extend("format" = "path"))]` | name of a file, relative to the file that names it |

mod field;
mod files;
mod meaning;
mod ranges;
mod short;
#[cfg(test)]
mod tests;

use super::description::{Domain, Parameter};
use super::key::{self, Segment};
use super::value::Value;
use field::Field;
use imminent_common::toml_text::{Document, Table, TomlError, Value as Tree};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// Keys of a model's configuration. A copy costs nothing.
#[derive(Clone)]
pub struct Keys(Arc<Derived>);

/// Schema and defaults that are derived from the type of a configuration, once in a process.
struct Derived {
    schema: Schema,
    defaults: Table,
    check: fn(&Document<'_>) -> Result<(), TomlError>,
    all: OnceLock<Vec<Key>>,
}

/// Description of one key.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The key.
    pub name: String,
    /// Unit of the key; empty for numbers without one.
    pub unit: String,
    /// Accepted values; `None` for lists and tables.
    pub domain: Option<Domain>,
    /// Value where a configuration gives none.
    pub default: Option<Value>,
    /// Sentence.
    pub about: String,
    /// `true` if the value is the name of a file.
    pub is_path: bool,
    /// `true` for a list of any length whose [elements](Keys::element) are single values, or a few.
    pub is_list: bool,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all().iter().map(|key| &key.name)).finish()
    }
}

/// Deepest nesting of a schema that is followed. Configurations are flatter.
const MAX_DEPTH: usize = 8;

impl Keys {
    /// Derives the keys from the type of a configuration.
    #[must_use]
    pub fn of<C: JsonSchema + Serialize + DeserializeOwned + Default + 'static>() -> Self {
        static KNOWN: LazyLock<Mutex<HashMap<TypeId, Keys>>> = LazyLock::new(Mutex::default);
        let derive = || {
            // A default that is no TOML has no keys with defaults.
            let defaults = toml::Table::try_from(C::default()).unwrap_or_default().into();
            let check = |document: &Document<'_>| document.to::<C>().map(drop);
            Self(Arc::new(Derived { schema: schemars::schema_for!(C), defaults, check, all: OnceLock::new() }))
        };
        // Nothing is left half done by a panic.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(TypeId::of::<C>()).or_insert_with(derive).clone()
    }

    /// Checks the keys of a configuration and the types of their values.
    pub(crate) fn check(&self, document: &Document<'_>) -> Result<(), TomlError> {
        (self.0.check)(document).map_err(|error| error.explained(|key| self.meaning(key)))
    }

    /// Returns the JSON Schema of the configuration, from which editors complete its keys.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// Returns the default configuration.
    pub(crate) fn defaults(&self) -> &Table {
        &self.0.defaults
    }

    /// Returns a key's description, or `None` for a key that configurations do not have.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<Key> {
        Some(self.described(name, &self.field(name)?))
    }

    /// Reads a range such as `4..12` of a key beside which its spread is a key: returns the middle, and the key of the
    /// spread with its value.
    #[must_use]
    pub fn range(&self, name: &str, text: &str) -> Option<(f64, Key, f64)> {
        let spread = self.key(&format!("{name}_spread"))?;
        let (least, most) = text.split_once("..")?;
        let (least, most): (f64, f64) = (least.trim().parse().ok()?, most.trim().parse().ok()?);
        (least <= most).then(|| (f64::midpoint(least, most), spread, (most - least) / 2.0))
    }

    /// Returns every key, in the order of the type. Lists of any length and tables with keys of any name are one key.
    #[must_use]
    pub fn all(&self) -> Vec<Key> {
        let derive = || {
            let mut keys = vec![];
            self.add(&mut keys, "", self.root(), 0);
            keys
        };
        self.0.all.get_or_init(derive).clone()
    }

    /// Returns the names of the keys beside one that there is not: those of the innermost section or element around it.
    pub(crate) fn beside(&self, name: &str) -> Vec<String> {
        let (mut section, mut field) = (String::new(), self.root());
        for part in key::parts(name) {
            let Some(inner) = field.inner(&part) else { break };
            part.write(&mut section);
            field = inner;
        }
        let mut keys = vec![];
        self.add(&mut keys, &section, field, 0);
        keys.into_iter().map(|key| key.name).collect()
    }

    /// Returns the description of an element of a list of any length, if its parts are single values.
    #[must_use]
    pub fn element(&self, list: &str) -> Option<Element> {
        if self.field(list)?.length().is_some() {
            return None;
        }
        let first = format!("{list}[0]");
        let length = self.field(&first)?.length();
        let names = match length {
            Some(length) => (0..length).map(|part| format!("{first}[{part}]")).collect(),
            None => vec![first],
        };
        let parts = names.iter().map(|name| self.key(name)?.parameter()).collect::<Option<_>>()?;
        Some(Element { parts, is_list: length.is_some() })
    }

    fn field(&self, name: &str) -> Option<Field<'_>> {
        key::parts(name).iter().try_fold(self.root(), |field, part| field.inner(part))
    }

    fn root(&self) -> Field<'_> {
        let schema = self.0.schema.as_value();
        Field { own: vec![schema], list: vec![], root: schema }
    }

    fn add(&self, keys: &mut Vec<Key>, name: &str, field: Field<'_>, depth: usize) {
        let mut fields: Vec<&String> = vec![];
        for name in field.shapes().filter_map(|shape| shape.get("properties")?.as_object()).flat_map(|of| of.keys()) {
            if !fields.contains(&name) {
                fields.push(name);
            }
        }
        let inner: Vec<Segment> = match field.length() {
            _ if depth == MAX_DEPTH => vec![],
            Some(length) => (0..length).map(Segment::Index).collect(),
            None => fields.into_iter().map(|name| Segment::Name(name.clone())).collect(),
        };
        if inner.is_empty() {
            return keys.push(self.described(name, &field));
        }
        for part in inner {
            let mut longer = name.to_owned();
            part.write(&mut longer);
            if let Some(field) = field.inner(&part) {
                self.add(keys, &longer, field, depth + 1);
            }
        }
    }

    fn described(&self, name: &str, field: &Field<'_>) -> Key {
        let default = key::find(&self.0.defaults, name).ok().flatten();
        let is_path = field.shapes().any(|shape| shape.get("format").is_some_and(|format| format == "path"));
        Key {
            name: name.to_owned(),
            unit: field.text("unit").unwrap_or("").to_owned(),
            domain: field.domain().map(|domain| of_name(name, domain)),
            default: default.and_then(|value| key::value(value).ok()),
            about: field.text("description").unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" "),
            is_path,
            is_list: self.element(name).is_some(),
        }
    }
}

/// Name of keys that are seeds. TOML's whole numbers have 63 bits and a sign, seeds have 64 bits.
const SEED: &str = "seed";

/// Returns the domain of a key with a name.
fn of_name(name: &str, domain: Domain) -> Domain {
    let is_seed = matches!(key::parts(name).last(), Some(Segment::Name(last)) if last == SEED);
    match domain {
        Domain::Integer { least: 0, greatest: i64::MAX } if is_seed => Domain::Seed,
        other => other,
    }
}

impl Key {
    /// Parses a value of the key from a command line.
    ///
    /// # Errors
    /// The values that the key takes, in words.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let nothing = || "no single value: name a key in it".to_owned();
        let parameter = self.clone().parameter().ok_or_else(nothing)?;
        let takes = |hint: String| parameter.domain.expectation() + &hint;
        let value = parameter.parse(text).ok_or_else(|| takes(String::new()))?;
        parameter.accept(&value).map_err(|_| takes(parameter.domain.hint(&value)))
    }

    /// Returns the key as the parameter of a study, without a default; `None` if it takes no single value.
    pub(crate) fn parameter(self) -> Option<Parameter> {
        let Self { name, unit, domain, about, .. } = self;
        Some(Parameter { name, unit, domain: domain?, default: None, about })
    }
}

/// Element of a list: one value, or a few.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    parts: Vec<Parameter>,
    is_list: bool,
}

impl Element {
    /// Parses an element. Its parts have commas between them.
    pub(crate) fn parse(&self, text: &str) -> Result<Tree, String> {
        let words: Vec<&str> = if self.is_list { text.split(',').map(str::trim).collect() } else { vec![text] };
        if words.len() != self.parts.len() {
            return Err(format!("is not {} values with commas between them", self.parts.len()));
        }
        let part = |(parameter, word): (&Parameter, &str)| {
            let value = parameter.parse(word);
            let refused = || format!("`{word}` is not one of {}", parameter.domain.expectation());
            Ok(key::to_toml(&parameter.accept(&value.ok_or_else(refused)?)?))
        };
        let mut parts = self.parts.iter().zip(words).map(part).collect::<Result<Vec<_>, String>>()?;
        Ok(match parts.pop() {
            Some(part) if !self.is_list => part,
            last => Tree::List(parts.into_iter().chain(last).collect()),
        })
    }
}
