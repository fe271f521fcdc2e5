//! Errors in files of JSIMgraph.

use imminent_common::input::InputError;
use thiserror::Error;

/// Reasons why a file of JSIMgraph cannot be simulated. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsimgError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is not well-formed XML.
    #[error("{file}: is not XML: {reason}; save the model again in JSIMgraph")]
    NotXml {
        /// Name of the file.
        file: String,
        /// Message of the parser, with line and column.
        reason: String,
    },
    /// The file has no model of a simulation.
    #[error("{file}: has no element 'sim': give a model that JSIMgraph saved, not one of JMVA or another tool")]
    NoModel {
        /// Name of the file.
        file: String,
    },
    /// An element is wrong, or has no counterpart.
    #[error("{file}, line {line}: {element}: {problem}")]
    Element {
        /// Name of the file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Description of the element, such as "station 'Queue 1'".
        element: String,
        /// Problem, and remedy.
        problem: String,
    },
}
