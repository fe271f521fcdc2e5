//! Errors in networks.

use super::behaviour::BehaviourError;
use crate::law::LawError;
use thiserror::Error;

/// Reasons why a network cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkError {
    /// A network has no node.
    #[error("the network has no nodes: give at least one")]
    NoNodes,
    /// A network has more nodes than [`MAX_NODES`](super::MAX_NODES).
    #[error("the network has {nodes} nodes, more than the {limit} supported: make it smaller")]
    TooManyNodes {
        /// Number of nodes requested.
        nodes: usize,
        /// Largest number of nodes.
        limit: usize,
    },
    /// A network has more edges than [`MAX_EDGES`](super::MAX_EDGES).
    #[error("the network has {edges} directed edges, more than the {limit} supported: make it smaller")]
    TooManyEdges {
        /// Number of edges requested.
        edges: usize,
        /// Largest number of edges.
        limit: usize,
    },
    /// A network has more tokens than [`MAX_TOKENS`](super::MAX_TOKENS).
    #[error("the network has {tokens} tokens, more than the {limit} supported: start with fewer tokens per node")]
    TooManyTokens {
        /// Number of tokens requested.
        tokens: u64,
        /// Largest number of tokens.
        limit: u64,
    },
    /// A torus has no width or no height.
    #[error("a torus of {width} x {height} has no nodes: width and height must be at least 1")]
    EmptyTorus {
        /// Number of columns requested.
        width: u32,
        /// Number of rows requested.
        height: u32,
    },
    /// A size of a generated network is too small.
    #[error("'{what}' of the generated network is {given}: give at least {least}")]
    TooSmall {
        /// Name of the size.
        what: &'static str,
        /// Value given.
        given: u32,
        /// Smallest value allowed.
        least: u32,
    },
    /// An edge begins or ends at a node that does not exist.
    #[error("edge {edge} names node {node}, but the network has only nodes 0 to {}: give one of these", nodes - 1)]
    UnknownNode {
        /// Index of the edge in the list.
        edge: usize,
        /// Number of the node.
        node: u32,
        /// Number of nodes of the network, at least 1.
        nodes: usize,
    },
    /// A node can be entered but not left.
    #[error(
        "node '{label}' has no route onward: a token served there could go nowhere; give it an edge to another node, let tokens leave the \
         network there, or remove it"
    )]
    DeadEnd {
        /// Label or number of the node.
        label: String,
    },
    /// A node can be entered but not left by tokens of one class.
    #[error(
        "tokens of class '{class}' can come to node '{label}' and have no route onward: give them a route to another node, or out of the network"
    )]
    DeadEndForClass {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A node does not serve a class whose tokens can reach it.
    #[error(
        "tokens of class '{class}' can come to node '{label}', which has no service time for them: give it one, or lead them elsewhere"
    )]
    NotServed {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A law cannot be drawn from.
    #[error("class '{class}' at node '{label}': {error}")]
    Law {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
        /// Error of the law.
        error: LawError,
    },
    /// A node cannot behave as it should.
    #[error("node '{label}': {error}")]
    Behaviour {
        /// Label or number of the node.
        label: String,
        /// Problem of its behaviour.
        error: BehaviourError,
    },
    /// Tokens go round over nodes that take no time, without a way out.
    #[error(
        "tokens go round over nodes that they only pass, '{}', and never leave them: give one of these a service in place of 'pass', or a \
         route to another node or out of the network",
        nodes.join("', '")
    )]
    OnlyPassed {
        /// Labels or numbers of the nodes, in the order of the way; at most [`MAX_NAMED`](Self::MAX_NAMED).
        nodes: Vec<String>,
    },
    /// Tokens that cannot wait in a server lead to a station that makes others wait there.
    #[error(
        "node '{label}' sends {what} to node '{to}', which makes tokens wait in the servers they come from, and these have none: give '{to}' the \
         overflow 'lose', or no capacity"
    )]
    CannotBlock {
        /// Label or number of the node.
        label: String,
        /// Kind of the tokens, in words.
        what: &'static str,
        /// Label or number of the station.
        to: String,
    },
    /// Routes with conditions are wrong.
    #[error("the routes of class '{class}' at node '{label}': {problem}")]
    Conditions {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
        /// Problem, and a remedy.
        problem: String,
    },
    /// Resources are wrong, or cannot be together with something else.
    #[error("the resources of the network: {problem}")]
    Resources {
        /// Problem, and a remedy.
        problem: String,
    },
    /// A region has no nodes or no room.
    #[error(
        "a region of {nodes} nodes with room for {capacity} tokens: give it at least one node, and room for one token"
    )]
    EmptyRegion {
        /// Number of its nodes.
        nodes: usize,
        /// Number of tokens for which it has room.
        capacity: u32,
    },
    /// A region limits classes in a network that forks tokens.
    #[error(
        "node '{label}' forks tokens, and a region limits single classes, which do not count parts of tokens: limit all classes together, \
         or remove the fork"
    )]
    ForkedClasses {
        /// Label or number of the node that forks.
        label: String,
    },
    /// A region has no room for the least batch that a node of it serves.
    #[error(
        "node '{label}' waits for {least} tokens to serve them together, and its region has room for {capacity}: give the region more room, or the batch a smaller 'least' or a 'wait'"
    )]
    SmallRegion {
        /// Label or number of the node.
        label: String,
        /// Least number of tokens that the node serves.
        least: u32,
        /// Number of tokens for which the region has room.
        capacity: u32,
    },
    /// A node is in two regions, or twice in one.
    #[error("node '{label}' is in two regions: remove it from one of them")]
    TwoRegions {
        /// Label or number of the node.
        label: String,
    },
    /// A station has no servers.
    #[error("node '{label}' has 0 servers: give at least 1")]
    NoServers {
        /// Label or number of the node.
        label: String,
    },
    /// A station has less room than servers.
    #[error(
        "node '{label}' has room for {capacity} tokens and {servers} servers: the capacity counts tokens waiting and in service, so make it \
         at least {servers}, or leave it out for no limit"
    )]
    Capacity {
        /// Label or number of the node.
        label: String,
        /// Capacity of the node.
        capacity: u32,
        /// Number of servers of the node.
        servers: u32,
    },
    /// A station starts with more tokens than it has room for.
    #[error(
        "node '{label}' starts with {tokens} tokens and has room for {capacity}: start with fewer, or make it larger"
    )]
    StartsFull {
        /// Label or number of the node.
        label: String,
        /// Number of tokens at the start.
        tokens: u64,
        /// Capacity of the node.
        capacity: u32,
    },
    /// Tokens start at a source, or go to one.
    #[error("node '{label}' is a source: tokens cannot {what} there; use a station")]
    IntoSource {
        /// Label or number of the source.
        label: String,
        /// Action that is not allowed.
        what: &'static str,
    },
    /// Probabilities of routes do not add up to one, or are not probabilities.
    #[error(
        "the probabilities of class '{class}' at node '{label}' add up to {sum}: make them add up to 1, each above 0, or leave all of \
         them out for equal ones"
    )]
    Probabilities {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
        /// Sum of the probabilities.
        sum: f64,
    },
    /// Some routes of a row have a probability and some have none.
    #[error(
        "of the routes of class '{class}' at node '{label}' some have a probability and some have none: give it for all, or for none"
    )]
    MixedProbabilities {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// Routes that are taken in turn have unequal probabilities.
    #[error(
        "node '{label}' takes its routes in turn, and those of class '{class}' have unequal probabilities: leave the probabilities out, or route by chance"
    )]
    RoundRobin {
        /// Label or number of the node.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A node is never reached by a token.
    #[error("no token can ever come to node '{label}': lead a route there, start it with tokens, or remove it")]
    Unreachable {
        /// Label or number of the node.
        label: String,
    },
    /// A network has no token and no source.
    #[error("the network has no tokens and no source: start with at least one token, or add a source")]
    Empty,
    /// A class number does not exist.
    #[error("{what} names class {class}, but the network has only classes 0 to {}: give one of these", classes - 1)]
    UnknownClass {
        /// Item that names the class.
        what: String,
        /// Number of the class.
        class: u32,
        /// Number of classes of the network, at least 1.
        classes: usize,
    },
    /// A node number does not exist.
    #[error("{what} names node {node}, but the network has {nodes} nodes, numbered from 0: give one of these")]
    NodeNumber {
        /// Item that names the node.
        what: &'static str,
        /// Number of the node.
        node: u32,
        /// Number of nodes of the network.
        nodes: usize,
    },
    /// The product of nodes and classes exceeds [`MAX_NODES`](super::MAX_NODES).
    #[error("{nodes} nodes times {classes} classes are more than the {limit} supported: make the network smaller")]
    TooManyPairs {
        /// Number of nodes requested.
        nodes: usize,
        /// Number of classes requested.
        classes: usize,
        /// Largest product.
        limit: usize,
    },
    /// A mean service time has no ticks.
    #[error("node '{label}' has a mean service time of 0 ticks: give at least 1 tick")]
    NoService {
        /// Label or number of the node.
        label: String,
    },
    /// Memory for the network cannot be allocated.
    #[error("no memory for {bytes} bytes of the network's edges: make it smaller")]
    OutOfMemory {
        /// Size of the failed request, in bytes.
        bytes: usize,
    },
}

impl NetworkError {
    /// Largest number of nodes that an error names.
    pub const MAX_NAMED: usize = 5;

    /// Returns the label or number of the node at fault, if there is one.
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
            | Self::Conditions { label, .. }
            | Self::Unreachable { label }
            | Self::NoService { label } => Some(label),
            Self::OnlyPassed { nodes } => nodes.first().map(String::as_str),
            _ => None,
        }
    }
}
