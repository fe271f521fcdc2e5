//! Roles of the nodes of a graph: station, source or sink.

use super::attributes::Data;
use super::{Defaults, GraphmlError};
use imminent_common::graphml::{Graph, Keys, Node};
use roxmltree::Node as Element;
use serde::Deserialize;

/// Role of a node of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Role {
    Station,
    /// Origin of tokens.
    Source,
    /// Way out of the network; not a node of the network.
    Sink,
}

/// A node of the graph.
pub(super) struct Found<'a> {
    pub(super) element: Element<'a, 'a>,
    pub(super) id: &'a str,
    pub(super) label: &'a str,
    pub(super) role: Role,
}

impl<'a> Found<'a> {
    pub(super) fn data<'r>(&self, graph: &Graph<'a>, keys: &'r Keys<'a>) -> Data<'r, 'a> {
        Data(Node { element: self.element, id: self.id }.attributes(graph, keys))
    }

    /// Returns the nodes, in the order of the file.
    pub(super) fn all(graph: &Graph<'a>, keys: &Keys<'a>, defaults: &Defaults) -> Result<Vec<Self>, GraphmlError> {
        let mut nodes = vec![];
        for Node { element, id } in graph.nodes()? {
            let mut node = Found { element, id, label: id, role: Role::Station };
            let data = node.data(graph, keys);
            let label = data.label().unwrap_or(id);
            let role = data.role()?;
            (node.label, node.role) = (label, role.unwrap_or(defaults.role(id, label)));
            nodes.push(node);
        }
        for (names, role) in [(&defaults.sources, "source"), (&defaults.sinks, "sink")] {
            let missing =
                names.iter().find(|name| !nodes.iter().any(|node| [node.id, node.label].contains(&name.as_str())));
            if let (Some(name), Some(first)) = (missing, nodes.first()) {
                let (file, example) = (graph.reader.file.to_owned(), first.id.to_owned());
                return Err(GraphmlError::NoSuchNode { file, name: name.clone(), role, example });
            }
        }
        Ok(nodes)
    }
}

impl Defaults {
    /// Returns the role of a node that does not state one.
    fn role(&self, id: &str, label: &str) -> Role {
        let named = |names: &[String]| names.iter().any(|name| name == id || name == label);
        if named(&self.sources) {
            Role::Source
        } else if named(&self.sinks) {
            Role::Sink
        } else {
            Role::Station
        }
    }
}
