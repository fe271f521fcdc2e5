//! GraphML files, the exchange format of graph tools and of the Internet Topology Zoo: nodes, edges and their
//! attributes, independent of their meaning in a model.
//!
//! A file has one `graph` of plain nodes and edges. Hyperedges, ports and nested graphs are errors, since leaving them
//! out would silently make another graph. An attribute is found by its `attr.name`, and may have a `default`.

mod attributes;
mod error;

pub use attributes::{Attributes, Keys};
pub use error::FileError;

use crate::input;
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// An XML document, and its file name for errors.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    /// Name of the file, for errors.
    pub file: &'a str,
}

/// Graph of a file.
pub struct Graph<'a> {
    /// Reader of the file.
    pub reader: Reader<'a>,
    root: Element<'a, 'a>,
    element: Element<'a, 'a>,
    directed: bool,
}

/// A node of the graph.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    /// XML element of the node.
    pub element: Element<'a, 'a>,
    /// Identifier of the node.
    pub id: &'a str,
}

/// An edge of the graph, with the ids of its ends.
#[derive(Clone, Copy)]
pub struct Edge<'a> {
    /// XML element of the edge.
    pub element: Element<'a, 'a>,
    /// Identifier of the node that the edge leaves.
    pub from: &'a str,
    /// Identifier of the node that the edge enters.
    pub to: &'a str,
    /// `true` if the edge is directed.
    pub one_way: bool,
}

/// Returns `true` if a text is XML rather than TOML: it begins with `<`.
pub fn is_xml(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<')
}

/// Reads the text of a file.
pub fn text_of(path: &Path) -> Result<String, FileError> {
    Ok(input::text(path)?)
}

/// Parses XML text.
pub fn document<'a>(text: &'a str, file: &str) -> Result<Document<'a>, FileError> {
    // A document type declaration is harmless and some tools write one; entities are expanded within limits.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .map_err(|error| FileError::NotXml { file: file.to_owned(), reason: error.to_string() })
}

impl<'a> Reader<'a> {
    /// Creates a reader of a document from a file of this name.
    #[must_use]
    pub fn new(document: &'a Document<'a>, file: &'a str) -> Self {
        Self { document, file }
    }

    /// Returns the graph of a GraphML file.
    pub fn graph(self) -> Result<Graph<'a>, FileError> {
        let root = self.document.root_element();
        if root.tag_name().name() != "graphml" {
            return Err(FileError::NotGraphml { file: self.file.to_owned(), root: root.tag_name().name().to_owned() });
        }
        let mut graphs = elements(root, "graph");
        let element = graphs.next().ok_or_else(|| FileError::NoGraph { file: self.file.to_owned() })?;
        if let Some(second) = graphs.next() {
            return Err(self.unsupported(second, "a second graph"));
        }
        let directed = match element.attribute("edgedefault") {
            Some("directed") => true,
            Some("undirected") => false,
            other => return Err(self.attribute(element, "edgedefault", other, "'directed' or 'undirected'")),
        };
        if let Some(hyperedge) = elements(element, "hyperedge").next() {
            return Err(self.unsupported(hyperedge, "a hyperedge"));
        }
        Ok(Graph { reader: self, root, element, directed })
    }

    /// Returns the attribute `name`, which the element must have.
    ///
    /// # Errors
    /// [`FileError`] for an element without it.
    pub fn required(self, element: Element<'a, 'a>, name: &'static str) -> Result<&'a str, FileError> {
        element.attribute(name).ok_or_else(|| self.attribute(element, name, None, "a name"))
    }

    fn attribute(
        self,
        element: Element<'_, '_>,
        name: &'static str,
        value: Option<&str>,
        expected: &'static str,
    ) -> FileError {
        FileError::Attribute {
            file: self.file.to_owned(),
            line: self.line(element),
            element: element.tag_name().name().to_owned(),
            name,
            value: value.map_or_else(|| "missing".to_owned(), |value| format!("'{value}'")),
            expected,
        }
    }

    fn unsupported(self, element: Element<'_, '_>, what: &'static str) -> FileError {
        FileError::Unsupported { file: self.file.to_owned(), line: self.line(element), what }
    }

    /// Returns the line in which the element begins.
    #[must_use]
    pub fn line(self, element: Element<'_, '_>) -> u32 {
        self.document.text_pos_at(element.range().start).row
    }
}

impl<'a> Node<'a> {
    /// Returns the attributes of the node, with the graph's [keys](Graph::keys) for `node` elements.
    #[must_use]
    pub fn attributes<'r>(&self, graph: &Graph<'a>, keys: &'r Keys<'a>) -> Attributes<'r, 'a> {
        Attributes { reader: graph.reader, element: self.element, what: format!("node '{}'", self.id), keys }
    }
}

impl<'a> Edge<'a> {
    /// Returns the attributes of the edge, with the graph's [keys](Graph::keys) for `edge` elements.
    #[must_use]
    pub fn attributes<'r>(&self, graph: &Graph<'a>, keys: &'r Keys<'a>) -> Attributes<'r, 'a> {
        let what = format!("the edge from '{}' to '{}'", self.from, self.to);
        Attributes { reader: graph.reader, element: self.element, what, keys }
    }
}

impl<'a> Graph<'a> {
    /// Returns the keys of the attributes of `node` or `edge` elements.
    pub fn keys(&self, kind: &str) -> Keys<'a> {
        Keys::of(self.root, kind)
    }

    /// Returns the nodes, in the order of the file; at least one.
    pub fn nodes(&self) -> Result<Vec<Node<'a>>, FileError> {
        let mut ids = HashSet::new();
        let mut nodes = vec![];
        for element in elements(self.element, "node") {
            let id = self.reader.required(element, "id")?;
            if !ids.insert(id) {
                let (file, line) = (self.reader.file.to_owned(), self.reader.line(element));
                return Err(FileError::DuplicateNode { file, line, id: id.to_owned() });
            }
            for (inner, what) in [("graph", "a graph inside a node"), ("port", "a port")] {
                if let Some(inner) = elements(element, inner).next() {
                    return Err(self.reader.unsupported(inner, what));
                }
            }
            nodes.push(Node { element, id });
        }
        if nodes.is_empty() {
            return Err(FileError::NoNodes { file: self.reader.file.to_owned(), line: self.reader.line(self.element) });
        }
        Ok(nodes)
    }

    /// Returns the edges, in the order of the file. `known` must return `true` for the ids of their nodes.
    pub fn edges(&self, known: impl Fn(&str) -> bool) -> Result<Vec<Edge<'a>>, FileError> {
        let end = |element, name: &'static str| {
            let id = self.reader.required(element, name)?;
            if known(id) {
                return Ok(id);
            }
            let (file, line) = (self.reader.file.to_owned(), self.reader.line(element));
            Err(FileError::UnknownNode { file, line, end: name, id: id.to_owned() })
        };
        elements(self.element, "edge")
            .map(|element| {
                let (from, to) = (end(element, "source")?, end(element, "target")?);
                let one_way = match element.attribute("directed") {
                    None => self.directed,
                    Some("true" | "1") => true,
                    Some("false" | "0") => false,
                    other => return Err(self.reader.attribute(element, "directed", other, "'true' or 'false'")),
                };
                Ok(Edge { element, from, to, one_way })
            })
            .collect()
    }

    /// Returns the edges that leave each node, in the order of the file, with the numbers of the nodes to which they
    /// lead. An undirected edge leaves both of its ends; from a node to itself it counts once.
    ///
    /// # Errors
    /// [`FileError`] as for [`Graph::nodes`] and [`Graph::edges`].
    pub fn leaving(&self) -> Result<Vec<Vec<(u32, Edge<'a>)>>, FileError> {
        let nodes = self.nodes()?;
        let numbers: HashMap<&str, u32> = nodes.iter().map(|node| node.id).zip(0..).collect();
        let mut leaving = vec![vec![]; nodes.len()];
        for edge in self.edges(|id| numbers.contains_key(id))? {
            let (from, to) = (numbers[edge.from], numbers[edge.to]);
            leaving[from as usize].push((to, edge));
            if !edge.one_way && from != to {
                leaving[to as usize].push((from, edge));
            }
        }
        Ok(leaving)
    }
}

/// Returns the child elements of one name, in any namespace.
pub fn elements<'a>(parent: Element<'a, 'a>, name: &'static str) -> impl Iterator<Item = Element<'a, 'a>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::*;

    #[test]
    fn an_undirected_edge_leaves_both_of_its_ends() {
        let text = "<graphml><key id='m' for='edge' attr.name='minutes'/><graph edgedefault='undirected'>
            <node id='a'/><node id='b'/><node id='c'/>
            <edge source='a' target='b'><data key='m'>7</data></edge>
            <edge source='c' target='a' directed='true'><data key='m'>-1</data></edge>
            <edge source='b' target='b'/>
        </graph></graphml>";
        let document = document(text, "roads.graphml").unwrap();
        let graph = Reader::new(&document, "roads.graphml").graph().unwrap();
        let keys = graph.keys("edge");
        let minutes = |edge: &Edge<'_>| edge.attributes(&graph, &keys).whole("minutes");
        let leaving = graph.leaving().unwrap();
        let leads: Vec<Vec<u32>> = leaving.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
        assert_eq!(leads, [vec![1], vec![0, 1], vec![0]]);
        assert_eq!([minutes(&leaving[0][0].1), minutes(&leaving[1][1].1)], [Ok(Some(7)), Ok(None)]);
        let error = minutes(&leaving[2][0].1).unwrap_err().to_string();
        assert!(error.contains("line 4: 'minutes' of the edge from 'c' to 'a' is '-1'"), "{error}");
    }

    /// networkx 3.6.1 declares an attribute twice if it is whole at some elements and a fraction at others.
    #[test]
    fn an_attribute_may_have_two_keys() {
        let text = "<graphml><key id='d0' for='edge' attr.name='delay' attr.type='long'/>
            <key id='d1' for='edge' attr.name='delay' attr.type='double'/><graph edgedefault='directed'>
            <node id='a'/><node id='b'/>
            <edge source='a' target='b'><data key='d0'>2</data></edge>
            <edge source='b' target='a'><data key='d1'>2.5</data></edge>
        </graph></graphml>";
        let document = document(text, "delays.graphml").unwrap();
        let graph = Reader::new(&document, "delays.graphml").graph().unwrap();
        let keys = graph.keys("edge");
        let leaving = graph.leaving().unwrap();
        let delays = leaving.iter().flatten().map(|(_, edge)| edge.attributes(&graph, &keys).text("delay").unwrap().1);
        assert_eq!(delays.collect::<Vec<_>>(), ["2", "2.5"]);
    }
}
