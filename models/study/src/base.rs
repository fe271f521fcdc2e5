//! The configuration from which the points of a study start.

mod read;

use super::configuration::{self, Configuration};
use super::description::Description;
use super::key;
use super::laboratory::{Fault, Point};
use super::unused::Unused;
use super::value::Value;
use imminent_common::toml_text::Table;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Parameter that names the configuration file.
pub(crate) const FILE: &str = "file";

/// The configuration from which the points of a study start: a file, or the model's defaults. A point sets keys of it.
#[derive(Debug)]
pub struct Base {
    configuration: Configuration,
    /// Folder from which names of files in the study start.
    folder: PathBuf,
    description: Description,
    /// Values that the study gives, with their keys.
    given: Vec<(String, Value)>,
}

impl Base {
    /// Returns the values that the study gives to a key.
    #[must_use]
    pub fn given(&self, key: &str) -> Vec<&Value> {
        self.given.iter().filter(|(name, _)| name == key).map(|(_, value)| value).collect()
    }

    /// Returns the key that the study sets of those that an unused one covers, if it does.
    #[must_use]
    pub fn given_key(&self, unused: &Unused) -> Option<&str> {
        self.given.iter().map(|(name, _)| name.as_str()).find(|name| unused.covers(name))
    }

    /// Returns the files that the study names by a key.
    #[must_use]
    pub fn files(&self, key: &str) -> Vec<PathBuf> {
        let file = |value: &&Value| match value {
            Value::Text(name) if !name.is_empty() => Some(PathBuf::from(absolute(&self.folder, name))),
            _ => None,
        };
        self.given(key).iter().filter_map(file).collect()
    }

    /// Returns the description of the model with the keys that the study sets.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the configuration file, if there is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.configuration.file()
    }

    /// Returns the configuration of a point.
    ///
    /// # Errors
    /// A value that the configuration's type does not take.
    pub fn config<C: DeserializeOwned>(&self, point: &Point) -> Result<C, Fault> {
        configuration::parse(&self.table(point))
    }

    /// Returns the configuration of a point as TOML.
    #[must_use]
    pub fn table(&self, point: &Point) -> Table {
        let mut table = self.configuration.table().clone();
        let given: Vec<_> = point.parameters().map(|(name, _)| name).filter(|name| *name != FILE).collect();
        for name in &given {
            key::remove_alternatives(&mut table, name, self.configuration.alternatives(), &given);
        }
        for (name, value) in point.parameters().filter(|(name, _)| *name != FILE) {
            let value = match value {
                Value::Text(file) if !file.is_empty() && self.configuration.is_path(name) => {
                    Value::Text(absolute(&self.folder, file))
                }
                value => value.clone(),
            };
            key::set(&mut table, name, key::to_toml(&value), self.configuration.keys().defaults());
        }
        table
    }
}

/// Returns the absolute path of a file whose name starts from a folder.
fn absolute(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    // Without a current folder the name stays relative.
    std::path::absolute(&path).unwrap_or(path).display().to_string()
}
