//! GraphML. An attribute is found by its `attr.name`, and may have a `default`.
//!
//! yEd's labels are the attribute `label` of nodes without one. Its groups are left out, and the nodes inside them are
//! nodes of the graph. Hyperedges, ports and other nested graphs are errors.

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
    let mut graphs = elements(root, "graph");
    let element = graphs.next().ok_or_else(|| FileError::NoGraph { file: source.file.to_owned() })?;
    let mut assembly = Assembly::new(source);
    if let Some(second) = graphs.next() {
        return Err(assembly.unsupported(second.range().start, "a second graph"));
    }
    let parts = parts(&assembly, element)?;
    let keys = Keys::of(root, "node");
    for node in parts.iter().flat_map(|part| elements(*part, "node")) {
        if elements(node, "graph").next().is_some() {
            continue;
        }
        if elements(node, "port").next().is_some() {
            return Err(assembly.unsupported(node.range().start, "a port"));
        }
        let (id, mut values) = (required(source, node, "id")?, keys.values(node));
        if let (Some(label), false) = (yed_label(node), values.iter().any(|value| value.own && value.name == "label")) {
            values.push(Value { name: "label".into(), text: label, at: node.range().start, own: true });
        }
        add_defaults(&mut values, &keys.defaults, node.range().start);
        assembly.node(id, node.range().start, values)?;
    }
    let keys = Keys::of(root, "edge");
    for part in parts {
        let directed = is_directed(source, part)?;
        for edge in elements(part, "edge") {
            let at = edge.range().start;
            let (from, to) = (required(source, edge, "source")?, required(source, edge, "target")?);
            let one_way = match edge.attribute("directed") {
                None => directed,
                Some("true" | "1") => true,
                Some("false" | "0") => false,
                other => {
                    return Err(wrong(source.file, source.line(at), edge, "directed", other, "'true' or 'false'"));
                }
            };
            let mut values = keys.values(edge);
            add_defaults(&mut values, &keys.defaults, at);
            assembly.edge([&from, &to], one_way, at, values)?;
        }
    }
    assembly.build(element.range().start)
}

/// Returns a graph and those inside its groups, outer ones first.
fn parts<'a, 't>(assembly: &Assembly<'t>, graph: Element<'a, 't>) -> Result<Vec<Element<'a, 't>>, FileError> {
    let (mut parts, mut next) = (vec![graph], 0);
    while let Some(&part) = parts.get(next) {
        next += 1;
        if let Some(hyperedge) = elements(part, "hyperedge").next() {
            return Err(assembly.unsupported(hyperedge.range().start, "a hyperedge"));
        }
        for node in elements(part, "node") {
            for inner in elements(node, "graph") {
                // yEd's name for groups that are open or closed.
                if !node.attributes().any(|attribute| attribute.name() == "yfiles.foldertype") {
                    return Err(assembly.unsupported(inner.range().start, "a graph inside a node"));
                }
                parts.push(inner);
            }
        }
    }
    Ok(parts)
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

/// Returns the text of yEd's label of a node.
fn yed_label<'t>(node: Element<'_, 't>) -> Option<Cow<'t, str>> {
    let inner = elements(node, "data").flat_map(|data| data.descendants());
    let mut labels = inner.filter(|element| element.tag_name().name() == "NodeLabel").map(inside);
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

    /// Returns the attributes that an element itself gives.
    fn values(&self, element: Element<'_, 't>) -> Vec<Value<'t>> {
        let named = elements(element, "data").filter_map(|data| {
            let name = self.names.get(data.attribute("key")?)?.clone();
            Some(Value { name, text: inside(data), at: data.range().start, own: true })
        });
        named.collect()
    }
}
