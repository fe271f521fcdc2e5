//! GraphML. An attribute is found by its `attr.name`, and may have a `default`.
//!
//! Drawings of yEd have labels and groups. A label is the attribute `label` of a node or an edge without one. A group
//! is a node if an edge ends at it; otherwise only the nodes inside it are nodes of the graph. yEd writes every edge as
//! directed: one that is drawn without arrowheads, or with one at both ends, is undirected. Ports only tell where a
//! drawing has the end of an edge. Hyperedges and other nested graphs are errors.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use super::xml::{Document, add_defaults, attribute, elements, inside, wrong};
use roxmltree::Node as Element;
use std::borrow::Cow;
use std::collections::HashMap;

/// Beginning of the namespaces of drawings by yEd and other programs with yFiles.
const YFILES: &str = "http://www.yworks.com/xml/";

/// Reads the graph of a document.
pub(super) fn graph<'t>(document: &Document<'t>, source: Source<'t>) -> Result<Graph<'t>, FileError> {
    let root = document.root_element();
    let mut graphs = elements(root, "graph");
    let element = graphs.next().ok_or_else(|| FileError::NoGraph { file: source.file.to_owned() })?;
    let mut assembly = Assembly::new(source);
    if let Some(second) = graphs.next() {
        return Err(assembly.unsupported(second.range().start, "a second graph"));
    }
    let is_drawing = root.namespaces().any(|namespace| namespace.uri().starts_with(YFILES));
    let parts = parts(&assembly, element, is_drawing)?;
    let keys = Keys::of(root, "node");
    for node in parts.iter().flat_map(|part| elements(*part, "node")) {
        let (id, at) = (required(source, node, "id")?, node.range().start);
        let values = keys.values(node, "NodeLabel");
        if elements(node, "graph").next().is_some() {
            assembly.group(id, at, values)?;
        } else {
            assembly.node(id, at, values)?;
        }
    }
    let keys = Keys::of(root, "edge");
    for part in parts {
        let directed = is_directed(source, part)?;
        for edge in elements(part, "edge") {
            let at = edge.range().start;
            let (from, to) = (required(source, edge, "source")?, required(source, edge, "target")?);
            let one_way = match edge.attribute("directed") {
                None => directed && drawn_one_way(edge).unwrap_or(true),
                Some("true" | "1") => true,
                Some("false" | "0") => false,
                other => {
                    return Err(wrong(source.file, source.line(at), edge, "directed", other, "'true' or 'false'"));
                }
            };
            assembly.edge([&from, &to], one_way, at, keys.values(edge, "EdgeLabel"))?;
        }
    }
    assembly.build(element.range().start)
}

/// Returns a graph and those inside its groups, outer ones first.
fn parts<'a, 't>(
    assembly: &Assembly<'t>,
    graph: Element<'a, 't>,
    is_drawing: bool,
) -> Result<Vec<Element<'a, 't>>, FileError> {
    let (mut parts, mut next) = (vec![graph], 0);
    while let Some(&part) = parts.get(next) {
        next += 1;
        if let Some(hyperedge) = elements(part, "hyperedge").next() {
            return Err(assembly.unsupported(hyperedge.range().start, "a hyperedge"));
        }
        for node in elements(part, "node") {
            for inner in elements(node, "graph") {
                // yEd's name for groups that are open or closed.
                if !is_drawing && !node.attributes().any(|attribute| attribute.name() == "yfiles.foldertype") {
                    return Err(assembly.unsupported(inner.range().start, "a graph inside a node"));
                }
                parts.push(inner);
            }
        }
    }
    Ok(parts)
}

/// Returns whether an edge is drawn with an arrowhead at one end; `None` if there is no drawing.
fn drawn_one_way(edge: Element<'_, '_>) -> Option<bool> {
    let mut inner = elements(edge, "data").flat_map(|data| data.descendants());
    let arrows = inner.find(|element| element.tag_name().name() == "Arrows")?;
    let has = |end| arrows.attribute(end).is_some_and(|arrow| arrow != "none");
    Some(has("source") != has("target"))
}

fn is_directed(source: Source<'_>, graph: Element<'_, '_>) -> Result<bool, FileError> {
    match graph.attribute("edgedefault") {
        Some("directed") => Ok(true),
        Some("undirected") => Ok(false),
        other => {
            let line = source.line(graph.range().start);
            Err(wrong(source.file, line, graph, "edgedefault", other, "'directed' or 'undirected'"))
        }
    }
}

fn required<'t>(source: Source<'t>, element: Element<'_, 't>, name: &'static str) -> Result<Cow<'t, str>, FileError> {
    attribute(element, name)
        .ok_or_else(|| wrong(source.file, source.line(element.range().start), element, name, None, "a name"))
}

/// Returns the text of the label in a drawing: `kind` is yEd's name of the element. Drawings by yFiles for HTML have
/// labels of one name in nodes and edges.
fn drawn_label<'t>(element: Element<'_, 't>, kind: &str) -> Option<Cow<'t, str>> {
    let inner = elements(element, "data").flat_map(|data| data.descendants());
    let mut labels = inner.filter(|element| [kind, "Label.Text"].contains(&element.tag_name().name())).map(inside);
    labels.find(|label| !label.is_empty())
}

/// Declarations of the attributes of one kind of element, from `key` elements.
struct Keys<'a, 't> {
    /// Name of the attribute, by the key's id.
    names: HashMap<&'a str, Cow<'t, str>>,
    /// Default value, by the attribute's name.
    defaults: Vec<(Cow<'t, str>, Cow<'t, str>)>,
}

impl<'a, 't> Keys<'a, 't> {
    /// Reads the keys for elements called `kind`.
    fn of(root: Element<'a, 't>, kind: &str) -> Self {
        let mut keys = Self { names: HashMap::new(), defaults: vec![] };
        for key in elements(root, "key") {
            let fits = key.attribute("for").is_none_or(|target| target == kind || target == "all");
            let (Some(id), Some(name), true) = (key.attribute("id"), attribute(key, "attr.name"), fits) else {
                continue;
            };
            if let Some(default) = elements(key, "default").next().map(inside).filter(|default| !default.is_empty()) {
                keys.defaults.push((name.clone(), default));
            }
            keys.names.insert(id, name);
        }
        keys
    }

    /// Returns the attributes of an element; `label` is yEd's name of a drawn one.
    fn values(&self, element: Element<'_, 't>, label: &str) -> Vec<Value<'t>> {
        let at = element.range().start;
        let named = elements(element, "data").filter_map(|data| {
            let name = self.names.get(data.attribute("key")?)?.clone();
            Some(Value { name, text: inside(data), at: data.range().start, own: true })
        });
        let mut values: Vec<_> = named.collect();
        if let (Some(text), false) = (drawn_label(element, label), values.iter().any(|value| value.name == "label")) {
            values.push(Value { name: "label".into(), text, at, own: true });
        }
        add_defaults(&mut values, &self.defaults, at);
        values
    }
}
