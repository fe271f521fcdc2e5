//! Check of the numbers of a configuration against the ranges of their keys.

use super::Keys;
use crate::description::Domain;
use crate::key::Segment;
use std::collections::HashMap;

impl Keys {
    /// Returns the key of a number that is outside of its range, and what is wrong with it.
    pub(crate) fn out_of_range(&self, table: &toml::Table) -> Option<(String, String)> {
        let inner = table.iter().map(|(name, value)| (Segment::Name(name.clone()), value));
        Walk::at_key(self, "").inner(inner)
    }

    /// Returns the key of a number in the value of a key that is outside of its range, and what is wrong with it.
    pub(crate) fn out_of_range_at(&self, key: &str, value: &toml::Value) -> Option<(String, String)> {
        Walk::at_key(self, key).at(value)
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

impl<'k> Walk<'k> {
    fn at_key(keys: &'k Keys, key: &str) -> Self {
        Self { keys, key: key.to_owned(), alike: key.to_owned(), domains: HashMap::new() }
    }

    fn inner<'v>(&mut self, values: impl Iterator<Item = (Segment, &'v toml::Value)>) -> Option<(String, String)> {
        let (key, alike) = (self.key.len(), self.alike.len());
        for (part, value) in values {
            part.write(&mut self.key);
            match part {
                Segment::Index(index) => Segment::Index(index.min(ALIKE)).write(&mut self.alike),
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
                return self.inner(table.iter().map(|(name, value)| (Segment::Name(name.clone()), value)));
            }
            toml::Value::Array(list) => {
                return self.inner(list.iter().enumerate().map(|(index, value)| (Segment::Index(index), value)));
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
            Domain::Number { least, greatest } | Domain::NumberOrName { least, greatest, .. } => (*least, *greatest),
            _ => return None,
        };
        let is_outside = number < least || number > greatest;
        is_outside.then(|| (self.key.clone(), format!("{value} is not possible: give {}", domain.expectation())))
    }
}
