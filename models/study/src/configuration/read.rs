//! Configurations from files.

use super::{Configuration, ConfigurationFile};
use crate::key;
use crate::model::Model;
use imminent_common::toml_text::{self, Document, Table, TomlError, Value as Tree};
use std::path::Path;
use std::sync::Arc;

impl Configuration {
    /// Reads a configuration of a model: TOML, or a file of the model's own that a [key](Model::key_of_file) names.
    ///
    /// # Errors
    /// [`TomlError`], with the line, for a file that cannot be read, unknown keys, and values of the wrong type.
    pub fn read(model: &dyn Model, file: Option<&Path>) -> Result<Self, TomlError> {
        let mut configuration = Self {
            model: model.description().name,
            keys: model.keys(),
            table: Arc::default(),
            file: None,
            given: vec![],
            alternatives: model.alternatives(),
            renamed: model.renamed(),
            moved: model.moved(),
        };
        let Some(path) = file else { return Ok(configuration) };
        let (text, name) = (toml_text::read(path)?, path.display().to_string());
        let key = model.key_of_file(path, &text);
        let mut table = Table::new();
        match key {
            Some(key) => key::set(&mut table, key, Tree::Text(name.into()), configuration.keys.defaults()),
            None => {
                let document = Document::new(&text, &name);
                document.refuse_earlier(model.renamed())?;
                configuration.keys.check(&document)?;
                table = document.into_table()?;
                if let Some((key, problem)) = configuration.keys.out_of_range(&table) {
                    return Err(TomlError::value(&key, problem).located(&text, &name));
                }
                if let Some(folder) = path.parent() {
                    configuration.keys.move_files(&mut table, folder);
                }
            }
        }
        configuration.table = Arc::new(table);
        let read = configuration.table.clone();
        configuration.file = Some(ConfigurationFile { path: path.to_owned(), text, key, read });
        Ok(configuration)
    }
}
