//! Why a file is not a GraphML file.

use thiserror::Error;

/// A file that is not a GraphML file, or not one that can be read. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {reason}; check the path and that the file is text in UTF-8")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The file is not well-formed XML.
    #[error("{file}: not a GraphML file, since it is not XML: {reason}; export the graph as GraphML")]
    NotXml {
        /// The file.
        file: String,
        /// What the parser says, with line and column.
        reason: String,
    },
    /// The file is XML of another kind.
    #[error("{file}: not a GraphML file: its root element is '{root}', not 'graphml'; export the graph as GraphML")]
    NotGraphml {
        /// The file.
        file: String,
        /// Its root element.
        root: String,
    },
    /// There is no graph in the file.
    #[error("{file}: no 'graph' element inside 'graphml'; export the graph again")]
    NoGraph {
        /// The file.
        file: String,
    },
    /// The graph is empty.
    #[error("{file}, line {line}: the graph has no nodes; give at least one")]
    NoNodes {
        /// The file.
        file: String,
        /// Line of the graph.
        line: u32,
    },
    /// An attribute of an element is missing or makes no sense.
    #[error("{file}, line {line}: attribute '{name}' of '{element}' is {value}; it must be {expected}")]
    Attribute {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// The element.
        element: String,
        /// The attribute.
        name: &'static str,
        /// Its value in quotes, or that it is missing.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// Two nodes have the same id.
    #[error("{file}, line {line}: a second node has the id '{id}'; ids must differ")]
    DuplicateNode {
        /// The file.
        file: String,
        /// Line of the second node.
        line: u32,
        /// The id.
        id: String,
    },
    /// An edge begins or ends at no node of the graph.
    #[error("{file}, line {line}: the edge's {end} is '{id}', which is no node's id; add the node or remove the edge")]
    UnknownNode {
        /// The file.
        file: String,
        /// Line of the edge.
        line: u32,
        /// `source` or `target`.
        end: &'static str,
        /// What the edge names.
        id: String,
    },
    /// A value of a node or an edge cannot be used.
    #[error("{file}, line {line}: '{name}' of {element} is '{value}': {expected}")]
    Value {
        /// The file.
        file: String,
        /// Line of the value, or of the node or edge where the value is a key's default.
        line: u32,
        /// The node or edge.
        element: String,
        /// The attribute's name.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is wrong and what to give.
        expected: String,
    },
    /// The file uses a part of GraphML that has no meaning here.
    #[error("{file}, line {line}: {what} is not supported; give one graph of plain nodes and edges")]
    Unsupported {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// What it is.
        what: &'static str,
    },
}
