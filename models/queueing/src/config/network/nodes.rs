//! Nodes of a configuration: properties that are equal to those of the node before are held once.

use super::node_shape::NodeShape;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A node of a configuration: its name, and its properties, which it can share with other nodes.
///
/// Large networks have thousands of nodes that differ by their names alone, and a [`NodeShape`] takes some 500 bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeEntry {
    /// Name of the node.
    pub name: String,
    /// Properties of the node, without its name.
    shape: Arc<NodeShape>,
}

impl Deref for NodeEntry {
    type Target = NodeShape;

    /// Returns the properties of the node; their own name is empty.
    fn deref(&self) -> &NodeShape {
        &self.shape
    }
}

impl Serialize for NodeEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NodeShape::from(self).serialize(serializer)
    }
}

impl From<&NodeEntry> for NodeShape {
    fn from(node: &NodeEntry) -> Self {
        NodeShape { name: node.name.clone(), ..NodeShape::clone(&node.shape) }
    }
}

impl From<NodeShape> for NodeEntry {
    fn from(mut shape: NodeShape) -> Self {
        let name = std::mem::take(&mut shape.name);
        NodeEntry { name, shape: Arc::new(shape) }
    }
}

impl FromIterator<NodeShape> for Nodes {
    fn from_iter<I: IntoIterator<Item = NodeShape>>(shapes: I) -> Self {
        let mut nodes = Nodes::default();
        shapes.into_iter().for_each(|shape| nodes.push(shape));
        nodes
    }
}

/// Nodes of a configuration, as they are read.
#[derive(Default)]
pub(super) struct Nodes(pub(super) Vec<NodeEntry>);

impl Nodes {
    /// Adds a node.
    fn push(&mut self, shape: NodeShape) {
        let mut node = NodeEntry::from(shape);
        if let Some(before) = self.0.last().filter(|before| before.shape == node.shape) {
            node.shape = before.shape.clone();
        }
        self.0.push(node);
    }
}

/// Reads a list of nodes.
pub(super) fn nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<NodeEntry>, D::Error> {
    deserializer.deserialize_seq(List)
}

/// Reader of a list of nodes.
struct List;

impl<'de> Visitor<'de> for List {
    type Value = Vec<NodeEntry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<NodeEntry>, A::Error> {
        let mut nodes = Nodes::default();
        while let Some(shape) = list.next_element()? {
            nodes.push(shape);
        }
        Ok(nodes.0)
    }
}

/// Makes the paths of files in the properties of nodes relative to `folder`.
pub(super) fn move_to(nodes: &mut [NodeEntry], folder: &Path) {
    // Properties as they were read, and as they are now.
    let mut before: Option<[Arc<NodeShape>; 2]> = None;
    for node in nodes {
        let now = match &before {
            Some([read, now]) if Arc::ptr_eq(read, &node.shape) => now.clone(),
            _ => {
                let mut moved = NodeShape::clone(&node.shape);
                moved.move_to(folder);
                if moved == *node.shape { node.shape.clone() } else { Arc::new(moved) }
            }
        };
        before = Some([std::mem::replace(&mut node.shape, now.clone()), now]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NetworkConfig, NodeEntry};
    use std::sync::Arc;

    #[test]
    fn nodes_that_differ_by_name_share_properties_and_are_written_as_they_were_read() {
        let text = "[network]\nmean = 1.0\nedges = [['a', 'b'], ['b', 'c'], ['c', 'd'], ['d', 'a']]\n\
            [[network.node]]\nname = 'a'\nservers = 2\nservice = { law = 'empirical', file = 'times.csv' }\n\
            [[network.node]]\nname = 'b'\nservers = 2\nservice = { law = 'empirical', file = 'times.csv' }\n\
            [[network.node]]\nname = 'c'\nservers = 3\n[[network.node]]\nname = 'd'\nservers = 3\n";
        let config = NetworkConfig::from_toml(text, "folder/net.toml").unwrap();
        let [a, b, c, d] = &config.network.node[..] else { panic!("four nodes") };
        let shared = |one: &NodeEntry, other: &NodeEntry| Arc::ptr_eq(&one.shape, &other.shape);
        assert_eq!([shared(a, b), shared(b, c), shared(c, d)], [true, false, true]);
        let written = toml::to_string(&config).unwrap();
        assert_eq!(written.matches("file = \"folder/times.csv\"").count(), 2, "{written}");
        for name in ["a", "b", "c", "d"] {
            assert!(written.contains(&format!("[[network.node]]\nname = \"{name}\"\n")), "{written}");
        }
        assert_eq!(NetworkConfig::from_toml(&written, "net.toml").unwrap(), config);
    }
}
