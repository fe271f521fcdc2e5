//! Why a network cannot be made.

use crate::law::LawError;
use thiserror::Error;

/// A network that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
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
    /// A generated network without nodes.
    #[error("'{what}' of the generated network is {given}: give at least {least}")]
    TooSmall {
        /// Which size.
        what: &'static str,
        /// What was given.
        given: u32,
        /// The least possible.
        least: u32,
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
        "node '{label}' has no way out: a token served there could go nowhere; give it an edge to another node, let tokens leave the \
         network there, or remove it"
    )]
    DeadEnd {
        /// The node's label or number.
        label: String,
    },
    /// A node that tokens of one class could enter but not leave.
    #[error(
        "tokens of class '{class}' can come to node '{label}' and have no way out: give them a route to another node, or out of the network"
    )]
    DeadEndForClass {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A node that tokens of one class can reach, which does not serve them.
    #[error(
        "tokens of class '{class}' can come to node '{label}', which has no service time for them: give it one, or lead them elsewhere"
    )]
    NotServed {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A law that cannot be drawn from.
    #[error("class '{class}' at node '{label}': {error}")]
    Law {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
        /// What is wrong.
        error: LawError,
    },
    /// A station without servers.
    #[error("node '{label}' has 0 servers: give at least 1")]
    NoServers {
        /// The node's label or number.
        label: String,
    },
    /// A station with less room than servers.
    #[error(
        "node '{label}' has room for {capacity} tokens and {servers} servers: the capacity counts tokens waiting and in service, so make it \
         at least {servers}, or leave it out for no limit"
    )]
    Capacity {
        /// The node's label or number.
        label: String,
        /// Its capacity.
        capacity: u32,
        /// Its servers.
        servers: u32,
    },
    /// A station that would be overfull at the start.
    #[error(
        "node '{label}' starts with {tokens} tokens and has room for {capacity}: start with fewer, or make it larger"
    )]
    StartsFull {
        /// The node's label or number.
        label: String,
        /// Its tokens.
        tokens: u64,
        /// Its capacity.
        capacity: u32,
    },
    /// Tokens that start at a source, or go to one.
    #[error("node '{label}' is a source: tokens cannot {what} there; use a station")]
    IntoSource {
        /// The source's label or number.
        label: String,
        /// What they were to do.
        what: &'static str,
    },
    /// Probabilities of routes that do not add up to one, or are not probabilities.
    #[error(
        "the probabilities of class '{class}' at node '{label}' add up to {sum}: make them add up to 1, each above 0, or leave all of \
         them out for equal ones"
    )]
    Probabilities {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
        /// Their sum.
        sum: f64,
    },
    /// Some routes of a row have a probability and some have none.
    #[error(
        "of the routes of class '{class}' at node '{label}' some have a probability and some have none: give it for all, or for none"
    )]
    MixedProbabilities {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// Unequal probabilities where routes are taken in turn.
    #[error(
        "node '{label}' takes its routes in turn, and those of class '{class}' have unequal probabilities: leave the probabilities out, or route by chance"
    )]
    RoundRobin {
        /// The node's label or number.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A node to which no token ever comes.
    #[error("no token can ever come to node '{label}': lead a route there, start it with tokens, or remove it")]
    Unreachable {
        /// The node's label or number.
        label: String,
    },
    /// A network in which nothing can ever happen.
    #[error("the network has no tokens and no source: start with at least one token, or add a source")]
    Empty,
    /// A class number that was not given out.
    #[error("{what} names class {class}, but the network has only classes 0 to {}", classes - 1)]
    UnknownClass {
        /// Who names it.
        what: String,
        /// The class it names.
        class: u32,
        /// Number of classes, at least 1.
        classes: usize,
    },
    /// A node number that was not given out.
    #[error("{what} names node {node}, but the network has {nodes} nodes, numbered from 0")]
    NodeNumber {
        /// Who names it.
        what: &'static str,
        /// The node it names.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// More nodes times classes than [`MAX_NODES`](super::MAX_NODES).
    #[error("{nodes} nodes times {classes} classes are more than the {limit} supported: make the network smaller")]
    TooManyPairs {
        /// Nodes asked for.
        nodes: usize,
        /// Classes asked for.
        classes: usize,
        /// Products possible.
        limit: usize,
    },
    /// A mean service time of no ticks.
    #[error("node '{label}' has a mean service time of 0 ticks: give at least 1 tick")]
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

impl NetworkError {
    /// The label or number of the node at fault, where there is one.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::DeadEnd { label }
            | Self::DeadEndForClass { label, .. }
            | Self::NotServed { label, .. }
            | Self::Law { label, .. }
            | Self::NoServers { label }
            | Self::Capacity { label, .. }
            | Self::StartsFull { label, .. }
            | Self::IntoSource { label, .. }
            | Self::Probabilities { label, .. }
            | Self::MixedProbabilities { label, .. }
            | Self::RoundRobin { label, .. }
            | Self::Unreachable { label }
            | Self::NoService { label } => Some(label),
            _ => None,
        }
    }
}
