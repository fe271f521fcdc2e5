//! Why a GraphML file is not a network.

use crate::network::NetworkError;
use imminent_common::graphml::FileError;
use thiserror::Error;

/// A file that is not a GraphML network, or not one that can be simulated. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GraphmlError {
    /// The file is not a GraphML file, or not one that can be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A node cannot be what its attributes say together.
    #[error("{file}, line {line}: {node}: {problem}")]
    Node {
        /// The file.
        file: String,
        /// Line of the node.
        line: u32,
        /// The node.
        node: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// An edge leads where no token can go.
    #[error("{file}, line {line}: {edge} {problem}")]
    Edge {
        /// The file.
        file: String,
        /// Line of the edge.
        line: u32,
        /// The edge.
        edge: String,
        /// What is wrong and what to do.
        problem: &'static str,
    },
    /// A node that is to be a source or a sink is not there.
    #[error(
        "{file}: no node has the id or the label '{name}', which is to be a {role}; give one that is there, for instance '{example}'"
    )]
    NoSuchNode {
        /// The file.
        file: String,
        /// What was named.
        name: String,
        /// `source` or `sink`.
        role: &'static str,
        /// The id of a node that is there.
        example: String,
    },
    /// The graph cannot be simulated.
    #[error("{file}{}: {error}", line.map_or_else(String::new, |line| format!(", line {line}")))]
    Network {
        /// The file.
        file: String,
        /// Line of the node at fault, where there is one.
        line: Option<u32>,
        /// What is wrong.
        error: NetworkError,
    },
}
