//! Configurations as TOML: reading, positions of keys, and errors.

mod document;
mod plain;
#[cfg(test)]
mod plain_tests;
mod tree;
mod tree_serde;

use crate::input::{self, InputError};
pub use document::Document;
pub use imminent_core::nearest;
use serde::de::DeserializeOwned;
use std::path::Path;
use thiserror::Error;
pub use tree::{Name, Table, Value};

/// Reasons why a TOML file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TomlError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A text is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{}{quote}{reason}", place(Some(file), *line))]
    Syntax {
        /// Name of the file.
        file: String,
        /// Line of the error, if the parser reports one.
        line: Option<usize>,
        /// Text of the line, with a colon.
        quote: String,
        /// Message of the parser, and a key that may have been meant.
        reason: String,
    },
    /// A key has an invalid value of the right type.
    #[error("{}{key}: {problem}", place(file.as_deref(), *line))]
    Value {
        /// Name of the file, if the value came from one.
        file: Option<String>,
        /// Line of the key, if it is in the file.
        line: Option<usize>,
        /// Name of the key, with its section.
        key: String,
        /// Cause and remedy.
        problem: String,
    },
}

impl TomlError {
    /// Creates an error for an invalid value of a key with its section.
    pub fn value(key: &str, problem: String) -> Self {
        Self::Value { file: None, line: None, key: key.to_owned(), problem }
    }

    /// Adds the position of the key at fault in the TOML text from which the configuration was read.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Value { key, problem, .. } => {
                Self::Value { file: Some(file.to_owned()), line: line_of(text, &key), key, problem }
            }
            other => other,
        }
    }

    /// Adds to the message about a key that is not given what the key says.
    #[must_use]
    pub fn explained(self, meaning: impl Fn(&str) -> Option<String>) -> Self {
        match self {
            Self::Syntax { file, line, quote, reason } => {
                let key = reason.strip_prefix(MISSING).and_then(|rest| rest.split_once('`')).map(|(key, _)| key);
                let meaning = key.and_then(|key| Some((key, meaning(key)?)));
                let explained = meaning.map(|(key, meaning)| format!("{MISSING}{key}` is missing ({meaning}): add it"));
                Self::Syntax { file, line, quote, reason: explained.unwrap_or(reason) }
            }
            other => other,
        }
    }

    /// Leaves out the lines and values that the error quotes, for a file that another file named. It may be no
    /// configuration. The name of an unknown key of a TOML file stays.
    #[must_use]
    pub fn without_quotes(self) -> Self {
        match self {
            // Only a file that is TOML has unknown keys.
            Self::Syntax { file, line, reason, .. } if reason.starts_with("unknown field `") => {
                Self::Syntax { file, line, quote: String::new(), reason }
            }
            Self::Syntax { file, line, .. } => {
                let reason = "no valid configuration; `run` it by itself for the reason".to_owned();
                Self::Syntax { file, line, quote: String::new(), reason }
            }
            other => other,
        }
    }
}

/// Reads the text of a file.
pub fn read(path: &Path) -> Result<String, TomlError> {
    Ok(input::text(path)?)
}

/// Parses a configuration; errors carry the file and the line.
///
/// # Errors
/// [`TomlError::Syntax`] for a text that is not TOML, unknown keys and values of the wrong type.
pub fn parse<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, TomlError> {
    Document::new(text, file).to()
}

/// Returns the line of a parser error, from 1 and as text, and its [message](told).
fn objection(error: &toml::de::Error, text: &str) -> (Option<usize>, String, String) {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map(|before| before.matches('\n').count() + 1);
    // The line itself names the key, even if the message does not.
    let written = line.and_then(|line| text.lines().nth(line - 1)).unwrap_or("").trim();
    let written = match written.char_indices().nth(80) {
        Some((end, _)) => format!("`{}…`: ", written.get(..end).unwrap_or("")),
        None if written.is_empty() => String::new(),
        None => format!("`{written}`: "),
    };
    (line, written, told(error))
}

/// Beginning of the message about a key that is not given; its name and a backtick follow.
const MISSING: &str = "the key `";

/// Returns the message of a parser error, with words in place of Rust types, and with the key or the word that may have
/// been meant.
///
/// A type whose expectation begins with `give `, such as `#[serde(expecting = "give a law")]`, has this as its whole
/// message.
#[must_use]
pub fn told(error: &toml::de::Error) -> String {
    let message = in_words(error.message().trim_end());
    let hint = meant(&message).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    message + &hint
}

/// Replaces a Rust type at the end of a parser message by words.
fn in_words(message: &str) -> String {
    if let Some(key) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("{MISSING}{key}` is missing: add it");
    }
    if message == "wanted string or table" {
        return "expected a word in quotes".to_owned();
    }
    if let Some((_, remedy)) = message.split_once("expected give ") {
        return format!("give {remedy}");
    }
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let entries = expected.strip_prefix("a tuple of size ").or(expected.strip_prefix("an array of length "));
    if let Some(entries) = entries {
        return format!("{before}expected a list of {entries} values in brackets");
    }
    let words = match expected {
        "a sequence" => "a list in brackets".to_owned(),
        "a map" => "a table of keys".to_owned(),
        _ if expected.starts_with("struct ") => "a table of keys".to_owned(),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i32" | "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        _ => return message.to_owned(),
    };
    format!("{before}expected {words}")
}

/// Returns the beginning of an error message: the file and, if known, the line.
fn place(file: Option<&str>, line: Option<usize>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => format!("{file}, line {line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    }
}

/// Returns the line, from 1, of a key such as `network.node[2].service` in a TOML text. If the key itself is not given,
/// it is the line of the enclosing entry.
pub fn line_of(text: &str, key: &str) -> Option<usize> {
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

/// Returns the quoted word of a message that is most similar to the first quoted one, if any.
fn meant(message: &str) -> Option<&str> {
    if !message.starts_with("unknown ") {
        return None;
    }
    let mut quoted = message.split('`').skip(1).step_by(2);
    let given = quoted.next()?;
    nearest(given, quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_said_in_words() {
        #[derive(Debug, serde::Deserialize)]
        enum Word {
            Yes,
        }
        #[derive(Debug, serde::Deserialize)]
        struct Inner {}
        #[derive(Debug, serde::Deserialize)]
        #[serde(expecting = "give a law, such as { mean = 4 }")]
        #[allow(dead_code)]
        struct Law {
            mean: f64,
        }
        let said = |text: &str| {
            #[derive(Debug, serde::Deserialize)]
            #[allow(dead_code)]
            struct Keys {
                count: Option<u32>,
                long: Option<u64>,
                share: Option<f64>,
                name: Option<String>,
                pair: Option<(f64, u32)>,
                list: Option<Vec<u32>>,
                inner: Option<Inner>,
                law: Option<Law>,
                word: Option<Word>,
            }
            parse::<Keys>(text, "a.toml").unwrap_err().to_string()
        };
        assert!(said("count = -4").ends_with("expected a whole number from 0 to 4294967295"), "{}", said("count = -4"));
        assert!(said("long = -4").ends_with("expected a whole number, 0 or more"), "{}", said("long = -4"));
        assert!(said("share = 'half'").ends_with("expected a number"), "{}", said("share = 'half'"));
        assert!(said("name = 4").ends_with("expected a text in quotes"), "{}", said("name = 4"));
        assert!(said("pair = 4").ends_with("expected a list of 2 values in brackets"), "{}", said("pair = 4"));
        assert!(said("list = 4").ends_with("expected a list in brackets"), "{}", said("list = 4"));
        assert!(said("inner = 4").ends_with("expected a table of keys"), "{}", said("inner = 4"));
        assert!(said("law = 4").ends_with(": `law = 4`: give a law, such as { mean = 4 }"), "{}", said("law = 4"));
        assert!(said("law = {}").ends_with(": the key `mean` is missing: add it"), "{}", said("law = {}"));
        assert!(said("word = 4").ends_with("expected a word in quotes"), "{}", said("word = 4"));
    }

    #[test]
    fn nothing_of_a_file_that_another_one_named_is_shown() {
        let told = parse::<toml::Table>("a = 1\nroot:x:secret\n", "passwd").unwrap_err();
        assert!(told.to_string().contains("secret"), "{told}");
        let told = told.without_quotes().to_string();
        assert_eq!(told, "passwd, line 2: no valid configuration; `run` it by itself for the reason");
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Shop {
            machines: u32,
        }
        let told = |text: &str| parse::<Shop>(text, "shop.toml").unwrap_err().without_quotes().to_string();
        let unknown = "shop.toml, line 1: unknown field `machnes`, expected `machines`; did you mean `machines`?";
        assert_eq!(told("machnes = 'secret'"), unknown);
        assert!(!told("machines = ': unknown field `secret`'").contains("secret"));
    }

    #[test]
    fn the_likeliest_word_is_proposed() {
        let message = |word: &str| format!("unknown field `{word}`, expected one of `servers`, `service`, `tokens`");
        assert_eq!(meant(&message("serverz")), Some("servers"));
        assert_eq!(meant(&message("sevice")), Some("service"));
        assert_eq!(meant(&message("colour")), None);
        assert_eq!(meant("invalid type: string `serverz`, expected `servers`"), None);
    }
}
