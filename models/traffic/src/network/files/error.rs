//! Why a file is not a network with traffic.

use super::super::NetworkError;
use imminent_common::graphml::FileError;
use thiserror::Error;

/// A file that is not a network, or does not say enough. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReadError {
    /// The file cannot be read, or is not of a kind that can.
    #[error(transparent)]
    File(#[from] FileError),
    /// A link lacks something that has no default.
    #[error("{file}, line {line}: {element} has no {name}: add it, or give {remedy}")]
    Missing {
        /// The file.
        file: String,
        /// Line of the link.
        line: u32,
        /// The link.
        element: String,
        /// What is missing.
        name: String,
        /// What gives it for all links.
        remedy: &'static str,
    },
    /// The queue of a link cannot be.
    #[error("{file}, line {line}: {element}: {error}")]
    Edge {
        /// The file.
        file: String,
        /// Line of the link.
        line: u32,
        /// The link.
        element: String,
        /// What is wrong.
        error: NetworkError,
    },
    /// A part of an SNDlib file is missing or makes no sense.
    #[error("{file}, line {line}: {problem}")]
    Sndlib {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// What is wrong and what to do.
        problem: String,
    },
    /// The network cannot be.
    #[error("{file}: {error}")]
    Network {
        /// The file.
        file: String,
        /// What is wrong.
        error: NetworkError,
    },
}
