//! Meaning of keys, for errors about those that are not given.

use super::Keys;
use serde_json::Value;

impl Keys {
    /// Returns the meaning of a key that some table of a configuration must have, as a part of a sentence; `None` if
    /// that depends on the table.
    #[must_use]
    pub fn meaning(&self, key: &str) -> Option<String> {
        let tables = self.schema().get("$defs")?.as_object()?.values();
        let needs = |table: &&Value| {
            let required = table.get("required").and_then(Value::as_array);
            required.is_some_and(|required| required.iter().any(|name| name.as_str() == Some(key)))
        };
        let meaning = |table: &Value| Some(table.get("properties")?.get(key)?.get("description")?.as_str()?.to_owned());
        let mut meanings = tables.filter(needs).filter_map(meaning);
        let first = meanings.next()?;
        if meanings.any(|other| other != first) {
            return None;
        }
        let sentence = first.split(". ").next().unwrap_or_default().trim_end_matches('.').replace('\n', " ");
        let mut letters = sentence.chars();
        Some(letters.next()?.to_lowercase().chain(letters).collect())
    }
}
