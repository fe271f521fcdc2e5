//! Nodes of a graph, with their labels and roles.

use super::attributes::Data;
use super::defaults::Defaults;
use super::error::GraphmlError;
use super::role::Role;
use imminent_common::graphml::{Graph, Keys, Node};
use roxmltree::Node as Element;

/// A node of the graph.
pub(super) struct GraphNode<'a> {
    pub(super) element: Element<'a, 'a>,
    pub(super) id: &'a str,
    pub(super) label: &'a str,
    pub(super) role: Role,
}

impl<'a> GraphNode<'a> {
    pub(super) fn data<'r>(&self, graph: &Graph<'a>, keys: &'r Keys<'a>) -> Data<'r, 'a> {
        Data(Node { element: self.element, id: self.id }.attributes(graph, keys))
    }

    /// Returns the nodes, in the order of the file.
    pub(super) fn all(graph: &Graph<'a>, keys: &Keys<'a>, defaults: &Defaults) -> Result<Vec<Self>, GraphmlError> {
        let mut nodes = vec![];
        for Node { element, id } in graph.nodes()? {
            let mut node = GraphNode { element, id, label: id, role: Role::Station };
            let data = node.data(graph, keys);
            let label = data.label().unwrap_or(id);
            let (own, named) = (data.role()?, defaults.role(id, label));
            if let (Some(own), Some((name, asked))) = (own, named)
                && own != asked
            {
                let (file, line) = (graph.reader.file.to_owned(), graph.reader.line(element));
                return Err(GraphmlError::OwnRole { file, line, name: name.to_owned(), own, asked });
            }
            (node.label, node.role) = (label, own.or(named.map(|(_, role)| role)).unwrap_or(Role::Station));
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
