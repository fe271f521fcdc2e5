//! Names of files in a configuration.

use super::Keys;
use serde_json::Value as Json;
use std::path::Path;

impl Keys {
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
