//! Attributes of nodes and edges.

use super::error::FileError;
use super::source::Source;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, de::IntoDeserializer};
use std::borrow::Cow;

/// Value of an attribute.
#[derive(Debug, Clone)]
pub(super) struct Value<'t> {
    pub(super) name: Cow<'t, str>,
    pub(super) text: Cow<'t, str>,
    /// Place in the file; that of the node or edge for a default value.
    pub(super) at: usize,
    /// `false` for a default value, which the node or edge itself does not give.
    pub(super) own: bool,
}

/// Attributes of one node or edge.
#[derive(Debug)]
pub struct Attributes<'g, 't> {
    /// The file.
    pub source: Source<'t>,
    /// Name of the node or edge in errors.
    pub what: String,
    pub(super) at: usize,
    pub(super) values: &'g [Value<'t>],
}

impl<'g> Attributes<'g, '_> {
    /// Returns the line in which the node or edge begins.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.source.line(self.at)
    }

    /// Returns `true` if the node or edge itself gives an attribute.
    #[must_use]
    pub fn has_own(&self, attribute: &str) -> bool {
        self.values.iter().any(|value| value.own && value.name == attribute)
    }

    /// Returns the names of the attributes that the node or edge itself gives.
    pub fn own_names(&self) -> impl Iterator<Item = &'g str> {
        self.values.iter().filter(|value| value.own).map(|value| &*value.name)
    }

    fn get(&self, attribute: &str) -> Option<&'g Value<'_>> {
        self.values.iter().find(|value| value.name == attribute)
    }

    /// Returns an attribute's text.
    #[must_use]
    pub fn text(&self, attribute: &str) -> Option<&'g str> {
        self.values.iter().find(|value| value.name == attribute).map(|value| &*value.text)
    }

    /// Returns an attribute's value, if it is given; `expected` describes the possible values.
    ///
    /// # Errors
    /// [`FileError`] for a text that `read` does not take.
    pub fn value<T>(
        &self,
        attribute: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, FileError> {
        let Some(value) = self.get(attribute) else { return Ok(None) };
        read(&value.text).map(Some).ok_or_else(|| FileError::Value {
            file: self.source.file.to_owned(),
            line: self.source.line(value.at),
            element: self.what.clone(),
            name: attribute,
            value: value.text.to_string(),
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

    /// Returns the readable name of the node or edge, if it has one.
    #[must_use]
    pub fn label(&self) -> Option<&'g str> {
        self.text("label").filter(|text| !text.is_empty())
    }
}
