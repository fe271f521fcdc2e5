//! Errors in reading networks from graphs.

use super::role::Role;
use crate::network::NetworkError;
use imminent_common::graph::FileError;
use thiserror::Error;

/// Reasons why a graph is no network, or not one that can be simulated. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GraphmlError {
    /// A file is no graph, or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A node has contradictory attributes.
    #[error("{file}, line {line}: {node}: {problem}")]
    Node {
        /// Name of the file.
        file: String,
        /// Line of the node.
        line: u32,
        /// Id of the node.
        node: String,
        /// Cause and remedy.
        problem: String,
    },
    /// An edge leads to a place where no token can go.
    #[error("{file}, line {line}: {edge} {problem}")]
    Edge {
        /// Name of the file.
        file: String,
        /// Line of the edge.
        line: u32,
        /// Edge at fault.
        edge: String,
        /// Cause and remedy.
        problem: &'static str,
    },
    /// A node that was named as a source or sink does not exist.
    #[error(
        "{file}: no node has the id or the label '{name}', which is to be a {role}; give one that is there, for instance '{example}'"
    )]
    NoSuchNode {
        /// Name of the file.
        file: String,
        /// Id or label that was given.
        name: String,
        /// Role of the node: `source` or `sink`.
        role: &'static str,
        /// Id of a node that exists.
        example: String,
    },
    /// A node that was named as a source or sink has another role of its own.
    #[error(
        "{file}, line {line}: '{name}' is to be a {asked}, and has the 'role' of a {own}: change that, or do not name it"
    )]
    OwnRole {
        /// Name of the file.
        file: String,
        /// Line of the node.
        line: u32,
        /// Id or label that was given.
        name: String,
        /// Role of the node in the file.
        own: Role,
        /// Role that was asked for.
        asked: Role,
    },
    /// A graph cannot be simulated.
    #[error("{file}{}: {error}", line.map_or_else(String::new, |line| format!(", line {line}")))]
    Network {
        /// Name of the file.
        file: String,
        /// Line of the node at fault, if there is one.
        line: Option<u32>,
        /// Error of the network.
        error: NetworkError,
    },
}
