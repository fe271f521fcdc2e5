//! Configurations of studies, from their definitions.

use super::{Base, FILE};
use crate::configuration::Configuration;
use crate::definition::{Definition, DefinitionError};
use crate::description::{Domain, Parameter};
use crate::key;
use crate::model::Model;
use crate::value::Value;
use imminent_common::input;
use imminent_common::toml_text::{TomlError, nearest};
use std::collections::BTreeSet;
use std::path::Path;

/// Digits of a hash in a revision.
const HASH_DIGITS: usize = 16;

/// A key that a study sets.
struct Used {
    name: String,
    /// Place in the study that names the key.
    at: String,
    /// Values that the study gives.
    values: Vec<Value>,
    /// Places of the values in the study.
    places: Vec<String>,
}

impl Base {
    /// Reads the configuration of a study of a model. Names of files are relative to `folder`.
    ///
    /// # Errors
    /// [`DefinitionError`], which names the key at fault, for a file that cannot be read, and for keys that the
    /// configuration does not have.
    pub fn read(model: &dyn Model, definition: &Definition, folder: &Path) -> Result<Self, DefinitionError> {
        let path = match definition.fixed.get(FILE) {
            None => None,
            Some(Value::Text(name)) => Some(folder.join(name)),
            Some(other) => {
                let problem = format!("{other} is no name of a file: give a text");
                return Err(DefinitionError::value("fixed.file", problem));
            }
        };
        // An error of the file itself has its lines, but shows nothing of a file that is no configuration.
        let configuration = Configuration::read(model, path.as_deref()).map_err(TomlError::without_quotes)?;
        Self::of(model, configuration, definition, folder)
    }

    /// Creates the base of a study from its configuration.
    pub(crate) fn of(
        model: &dyn Model,
        configuration: Configuration,
        definition: &Definition,
        folder: &Path,
    ) -> Result<Self, DefinitionError> {
        let (mut description, mut hash) = (model.description(), blake3::Hasher::new());
        if let Some(Value::Text(name)) = definition.fixed.get(FILE) {
            let about = "Configuration from which keys that the study does not set are taken (TOML).";
            description = description.parameter(Parameter::text(FILE, about).default(name.as_str()));
        } else if model.needs_file() {
            let problem = format!("model '{}' needs `file`, a configuration (TOML): give it here", description.name);
            return Err(DefinitionError::value("fixed", problem));
        }
        if let Some(text) = configuration.text() {
            hash.update(blake3::hash(text.as_bytes()).as_bytes());
        }
        // Neither the order nor the number of times in which lists were given matters.
        for key in configuration.given().collect::<BTreeSet<_>>() {
            if let Ok(Some(value)) = key::find(configuration.table(), key) {
                hash.update(format!("{key} = {value}\n").as_bytes());
            }
        }
        let mut base = Self { configuration, folder: folder.to_owned(), description, given: vec![] };
        for used in base.used(definition) {
            let parameter = base.parameter(model, &used)?;
            base.read_files(&used)?;
            base.given.extend(used.values.into_iter().map(|value| (used.name.clone(), value)));
            base.description.parameters.push(parameter);
        }
        if hash.count() > 0 {
            let digits: String = hash.finalize().to_hex().chars().take(HASH_DIGITS).collect();
            base.description.revision = format!("{}-{digits}", base.description.revision);
        }
        base.description.notes.extend(model.notes(&base));
        Ok(base)
    }

    /// Every key that the study sets, once, in alphabetical order, and the key that says how long a run is.
    fn used(&self, definition: &Definition) -> Vec<Used> {
        let mut used: Vec<Used> = vec![];
        let mut add = |name: &str, at: String, values: Vec<(Value, String)>| {
            let (values, places) = values.into_iter().unzip();
            used.push(Used { name: name.to_owned(), at, values, places });
        };
        let numbers = |numbers: &[Option<f64>], at: &str| -> Vec<(Value, String)> {
            let of = |number: &f64| match number.fract() == 0.0 {
                true => Value::Integer(*number as i64),
                false => Value::Number(*number),
            };
            numbers.iter().flatten().map(|number| (of(number), at.to_owned())).collect()
        };
        for (name, value) in &definition.fixed {
            let at = format!("fixed.{name}");
            add(name, at.clone(), vec![(value.clone(), at)]);
        }
        for (place, axis) in definition.axis.iter().enumerate() {
            let at = format!("axis[{place}].parameter");
            let listed = axis.values.iter().flatten().enumerate();
            let listed = listed.map(|(row, value)| (value.clone(), format!("axis[{place}].values[{row}]")));
            let values = listed.chain(numbers(&[axis.from, axis.to, axis.step], &at)).collect();
            add(&axis.parameter, at, values);
        }
        for (place, sample) in definition.sample.iter().enumerate() {
            for (inner, interval) in sample.axis.iter().enumerate() {
                let at = format!("sample[{place}].axis[{inner}].parameter");
                let values = numbers(&[Some(interval.from), Some(interval.to)], &at);
                add(&interval.parameter, at, values);
            }
        }
        if let Some(length) = &self.description.length {
            let values = definition.length.iter().map(|value| (value.clone(), "length".to_owned())).collect();
            add(length, "length".to_owned(), values);
        }
        used.retain(|key| key.name != FILE);
        used.sort_by(|a, b| a.name.cmp(&b.name));
        used.dedup_by(|later, earlier| {
            let is_same = later.name == earlier.name;
            if is_same {
                earlier.values.append(&mut later.values);
                earlier.places.append(&mut later.places);
            }
            is_same
        });
        used
    }

    /// Returns a key as a parameter of the study.
    fn parameter(&self, model: &dyn Model, used: &Used) -> Result<Parameter, DefinitionError> {
        let (key, wrong) = (&used.name, |problem: String| Err(DefinitionError::value(&used.at, problem)));
        if let Some((_, instead)) = model.keys_of_studies().iter().find(|(name, _)| name == key) {
            return wrong(format!("a study says this by {instead}: remove the key"));
        }
        if let Some(now) = self.configuration.earlier(key) {
            return wrong(now);
        }
        let default = match key::find(self.configuration.table(), key) {
            Ok(Some(value)) => match key::value(value) {
                Ok(value) => Some(value),
                Err(found) => return wrong(format!("is {found} in {}: name a key in it", self.configuration.said())),
            },
            Ok(None) => None,
            // A list that is given has so many elements; a table may be left out.
            Err(missing) if missing.ends_with(']') => {
                return wrong(format!(
                    "{} has no `{missing}`: add it there, or name another key",
                    self.configuration.said()
                ));
            }
            Err(_) => None,
        };
        let Some(known) = self.configuration.keys().key(key) else {
            let all = self.configuration.keys().all();
            let hint = match nearest(key, all.iter().map(|key| key.name.as_str())) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("`imminent describe {}` lists its keys", self.description.name),
            };
            return wrong(format!("model '{}' has no parameter `{key}`; {hint}", self.description.name));
        };
        let default = default.or_else(|| known.default.clone());
        let Some(mut parameter) = known.parameter() else {
            return wrong("is a list or a table: name a key in it".to_owned());
        };
        if parameter.about.is_empty() {
            parameter.about = format!("The key of {}.", self.configuration.said());
        }
        if let (Domain::Text { .. }, Some(Value::Integer(_) | Value::Number(_) | Value::Boolean(_))) =
            (&parameter.domain, &default)
        {
            return wrong(format!("`{key}` is no text in {}", self.configuration.said()));
        }
        Ok(match default {
            Some(default) => parameter.default(default),
            None => parameter,
        })
    }

    /// Reads the files that a study names, so that those of rows that are not checked belong to its files, too.
    fn read_files(&self, used: &Used) -> Result<(), DefinitionError> {
        if !self.configuration.is_path(&used.name) {
            return Ok(());
        }
        for (value, at) in used.values.iter().zip(&used.places) {
            let Value::Text(name) = value else { continue };
            if !name.is_empty() {
                let read = input::bytes(&self.folder.join(name), input::MAX_DATA);
                read.map_err(|error| DefinitionError::value(at, error.to_string()))?;
            }
        }
        Ok(())
    }
}
