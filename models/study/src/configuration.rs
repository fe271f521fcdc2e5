//! A configuration of a model: a file or the model's defaults, with keys that are given values.

mod read;
mod scaled;

pub(crate) use super::key::parse;
use super::key::{self, Alternatives};
use super::keys::Keys;
use super::laboratory::Fault;
use super::unused::Unused;
use super::value::Value;
use imminent_common::toml_text::{Table, TomlError, Value as Tree, nearest};
use serde::de::DeserializeOwned;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A configuration of a model: a file or the model's defaults, with keys that are given values.
///
/// Names of files in a configuration file start from its folder, those that are given from the current one.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// Name of the model.
    model: String,
    keys: Keys,
    /// Values; empty before something asks for them, and once they have been [taken](Configuration::take).
    table: OnceLock<Table>,
    file: Option<ConfigurationFile>,
    /// Keys that were given values, in their order.
    given: Vec<(String, Tree)>,
    alternatives: Alternatives,
    renamed: &'static [(&'static str, &'static str)],
    moved: &'static [(&'static str, &'static [&'static str])],
}

/// The file of a configuration.
#[derive(Debug, Clone)]
struct ConfigurationFile {
    path: PathBuf,
    text: String,
    /// Key that names the file, if it is no TOML.
    key: Option<&'static str>,
}

impl Configuration {
    /// Gives a key a value, in place of that of the file and of its alternatives there.
    ///
    /// # Errors
    /// A text that says what is wrong with the value, or which key was meant.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let known = self.keys.key(key).ok_or_else(|| self.unknown(key))?;
        let Some(parameter) = known.parameter() else {
            return Err("is a list or a table: name a key in it".to_owned());
        };
        self.put(key, key::to_toml(&parameter.accept(value)?))
    }

    /// Gives a key the value of a text, as on a command line. A list or a table is written as in TOML.
    ///
    /// # Errors
    /// A text that says what is wrong with the value, or which key was meant.
    pub fn set_text(&mut self, key: &str, text: &str) -> Result<(), String> {
        let known = self.keys.key(key).ok_or_else(|| self.unknown(key))?;
        let Some(parameter) = known.parameter() else { return self.set_toml(key, text) };
        let value = parameter.parse(text).ok_or_else(|| format!("takes {}", parameter.domain.expectation()))?;
        self.set(key, &value)
    }

    /// Gives a list its elements, in place of those of the file. Each is a text such as `7`, or `31,0` for a list of
    /// pairs.
    ///
    /// # Errors
    /// A text that says what is wrong with an element, or which key was meant.
    pub fn set_list(&mut self, key: &str, elements: &[&str]) -> Result<(), String> {
        let element = self.keys.element(key).ok_or_else(|| self.unknown(key))?;
        let elements = elements.iter().map(|text| element.parse(text)).collect::<Result<_, _>>()?;
        self.put(key, Tree::List(elements))
    }

    /// Gives a list or a table that configurations have a value, written as in TOML.
    fn set_toml(&mut self, key: &str, text: &str) -> Result<(), String> {
        let how = "is a list or a table: write it as in TOML, for instance [1, 2], or name a key in it";
        let value = Tree::parse(text.trim()).map_err(|_| how)?;
        match self.keys.out_of_range_at(key, &value) {
            Some((at, problem)) if at == key => Err(problem),
            Some((at, problem)) => Err(format!("`{at}`: {problem}")),
            None => self.put(key, value),
        }
    }

    /// Gives a key a value that it takes.
    ///
    /// # Errors
    /// A text that names a key that was given before and would be replaced, or an element that is not there.
    pub(crate) fn put(&mut self, key: &str, value: Tree) -> Result<(), String> {
        if let Some((lost, _)) = self.given.iter().find(|(given, _)| given != key && key::is_within(given, key)) {
            return Err(format!("`{key}` would replace `{lost}`, which was given too: give only one of them"));
        }
        let mut table = self.table.take().unwrap_or_else(|| self.made());
        self.put_in(&mut table, &self.given, key, &value);
        let is_there = key::find(&table, key) == Ok(Some(&value));
        self.table = table.into();
        if !is_there {
            return Err(format!("the list has no element `{key}`: give the whole list"));
        }
        self.given.push((key.to_owned(), value));
        Ok(())
    }

    /// Gives a key of a table a value, after other keys.
    fn put_in(&self, table: &mut Table, before: &[(String, Tree)], key: &str, value: &Tree) {
        let before: Vec<_> = before.iter().map(|(given, _)| given.as_str()).collect();
        key::remove_alternatives(table, key, self.alternatives, &before);
        key::set(table, key, value.clone(), self.keys.defaults());
    }

    /// Makes the values: those of the file, and those that were given.
    fn made(&self) -> Table {
        let mut table = self.read_values();
        for (place, (key, value)) in self.given.iter().enumerate() {
            self.put_in(&mut table, self.given.get(..place).unwrap_or_default(), key, value);
        }
        table
    }

    /// Takes keys out of those that were given values, since something else says the same.
    pub fn forget(&mut self, keys: &[String]) {
        self.given.retain(|(given, _)| !keys.contains(given));
    }

    /// Returns the keys that were given values, in the order in which they were.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(|(given, _)| given.as_str())
    }

    /// Returns `true` if a key was given a value.
    #[must_use]
    pub fn is_given(&self, key: &str) -> bool {
        self.given().any(|given| given == key)
    }

    /// Returns the key that was given a value of those that an unused one covers, or the list or table with it.
    fn given_key(&self, unused: &Unused) -> Option<&str> {
        let is_there = || matches!(key::find(self.table(), &unused.key), Ok(Some(_)));
        let gives = |given: &&str| unused.covers(given) || key::is_within(&unused.key, given) && is_there();
        self.given().find(gives)
    }

    /// Refuses a key without effect that was given, and returns a warning for each that is in the file, with its line.
    ///
    /// # Errors
    /// A fault that begins with the key.
    pub fn check_unused(&self, unused: impl IntoIterator<Item = Unused>) -> Result<Vec<String>, Fault> {
        let mut warnings = vec![];
        let read = OnceCell::new();
        for unused in unused {
            let Unused { key, why } = &unused;
            match self.given_key(&unused) {
                Some(given) if unused.covers(given) => {
                    return Err(format!("{given}: has no effect: {why}; leave it out").into());
                }
                Some(table) => return Err(format!("{table}: `{key}` has no effect: {why}; leave it out").into()),
                None => {}
            }
            let is_written = |file: &ConfigurationFile| {
                file.key.is_none() && matches!(key::find(read.get_or_init(|| self.read_values()), key), Ok(Some(_)))
            };
            if self.file.as_ref().is_some_and(is_written) {
                warnings.push(self.warning(&unused));
            }
        }
        Ok(warnings)
    }

    /// Returns the warning about a key without effect, with its line in the file unless it was given.
    #[must_use]
    pub fn warning(&self, unused: &Unused) -> String {
        self.located(TomlError::value(&unused.key, format!("has no effect: {}", unused.why))).to_string()
    }

    /// Returns the configuration as it was read, with no key given.
    pub(crate) fn ungiven(&self) -> Self {
        Self { table: OnceLock::new(), given: vec![], ..self.clone() }
    }

    /// Returns the value of a key, or its default.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Value> {
        match key::find(self.table(), key) {
            Ok(Some(value)) => key::value(value).ok(),
            _ => self.keys.key(key)?.default,
        }
    }

    /// Returns the configuration file, if there is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| &*file.path)
    }

    /// Returns the text of the configuration file, if there is one.
    pub(crate) fn text(&self) -> Option<&str> {
        self.file.as_ref().map(|file| &*file.text)
    }

    /// Returns the keys that exclude one another.
    pub(crate) const fn alternatives(&self) -> Alternatives {
        self.alternatives
    }

    /// Returns the keys of the model.
    #[must_use]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns the configuration as TOML, without the keys that have their defaults.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.table.get_or_init(|| self.made())
    }

    /// Returns the configuration as the model's type.
    ///
    /// # Errors
    /// A value that the type does not take.
    pub fn parse<C: DeserializeOwned>(&self) -> Result<C, Fault> {
        parse(self.table())
    }

    /// Returns the configuration as the model's type, and frees the memory of its values. They are read again if
    /// something asks for them.
    ///
    /// # Errors
    /// A value that the type does not take.
    pub fn take<C: DeserializeOwned>(&mut self) -> Result<C, Fault> {
        let configuration = self.parse()?;
        self.table.take();
        Ok(configuration)
    }

    /// Adds file and line to an error about a key, unless the key, a part of it or what it is a part of was given.
    #[must_use]
    pub fn located(&self, error: TomlError) -> TomlError {
        let is_given = |key: &str| self.given().any(|given| key::is_within(given, key) || key::is_within(key, given));
        match (&error, &self.file) {
            (TomlError::Value { key, .. }, Some(file)) if file.key.is_none() && !is_given(key) => {
                error.located(&file.text, &file.path.display().to_string())
            }
            _ => error,
        }
    }

    /// Returns `true` for a key whose value is the name of a file.
    pub(crate) fn is_path(&self, key: &str) -> bool {
        self.keys.key(key).is_some_and(|key| key.is_path)
    }

    /// Says what an earlier key is today, if it is one.
    pub(crate) fn earlier(&self, key: &str) -> Option<String> {
        let renamed = self.renamed.iter().find(|(old, _)| *old == key);
        let moved = || self.moved.iter().find(|(_, keys)| keys.contains(&key));
        renamed
            .map(|(_, now)| format!("`{key}` is called `{now}` now"))
            .or_else(|| moved().map(|(other, _)| format!("`{key}` is a key of model '{other}' now")))
    }

    /// Says what has the keys.
    pub(crate) fn said(&self) -> String {
        self.file().map_or_else(|| "the default configuration".to_owned(), |file| file.display().to_string())
    }

    /// Returns the problem of a key that configurations do not have.
    pub(crate) fn unknown(&self, key: &str) -> String {
        if let Some(now) = self.earlier(key) {
            return now;
        }
        let near = |names: Vec<String>| nearest(key, names.iter().map(String::as_str)).map(str::to_owned);
        let anywhere = || near(self.keys.all().into_iter().map(|key| key.name).collect());
        match near(self.keys.beside(key)).or_else(anywhere) {
            Some(meant) => format!("there is no key `{key}`; did you mean `{meant}`?"),
            None => format!("there is no key `{key}`; `imminent describe {}` lists them", self.model),
        }
    }
}
