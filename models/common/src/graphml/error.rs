//! Errors in reading GraphML files.

use crate::input::InputError;
use thiserror::Error;

/// Reasons why a file is not a GraphML file, or cannot be read. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is not well-formed XML.
    #[error("{file}: not a GraphML file, since it is not XML: {reason}; export the graph as GraphML")]
    NotXml {
        /// Name of the file.
        file: String,
        /// Message of the parser, with line and column.
        reason: String,
    },
    /// A file is XML of another kind.
    #[error("{file}: not a GraphML file: its root element is '{root}', not 'graphml'; export the graph as GraphML")]
    NotGraphml {
        /// Name of the file.
        file: String,
        /// Name of its root element.
        root: String,
    },
    /// A file contains no graph.
    #[error("{file}: no 'graph' element inside 'graphml'; export the graph again")]
    NoGraph {
        /// Name of the file.
        file: String,
    },
    /// A graph is empty.
    #[error("{file}, line {line}: the graph has no nodes; give at least one")]
    NoNodes {
        /// Name of the file.
        file: String,
        /// Line of the graph.
        line: u32,
    },
    /// An attribute of an element is missing or invalid.
    #[error("{file}, line {line}: attribute '{name}' of '{element}' is {value}; it must be {expected}")]
    Attribute {
        /// Name of the file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        name: &'static str,
        /// Value of the attribute in quotes, or a statement that it is missing.
        value: String,
        /// Description of the expected value.
        expected: &'static str,
    },
    /// Two nodes have the same id.
    #[error("{file}, line {line}: a second node has the id '{id}'; ids must differ")]
    DuplicateNode {
        /// Name of the file.
        file: String,
        /// Line of the second node.
        line: u32,
        /// Id of both nodes.
        id: String,
    },
    /// An edge begins or ends at a node that does not exist.
    #[error("{file}, line {line}: the edge's {end} is '{id}', which is no node's id; add the node or remove the edge")]
    UnknownNode {
        /// Name of the file.
        file: String,
        /// Line of the edge.
        line: u32,
        /// End of the edge at fault: `source` or `target`.
        end: &'static str,
        /// Id of the missing node.
        id: String,
    },
    /// A value of a node or an edge cannot be used.
    #[error("{file}, line {line}: '{name}' of {element} is '{value}': {expected}")]
    Value {
        /// Name of the file.
        file: String,
        /// Line of the value; if the value is a key's default, line of the node or edge.
        line: u32,
        /// Node or edge at fault.
        element: String,
        /// Name of the attribute.
        name: &'static str,
        /// Value of the attribute.
        value: String,
        /// Cause and remedy.
        expected: String,
    },
    /// A file uses an unsupported part of GraphML.
    #[error("{file}, line {line}: {what} is not supported; give one graph of plain nodes and edges")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Name of the unsupported part.
        what: &'static str,
    },
}
