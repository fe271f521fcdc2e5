//! Networks from GraphML files, the exchange format of graph tools and of the Internet Topology Zoo.
//!
//! What is read of a file, everything else in it being ignored:
//!
//! * the one `graph` element with its `node` and `edge` elements. Out-edges are in the order of the file;
//! * directions: `edgedefault` of the graph, overridden by an edge's own `directed`. An undirected edge goes both ways;
//! * copies of an edge, each of which counts: two links to the same neighbour double the probability of going there.
//!   An undirected edge from a node to itself is one way out, not two;
//! * node attributes by their `attr.name`, which may have a `default`: see the table. A node without `label` is called by its `id`;
//! * edge attributes: `probability`, or `weight`, which is divided by the sum of the weights of the node's ways out (1 where an edge gives none).
//!   Without either, all ways out of a node are equally likely.
//!
//! A node is a station, or by its `role` a source of tokens, or a sink: what leads to a sink leads out of the network, of which it is no node.
//! Of an undirected edge, sources and sinks take the way that is possible.
//!
//! | node attribute | value |
//! | --- | --- |
//! | `label` | text |
//! | `role` | `station`, `source`, `sink` |
//! | `tokens`, `servers`, `capacity` | whole numbers |
//! | `discipline` | `fifo`, `lifo`, `random`, `priority` |
//! | `overflow` | `lose`, `block` |
//! | `routing` | `random`, `round-robin` |
//! | `service_mean` | time units: the mean of the service law |
//! | `service_law` | a name of [`LawShape`](crate::queueing::law::LawShape), whose other keys are `service_value`, `service_low`, `service_high`, `service_shape`, `service_cv`, `service_stages` |
//! | `interarrival_mean`, `interarrival_law` and so on | the same of the times between a source's tokens |
//! | `Longitude` and `Latitude`, or `x` and `y` | numbers: where the node stands on a map |
//!
//! What a node does not say is as the [`Defaults`] have it. A node that gives a mean but no law has the law of the defaults, stretched to that mean.
//! Hyperedges, ports and graphs inside graphs are errors, since leaving them out would silently simulate another network.

mod attributes;
mod error;
mod roles;

pub use error::GraphmlError;

use crate::queueing::law::Law;
use crate::queueing::network::{Builder, Network, Onward, Routing, Station, Template};
use attributes::{Data, Keys};
use roles::{Found, Role};
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::HashMap;
use std::path::Path;

/// What a file does not say of its nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Defaults {
    /// What stations are like.
    pub station: Station,
    /// Their service law; exponential with a mean of 10 in a closed network that has none, while an open one needs it.
    pub service: Option<Law>,
    /// How nodes choose among their ways out.
    pub routing: Routing,
    /// Tokens that stations start with; 1 in a closed network, 0 in an open one.
    pub tokens: Option<u32>,
    /// Ids or labels of nodes that are sources, unless they have a role of their own.
    pub sources: Vec<String>,
    /// Ids or labels of nodes that are sinks, unless they have a role of their own.
    pub sinks: Vec<String>,
    /// Law of the times between the tokens of a source.
    pub interarrival: Option<Law>,
}

impl From<Template> for Defaults {
    fn from(template: Template) -> Self {
        let Template { station, service, routing, tokens } = template;
        Self { station, service: Some(service), routing, tokens: Some(tokens), ..Self::default() }
    }
}

/// Reads a network from a GraphML file.
///
/// # Errors
/// [`GraphmlError`], which names the file, the line where there is one, and what to do.
pub fn read(path: &Path, defaults: &Defaults) -> Result<Network, GraphmlError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| GraphmlError::Unreadable { file: file.clone(), reason: error.to_string() })?;
    parse(&text, &file, defaults)
}

/// Reads a network from GraphML text; `file` is the name under which errors speak of it.
///
/// # Errors
/// [`GraphmlError`], as for [`read`].
pub fn parse(text: &str, file: &str, defaults: &Defaults) -> Result<Network, GraphmlError> {
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

/// What a node of the graph is in the network.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its number; a sink has none.
    number: Option<u32>,
    role: Role,
}

/// A way from one node to another.
struct Edge {
    from: u32,
    /// `None` leads out of the network.
    to: Option<u32>,
    probability: Option<f64>,
    weight: Option<f64>,
}

impl<'a> Reader<'a> {
    fn network(&self, defaults: &Defaults) -> Result<Network, GraphmlError> {
        let root = self.document.root_element();
        if root.tag_name().name() != "graphml" {
            return Err(GraphmlError::NotGraphml {
                file: self.file.to_owned(),
                root: root.tag_name().name().to_owned(),
            });
        }
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
        let keys = Keys::of(root, "node");
        let nodes = self.nodes(graph, &keys, defaults)?;
        if nodes.is_empty() {
            return Err(GraphmlError::NoNodes { file: self.file.to_owned(), line: self.line(graph) });
        }
        if let Some(element) = elements(graph, "hyperedge").next() {
            return Err(self.unsupported(element, "a hyperedge"));
        }
        let open = nodes.iter().any(|node| node.role == Role::Source);
        let mut builder = Builder::new();
        let mut places = HashMap::new();
        for node in &nodes {
            let data = node.data(self, &keys);
            let number = match node.role {
                Role::Station => Some(data.station(node.label, &mut builder, defaults, open)?),
                Role::Source => Some(data.source(node.label, &mut builder, defaults)?),
                Role::Sink => data.sink().map(|()| None)?,
            };
            places.insert(node.id, Place { number, role: node.role });
        }
        route(&mut builder, &self.edges(graph, directed, &places, &Keys::of(root, "edge"))?, nodes.len());
        builder.build().map_err(|error| {
            let labelled = |node: &&Found<'_>| error.label() == Some(node.label);
            let line = nodes.iter().find(labelled).map(|node| self.line(node.element));
            GraphmlError::Network { file: self.file.to_owned(), line, error }
        })
    }

    fn edges(
        &self,
        graph: Element<'a, 'a>,
        directed: bool,
        places: &HashMap<&str, Place>,
        keys: &Keys<'a>,
    ) -> Result<Vec<Edge>, GraphmlError> {
        let mut edges = vec![];
        for element in elements(graph, "edge") {
            let end = |name: &'static str| {
                let id = self.required(element, name)?;
                let place = places.get(id).copied().ok_or_else(|| GraphmlError::UnknownNode {
                    file: self.file.to_owned(),
                    line: self.line(element),
                    end: name,
                    id: id.to_owned(),
                })?;
                Ok((place, id))
            };
            let ((from, from_id), (to, to_id)) = (end("source")?, end("target")?);
            let one_way = match element.attribute("directed") {
                None => directed,
                Some("true" | "1") => true,
                Some("false" | "0") => false,
                other => return Err(self.attribute(element, "directed", other, "'true' or 'false'")),
            };
            let data = Data { reader: self, element, what: format!("the edge from '{from_id}' to '{to_id}'"), keys };
            let (probability, weight) = (data.share("probability")?, data.share("weight")?);
            let mut ways = vec![(from, to)];
            if !one_way && from_id != to_id {
                ways.push((to, from));
            }
            let before = edges.len();
            for (from, to) in ways {
                if let (Some(from), true) = (from.number, to.role != Role::Source) {
                    edges.push(Edge { from, to: to.number, probability, weight });
                }
            }
            // Between two sinks or two sources an undirected edge has nothing to carry.
            if one_way && edges.len() == before {
                let (file, line, edge) = (self.file.to_owned(), self.line(element), data.what);
                let problem = if to.role == Role::Source {
                    "leads into a source: turn it round, or remove it"
                } else {
                    "leads out of a sink: turn it round, or remove it"
                };
                return Err(GraphmlError::Edge { file, line, edge, problem });
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

/// Turns edges into routes, and weights into probabilities.
fn route(builder: &mut Builder, edges: &[Edge], nodes: usize) {
    let mut weights = vec![None; nodes];
    for edge in edges {
        if let (Some(sum), Some(weight)) = (weights.get_mut(edge.from as usize), edge.weight) {
            *sum = Some(sum.unwrap_or(0.0) + weight);
        }
    }
    // An edge without weight counts as one where others have some.
    for edge in edges.iter().filter(|edge| edge.weight.is_none()) {
        if let Some(Some(sum)) = weights.get_mut(edge.from as usize) {
            *sum += 1.0;
        }
    }
    for edge in edges {
        let sum = weights.get(edge.from as usize).copied().flatten();
        let probability = edge.probability.or_else(|| sum.map(|sum| edge.weight.unwrap_or(1.0) / sum));
        builder.route_all(edge.from, Onward { to: edge.to, probability, ..Onward::out() });
    }
}

/// The child elements of one name, whatever their namespace.
fn elements<'a>(parent: Element<'a, 'a>, name: &'static str) -> impl Iterator<Item = Element<'a, 'a>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod open_tests;
