//! Configurations from files.

use super::{Configuration, ConfigurationFile};
use crate::key;
use crate::model::Model;
use imminent_common::input;
use imminent_common::toml_text::{self, Document, Table, TomlError, Value as Tree};
use std::path::Path;
use std::sync::OnceLock;

/// Reads the text of a configuration in UTF-8, or that of a file of the model's own, which may have another encoding.
fn text(model: &dyn Model, path: &Path) -> Result<String, TomlError> {
    toml_text::read(path).or_else(|error| {
        let text = input::text_of_any_encoding(path)?;
        if model.key_of_file(path, &text).is_some() { Ok(text) } else { Err(error) }
    })
}

impl Configuration {
    /// Reads a configuration of a model: TOML, or a file of the model's own that a [key](Model::key_of_file) names.
    ///
    /// # Errors
    /// [`TomlError`], with the line, for a file that cannot be read, unknown keys, and values of the wrong type.
    pub fn read(model: &dyn Model, file: Option<&Path>) -> Result<Self, TomlError> {
        match file {
            Some(path) => Self::of_text(model, text(model, path)?, path),
            None => Ok(Self::of_defaults(model)),
        }
    }

    /// Reads a configuration of a model from the text of a file, which need not be there.
    ///
    /// # Errors
    /// [`TomlError`] as for [`read`](Self::read).
    pub fn of_text(model: &dyn Model, text: String, path: &Path) -> Result<Self, TomlError> {
        let (mut configuration, name) = (Self::of_defaults(model), path.display().to_string());
        let key = model.key_of_file(path, &text);
        if key.is_none() {
            let document = Document::new(&text, &name);
            document.refuse_earlier(model.renamed())?;
            configuration.keys.check(&document)?;
            let mut table = document.into_table()?;
            if let Some((key, problem)) = configuration.keys.out_of_range(&table) {
                return Err(TomlError::value(&key, problem).located(&text, &name));
            }
            configuration.move_files(&mut table, path);
            configuration.table = table.into();
        }
        configuration.file = Some(ConfigurationFile { path: path.to_owned(), text, key });
        Ok(configuration)
    }

    fn of_defaults(model: &dyn Model) -> Self {
        Self {
            model: model.description().name,
            keys: model.keys(),
            table: OnceLock::new(),
            file: None,
            given: vec![],
            alternatives: model.alternatives(),
            renamed: model.renamed(),
            moved: model.moved(),
        }
    }

    /// Makes names of files in the values of a file start from its folder.
    fn move_files(&self, table: &mut Table, file: &Path) {
        if let Some(folder) = file.parent() {
            self.keys.move_files(table, folder);
        }
    }

    /// Reads the values of the file, to which no key was given.
    pub(super) fn read_values(&self) -> Table {
        let mut table = Table::new();
        let Some(ConfigurationFile { path, text, key }) = &self.file else { return table };
        let name = path.display().to_string();
        match key {
            Some(key) => key::set(&mut table, key, Tree::Text(name.into()), self.keys.defaults()),
            None => {
                // The text was a document when the configuration was read.
                table = Document::new(text, &name).into_table().unwrap_or_default();
                self.move_files(&mut table, path);
            }
        }
        table
    }
}
