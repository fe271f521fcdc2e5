//! Elements of a file, and the parameters of sections: trees of names, classes of Java and values.

use super::JsimgError;
use roxmltree::Node as Element;

/// A file, for errors.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) name: &'a str,
}

impl File<'_> {
    /// Returns the error for an element: a description of it, and the problem with its remedy.
    pub(super) fn wrong(self, at: Element<'_, '_>, element: &str, problem: impl Into<String>) -> JsimgError {
        JsimgError::Element {
            file: self.name.to_owned(),
            line: line(at),
            element: element.to_owned(),
            problem: problem.into(),
        }
    }

    /// Returns an attribute that an element must have.
    pub(super) fn attribute<'a>(self, at: Element<'a, '_>, name: &str) -> Result<&'a str, JsimgError> {
        at.attribute(name).ok_or_else(|| {
            self.wrong(at, &format!("element '{}'", at.tag_name().name()), format!("has no '{name}': give it one"))
        })
    }
}

/// Returns the line of an element, from 1.
pub(super) fn line(element: Element<'_, '_>) -> u32 {
    element.document().text_pos_at(element.range().start).row
}

/// Returns the child elements of a name.
pub(super) fn children<'a, 'i: 'a>(
    element: Element<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Element<'a, 'i>> + 'a {
    element.children().filter(move |child| child.has_tag_name(name))
}

/// A parameter of a section, or a part of one.
#[derive(Clone, Copy)]
pub(super) struct Parameter<'a> {
    pub(super) element: Element<'a, 'a>,
}

impl<'a> Parameter<'a> {
    /// Returns the parameters of a section.
    pub(super) fn of(section: Element<'a, 'a>) -> impl Iterator<Item = Self> {
        children(section, "parameter").map(|element| Self { element })
    }

    pub(super) fn name(self) -> &'a str {
        self.element.attribute("name").unwrap_or("")
    }

    /// Returns the class of Java, without its package.
    pub(super) fn class(self) -> &'a str {
        let path = self.element.attribute("classPath").unwrap_or("");
        path.rsplit('.').next().unwrap_or(path)
    }

    /// Returns the parts.
    pub(super) fn parts(self) -> impl Iterator<Item = Self> {
        children(self.element, "subParameter").map(|element| Self { element })
    }

    /// Returns the part of a name.
    pub(super) fn part(self, name: &str) -> Option<Self> {
        self.parts().find(|part| part.name() == name)
    }

    /// Returns the value; `None` without one, and for `null`.
    pub(super) fn value(self) -> Option<&'a str> {
        let text = children(self.element, "value").next()?.text()?.trim();
        (text != "null").then_some(text)
    }

    /// Returns the parts by class: each belongs to the class that the element before it names, or without such elements
    /// to that of its number.
    pub(super) fn by_class(self, classes: &[String]) -> Vec<Option<Self>> {
        let mut parts = vec![None; classes.len()];
        let (mut named, mut number) = (None, 0);
        for child in self.element.children() {
            if child.has_tag_name("refClass") {
                let name = child.text().unwrap_or("").trim();
                named = Some(classes.iter().position(|class| class == name));
            } else if child.has_tag_name("subParameter") {
                let class = named.take().unwrap_or(Some(number));
                if let Some(entry) = class.and_then(|class| parts.get_mut(class)) {
                    *entry = Some(Self { element: child });
                }
                number += 1;
            }
        }
        parts
    }
}
