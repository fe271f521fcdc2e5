//! Keys of the `[network]` section.

use super::behaviour_shape::{
    BatchShape, BreakdownsShape, BulkShape, JoinShape, MarkovianShape, PollingShape, PoolShape, RegionShape,
    ReplayShape, ResourceShape, ServerCount, ShiftsShape, WhenShape,
};
use super::lists::{rates, some_numbers};
use super::{CostsShape, GenerateShape, PerClass};
use crate::law::LawShape;
use crate::network::{Discipline, Interrupted, Overflow, Routing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the end of a route that leaves the network.
pub(super) const OUT: &str = "out";

/// The `[network]` section: nodes and routes, or a GraphML file, or a rule; and defaults for nodes.
///
/// A node exists once it is named: in a `[[network.node]]` or `[[network.source]]` entry, or by a link or an edge.
/// Nodes are numbered in that order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkShape {
    /// Names of the classes of tokens; one class called `token` if the list is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Number of tokens of the first class at the start, for nodes that do not give their own. The default is 1 in a
    /// closed network of one class where no node gives its own, otherwise 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// Mean of an exponential service, in time units, for nodes that do not give their own. The default is 10 if there
    /// is one class, no source, and no node that gives its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub mean: Option<f64>,
    /// Inverse of the mean of an exponential service, instead of `mean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law, instead of `mean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<LawShape>,
    /// Number of servers, at least 1, or `infinite`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servers: Option<ServerCount>,
    /// Order in which waiting tokens are served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// Largest number of tokens waiting and in service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// Treatment of a token that finds `capacity` tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// Rule by which a node chooses among its routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Path of a graph in GraphML, GEXF, GML or node-link JSON, relative to the folder of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "path"))]
    pub graph: Option<PathBuf>,
    /// Path of a model of JSIMgraph, relative to the folder of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "path"))]
    pub jsimg: Option<PathBuf>,
    /// Ids or labels of nodes of the graph that are sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graph_sources: Vec<String>,
    /// Ids or labels of nodes of the graph that are sinks: edges to them lead out of the network.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graph_sinks: Vec<String>,
    /// Default law of the times between the tokens of the graph's sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_interarrival: Option<LawShape>,
    /// Pairs of nodes joined in both directions, for every class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<[String; 2]>,
    /// Pairs of nodes joined in one direction, from the first to the second, for every class; the second may be `out`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<[String; 2]>,
    /// A rule that makes nodes and routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate: Option<GenerateShape>,
    /// Nodes that differ from the defaults.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<NodeShape>,
    /// Sources of tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceShape>,
    /// Routes, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub route: Vec<RouteShape>,
    /// Regions of several nodes with one capacity.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub region: Vec<RegionShape>,
    /// Resources that tokens hold over several nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource: Vec<ResourceShape>,
    /// Costs at all stations that do not give their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<Box<CostsShape>>,
}

/// A `[[network.node]]` entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeShape {
    /// Name of the node.
    pub name: String,
    /// Number of servers, or `infinite` for a delay, where every token has a server of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<ServerCount>,
    /// Order in which waiting tokens are served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// Largest number of tokens waiting and in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// Treatment of a token that finds `capacity` tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// Rule by which the node chooses among its routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Mean of an exponential service of every class, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub mean: Option<f64>,
    /// Inverse of the mean of an exponential service of every class, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law of every class, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Box<LawShape>>,
    /// Number of tokens at the start: one number for the first class, or a number for each class by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<PerClass>,
    /// Position of the node on a map, east and north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 2]>,
    /// Rest of services that were interrupted: what they need when they go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
    /// Speed of all servers together with 1, 2, ... tokens at the node; the last holds for more.
    #[serde(default, deserialize_with = "some_numbers", skip_serializing_if = "Vec::is_empty")]
    pub speeds: Vec<f64>,
    /// Servers on duty by time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shifts: Option<Box<ShiftsShape>>,
    /// Breakdowns of each server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdowns: Option<Box<BreakdownsShape>>,
    /// Law of the time that a token is ready to wait; one whose service has not begun by then leaves the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<Box<LawShape>>,
    /// Node to which impatient tokens go; `out` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impatient_to: Option<String>,
    /// Probability that an arriving token joins where 0, 1, ... tokens are; the last holds for more.
    #[serde(default, deserialize_with = "some_numbers", skip_serializing_if = "Vec::is_empty")]
    pub balking: Vec<f64>,
    /// Law of the time after which a token that finds no room tries again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Box<LawShape>>,
    /// Service of several tokens at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk: Option<Box<BulkShape>>,
    /// A server that goes from queue to queue, of which each class has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polling: Option<Box<PollingShape>>,
    /// Names of resources of which a token takes a unit each before its service starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seize: Vec<String>,
    /// Names of resources that a token gives back when its service is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<String>,
    /// Number of parts of a forked token that are joined here, or `all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join: Option<JoinShape>,
    /// `true` if tokens only pass the node, in a tick: for forks, joins and choices of a route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<bool>,
    /// Servers that differ, in place of `servers`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pool: Vec<PoolShape>,
    /// Costs at the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Box<CostsShape>>,
    /// Properties that differ for some classes, by the name of the class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub class: BTreeMap<String, AtNode>,
}

/// Properties of one class at one node: `[network.node.class.NAME]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give the properties of a class as a table, such as { mean = 4 }")]
pub struct AtNode {
    /// Mean of an exponential service, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub mean: Option<f64>,
    /// Inverse of the mean of an exponential service, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<LawShape>,
    /// Priority, 0 by default: the class with the lowest number is served first if the discipline is `priority`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Weight in processor sharing, 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Law of the time in which a server that goes from queue to queue comes to that of the class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<LawShape>,
    /// Law of the time that tokens of the class are ready to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<LawShape>,
    /// Node to which impatient tokens of the class go; `out` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impatient_to: Option<String>,
}

/// A `[[network.source]]` entry: an unlimited stream of tokens of one class from outside.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceShape {
    /// Name of the source.
    pub name: String,
    /// Class of the emitted tokens; the first class if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Mean of an exponential time between tokens, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub mean: Option<f64>,
    /// Inverse of the mean of an exponential time between tokens, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Law of the times between tokens, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interarrival: Option<LawShape>,
    /// Times, in time units from the start, and the mean number of tokens in a time unit from then on.
    #[serde(default, deserialize_with = "rates", skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<(f64, f64)>,
    /// Time after which the rates begin again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub period: Option<f64>,
    /// Time of the source's beginning, 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub from: Option<f64>,
    /// Time of the source's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub until: Option<f64>,
    /// Number of tokens that come at a time: a number, or pairs of a number and its probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchShape>,
    /// Markovian arrival process in place of a law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markovian: Option<Box<MarkovianShape>>,
    /// Number of arrivals after which the source ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Arrivals of a table in place of a law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Box<ReplayShape>>,
    /// Rule by which the source chooses among its routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Position of the source on a map, east and north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 2]>,
}

/// A `[[network.route]]` entry: a route for tokens that have been served, or emitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteShape {
    /// Node where the route begins.
    pub from: String,
    /// Class that takes the route. If left out, every class without routes of its own there takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Node where the route ends, or `out`.
    pub to: String,
    /// Probability of the route. If left out at all routes of a node and class, they are equally likely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// New class of the token; unchanged if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// Conditions on numbers of tokens, which make the probability a weight among the routes that are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<WhenShape>,
}

impl NodeShape {
    /// Returns `true` if the node gives a service law of every class.
    pub(super) const fn has_law(&self) -> bool {
        self.mean.is_some() || self.rate.is_some() || self.service.is_some()
    }
}

impl AtNode {
    /// Returns `true` if the class has a service law of its own.
    pub(super) const fn has_law(&self) -> bool {
        self.mean.is_some() || self.rate.is_some() || self.service.is_some()
    }
}

impl NetworkShape {
    /// Makes the paths of files relative to `folder`.
    pub(super) fn move_to(&mut self, folder: &Path) {
        for file in [&mut self.graph, &mut self.jsimg].into_iter().flatten() {
            *file = folder.join(&*file);
        }
        for node in &mut self.node {
            let of_classes = node.class.values_mut().flat_map(|at| [&mut at.service, &mut at.patience, &mut at.switch]);
            let of_node = [&mut node.service, &mut node.patience, &mut node.retry];
            let of_node = of_node.into_iter().filter_map(|law| law.as_deref_mut());
            let breakdowns = node.breakdowns.iter_mut().flat_map(|of| [&mut of.up, &mut of.down]);
            let switch = node.polling.iter_mut().filter_map(|of| of.switch.as_mut());
            of_classes.flatten().chain(of_node).chain(breakdowns).chain(switch).for_each(|law| law.move_to(folder));
        }
        for replay in self.source.iter_mut().filter_map(|source| source.replay.as_deref_mut()) {
            replay.file = folder.join(&replay.file);
        }
        let laws = self.source.iter_mut().map(|source| &mut source.interarrival);
        for law in laws.chain([&mut self.service, &mut self.graph_interarrival]).flatten() {
            law.move_to(folder);
        }
        if let Some(law) = self.generate.as_mut().and_then(|generate| generate.interarrival_mut()) {
            law.move_to(folder);
        }
    }
}
