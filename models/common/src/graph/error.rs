//! Errors in reading graphs.

use crate::input::InputError;
use thiserror::Error;

/// Reasons why a file is no graph, or cannot be read. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is not well-formed XML.
    #[error("{file}: it begins as XML, but is not well-formed: {reason}; export the graph again")]
    NotXml {
        /// Name of the file.
        file: String,
        /// Message of the parser, with line and column.
        reason: String,
    },
    /// A file is XML of another kind.
    #[error("{file}: its root element is '{root}', not 'graphml' or 'gexf'; export the graph as GraphML")]
    NotGraphml {
        /// Name of the file.
        file: String,
        /// Name of its root element.
        root: String,
    },
    /// A file has none of the known formats.
    #[error("{file}: neither GraphML nor GEXF, GML, node-link JSON or REPETITA; export the graph as one of these")]
    NoFormat {
        /// Name of the file.
        file: String,
    },
    /// A file of JSON has no nodes and edges that can be read.
    #[error("{file}: not node-link JSON: {reason}; export the graph again, as by networkx' node_link_data")]
    Json {
        /// Name of the file.
        file: String,
        /// Fault, with its line.
        reason: String,
    },
    /// A file of GML is not well-formed.
    #[error("{file}, line {line}: not well-formed GML: {problem}")]
    Gml {
        /// Name of the file.
        file: String,
        /// Line of the fault.
        line: u32,
        /// Fault, with a remedy.
        problem: &'static str,
    },
    /// A file of REPETITA is not well-formed.
    #[error("{file}, line {line}: not well-formed REPETITA: {problem}")]
    Repetita {
        /// Name of the file.
        file: String,
        /// Line of the fault.
        line: u32,
        /// Fault, with a remedy.
        problem: &'static str,
    },
    /// A file has the format of another program, which is not read.
    #[error("{file}: {what}; {remedy}")]
    Foreign {
        /// Name of the file.
        file: String,
        /// Name of the format, and why it is not read.
        what: &'static str,
        /// Remedy: the format to give instead.
        remedy: &'static str,
    },
    /// A file contains no graph.
    #[error("{file}: no 'graph' in the file; export the graph again")]
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
    /// A file uses a part of its format that no model has a meaning for.
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
