//! Keys of the `[network]` section.

use super::behaviour_shape::{
    BatchShape, MarkovianShape, RegionShape, ReplayShape, ResourceShape, ServerCount, WhenShape,
};
use super::lists::rates;
use super::node_shape::NodeShape;
use super::nodes::{self, NodeEntry};
use super::{CostsShape, GenerateShape};
use crate::law::LawShape;
use crate::network::{Discipline, Overflow, Routing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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
    #[serde(deserialize_with = "nodes::nodes", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<NodeShape>")]
    pub node: Vec<NodeEntry>,
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

impl NetworkShape {
    /// Makes the paths of files relative to `folder`.
    pub(super) fn move_to(&mut self, folder: &Path) {
        for file in [&mut self.graph, &mut self.jsimg].into_iter().flatten() {
            *file = folder.join(&*file);
        }
        nodes::move_to(&mut self.node, folder);
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
