//! Documents of XML, and elements in any namespace.

use super::error::FileError;
use super::values::Value;
pub use roxmltree::Document;
use roxmltree::{Node as Element, ParsingOptions, StringStorage};
use std::borrow::Cow;

/// An XML document, and its file name for errors.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    /// Name of the file, for errors.
    pub file: &'a str,
}

/// Returns `true` if a text is XML rather than another format: it begins with `<`.
pub fn is_xml(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<')
}

/// Parses XML text.
///
/// # Errors
/// [`FileError`] for a text that is not well-formed.
pub fn document<'a>(text: &'a str, file: &str) -> Result<Document<'a>, FileError> {
    // A document type declaration is harmless and some tools write one; entities are expanded within limits.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .map_err(|error| FileError::NotXml { file: file.to_owned(), reason: error.to_string() })
}

impl<'a> Reader<'a> {
    /// Creates a reader of a document from a file of this name.
    #[must_use]
    pub fn new(document: &'a Document<'a>, file: &'a str) -> Self {
        Self { document, file }
    }

    /// Returns the attribute `name`, which the element must have.
    ///
    /// # Errors
    /// [`FileError`] for an element without it.
    pub fn required(self, element: Element<'a, 'a>, name: &'static str) -> Result<&'a str, FileError> {
        element.attribute(name).ok_or_else(|| wrong(self.file, self.line(element), element, name, None, "a name"))
    }

    /// Returns the line in which the element begins.
    #[must_use]
    pub fn line(self, element: Element<'_, '_>) -> u32 {
        self.document.text_pos_at(element.range().start).row
    }
}

/// Returns the child elements of one name, in any namespace.
pub fn elements<'a, 't>(parent: Element<'a, 't>, name: &'static str) -> impl Iterator<Item = Element<'a, 't>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// Returns the error of an XML attribute that is missing or has a value that cannot be.
pub(super) fn wrong(
    file: &str,
    line: u32,
    element: Element<'_, '_>,
    name: &'static str,
    value: Option<&str>,
    expected: &'static str,
) -> FileError {
    FileError::Attribute {
        file: file.to_owned(),
        line,
        element: element.tag_name().name().to_owned(),
        name,
        value: value.map_or_else(|| "missing".to_owned(), |value| format!("'{value}'")),
        expected,
    }
}

/// Returns an XML attribute, as a part of the text where it is one.
pub(super) fn attribute<'t>(element: Element<'_, 't>, name: &str) -> Option<Cow<'t, str>> {
    element.attribute_node(name).map(|attribute| shared(attribute.value_storage()))
}

/// Returns the text inside an element without the space around it.
pub(super) fn inside<'t>(element: Element<'_, 't>) -> Cow<'t, str> {
    match element.text_storage() {
        Some(StringStorage::Borrowed(text)) => Cow::Borrowed(text.trim()),
        Some(StringStorage::Owned(text)) => Cow::Owned(text.trim().to_owned()),
        None => Cow::Borrowed(""),
    }
}

fn shared<'t>(text: &StringStorage<'t>) -> Cow<'t, str> {
    match text {
        StringStorage::Borrowed(text) => Cow::Borrowed(text),
        StringStorage::Owned(text) => Cow::Owned(text.to_string()),
    }
}

/// Adds the defaults of attributes that a node or edge does not give itself.
pub(super) fn add_defaults<'t>(values: &mut Vec<Value<'t>>, defaults: &[(Cow<'t, str>, Cow<'t, str>)], at: usize) {
    for (name, text) in defaults {
        if !values.iter().any(|value| value.name == *name) {
            values.push(Value { name: name.clone(), text: text.clone(), at, own: false });
        }
    }
}
