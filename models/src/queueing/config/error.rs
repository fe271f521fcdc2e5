//! What is wrong with a configuration.

use crate::queueing::graphml::GraphmlError;
use thiserror::Error;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {reason}; check the path and that the file is text in UTF-8")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The text is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{file}: {reason}")]
    Toml {
        /// The file.
        file: String,
        /// What the parser says, with the line and a picture of the place.
        reason: String,
    },
    /// A key has a value of the right type that makes no sense.
    #[error("{}{key}: {problem}", place(file.as_deref(), *line))]
    Value {
        /// The file, if the value came from one.
        file: Option<String>,
        /// The line of the key, if it is in the file.
        line: Option<usize>,
        /// The key, with its section.
        key: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The graph of a network cannot be read.
    #[error("network.graph: {0}")]
    Graph(#[from] GraphmlError),
}

fn place(file: Option<&str>, line: Option<usize>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => format!("{file}, line {line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    }
}

impl ConfigError {
    pub(super) fn value(key: &str, problem: String) -> Self {
        Self::Value { file: None, line: None, key: key.to_owned(), problem }
    }

    /// Adds where the key at fault stands in the TOML text that the configuration was read from.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Value { key, problem, .. } => {
                Self::Value { file: Some(file.to_owned()), line: line_of(text, &key), key, problem }
            }
            other => other,
        }
    }
}

/// The line, from 1, of a key such as `network.node[2].service` in a TOML text; that of what is around it where the key itself is not given.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let document = toml::de::DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut start = None;
    for part in key.split('.') {
        let (name, index) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
            Some((name, index)) => (name, index.parse::<usize>().ok()),
            None => (part, None),
        };
        let Some((entry, value)) = table.iter().find(|(entry, _)| entry.get_ref().as_ref() == name) else { break };
        start = Some(entry.span().start);
        let mut value = value;
        if let (Some(index), toml::de::DeValue::Array(list)) = (index, value.get_ref()) {
            let Some(element) = list.get(index) else { break };
            start = Some(element.span().start);
            value = element;
        }
        let toml::de::DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    Some(text.get(..start?)?.matches('\n').count() + 1)
}
