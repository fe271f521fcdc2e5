//! The keys of the `[network]` section.

use super::{GenerateShape, PerClass};
use crate::law::LawShape;
use crate::network::{Discipline, Overflow, Routing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The `[network]` section: nodes and routes, or a GraphML file, or a rule; and what nodes are like that do not say otherwise.
///
/// A node exists once it is named: in a `[[network.node]]` or `[[network.source]]` entry, or by a link or an edge. Nodes are
/// numbered in that order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkShape {
    /// The names of the classes of tokens; one class called `token` if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Tokens of the first class at the start; 1 where there is one class and no source, 0 elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// Mean of an exponential service, in time units; 10 where there is one class and no source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// One over the mean of an exponential service, instead of `mean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law, instead of `mean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<LawShape>,
    /// Servers, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servers: Option<u32>,
    /// Who is served next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// The most tokens waiting and in service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// What happens to a token that finds `capacity` tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// How a node chooses among its routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// A GraphML file; relative to the folder of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<PathBuf>,
    /// Ids or labels of nodes of the graph that are sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graph_sources: Vec<String>,
    /// Ids or labels of nodes of the graph that are sinks: what leads there leads out of the network.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graph_sinks: Vec<String>,
    /// Law of the times between the tokens of the graph's sources that do not say otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_interarrival: Option<LawShape>,
    /// Pairs of nodes that are joined both ways, for every class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<[String; 2]>,
    /// Pairs of nodes that are joined one way, from the first to the second, for every class; the second may be `out`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<[String; 2]>,
    /// A rule that makes nodes and routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate: Option<GenerateShape>,
    /// Nodes that differ from the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<NodeShape>,
    /// Where tokens come from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceShape>,
    /// Ways onward, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub route: Vec<RouteShape>,
}

/// A `[[network.node]]` entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeShape {
    /// The node's name.
    pub name: String,
    /// Its servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<u32>,
    /// Who is served next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// The most tokens waiting and in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// What happens to a token that finds `capacity` tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// How it chooses among its routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Mean of an exponential service of every class, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// One over the mean of an exponential service of every class, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law of every class, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<LawShape>,
    /// Tokens at the start: a number, of the first class, or a number for each class by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<PerClass>,
    /// Where it stands on a map, east and north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 2]>,
    /// What differs for some classes, by the name of the class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub class: BTreeMap<String, AtNode>,
}

/// What one class is at one node: `[network.node.class.NAME]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtNode {
    /// Mean of an exponential service, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// One over the mean of an exponential service, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Service law, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<LawShape>,
    /// Priority, 0 at first: the class with the lowest number is served first where the discipline is `priority`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
}

/// A `[[network.source]]` entry: tokens of one class come from outside for ever.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceShape {
    /// The source's name.
    pub name: String,
    /// The class that it emits; the first class if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Mean of an exponential time between tokens, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// One over the mean of an exponential time between tokens, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Law of the times between tokens, instead of `mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interarrival: Option<LawShape>,
    /// How it chooses among its routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Where it stands on a map, east and north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 2]>,
}

/// A `[[network.route]]` entry: a way onward for tokens that have been served, or emitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteShape {
    /// The node where it begins.
    pub from: String,
    /// The class that takes it; every class that has no routes of its own there if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The node where it ends, or `out`.
    pub to: String,
    /// Its probability; left out at all routes of a node and class, they are equally likely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The class of the token from there on; the one it has if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
}

impl NetworkShape {
    /// Makes the paths of files relative to `folder`.
    pub(super) fn move_to(&mut self, folder: &Path) {
        if let Some(graph) = &mut self.graph {
            *graph = folder.join(&*graph);
        }
        let of_nodes = self.node.iter_mut().flat_map(|node| {
            let of_classes = node.class.values_mut().map(|at| &mut at.service);
            of_classes.chain([&mut node.service])
        });
        let laws = of_nodes.chain(self.source.iter_mut().map(|source| &mut source.interarrival));
        for law in laws.chain([&mut self.service, &mut self.graph_interarrival]).flatten() {
            law.move_to(folder);
        }
        if let Some(law) = self.generate.as_mut().and_then(|generate| generate.interarrival_mut()) {
            law.move_to(folder);
        }
    }
}
