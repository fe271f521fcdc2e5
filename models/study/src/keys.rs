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

use super::description::{Domain, Parameter};
use super::key::{self, Part};
use super::value::Value;
use imminent_common::toml_text::{TomlError, parse};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// Keys of a model's configuration. A copy costs nothing.
#[derive(Clone)]
pub struct Keys(Arc<Derived>);

/// What is derived from the type of a configuration, once in a process.
struct Derived {
    schema: Schema,
    defaults: toml::Table,
    check: fn(&str, &str) -> Result<(), TomlError>,
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
    /// Words that the key takes in place of a number.
    pub words: Vec<String>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all().iter().map(|key| &key.name)).finish()
    }
}

/// Most schemas that one value may meet. Configurations have fewer.
const MAX_SHAPES: usize = 64;

/// Deepest nesting of a schema that is followed. Configurations are flatter.
const MAX_DEPTH: usize = 8;

impl Keys {
    /// Derives the keys from the type of a configuration.
    #[must_use]
    pub fn of<C: JsonSchema + Serialize + DeserializeOwned + Default + 'static>() -> Self {
        static KNOWN: LazyLock<Mutex<HashMap<TypeId, Keys>>> = LazyLock::new(Mutex::default);
        let derive = || {
            // A default that is no TOML has no keys with defaults.
            let defaults = toml::Table::try_from(C::default()).unwrap_or_default();
            let check = |text: &str, file: &str| parse::<C>(text, file).map(drop);
            Self(Arc::new(Derived { schema: schemars::schema_for!(C), defaults, check, all: OnceLock::new() }))
        };
        // Nothing is left half done by a panic.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(TypeId::of::<C>()).or_insert_with(derive).clone()
    }

    /// Checks the text of a configuration, of which errors speak as `file`.
    pub(crate) fn check(&self, text: &str, file: &str) -> Result<(), TomlError> {
        (self.0.check)(text, file)
    }

    /// Returns the JSON Schema of the configuration, from which editors complete its keys.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// Returns the key of a number that is outside of its range, and what is wrong with it.
    pub(crate) fn out_of_range(&self, table: &toml::Table) -> Option<(String, String)> {
        let mut walk = Walk { keys: self, key: String::new(), alike: String::new(), domains: HashMap::new() };
        walk.inner(table.iter().map(|(name, value)| (Part::Name(name.clone()), value)))
    }

    /// Makes names of files in a configuration start from a folder.
    pub(crate) fn move_files(&self, table: &mut toml::Table, folder: &Path) {
        let mut names = vec![];
        add_paths(self.0.schema.as_value(), &mut names);
        if !names.is_empty() {
            table.iter_mut().for_each(|(name, value)| self.move_in(name.clone(), value, &names, folder));
        }
    }

    /// Moves the files in a value; `names` are the last parts of keys that name files.
    fn move_in(&self, key: String, value: &mut toml::Value, names: &[&str], folder: &Path) {
        match value {
            toml::Value::Table(table) => {
                table.iter_mut().for_each(|(name, value)| self.move_in(format!("{key}.{name}"), value, names, folder));
            }
            toml::Value::Array(list) => {
                let are_files = self.is_file(&key, names);
                for (index, value) in list.iter_mut().enumerate() {
                    match value {
                        toml::Value::String(file) if are_files => start_from(folder, file),
                        toml::Value::Table(_) => self.move_in(format!("{key}[{index}]"), value, names, folder),
                        _ => {}
                    }
                }
            }
            toml::Value::String(file) if self.is_file(&key, names) => start_from(folder, file),
            _ => {}
        }
    }

    /// Returns `true` for a key that names a file or a list of files. Most keys do not end as one does: a quick look at
    /// the end spares the others a look at their types.
    fn is_file(&self, key: &str, names: &[&str]) -> bool {
        let last = key.rsplit('.').next().unwrap_or(key);
        names.contains(&last) && self.key(key).is_some_and(|key| key.is_path)
    }

    /// Returns the default configuration.
    pub(crate) fn defaults(&self) -> &toml::Table {
        &self.0.defaults
    }

    /// Returns a key's description, or `None` for a key that configurations do not have.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<Key> {
        Some(self.described(name, &self.field(name)?))
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
        let inner: Vec<Part> = match field.length() {
            _ if depth == MAX_DEPTH => vec![],
            Some(length) => (0..length).map(Part::Index).collect(),
            None => fields.into_iter().map(|name| Part::Name(name.clone())).collect(),
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
        let domain = field.domain();
        let is_number = matches!(domain, Some(Domain::Integer { .. } | Domain::Number { .. }));
        Key {
            name: name.to_owned(),
            unit: field.text("unit").unwrap_or("").to_owned(),
            words: if is_number { field.shapes().flat_map(words).collect() } else { vec![] },
            domain,
            default: default.and_then(|value| key::value(value).ok()),
            about: field.text("description").unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" "),
            is_path,
            is_list: self.element(name).is_some(),
        }
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
        let accepted = parameter.domain.parse(text).and_then(|value| parameter.accept(&value).ok());
        accepted.ok_or_else(|| parameter.domain.expectation())
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
    pub(crate) fn parse(&self, text: &str) -> Result<toml::Value, String> {
        let words: Vec<&str> = if self.is_list { text.split(',').map(str::trim).collect() } else { vec![text] };
        if words.len() != self.parts.len() {
            return Err(format!("is not {} values with commas between them", self.parts.len()));
        }
        let part = |(parameter, word): (&Parameter, &str)| {
            let value = parameter.domain.parse(word);
            let refused = || format!("`{word}` is not one of {}", parameter.domain.expectation());
            Ok(key::to_toml(&parameter.accept(&value.ok_or_else(refused)?)?))
        };
        let mut parts = self.parts.iter().zip(words).map(part).collect::<Result<Vec<_>, String>>()?;
        Ok(match parts.pop() {
            Some(part) if !self.is_list => part,
            last => toml::Value::Array(parts.into_iter().chain(last).collect()),
        })
    }
}

/// A field of a schema.
struct Field<'s> {
    /// Schemas of the field, of which a value meets one.
    own: Vec<&'s Json>,
    /// Schemas of the list of which it is an element: it has the same unit and description.
    list: Vec<&'s Json>,
    root: &'s Json,
}

impl<'s> Field<'s> {
    /// Returns the schemas of which a value meets one, with references resolved; that of `null` is left out.
    fn shapes(&self) -> impl Iterator<Item = &'s Json> {
        let mut shapes = self.own.clone();
        let mut next = 0;
        while let Some(shape) = shapes.get(next).copied().filter(|_| next < MAX_SHAPES) {
            if let Some(pointer) = shape.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix('#')) {
                shapes.extend(self.root.pointer(pointer));
            }
            for several in ["anyOf", "oneOf", "allOf"] {
                shapes.extend(shape.get(several).and_then(Json::as_array).into_iter().flatten());
            }
            next += 1;
        }
        shapes.into_iter().filter(|shape| shape.get("type").and_then(Json::as_str) != Some("null"))
    }

    fn inner(&self, part: &Part) -> Option<Self> {
        let inside = |shape: &'s Json| match part {
            Part::Name(name) => {
                let named = shape.get("properties").and_then(|fields| fields.get(name));
                named.or_else(|| shape.get("additionalProperties").filter(|inner| inner.is_object()))
            }
            Part::Index(index) if number(shape, "maxItems").is_some_and(|most| *index >= most) => None,
            Part::Index(index) => {
                let placed = shape.get("prefixItems").and_then(|places| places.get(index));
                placed.or_else(|| shape.get("items").filter(|inner| inner.is_object()))
            }
        };
        let own: Vec<_> = self.shapes().filter_map(inside).collect();
        let list = if matches!(part, Part::Index(_)) { self.own.clone() } else { vec![] };
        (!own.is_empty()).then_some(Field { own, list, root: self.root })
    }

    /// Returns the length of a list that always has the same.
    fn length(&self) -> Option<usize> {
        self.shapes().find_map(|shape| {
            let most = number(shape, "maxItems")?;
            (number(shape, "minItems") == Some(most)).then_some(most)
        })
    }

    /// Returns a text of the field itself, or else of what it refers to, or of its list.
    fn text(&self, name: &str) -> Option<&'s str> {
        self.shapes().chain(self.list.iter().copied()).find_map(|shape| shape.get(name)?.as_str())
    }

    fn domain(&self) -> Option<Domain> {
        let is = |name: &str| {
            self.shapes().any(|shape| match shape.get("type") {
                Some(Json::String(one)) => one == name,
                Some(Json::Array(several)) => several.iter().any(|one| one == name),
                _ => false,
            })
        };
        // A bound is one of the field itself, or one that all its types of numbers have.
        let bound = |name: &str, wider: fn(f64, f64) -> f64| {
            let own = self.shapes().filter(|shape| shape.get("type").is_none());
            let own = own.filter_map(|shape| shape.get(name)?.as_f64()).next();
            let numbers = self.shapes().filter(|shape| is_number(shape)).map(|shape| shape.get(name)?.as_f64());
            own.or_else(|| numbers.reduce(|one, other| Some(wider(one?, other?))).flatten())
        };
        let whole = |name: &str| self.shapes().find_map(|shape| shape.get(name)?.as_i64());
        if is("integer") {
            let greatest = match self.text("format") {
                Some("uint8") => u8::MAX.into(),
                Some("uint16") => u16::MAX.into(),
                Some("uint32") => u32::MAX.into(),
                Some("int32") => i32::MAX.into(),
                _ => i64::MAX,
            };
            let least = whole("minimum").unwrap_or(i64::MIN);
            return Some(Domain::Integer { least, greatest: whole("maximum").unwrap_or(greatest).min(greatest) });
        }
        let words: Vec<String> = self.shapes().flat_map(words).collect();
        if is("number") {
            let least = bound("minimum", f64::min).unwrap_or(f64::NEG_INFINITY);
            let greatest = bound("maximum", f64::max).unwrap_or(f64::INFINITY);
            return Some(match is("string") && words.is_empty() {
                true => Domain::NumberOrName { least, greatest },
                false => Domain::Number { least, greatest },
            });
        }
        if !words.is_empty() {
            return Some(Domain::Text { choices: words });
        }
        match (is("boolean"), is("string")) {
            (true, _) => Some(Domain::Boolean),
            (_, true) => Some(Domain::Text { choices: vec![] }),
            _ => None,
        }
    }
}

/// Walk over the numbers of a configuration, which may have hundreds of thousands.
struct Walk<'k> {
    keys: &'k Keys,
    /// Key at which the walk is.
    key: String,
    /// Key of which the domain is known for all that are alike.
    alike: String,
    domains: HashMap<String, Option<Domain>>,
}

/// Number of the elements of a list, from which on they are alike. Lists of a fixed length are shorter.
const ALIKE: usize = 8;

impl Walk<'_> {
    fn inner<'v>(&mut self, values: impl Iterator<Item = (Part, &'v toml::Value)>) -> Option<(String, String)> {
        let (key, alike) = (self.key.len(), self.alike.len());
        for (part, value) in values {
            part.write(&mut self.key);
            match part {
                Part::Index(index) => Part::Index(index.min(ALIKE)).write(&mut self.alike),
                part => part.write(&mut self.alike),
            }
            if let Some(found) = self.at(value) {
                return Some(found);
            }
            self.key.truncate(key);
            self.alike.truncate(alike);
        }
        None
    }

    fn at(&mut self, value: &toml::Value) -> Option<(String, String)> {
        let number = match value {
            toml::Value::Table(table) => {
                return self.inner(table.iter().map(|(name, value)| (Part::Name(name.clone()), value)));
            }
            toml::Value::Array(list) => {
                return self.inner(list.iter().enumerate().map(|(index, value)| (Part::Index(index), value)));
            }
            toml::Value::Integer(number) => *number as f64,
            toml::Value::Float(number) => *number,
            _ => return None,
        };
        if !self.domains.contains_key(&self.alike) {
            let domain = self.keys.key(&self.alike).and_then(|key| key.domain);
            self.domains.insert(self.alike.clone(), domain);
        }
        let domain = self.domains.get(&self.alike)?.as_ref()?;
        let (least, greatest) = match domain {
            Domain::Integer { least, greatest } => (*least as f64, *greatest as f64),
            Domain::Number { least, greatest } | Domain::NumberOrName { least, greatest } => (*least, *greatest),
            _ => return None,
        };
        let is_outside = number < least || number > greatest;
        is_outside.then(|| (self.key.clone(), format!("{value} is not possible: give {}", domain.expectation())))
    }
}

/// Makes the name of a file start from a folder.
fn start_from(folder: &Path, file: &mut String) {
    if !file.is_empty() {
        *file = folder.join(&*file).display().to_string();
    }
}

/// Adds the names of the fields of a schema that name files.
fn add_paths<'s>(schema: &'s Json, names: &mut Vec<&'s str>) {
    let is_path = |field: &Json| field.get("format").is_some_and(|format| format == "path");
    match schema {
        Json::Object(fields) => {
            for (name, field) in fields {
                if is_path(field) {
                    names.push(name);
                }
                add_paths(field, names);
            }
        }
        Json::Array(list) => list.iter().for_each(|schema| add_paths(schema, names)),
        _ => {}
    }
}

/// Returns `true` for the schema of a number.
fn is_number(shape: &Json) -> bool {
    let is = |name: &Json| name == "number" || name == "integer";
    match shape.get("type") {
        Some(Json::Array(several)) => several.iter().any(is),
        Some(one) => is(one),
        None => false,
    }
}

/// Returns a number of a schema that counts.
fn number(shape: &Json, name: &str) -> Option<usize> {
    usize::try_from(shape.get(name)?.as_u64()?).ok()
}

/// Returns the words of an enumeration.
fn words(shape: &Json) -> Vec<String> {
    let word = |value: &Json| value.as_str().map(str::to_owned);
    let listed = shape.get("enum").and_then(Json::as_array).into_iter().flatten().filter_map(word);
    listed.chain(shape.get("const").and_then(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, serde::Deserialize, JsonSchema)]
    struct Config {
        /// Unit.
        unit: Option<Unit>,
        /// Nodes and
        /// their field.
        network: Network,
        /// Speeds.
        #[schemars(extend("unit" = "m/s"))]
        speed: [f64; 2],
        /// Seed.
        seed: Option<u64>,
        /// Names.
        names: Vec<String>,
        /// Points.
        points: Vec<Network>,
        /// Pairs.
        pairs: Vec<(u32, f64)>,
        /// Files.
        #[schemars(extend("format" = "path"))]
        files: Vec<String>,
    }

    #[derive(Serialize, serde::Deserialize, JsonSchema)]
    struct Network {
        /// Number of nodes.
        #[schemars(range(min = 2, max = 9))]
        nodes: u32,
        /// Motion.
        mobility: Mobility,
        /// Trace.
        #[schemars(extend("format" = "path"))]
        trace: Option<String>,
    }

    #[derive(Serialize, serde::Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Unit {
        Size(f64),
        Name(String),
    }

    #[derive(Serialize, serde::Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Mobility {
        /// Random waypoints.
        Waypoints,
        /// None.
        Static,
    }

    impl Default for Config {
        fn default() -> Self {
            let network = Network { nodes: 5, mobility: Mobility::Static, trace: None };
            Config {
                unit: None,
                network,
                speed: [0.0, 20.0],
                seed: None,
                names: vec![],
                points: vec![],
                pairs: vec![],
                files: vec![],
            }
        }
    }

    #[test]
    fn keys_are_described_by_their_types() {
        let keys = Keys::of::<Config>();
        let key = |name: &str| keys.key(name).unwrap();
        let nodes = key("network.nodes");
        assert_eq!(nodes.domain, Some(Domain::Integer { least: 2, greatest: 9 }));
        assert_eq!((nodes.default, nodes.about.as_str()), (Some(Value::Integer(5)), "Number of nodes."));
        let words = ["waypoints", "static"].map(str::to_owned).to_vec();
        let mobility = key("network.mobility");
        assert_eq!(mobility.domain, Some(Domain::Text { choices: words }));
        assert_eq!(mobility.default, Some(Value::Text("static".to_owned())));
        let fast = key("speed[1]");
        assert_eq!(
            (fast.unit.as_str(), fast.about.as_str(), fast.default),
            ("m/s", "Speeds.", Some(Value::Number(20.0)))
        );
        let either = Domain::NumberOrName { least: f64::NEG_INFINITY, greatest: f64::INFINITY };
        assert_eq!(key("unit").domain, Some(either));
        assert_eq!(key("seed").domain, Some(Domain::Integer { least: 0, greatest: i64::MAX }));
        assert!(key("network.trace").is_path && !key("names[3]").is_path);
        assert_eq!(key("points[7].nodes").domain, Some(Domain::Integer { least: 2, greatest: 9 }));
        assert!(
            ["network.node", "speeds", "speed[2]", "speed.x", "names.x"].iter().all(|name| keys.key(name).is_none())
        );
        let text = |list: &str, text: &str| keys.element(list).unwrap().parse(text);
        assert_eq!(text("names", "a,b"), Ok("a,b".into()));
        assert_eq!(text("pairs", " 3, 2.5"), Ok(toml::Value::Array(vec![3.into(), 2.5.into()])));
        assert_eq!(text("pairs", "3").unwrap_err(), "is not 2 values with commas between them");
        assert!(text("pairs", "-1,2").unwrap_err().contains("-1 is not possible"));
        assert!(["points", "speed", "seed", "pair"].iter().all(|name| keys.element(name).is_none()));
        let all: Vec<_> = keys.all().into_iter().map(|key| key.name).collect();
        // Keys have the order of the type, which programs show.
        let network = ["network.nodes", "network.mobility", "network.trace"];
        let lists = ["speed[0]", "speed[1]", "seed", "names", "points", "pairs", "files"];
        assert_eq!(all, [&["unit"], &network[..], &lists].concat());
    }

    #[test]
    fn numbers_outside_of_their_range_are_found() {
        let keys = Keys::of::<Config>();
        let found = |text: &str| keys.out_of_range(&toml::from_str(text).unwrap());
        let told = |key: &str, value: &str, range: &str| {
            Some((key.to_owned(), format!("{value} is not possible: give whole numbers from {range}")))
        };
        assert_eq!(found("speed = [-1.0, 2.0]\nunit = 'm'\n[network]\nnodes = 2\nmobility = 'static'"), None);
        assert_eq!(found("[network]\nnodes = 10"), told("network.nodes", "10", "2 to 9"));
        assert_eq!(found("points = [{ nodes = 2 }, { nodes = 1 }]"), told("points[1].nodes", "1", "2 to 9"));
        assert_eq!(found("seed = -1"), told("seed", "-1", "0"));
    }

    #[test]
    fn names_of_files_start_from_the_folder() {
        let text = "names = ['a']\nfiles = ['b.csv', '']\n[network]\ntrace = 'c.tcl'\n[[points]]\ntrace = '/d.tcl'";
        let mut table: toml::Table = toml::from_str(text).unwrap();
        Keys::of::<Config>().move_files(&mut table, Path::new("fires"));
        let moved = "names = ['a']\nfiles = ['fires/b.csv', '']\n[network]\ntrace = 'fires/c.tcl'\n[[points]]\ntrace = '/d.tcl'";
        assert_eq!(table, toml::from_str(moved).unwrap());
    }
}
