//! Error of networks that JMT cannot express.

use thiserror::Error;

/// Reason why a network cannot be written as a file of JSIMgraph.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("node '{node}' cannot be written for JSIMgraph: {problem}")]
pub struct NotWritten {
    /// Label or number of the node.
    pub node: String,
    /// Feature that JMT lacks, and what it has instead.
    pub problem: String,
}
