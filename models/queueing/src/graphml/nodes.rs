//! Nodes of a graph, with their labels and roles.

use super::attributes::Data;
use super::defaults::Defaults;
use super::error::GraphmlError;
use super::role::Role;
use imminent_common::graph::{Graph, Node};

/// A node of the graph.
pub(super) struct GraphNode<'g, 't> {
    graph: &'g Graph<'t>,
    node: &'g Node<'t>,
    /// Number of the node in the graph.
    pub(super) number: u32,
    pub(super) label: &'g str,
    pub(super) role: Role,
}

impl<'g, 't> GraphNode<'g, 't> {
    pub(super) fn data(&self) -> Data<'g, 't> {
        Data(self.graph.of_node(self.node))
    }

    /// Returns the nodes, in the order of the file.
    pub(super) fn all(graph: &'g Graph<'t>, defaults: &Defaults) -> Result<Vec<Self>, GraphmlError> {
        let mut nodes: Vec<Self> = vec![];
        for (node, number) in graph.nodes().iter().zip(0..) {
            let (id, data) = (&*node.id, Data(graph.of_node(node)));
            let label = data.label().unwrap_or(id);
            let (own, named) = (data.role()?, defaults.role(id, label));
            if let (Some(own), Some((name, asked))) = (own, named)
                && own != asked
            {
                let (file, line) = (graph.source.file.to_owned(), data.line());
                return Err(GraphmlError::OwnRole { file, line, name: name.to_owned(), own, asked });
            }
            let role = own.or(named.map(|(_, role)| role)).unwrap_or(Role::Station);
            nodes.push(GraphNode { graph, node, number, label, role });
        }
        for (names, role) in [(&defaults.sources, "source"), (&defaults.sinks, "sink")] {
            let missing = names
                .iter()
                .find(|name| !nodes.iter().any(|node| [&*node.node.id, node.label].contains(&name.as_str())));
            if let (Some(name), Some(first)) = (missing, nodes.first()) {
                let (file, example) = (graph.source.file.to_owned(), first.node.id.to_string());
                return Err(GraphmlError::NoSuchNode { file, name: name.clone(), role, example });
            }
        }
        Ok(nodes)
    }
}
