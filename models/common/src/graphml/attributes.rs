//! The attributes of nodes and edges.

use super::{FileError, Reader, elements};
use roxmltree::Node as Element;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, de::IntoDeserializer};
use std::collections::HashMap;

/// What `key` elements say of the attributes of one kind of element.
pub struct Keys<'a> {
    /// The name of the attribute, by the key's id.
    names: HashMap<&'a str, &'a str>,
    /// The value where none is given, by the attribute's name.
    defaults: HashMap<&'a str, &'a str>,
}

impl<'a> Keys<'a> {
    /// The keys for elements called `kind`.
    pub(super) fn of(root: Element<'a, 'a>, kind: &str) -> Self {
        let mut keys = Self { names: HashMap::new(), defaults: HashMap::new() };
        for key in elements(root, "key") {
            let fits = key.attribute("for").is_none_or(|target| target == kind || target == "all");
            let (Some(id), Some(name), true) = (key.attribute("id"), key.attribute("attr.name"), fits) else {
                continue;
            };
            keys.names.insert(id, name);
            if let Some(default) = elements(key, "default").next().and_then(|default| default.text()) {
                keys.defaults.insert(name, default.trim());
            }
        }
        keys
    }
}

/// The attributes of one node or edge.
pub struct Attributes<'r, 'a> {
    /// The reader of its file.
    pub reader: Reader<'a>,
    /// Its element.
    pub element: Element<'a, 'a>,
    /// What errors call it.
    pub what: String,
    /// The attributes that the file declares.
    pub keys: &'r Keys<'a>,
}

impl<'a> Attributes<'_, 'a> {
    /// What the element itself says of an attribute.
    pub fn own(&self, attribute: &str) -> Option<Element<'a, 'a>> {
        elements(self.element, "data").find(|data| {
            data.attribute("key").and_then(|key| self.keys.names.get(key)).is_some_and(|name| *name == attribute)
        })
    }

    /// An attribute's text, and the element where it stands.
    pub fn text(&self, attribute: &str) -> Option<(Element<'a, 'a>, &'a str)> {
        match self.own(attribute) {
            Some(data) => Some((data, data.text().unwrap_or("").trim())),
            None => self.keys.defaults.get(attribute).map(|default| (self.element, *default)),
        }
    }

    /// An attribute's value, if it is given; `expected` says what values are possible.
    pub fn value<T>(
        &self,
        attribute: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, FileError> {
        let Some((at, text)) = self.text(attribute) else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| FileError::Value {
            file: self.reader.file.to_owned(),
            line: self.reader.line(at),
            element: self.what.clone(),
            name: attribute,
            value: text.to_owned(),
            expected: expected.to_owned(),
        })
    }

    /// A value that is a whole number.
    ///
    /// # Errors
    /// [`FileError`] for any other.
    pub fn whole(&self, attribute: &'static str) -> Result<Option<u32>, FileError> {
        self.value(attribute, "give a whole number from 0 to 2^32 - 1", |text| text.parse().ok())
    }

    /// A value that is a number.
    ///
    /// # Errors
    /// [`FileError`] for any other.
    pub fn number(&self, attribute: &'static str) -> Result<Option<f64>, FileError> {
        self.value(attribute, "give a number", |text| text.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    /// A value that is one of a few words.
    ///
    /// # Errors
    /// [`FileError`] for any other.
    pub fn one_of<T: for<'de> Deserialize<'de>>(
        &self,
        attribute: &'static str,
        expected: &str,
    ) -> Result<Option<T>, FileError> {
        self.value(attribute, expected, |text| {
            let words: StrDeserializer<'_, ValueError> = text.into_deserializer();
            T::deserialize(words).ok()
        })
    }

    /// The name that people read, if it has one.
    #[must_use]
    pub fn label(&self) -> Option<&'a str> {
        self.text("label").map(|(_, text)| text).filter(|text| !text.is_empty())
    }
}
