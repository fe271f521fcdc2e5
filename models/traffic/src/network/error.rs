//! Errors of networks, flows and routes.

use super::limits::MAX_COUNT;
use crate::units::{FASTEST, seconds};
use thiserror::Error;

/// Error of an invalid network.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkError {
    /// The network has no nodes.
    #[error("the network has no nodes: give at least two, and a link")]
    NoNodes,
    /// There are more nodes or links than the largest number.
    #[error("the network has {count} {what}, more than the limit of {MAX_COUNT}: make it smaller")]
    TooMany {
        /// `nodes` or `links`.
        what: &'static str,
        /// Number of nodes or links.
        count: u64,
    },
    /// Two nodes have the same label.
    #[error("two nodes are called '{label}': give each a name of its own")]
    DuplicateNode {
        /// Label of both nodes.
        label: String,
    },
    /// A link begins or ends at a node that does not exist.
    #[error("link {link} joins node {node}, and there are nodes 0 to {}: add the node, or remove the link", nodes.saturating_sub(1))]
    NoSuchNode {
        /// Number of the link.
        link: usize,
        /// Number of the missing node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// A link ends at the node where it begins.
    #[error("the link from '{node}' leads to '{node}' itself: remove it, or give it another end")]
    Loop {
        /// Label of the node.
        node: String,
    },
    /// The bandwidth of a link is 0 or too large.
    #[error("the link from '{from}' to '{to}' has a bandwidth of {bandwidth} bit/s: give 1 to {FASTEST}")]
    Bandwidth {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Bandwidth in bits per second.
        bandwidth: u64,
    },
    /// The delay of a link is too long.
    #[error("the link from '{from}' to '{to}' has a delay of {} s: give at most 1000 s", seconds(*delay))]
    Delay {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Delay in nanoseconds.
        delay: u64,
    },
    /// The capacity of a queue is 0 or too large.
    #[error(
        "the queue of the link from '{from}' to '{to}' takes {capacity} bytes: give 1 to 2^48, and enough for some packets"
    )]
    Buffer {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Capacity of the queue, in bytes.
        capacity: u64,
    },
    /// The loss probability of a link is out of range.
    #[error(
        "the link from '{from}' to '{to}' loses a share of {loss}: give at least 0 and below 1, such as 0.01 for one packet of a hundred"
    )]
    Loss {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Loss probability.
        loss: f64,
    },
    /// A parameter of RED is out of range.
    #[error("'{parameter}' of RED is {value}: it must be {expected}")]
    Red {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value of the parameter.
        value: f64,
        /// Allowed values.
        expected: &'static str,
    },
    /// A parameter of CoDel or FqCoDel is out of range.
    #[error("'{parameter}' of CoDel is {value}: it must be {expected}")]
    Codel {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value of the parameter, with its unit.
        value: String,
        /// Allowed values.
        expected: &'static str,
    },
    /// A queue has parameters of a discipline that is not its own.
    #[error("the queue is {discipline} and has parameters of {of}: give it the discipline '{needed}', or remove them")]
    OtherDiscipline {
        /// Discipline of the queue.
        discipline: &'static str,
        /// Discipline with such parameters.
        of: &'static str,
        /// Name of that discipline in configurations.
        needed: &'static str,
    },
    /// There are more failures of links than the largest number.
    #[error("there are {count} failures of links, more than the limit of {most}: give fewer")]
    TooManyFailures {
        /// Number of failures.
        count: usize,
        /// Largest number of failures.
        most: usize,
    },
    /// A failure is one of a link that does not exist.
    #[error("link {link} fails, and the network has links 0 to {}: name one of them", links.saturating_sub(1))]
    NoSuchLink {
        /// Number of the missing link.
        link: u32,
        /// Number of links.
        links: usize,
    },
    /// A failure of a link does not stop after its start.
    #[error("the link from '{from}' to '{to}' fails from {start} s to {stop} s: a failure stops after its start")]
    FailureTimes {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Start of the failure, in seconds.
        start: f64,
        /// End of the failure, in seconds.
        stop: f64,
    },
    /// A generator cannot create the requested network.
    #[error("{problem}")]
    Generator {
        /// The error and its remedy.
        problem: String,
    },
}

/// Error of an invalid flow.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FlowError {
    /// There are more flows than the largest number.
    #[error(
        "there are {count} flows, more than the limit of {MAX_COUNT}: put sessions with the same ends into one flow"
    )]
    TooMany {
        /// Number of flows.
        count: u64,
    },
    /// A flow begins or ends at a node that is not in the network.
    #[error("flow {flow} has the {end} '{node}', which is no node of the network: name one that is")]
    UnknownNode {
        /// Label of the flow.
        flow: String,
        /// `source` or `destination`.
        end: &'static str,
        /// Number or label of the missing node.
        node: String,
    },
    /// A flow ends at the node where it begins.
    #[error("flow {flow} goes from '{node}' to itself: give it another end, or remove it")]
    SameEnds {
        /// Label of the flow.
        flow: String,
        /// Label of the node.
        node: String,
    },
    /// A flow stops before it starts.
    #[error("flow {flow} starts at {} s and stops at {} s: a flow stops after its start", seconds(*start), seconds(*stop))]
    Times {
        /// Label of the flow.
        flow: String,
        /// Start of the flow, in nanoseconds.
        start: u64,
        /// End of the flow, in nanoseconds.
        stop: u64,
    },
    /// A parameter of a flow's kind is out of range.
    #[error("flow {flow}: {problem}")]
    Kind {
        /// Label of the flow.
        flow: String,
        /// The error and its remedy.
        problem: String,
    },
    /// A parameter of TCP that packet sessions have of their own is not possible.
    #[error("flow {flow}, '{parameter}': {problem}")]
    Tcp {
        /// Label of the flow.
        flow: String,
        /// Name of the parameter.
        parameter: &'static str,
        /// The error and its remedy.
        problem: String,
    },
}

/// Error of an invalid route.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RouteError {
    /// No path leads from one node to another.
    #[error(
        "no path of links leads from '{from}' to '{to}': add a link, or remove the flow ({pairs} such pairs in all)"
    )]
    Unconnected {
        /// Label of the source.
        from: String,
        /// Label of the destination.
        to: String,
        /// Number of pairs without a path.
        pairs: u64,
    },
    /// A path is requested from or to a node that does not exist.
    #[error("there is no path from node {from} to node {to}: the network has {nodes} nodes, numbered from 0")]
    NoSuchNode {
        /// Number of the source.
        from: u32,
        /// Number of the destination.
        to: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// The paths have more hops than the largest number.
    #[error("the paths have {hops} hops together, more than the limit of {}: simulate fewer flows", u32::MAX)]
    TooManyHops {
        /// Number of hops of all paths.
        hops: u64,
    },
}
