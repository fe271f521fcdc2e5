//! Configurations from files.

use super::{Configuration, ConfigurationFile};
use crate::key;
use crate::model::Model;
use imminent_common::toml_text::{self, TomlError};
use std::path::Path;

impl Configuration {
    /// Reads a configuration of a model: TOML, or a file of the model's own that a [key](Model::key_of_file) names.
    ///
    /// # Errors
    /// [`TomlError`], with the line, for a file that cannot be read, unknown keys, and values of the wrong type.
    pub fn read(model: &dyn Model, file: Option<&Path>) -> Result<Self, TomlError> {
        let mut configuration = Self {
            model: model.description().name,
            keys: model.keys(),
            table: toml::Table::new(),
            file: None,
            given: vec![],
            alternatives: model.alternatives(),
            renamed: model.renamed(),
            moved: model.moved(),
        };
        let Some(path) = file else { return Ok(configuration) };
        let (text, name) = (toml_text::read(path)?, path.display().to_string());
        let key = model.key_of_file(path, &text);
        match key {
            Some(key) => {
                let file = toml::Value::String(name);
                key::set(&mut configuration.table, key, file, configuration.keys.defaults());
            }
            None => {
                toml_text::refuse_earlier(&text, &name, model.renamed())?;
                configuration.keys.check(&text, &name)?;
                configuration.table = toml_text::parse(&text, &name)?;
                if let Some((key, problem)) = configuration.keys.out_of_range(&configuration.table) {
                    return Err(TomlError::value(&key, problem).located(&text, &name));
                }
                if let Some(folder) = path.parent() {
                    configuration.keys.move_files(&mut configuration.table, folder);
                }
            }
        }
        let read = configuration.table.clone();
        configuration.file = Some(ConfigurationFile { path: path.to_owned(), text, key, read });
        Ok(configuration)
    }
}
