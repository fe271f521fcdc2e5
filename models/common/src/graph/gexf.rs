//! GEXF, Gephi's format. Attributes are found by the `title` of their declarations, and may have a `default`; `label`
//! of a node and `weight` of an edge are attributes too. Hierarchies, and graphs whose nodes or edges exist for a time,
//! are errors.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use super::xml::{Document, add_defaults, attribute, elements, inside, wrong};
use roxmltree::Node as Element;
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads the graph of a document.
pub(super) fn graph<'t>(document: &Document<'t>, source: Source<'t>) -> Result<Graph<'t>, FileError> {
    let root = document.root_element();
    let element = elements(root, "graph").next().ok_or_else(|| FileError::NoGraph { file: source.file.to_owned() })?;
    let line = |element: Element<'_, '_>| source.line(element.range().start);
    let one_way = |element: Element<'_, '_>, name: &'static str, default: bool| match element.attribute(name) {
        None => Ok(default),
        Some("directed") => Ok(true),
        Some("undirected" | "mutual") => Ok(false),
        other => Err(wrong(source.file, line(element), element, name, other, "'directed', 'undirected' or 'mutual'")),
    };
    let required = |element: Element<'_, 't>, name: &'static str| {
        attribute(element, name).ok_or_else(|| wrong(source.file, line(element), element, name, None, "a name"))
    };
    let directed = one_way(element, "defaultedgetype", false)?;
    let mut assembly = Assembly::new(source);
    let declared = Declared::of(element, "node");
    for node in elements(element, "nodes").flat_map(|list| elements(list, "node")) {
        if elements(node, "nodes").next().is_some() || node.has_attribute("pid") {
            return Err(assembly.unsupported(node.range().start, "a node inside a node"));
        }
        if is_dynamic(node) {
            return Err(assembly.unsupported(node.range().start, "a node that exists for a time"));
        }
        assembly.node(required(node, "id")?, node.range().start, declared.values(node, "label"))?;
    }
    let declared = Declared::of(element, "edge");
    for edge in elements(element, "edges").flat_map(|list| elements(list, "edge")) {
        let (from, to) = (required(edge, "source")?, required(edge, "target")?);
        if is_dynamic(edge) {
            return Err(assembly.unsupported(edge.range().start, "an edge that exists for a time"));
        }
        let values = declared.values(edge, "weight");
        assembly.edge([&from, &to], one_way(edge, "type", directed)?, edge.range().start, values)?;
    }
    assembly.build(element.range().start)
}

/// Returns `true` for a node or an edge that exists for a time.
fn is_dynamic(element: Element<'_, '_>) -> bool {
    const TIMES: [&str; 8] =
        ["start", "end", "startopen", "endopen", "timestamp", "timestamps", "interval", "intervals"];
    TIMES.into_iter().any(|name| element.has_attribute(name))
        || ["spells", "slices"].into_iter().any(|name| elements(element, name).next().is_some())
}

/// Declarations of the attributes of nodes or edges.
struct Declared<'a, 't> {
    /// Title of the attribute, by its id.
    titles: HashMap<&'a str, Cow<'t, str>>,
    defaults: Vec<(Cow<'t, str>, Cow<'t, str>)>,
}

impl<'a, 't> Declared<'a, 't> {
    fn of(graph: Element<'a, 't>, class: &str) -> Self {
        let mut declared = Self { titles: HashMap::new(), defaults: vec![] };
        let lists = elements(graph, "attributes").filter(|list| list.attribute("class") == Some(class));
        for one in lists.flat_map(|list| elements(list, "attribute")) {
            let (Some(id), Some(title)) = (one.attribute("id"), attribute(one, "title")) else { continue };
            if let Some(default) = elements(one, "default").next().map(inside).filter(|default| !default.is_empty()) {
                declared.defaults.push((title.clone(), default));
            }
            declared.titles.insert(id, title);
        }
        declared
    }

    /// Returns the attributes of an element, among them the XML attribute `plain`.
    fn values(&self, element: Element<'_, 't>, plain: &'static str) -> Vec<Value<'t>> {
        let at = element.range().start;
        let own = elements(element, "attvalues").flat_map(|list| elements(list, "attvalue")).filter_map(|value| {
            // The first version of the format has `id` for `for`.
            let id = value.attribute("for").or_else(|| value.attribute("id"))?;
            let text = attribute(value, "value")?;
            Some(Value { name: self.titles.get(id)?.clone(), text, at: value.range().start, own: true })
        });
        let mut values: Vec<_> = own.collect();
        if let (Some(text), false) = (attribute(element, plain), values.iter().any(|value| value.name == plain)) {
            values.push(Value { name: plain.into(), text, at, own: true });
        }
        add_defaults(&mut values, &self.defaults, at);
        values
    }
}
