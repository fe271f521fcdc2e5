//! Attributes of nodes and edges.

use super::{FileError, Reader, elements};
use roxmltree::Node as Element;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, de::IntoDeserializer};
use std::collections::HashMap;

/// Declarations of the attributes of one kind of element, from `key` elements.
pub struct Keys<'a> {
    /// Name of the attribute, by the key's id.
    names: HashMap<&'a str, &'a str>,
    /// Default value, by the attribute's name.
    defaults: HashMap<&'a str, &'a str>,
}

impl<'a> Keys<'a> {
    /// Reads the keys for elements called `kind`.
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

/// Attributes of one node or edge.
pub struct Attributes<'r, 'a> {
    /// Reader of the file.
    pub reader: Reader<'a>,
    /// XML element of the node or edge.
    pub element: Element<'a, 'a>,
    /// Name of the element in errors.
    pub what: String,
    /// Attributes that the file declares.
    pub keys: &'r Keys<'a>,
}

impl<'a> Attributes<'_, 'a> {
    /// Returns the `data` element in which the element itself gives an attribute.
    pub fn own(&self, attribute: &str) -> Option<Element<'a, 'a>> {
        elements(self.element, "data").find(|data| {
            data.attribute("key").and_then(|key| self.keys.names.get(key)).is_some_and(|name| *name == attribute)
        })
    }

    /// Returns the names of the attributes that the element itself gives.
    pub fn own_names(&self) -> impl Iterator<Item = &'a str> {
        elements(self.element, "data").filter_map(|data| self.keys.names.get(data.attribute("key")?).copied())
    }

    /// Returns an attribute's text, and the element that contains it.
    pub fn text(&self, attribute: &str) -> Option<(Element<'a, 'a>, &'a str)> {
        match self.own(attribute) {
            Some(data) => Some((data, data.text().unwrap_or("").trim())),
            None => self.keys.defaults.get(attribute).map(|default| (self.element, *default)),
        }
    }

    /// Returns an attribute's value, if it is given; `expected` describes the possible values.
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

    /// Returns an attribute's value as a whole number.
    ///
    /// # Errors
    /// [`FileError`] for any other value.
    pub fn whole(&self, attribute: &'static str) -> Result<Option<u32>, FileError> {
        self.value(attribute, "give a whole number from 0 to 2^32 - 1", |text| text.parse().ok())
    }

    /// Returns an attribute's value as a number.
    ///
    /// # Errors
    /// [`FileError`] for any other value.
    pub fn number(&self, attribute: &'static str) -> Result<Option<f64>, FileError> {
        self.value(attribute, "give a number", |text| text.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    /// Returns an attribute's value as one of a few words.
    ///
    /// # Errors
    /// [`FileError`] for any other value.
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

    /// Returns the readable name of the element, if it has one.
    #[must_use]
    pub fn label(&self) -> Option<&'a str> {
        self.text("label").map(|(_, text)| text).filter(|text| !text.is_empty())
    }
}
