//! Elements of XML.

use std::fmt::{self, Display};

/// An element with attributes, and with elements or text in it.
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Self>,
    text: String,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: vec![], children: vec![], text: String::new() }
    }

    /// Creates a parameter of a section of this class of Java.
    pub(super) fn parameter(name: &str, class: &str) -> Self {
        Self::new("parameter").with("classPath", class).with("name", name)
    }

    /// Creates a part of a parameter.
    pub(super) fn part(name: &str, class: &str) -> Self {
        Self::new("subParameter").with("classPath", class).with("name", name)
    }

    /// Creates a part of a parameter that has a value.
    pub(super) fn value(name: &str, class: &str, value: impl Display) -> Self {
        Self::part(name, &format!("java.lang.{class}")).holding(Self::new("value").saying(value))
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    pub(super) fn holding(mut self, child: Self) -> Self {
        self.add(child);
        self
    }

    pub(super) fn add(&mut self, child: Self) {
        self.children.push(child);
    }

    pub(super) fn saying(mut self, text: impl Display) -> Self {
        self.text = text.to_string();
        self
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        write!(f, "{:depth$}<{}", "", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", escaped(value))?;
        }
        if self.children.is_empty() && self.text.is_empty() {
            return writeln!(f, "/>");
        }
        if self.children.is_empty() {
            return writeln!(f, ">{}</{}>", escaped(&self.text), self.name);
        }
        writeln!(f, ">")?;
        self.children.iter().try_for_each(|child| child.write(f, depth + 1))?;
        writeln!(f, "{:depth$}</{}>", "", self.name)
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// Returns a text with the characters escaped that have a meaning in XML, and without those that it cannot hold.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            control if control < ' ' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
