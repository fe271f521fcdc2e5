//! Errors of network files.

use super::super::NetworkError;
use imminent_common::graph::FileError;
use thiserror::Error;

/// Error of a file that is not a complete network. Line numbers start at 1.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReadError {
    /// The file cannot be read, or has an unknown format.
    #[error(transparent)]
    File(#[from] FileError),
    /// A link lacks a value that has no default.
    #[error("{file}, line {line}: {element} has no {name}: add it, or give {remedy}")]
    Missing {
        /// Path of the file.
        file: String,
        /// Line of the link.
        line: u32,
        /// Description of the link.
        element: String,
        /// Name of the missing attribute.
        name: String,
        /// Setting that gives the value for all links.
        remedy: &'static str,
    },
    /// The queue of a link is invalid.
    #[error("{file}, line {line}: {element}: {error}")]
    Edge {
        /// Path of the file.
        file: String,
        /// Line of the link.
        line: u32,
        /// Description of the link.
        element: String,
        /// Error of the queue.
        error: NetworkError,
    },
    /// A part of an SNDlib file is missing or invalid.
    #[error("{file}, line {line}: {problem}")]
    Sndlib {
        /// Path of the file.
        file: String,
        /// Line of the element.
        line: u32,
        /// The error and its remedy.
        problem: String,
    },
    /// The network is invalid.
    #[error("{file}: {error}")]
    Network {
        /// Path of the file.
        file: String,
        /// Error of the network.
        error: NetworkError,
    },
}
