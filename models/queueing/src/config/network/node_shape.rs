//! Keys of `[[network.node]]` entries.

use super::behaviour_shape::{
    BreakdownsShape, BulkShape, JoinShape, PollingShape, PoolShape, ServerCount, ShiftsShape,
};
use super::lists::some_numbers;
use super::{CostsShape, PerClass};
use crate::law::LawShape;
use crate::network::{Discipline, Interrupted, Overflow, Routing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

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

impl NodeShape {
    /// Returns `true` if the node gives a service law of every class.
    pub(super) const fn has_law(&self) -> bool {
        self.mean.is_some() || self.rate.is_some() || self.service.is_some()
    }

    /// Makes the paths of files relative to `folder`.
    pub(super) fn move_to(&mut self, folder: &Path) {
        let of_classes = self.class.values_mut().flat_map(|at| [&mut at.service, &mut at.patience, &mut at.switch]);
        let of_node = [&mut self.service, &mut self.patience, &mut self.retry];
        let of_node = of_node.into_iter().filter_map(|law| law.as_deref_mut());
        let breakdowns = self.breakdowns.iter_mut().flat_map(|of| [&mut of.up, &mut of.down]);
        let switch = self.polling.iter_mut().filter_map(|of| of.switch.as_mut());
        of_classes.flatten().chain(of_node).chain(breakdowns).chain(switch).for_each(|law| law.move_to(folder));
    }
}

impl AtNode {
    /// Returns `true` if the class has a service law of its own.
    pub(super) const fn has_law(&self) -> bool {
        self.mean.is_some() || self.rate.is_some() || self.service.is_some()
    }
}
