//! Networks from GraphML files, the exchange format of graph tools and of the Internet Topology Zoo.
//!
//! What is read of a file, everything else in it being ignored:
//!
//! * the one `graph` element with its `node` and `edge` elements. Out-edges are in the order of the file;
//! * directions: `edgedefault` of the graph, overridden by an edge's own `directed`. An undirected edge goes both ways;
//! * copies of an edge, each of which counts: two links to the same neighbour double the probability of going there.
//!   An undirected edge from a node to itself is one way out, not two;
//! * node attributes by their `attr.name`: `service_mean` (time units, a number), `tokens` (a whole number) and `label`
//!   (text). Keys may have a `default`. A node without `label` is called by its `id`.
//!
//! A node that gives no mean or no tokens gets those of the [`Defaults`]. Hyperedges, ports and graphs inside graphs are
//! errors, since leaving them out would silently simulate another network.

mod error;

pub use error::GraphmlError;

use crate::queueing::network::{Network, Node};
use crate::time::mean_service_ticks;
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::HashMap;
use std::path::Path;

/// What a node has if the file does not say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defaults {
    /// Mean service in time units.
    pub service_mean: f64,
    /// Tokens at the start.
    pub tokens: u32,
}

/// Reads a network from a GraphML file.
///
/// # Errors
/// [`GraphmlError`], which names the file, the line where there is one, and what to do.
pub fn read(path: &Path, defaults: Defaults) -> Result<Network, GraphmlError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| GraphmlError::Unreadable { file: file.clone(), reason: error.to_string() })?;
    parse(&text, &file, defaults)
}

/// Reads a network from GraphML text; `file` is the name under which errors speak of it.
///
/// # Errors
/// [`GraphmlError`], as for [`read`].
pub fn parse(text: &str, file: &str, defaults: Defaults) -> Result<Network, GraphmlError> {
    // A document type declaration is harmless and some tools write one; entities are expanded within limits.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| GraphmlError::NotXml { file: file.to_owned(), reason: error.to_string() })?;
    Reader { document: &document, file }.network(defaults)
}

struct Reader<'a> {
    document: &'a Document<'a>,
    file: &'a str,
}

/// A `key` element that this reader uses.
struct Key<'a> {
    attribute: Attribute,
    default: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attribute {
    ServiceMean,
    Tokens,
    Label,
}

impl Attribute {
    const ALL: [(&'static str, Self); 3] =
        [("service_mean", Self::ServiceMean), ("tokens", Self::Tokens), ("label", Self::Label)];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, attribute)| *attribute == self).map_or("", |(name, _)| name)
    }
}

impl<'a> Reader<'a> {
    fn network(&self, defaults: Defaults) -> Result<Network, GraphmlError> {
        let root = self.document.root_element();
        if root.tag_name().name() != "graphml" {
            return Err(GraphmlError::NotGraphml {
                file: self.file.to_owned(),
                root: root.tag_name().name().to_owned(),
            });
        }
        let keys = self.keys(root);
        let mut graphs = elements(root, "graph");
        let graph = graphs.next().ok_or_else(|| GraphmlError::NoGraph { file: self.file.to_owned() })?;
        if let Some(second) = graphs.next() {
            return Err(self.unsupported(second, "a second graph"));
        }
        let directed = match graph.attribute("edgedefault") {
            Some("directed") => true,
            Some("undirected") => false,
            other => return Err(self.attribute(graph, "edgedefault", other, "'directed' or 'undirected'")),
        };
        let mut nodes = vec![];
        let mut numbers = HashMap::new();
        for element in elements(graph, "node") {
            let id = self.required(element, "id")?;
            if numbers.insert(id, nodes.len() as u32).is_some() {
                return Err(GraphmlError::DuplicateNode {
                    file: self.file.to_owned(),
                    line: self.line(element),
                    id: id.to_owned(),
                });
            }
            nodes.push(self.node(element, id, &keys, defaults)?);
        }
        if nodes.is_empty() {
            return Err(GraphmlError::NoNodes { file: self.file.to_owned(), line: self.line(graph) });
        }
        if let Some(element) = elements(graph, "hyperedge").next() {
            return Err(self.unsupported(element, "a hyperedge"));
        }
        let edges = self.edges(graph, directed, &numbers)?;
        Network::from_edges(nodes, &edges).map_err(|error| GraphmlError::Network { file: self.file.to_owned(), error })
    }

    /// The keys for nodes that carry one of the attributes read here, by id.
    fn keys(&self, root: Element<'a, 'a>) -> HashMap<&'a str, Key<'a>> {
        elements(root, "key")
            .filter(|key| matches!(key.attribute("for"), None | Some("node" | "all")))
            .filter_map(|key| {
                let attribute = Attribute::named(key.attribute("attr.name")?)?;
                let default = elements(key, "default").next().and_then(|default| default.text());
                Some((key.attribute("id")?, Key { attribute, default }))
            })
            .collect()
    }

    fn node(
        &self,
        element: Element<'a, 'a>,
        id: &str,
        keys: &HashMap<&str, Key<'a>>,
        defaults: Defaults,
    ) -> Result<Node, GraphmlError> {
        for (inner, what) in [("graph", "a graph inside a node"), ("port", "a port")] {
            if let Some(inner) = elements(element, inner).next() {
                return Err(self.unsupported(inner, what));
            }
        }
        let value = |attribute: Attribute| {
            let given = elements(element, "data").find(|data| {
                data.attribute("key").and_then(|key| keys.get(key)).is_some_and(|key| key.attribute == attribute)
            });
            match given {
                Some(data) => Some((data, data.text().unwrap_or("").trim())),
                None => keys
                    .values()
                    .find(|key| key.attribute == attribute)
                    .and_then(|key| key.default)
                    .map(|default| (element, default.trim())),
            }
        };
        let wrong = |(at, text): (Element<'a, 'a>, &str), attribute: Attribute, expected: String| {
            Err(GraphmlError::Value {
                file: self.file.to_owned(),
                line: self.line(at),
                node: id.to_owned(),
                name: attribute.name(),
                value: text.to_owned(),
                expected,
            })
        };
        let mean_service = match value(Attribute::ServiceMean) {
            Some(found) => {
                let parsed = found.1.parse().ok().map(mean_service_ticks);
                match parsed {
                    Some(Ok(ticks)) => ticks,
                    Some(Err(error)) => return wrong(found, Attribute::ServiceMean, error.to_string()),
                    None => return wrong(found, Attribute::ServiceMean, "give a number of time units".to_owned()),
                }
            }
            None => mean_service_ticks(defaults.service_mean)
                .map_err(|error| GraphmlError::Default { file: self.file.to_owned(), error })?,
        };
        let tokens = match value(Attribute::Tokens) {
            Some(found) => match found.1.parse() {
                Ok(tokens) => tokens,
                Err(_) => return wrong(found, Attribute::Tokens, "give a whole number from 0 to 2^32 - 1".to_owned()),
            },
            None => defaults.tokens,
        };
        let label = value(Attribute::Label).map(|(_, text)| text).filter(|text| !text.is_empty()).unwrap_or(id);
        Ok(Node { label: Some(label.to_owned()), mean_service, tokens })
    }

    fn edges(
        &self,
        graph: Element<'a, 'a>,
        directed: bool,
        numbers: &HashMap<&str, u32>,
    ) -> Result<Vec<(u32, u32)>, GraphmlError> {
        let mut edges = vec![];
        for element in elements(graph, "edge") {
            let end = |name: &'static str| {
                let id = self.required(element, name)?;
                numbers.get(id).copied().ok_or_else(|| GraphmlError::UnknownNode {
                    file: self.file.to_owned(),
                    line: self.line(element),
                    end: name,
                    id: id.to_owned(),
                })
            };
            let (from, to) = (end("source")?, end("target")?);
            let one_way = match element.attribute("directed") {
                None => directed,
                Some("true" | "1") => true,
                Some("false" | "0") => false,
                other => return Err(self.attribute(element, "directed", other, "'true' or 'false'")),
            };
            edges.push((from, to));
            if !one_way && from != to {
                edges.push((to, from));
            }
        }
        Ok(edges)
    }

    fn required(&self, element: Element<'a, 'a>, name: &'static str) -> Result<&'a str, GraphmlError> {
        element.attribute(name).ok_or_else(|| self.attribute(element, name, None, "a name"))
    }

    fn attribute(
        &self,
        element: Element<'_, '_>,
        name: &'static str,
        value: Option<&str>,
        expected: &'static str,
    ) -> GraphmlError {
        GraphmlError::Attribute {
            file: self.file.to_owned(),
            line: self.line(element),
            element: element.tag_name().name().to_owned(),
            name,
            value: value.map_or_else(|| "missing".to_owned(), |value| format!("'{value}'")),
            expected,
        }
    }

    fn unsupported(&self, element: Element<'_, '_>, what: &'static str) -> GraphmlError {
        GraphmlError::Unsupported { file: self.file.to_owned(), line: self.line(element), what }
    }

    fn line(&self, element: Element<'_, '_>) -> u32 {
        self.document.text_pos_at(element.range().start).row
    }
}

/// The child elements of one name, whatever their namespace.
fn elements<'a>(parent: Element<'a, 'a>, name: &'static str) -> impl Iterator<Item = Element<'a, 'a>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

#[cfg(test)]
mod tests;
