//! Check of the numbers of a configuration against the ranges of their keys.

use super::Keys;
use crate::description::Domain;
use crate::key::{write_index, write_name};
use imminent_common::toml_text::{Table, Value};
use std::collections::HashMap;

impl Keys {
    /// Returns the key of a number that is outside of its range, and what is wrong with it.
    pub(crate) fn out_of_range(&self, table: &Table) -> Option<(String, String)> {
        Walk::at_key(self, "").table(table)
    }

    /// Returns the key of a number in the value of a key that is outside of its range, and what is wrong with it.
    pub(crate) fn out_of_range_at(&self, key: &str, value: &Value) -> Option<(String, String)> {
        Walk::at_key(self, key).at(value)
    }
}

/// Walk over the numbers of a configuration, which may have hundreds of thousands.
struct Walk<'k, 'v> {
    keys: &'k Keys,
    /// Key at which the walk began.
    start: &'k str,
    /// Steps from there.
    steps: Vec<Step<'v>>,
    /// Key of which the domain is known for all that are alike.
    alike: String,
    domains: HashMap<String, Option<Domain>>,
}

/// Step into a table or a list.
#[derive(Clone, Copy)]
enum Step<'v> {
    Name(&'v str),
    Index(usize),
}

impl Step<'_> {
    fn write(self, key: &mut String) {
        match self {
            Self::Name(name) => write_name(key, name),
            Self::Index(index) => write_index(key, index),
        }
    }
}

/// Number of the elements of a list, from which on they are alike. Lists of a fixed length are shorter.
const ALIKE: usize = 8;

impl<'k, 'v> Walk<'k, 'v> {
    fn at_key(keys: &'k Keys, key: &'k str) -> Self {
        Self { keys, start: key, steps: vec![], alike: key.to_owned(), domains: HashMap::new() }
    }

    fn table(&mut self, table: &'v Table) -> Option<(String, String)> {
        table.iter().find_map(|(name, value)| self.inside(Step::Name(name), Step::Name(name), value))
    }

    fn inside(&mut self, step: Step<'v>, alike: Step<'v>, value: &'v Value) -> Option<(String, String)> {
        let end = self.alike.len();
        self.steps.push(step);
        alike.write(&mut self.alike);
        let found = self.at(value);
        self.alike.truncate(end);
        self.steps.pop();
        found
    }

    fn at(&mut self, value: &'v Value) -> Option<(String, String)> {
        let number = match value {
            Value::Table(table) => return self.table(table),
            Value::List(list) => {
                let inside = |(index, value)| self.inside(Step::Index(index), Step::Index(index.min(ALIKE)), value);
                return list.iter().enumerate().find_map(inside);
            }
            Value::Integer(number) => *number as f64,
            Value::Float(number) => *number,
            _ => return None,
        };
        if !self.domains.contains_key(&self.alike) {
            let domain = self.keys.key(&self.alike).and_then(|key| key.domain);
            self.domains.insert(self.alike.clone(), domain);
        }
        let domain = self.domains.get(&self.alike)?.as_ref()?;
        let (least, greatest) = match domain {
            Domain::Integer { least, greatest } | Domain::IntegerOrName { least, greatest, .. } => {
                (*least as f64, *greatest as f64)
            }
            Domain::Seed => (0.0, f64::INFINITY),
            Domain::Number { least, greatest } | Domain::NumberOrName { least, greatest, .. } => (*least, *greatest),
            _ => return None,
        };
        let is_outside = number < least || number > greatest;
        is_outside.then(|| (self.key(), format!("{value} is not possible: give {}", domain.expectation())))
    }

    /// Returns the key at which the walk is.
    fn key(&self) -> String {
        let mut key = self.start.to_owned();
        self.steps.iter().for_each(|step| step.write(&mut key));
        key
    }
}
