//! JSON texts without raw control characters.

use imminent_common::printable::is_control;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{Result, Write};

/// Writes a value as indented JSON. Characters upon which a terminal acts are escaped, which changes no value: JSON
/// itself only asks it of those below U+0020.
pub fn write(out: impl Write, value: &impl serde::Serialize) -> Result<()> {
    let mut serializer = Serializer::with_formatter(out, Escaping(PrettyFormatter::new()));
    Ok(value.serialize(&mut serializer)?)
}

/// Returns a value as indented JSON, as [`write()`] writes it.
pub fn text(value: &impl serde::Serialize) -> Result<String> {
    let mut text = Vec::new();
    write(&mut text, value)?;
    String::from_utf8(text).map_err(std::io::Error::other)
}

/// Indents, and escapes control characters.
struct Escaping(PrettyFormatter<'static>);

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_control) {
            out.write_all(&rest.as_bytes()[..at])?;
            let mut characters = rest[at..].chars();
            if let Some(control) = characters.next() {
                write!(out, "\\u{:04x}", u32::from(control))?;
            }
            rest = characters.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn controls_are_escaped_and_values_stay() {
        let name = "a\u{7f}\u{9b}2J\u{202e}\u{1b}\r\n\t \"Zürich\" 東京";
        let value = json!({ name: [name, 1.5, [], {}, null], "x": true });
        let written = text(&value).unwrap();
        assert!(written.contains(r"a\u007f\u009b2J\u202e\u001b\r\n\t \"), "{written}");
        assert!(!written.contains(is_control), "{written:?}");
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        let plain = json!({ "a": [1, { "b": [] }] });
        assert_eq!(text(&plain).unwrap(), serde_json::to_string_pretty(&plain).unwrap());
    }
}
