//! What is wrong with a network, a flow or a route.

use super::MOST;
use crate::units::{FASTEST, seconds};
use thiserror::Error;

/// A network that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkError {
    /// There are no nodes.
    #[error("the network has no nodes: give at least two, and a link")]
    NoNodes,
    /// There are more nodes or links than numbers for them.
    #[error("the network has {count} {what}, and {MOST} are possible: make it smaller")]
    TooMany {
        /// `nodes` or `links`.
        what: &'static str,
        /// How many there would be.
        count: u64,
    },
    /// Two nodes have the same label.
    #[error("two nodes are called '{label}': give each a name of its own")]
    DuplicateNode {
        /// The label.
        label: String,
    },
    /// A link begins or ends at no node.
    #[error("link {link} joins node {node}, and there are nodes 0 to {}: add the node, or remove the link", nodes.saturating_sub(1))]
    NoSuchNode {
        /// The link.
        link: usize,
        /// The number that is no node's.
        node: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A link ends where it begins.
    #[error("the link from '{node}' leads to '{node}' itself: remove it, or give it another end")]
    Loop {
        /// The node.
        node: String,
    },
    /// A link carries nothing, or more than is possible.
    #[error("the link from '{from}' to '{to}' has a bandwidth of {bandwidth} bit/s: give 1 to {FASTEST}")]
    Bandwidth {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
        /// Its bandwidth.
        bandwidth: u64,
    },
    /// The signal on a link takes too long.
    #[error("the link from '{from}' to '{to}' has a delay of {} s: give at most 1000 s", seconds(*delay))]
    Delay {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
        /// Its delay, in nanoseconds.
        delay: u64,
    },
    /// A queue takes nothing, or more than is possible.
    #[error(
        "the queue of the link from '{from}' to '{to}' takes {capacity} bytes: give 1 to 2^48, and enough for some packets"
    )]
    Buffer {
        /// Where the link begins.
        from: String,
        /// Where it ends.
        to: String,
        /// Capacity of the queue.
        capacity: u64,
    },
    /// A link loses a share that is none.
    #[error(
        "the link from '{from}' to '{to}' loses a share of {loss}: give at least 0 and below 1, such as 0.01 for one packet of a hundred"
    )]
    Loss {
        /// Where the link begins.
        from: String,
        /// Where it ends.
        to: String,
        /// The share.
        loss: f64,
    },
    /// A parameter of RED makes no sense.
    #[error("'{parameter}' of RED is {value}: it must be {expected}")]
    Red {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A queue is drop-tail, and has parameters of RED.
    #[error("the queue is drop-tail and has parameters of RED: give it the discipline 'red', or remove them")]
    RedOfDropTail,
    /// A generator was asked for what it cannot make.
    #[error("{problem}")]
    Generator {
        /// What is wrong and what to do.
        problem: String,
    },
}

/// A flow that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FlowError {
    /// There are more flows than numbers for them.
    #[error("there are {count} flows, and {MOST} are possible: put sessions with the same ends into one flow")]
    TooMany {
        /// How many there would be.
        count: u64,
    },
    /// A flow begins or ends at no node of the network.
    #[error("flow {flow} has the {end} '{node}', which is no node of the network: name one that is")]
    UnknownNode {
        /// The flow.
        flow: String,
        /// `source` or `destination`.
        end: &'static str,
        /// What it names.
        node: String,
    },
    /// A flow ends where it begins.
    #[error("flow {flow} goes from '{node}' to itself: give it another end, or remove it")]
    SameEnds {
        /// The flow.
        flow: String,
        /// The node.
        node: String,
    },
    /// A flow stops before it starts.
    #[error("flow {flow} starts at {} s and stops at {} s: a flow stops after its start", seconds(*start), seconds(*stop))]
    Times {
        /// The flow.
        flow: String,
        /// Its start, in nanoseconds.
        start: u64,
        /// Its end, in nanoseconds.
        stop: u64,
    },
    /// What a flow sends makes no sense.
    #[error("flow {flow}: {problem}")]
    Kind {
        /// The flow.
        flow: String,
        /// What is wrong and what to do.
        problem: String,
    },
}

/// Routes that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RouteError {
    /// No path leads from one node to another.
    #[error(
        "no path of links leads from '{from}' to '{to}': add a link, or remove the flow ({pairs} such pairs in all)"
    )]
    Unconnected {
        /// Where the path should begin.
        from: String,
        /// Where it should end.
        to: String,
        /// How many pairs have no path.
        pairs: u64,
    },
    /// A path is asked for between nodes of which one is not there.
    #[error("a path is asked for from node {from} to node {to}, and there are {nodes} nodes")]
    NoSuchNode {
        /// Where the path should begin.
        from: u32,
        /// Where it should end.
        to: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// The paths are longer than can be numbered.
    #[error("the paths have {hops} hops together, and {} are possible: simulate fewer flows", u32::MAX)]
    TooManyHops {
        /// How many there are.
        hops: u64,
    },
}
