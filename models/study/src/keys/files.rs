//! Names of files in a configuration.

use super::Keys;
use crate::key::{write_index, write_name};
use imminent_common::toml_text::{Table, Value};
use serde_json::Value as Json;
use std::path::Path;

impl Keys {
    /// Makes names of files in a configuration start from a folder.
    pub(crate) fn move_files(&self, table: &mut Table, folder: &Path) {
        let mut names = vec![];
        add_paths(self.0.schema.as_value(), &mut names);
        if !names.is_empty() {
            self.move_inside(&mut String::new(), table, &names, folder);
        }
    }

    /// Moves the files in a table with a key; `names` are the last parts of keys that name files.
    fn move_inside(&self, key: &mut String, table: &mut Table, names: &[&str], folder: &Path) {
        let end = key.len();
        for (name, value) in table.iter_mut() {
            write_name(key, name);
            self.move_in(key, value, names, folder);
            key.truncate(end);
        }
    }

    /// Moves the files in the value of a key.
    fn move_in(&self, key: &mut String, value: &mut Value, names: &[&str], folder: &Path) {
        match value {
            Value::Table(table) => self.move_inside(key, table, names, folder),
            Value::List(list) => {
                let (end, are_files) = (key.len(), self.is_file(key, names));
                for (index, value) in list.iter_mut().enumerate() {
                    match value {
                        Value::Text(file) if are_files => start_from(folder, file),
                        Value::Table(table) => {
                            write_index(key, index);
                            self.move_inside(key, table, names, folder);
                            key.truncate(end);
                        }
                        _ => {}
                    }
                }
            }
            Value::Text(file) if self.is_file(key, names) => start_from(folder, file),
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
fn start_from(folder: &Path, file: &mut Box<str>) {
    if !file.is_empty() {
        *file = folder.join(&**file).display().to_string().into();
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
