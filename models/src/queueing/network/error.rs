//! Why a network cannot be made.

use thiserror::Error;

/// A network that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// There is no node at all.
    #[error("the network has no nodes: give at least one")]
    NoNodes,
    /// More nodes than [`MAX_NODES`](super::MAX_NODES).
    #[error("the network has {nodes} nodes, more than the {limit} supported: make it smaller")]
    TooManyNodes {
        /// Nodes asked for.
        nodes: usize,
        /// Nodes possible.
        limit: usize,
    },
    /// More edges than [`MAX_EDGES`](super::MAX_EDGES).
    #[error("the network has {edges} directed edges, more than the {limit} supported: make it smaller")]
    TooManyEdges {
        /// Edges asked for.
        edges: usize,
        /// Edges possible.
        limit: usize,
    },
    /// More tokens than [`MAX_TOKENS`](super::MAX_TOKENS).
    #[error("the network has {tokens} tokens, more than the {limit} supported: start with fewer tokens per node")]
    TooManyTokens {
        /// Tokens asked for.
        tokens: u64,
        /// Tokens possible.
        limit: u64,
    },
    /// A torus without width or height.
    #[error("a torus of {width} x {height} has no nodes: width and height must be at least 1")]
    EmptyTorus {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// An edge that begins or ends nowhere.
    #[error("edge {edge} names node {node}, but the network has only nodes 0 to {}", nodes - 1)]
    UnknownNode {
        /// Index of the edge in the list.
        edge: usize,
        /// The node it names.
        node: u32,
        /// Number of nodes, at least 1.
        nodes: usize,
    },
    /// A node that tokens could enter but not leave.
    #[error(
        "node '{label}' has no way out: a token served there could go nowhere; give it an edge to another node or remove it"
    )]
    DeadEnd {
        /// The node's label or number.
        label: String,
    },
    /// A mean service time of no ticks.
    #[error("node '{label}' has a mean service time of 0 ticks: give at least 1 tick (2^-20 time units)")]
    NoService {
        /// The node's label or number.
        label: String,
    },
    /// The machine has no room for the network.
    #[error("no memory for {bytes} bytes of the network's edges: make it smaller")]
    OutOfMemory {
        /// Size of the request that failed.
        bytes: usize,
    },
}
