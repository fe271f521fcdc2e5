//! Queueing networks from [graphs in files](imminent_common::graph): GraphML, GEXF, GML and node-link JSON.
//!
//! The reader uses the following parts of a file and ignores the rest:
//!
//! * the one graph with its nodes and edges. Out-edges keep the order of the file. Stations
//!   without edges are left out if other nodes have some; a [warning](crate::network::Warning::LeftOut) counts them;
//! * directions: those of the graph, overridden by an edge's own. An undirected edge goes both ways;
//! * copies of an edge. Each copy counts: two links to the same neighbour double the probability of going there. An
//!   undirected edge from a node to itself is one out-edge, not two;
//! * node attributes by their names, with their defaults if there are some: see the table. A node without `label`
//!   is called by its `id`;
//! * edge attributes: `probability`, or `weight`. A weight, 1 by default, is divided by the sum of the weights of the
//!   node's out-edges. Without either, all out-edges of a node are equally likely.
//!
//! A node is a station, or by its `role` a source or a sink. A sink is not a node of the network: edges to it lead out
//! of the network. Undirected edges lead away from sources and towards sinks.
//!
//! | node attribute | value |
//! | --- | --- |
//! | `label` | text |
//! | `role` | `station`, `source`, `sink` |
//! | `tokens`, `servers`, `capacity` | whole numbers |
//! | `discipline` | `fifo`, `lifo`, `random`, `priority` |
//! | `overflow` | `lose`, `block` |
//! | `routing` | `random`, `round-robin` |
//! | `service_mean`, or `service_rate` | time units: the mean of the service law; or one over it |
//! | `service_law` | a name of [`LawShape`](crate::law::LawShape), whose other keys are `service_value`, `service_low`, `service_high`, `service_shape`, `service_cv`, `service_stages`, `service_scale`, `service_mode`, `service_location`, `service_deviation`; laws with lists are for TOML files |
//! | `interarrival_mean`, `interarrival_rate`, `interarrival_law` and so on | the corresponding keys for the times
//! between a source's tokens |
//! | `Longitude` and `Latitude`, or `x` and `y` | numbers: the position of the node on a map |
//!
//! The [`Defaults`] stand in for attributes that a node does not have. A node that gives a mean but no law has the
//! default law, rescaled to that mean. Hyperedges and nested graphs are errors, since leaving them out would
//! silently simulate another network.

mod attributes;
mod defaults;
mod error;
mod nodes;
mod role;

pub use defaults::Defaults;
pub use error::GraphmlError;
pub use role::Role;

use crate::network::{Builder, Network, Onward, Taken};
use attributes::Data;
use defaults::Implicit;
use imminent_common::graph::{self, Graph};
use nodes::GraphNode;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Reads a network from the file of a graph.
///
/// # Errors
/// [`GraphmlError`], which names the file, the line where there is one, and the remedy.
pub fn read(path: &Path, defaults: &Defaults) -> Result<Network, GraphmlError> {
    read_noting(path, defaults).map(|(network, _)| network)
}

/// Reads a network from the file of a graph, and notes which defaults its nodes take, by their keys in `[network]`.
pub(crate) fn read_noting(path: &Path, defaults: &Defaults) -> Result<(Network, Taken), GraphmlError> {
    let text = graph::text_of(path)?;
    parse_noting(&text, &path.display().to_string(), defaults)
}

/// Reads a network from the text of a graph; errors use `file` as its name.
///
/// # Errors
/// [`GraphmlError`], as for [`read`].
pub fn parse(text: &str, file: &str, defaults: &Defaults) -> Result<Network, GraphmlError> {
    parse_noting(text, file, defaults).map(|(network, _)| network)
}

fn parse_noting(text: &str, file: &str, defaults: &Defaults) -> Result<(Network, Taken), GraphmlError> {
    network(&Graph::of(text, file)?, defaults)
}

/// Node of the network that belongs to a node of the graph.
#[derive(Debug, Clone, Copy)]
struct NetworkNode {
    /// Number of the node; a sink has none.
    number: Option<u32>,
    role: Role,
}

/// An edge from one node to another.
struct Edge {
    from: u32,
    /// Target; `None` leads out of the network.
    to: Option<u32>,
    probability: Option<f64>,
    weight: Option<f64>,
}

/// Finds the properties that stations of a graph have by default.
fn implicit(nodes: &[GraphNode<'_, '_>]) -> Implicit {
    let has = |role| nodes.iter().any(|node| node.role == role);
    let data = || nodes.iter().map(GraphNode::data);
    let closed = !has(Role::Source);
    Implicit {
        service: closed && !data().any(|data| data.has_service()),
        token: closed && !has(Role::Sink) && !data().any(|data| data.text("tokens").is_some()),
    }
}

fn network(graph: &Graph<'_>, defaults: &Defaults) -> Result<(Network, Taken), GraphmlError> {
    let mut nodes = GraphNode::all(graph, defaults)?;
    let left_out = leave_out(&mut nodes, graph);
    let implicit = implicit(&nodes);
    let mut builder = Builder::new();
    let (mut places, mut taken) = (HashMap::new(), Taken::default());
    for node in &nodes {
        let data = node.data();
        data.note(node.role, &mut taken);
        let number = match node.role {
            Role::Station => Some(data.station(node.label, &mut builder, defaults, implicit)?),
            Role::Source => Some(data.source(node.label, &mut builder, defaults)?),
            Role::Sink => data.sink().map(|()| None)?,
        };
        places.insert(node.number, NetworkNode { number, role: node.role });
    }
    route(&mut builder, &edges(graph, &places)?, nodes.len());
    builder.fit_tick();
    let network = builder.build().map_err(|error| {
        let labelled = |node: &&GraphNode<'_, '_>| error.label() == Some(node.label);
        let line = nodes.iter().find(labelled).map(|node| node.data().line());
        GraphmlError::Network { file: graph.source.file.to_owned(), line, error }
    })?;
    Ok((network.with_left_out(left_out), taken))
}

/// Removes stations without edges if other nodes have some, and returns their number.
fn leave_out(nodes: &mut Vec<GraphNode<'_, '_>>, graph: &Graph<'_>) -> u64 {
    let joined: HashSet<u32> = graph.edges().iter().flat_map(|edge| [edge.from, edge.to]).collect();
    let before = nodes.len();
    if !joined.is_empty() {
        nodes.retain(|node| node.role != Role::Station || joined.contains(&node.number));
    }
    (before - nodes.len()) as u64
}

/// Converts the edges of a graph into directed edges.
fn edges(graph: &Graph<'_>, places: &HashMap<u32, NetworkNode>) -> Result<Vec<Edge>, GraphmlError> {
    let mut edges = vec![];
    for edge in graph.edges() {
        let (Some(&from), Some(&to)) = (places.get(&edge.from), places.get(&edge.to)) else { continue };
        let data = Data(graph.of_edge(edge));
        let (probability, weight) = (data.share("probability")?, data.share("weight")?);
        let mut directions = vec![(from, to)];
        if !edge.one_way && edge.from != edge.to {
            directions.push((to, from));
        }
        let before = edges.len();
        for (from, to) in directions {
            if let (Some(from), true) = (from.number, to.role != Role::Source) {
                edges.push(Edge { from, to: to.number, probability, weight });
            }
        }
        // Between two sinks or two sources an undirected edge has nothing to carry.
        if edge.one_way && edges.len() == before {
            let (file, line) = (graph.source.file.to_owned(), data.line());
            let problem = if to.role == Role::Source {
                "leads into a source: turn it round, or remove it"
            } else {
                "leads out of a sink: turn it round, or remove it"
            };
            return Err(GraphmlError::Edge { file, line, edge: data.0.what, problem });
        }
    }
    Ok(edges)
}

/// Turns edges into routes, and weights into probabilities.
fn route(builder: &mut Builder, edges: &[Edge], nodes: usize) {
    let mut weights = vec![None; nodes];
    for edge in edges {
        if let (Some(sum), Some(weight)) = (weights.get_mut(edge.from as usize), edge.weight) {
            *sum = Some(sum.unwrap_or(0.0) + weight);
        }
    }
    // An edge without weight counts as 1 if other edges have weights.
    for edge in edges.iter().filter(|edge| edge.weight.is_none()) {
        if let Some(Some(sum)) = weights.get_mut(edge.from as usize) {
            *sum += 1.0;
        }
    }
    for edge in edges {
        let sum = weights.get(edge.from as usize).copied().flatten();
        let probability = edge.probability.or_else(|| sum.map(|sum| edge.weight.unwrap_or(1.0) / sum));
        builder.route_all(edge.from, Onward { to: edge.to, probability, ..Onward::out() });
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod open_tests;
