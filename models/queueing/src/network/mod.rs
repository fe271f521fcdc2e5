//! Queueing networks: nodes, their properties, and the routes between them.
//!
//! A [`Network`] is checked when it is built and cannot be changed afterwards, so engines need not check again. It has
//! at least one node, and every route ends at a node or outside. Every node serves the classes that can come to it and
//! has a route for them. [`Builder`] builds any network, [`Network::from_edges`] and [`Network::torus`] closed ones of
//! single exponential servers.
//!
//! Properties that many nodes share are stored once. A torus of 2^26 nodes therefore needs little more memory than its
//! edges.

mod assemble;
mod balance;
mod behaviour;
mod beyond;
mod builder;
mod circulation;
mod column;
mod conditions;
mod edges;
mod error;
mod families;
mod fingerprint;
mod generate;
mod late;
mod laws;
mod limits;
mod lists;
mod node;
mod parts;
mod passes;
mod reach;
mod region;
mod resources;
mod rounding;
mod routes;
mod routing;
mod simple;
mod taken;
mod torus;
mod warnings;

pub use behaviour::{
    Arrivals, Behaviour, BehaviourError, Breakdowns, Bulk, Impatience, Interrupted, Join, Markovian, Polling, Replay,
    Replayed, Servers, Shifts, Visits,
};
pub(crate) use behaviour::{BulkInTicks, Conduct, PollingInTicks, Pool, RowInTicks, Timetable, UNIT};
pub use beyond::Beyond;
pub use builder::{Builder, Onward};
pub(crate) use conditions::Weights;
pub use conditions::When;
pub use error::NetworkError;
pub use generate::{Template, Topology};
pub use limits::{MAX_EDGES, MAX_NODES, MAX_TOKENS};
pub use node::{Discipline, Overflow, Role, Station};
pub use region::Region;
pub use resources::Resource;
pub use rounding::Rounding;
pub use routes::{Route, Routes};
pub use routing::{Choices, Routing};
pub use simple::Simple;
pub(crate) use taken::Taken;
pub use torus::TorusError;
pub use warnings::Warning;

use crate::law::{Law, Sampler};
use column::Column;
use imminent_common::parallel;
use imminent_common::time::Tick;
use limits::NO_LAW;
use lists::{Lists, group_slice, longest};
use node::Profile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Properties of a node of [`Network::from_edges`], without its edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Name of the node; `None` means its number.
    pub label: Option<String>,
    /// Mean service time in ticks, at least 1 ([`imminent_common::time::mean_service_ticks`] converts to the default
    /// tick).
    pub mean_service: u32,
    /// Number of tokens at the node at time 0.
    pub tokens: u32,
}

/// A queueing network.
///
/// Routes keep the order in which they were given: a random word chooses among them. Two routes between the same nodes
/// are two choices, which doubles the probability. A route from a node to itself sends the token to the end of the line
/// it came from.
///
/// ```
/// use imminent_queueing::{Network, Scenario, Start, sequential};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Sixteen servers on a torus, a mean service of 2^20 ticks, and one token at each server.
/// let torus = Network::torus(4, 4, 1 << 20, 1)?;
/// assert_eq!((torus.len(), torus.in_neighbours(0)), (16, [1, 3, 4, 12].as_slice()));
/// let scenario = Scenario::new(&torus, Start::One, 100 << 20, 7, 0)?; // horizon, seed, replication
/// let outcome = sequential::run(&scenario)?;
/// assert_eq!(outcome.statistics.len(), 16);
/// # Ok(())
/// # }
/// ```
///
/// [`Builder`] makes networks of other stations, classes and routes.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    nodes: usize,
    classes: Vec<String>,
    profiles: Vec<Profile>,
    /// Number of each node's profile.
    profile: Column,
    laws: Vec<Law>,
    samplers: Vec<Sampler>,
    /// Number of the law, by node and class.
    service: Column,
    /// Priority, by node and class.
    priority: Column,
    /// Number of tokens at time 0, by node and class.
    tokens: Column,
    /// Routes, by node and class.
    routes: routes::Table,
    /// Behaviour of the nodes that are not ordinary.
    behaviours: BTreeMap<u32, Behaviour>,
    /// Behaviour of these nodes, compiled to ticks.
    conducts: BTreeMap<u32, Arc<Conduct>>,
    /// Nodes that tokens only pass, in ascending order.
    passes: Vec<u32>,
    /// Weights of routes that depend on numbers of tokens, by node and class.
    weights: BTreeMap<(u32, u32), Weights>,
    regions: Vec<Region>,
    resources: Vec<Resource>,
    in_start: Vec<u32>,
    in_neighbours: Vec<u32>,
    labels: Vec<String>,
    positions: Vec<Option<(f64, f64)>>,
    /// Width and height of the grid whose cells the nodes are, row by row.
    grid: Option<(u32, u32)>,
    /// `true` if the nodes are equal servers, and the routes those of a torus on the grid.
    torus: bool,
    tick: Tick,
    simple: bool,
    /// Number of nodes of the source graph that were left out because they have no edges.
    left_out: u64,
    /// Nodes and classes whose probabilities of routes were scaled.
    scaled: Vec<routes::Scaled>,
}

impl Network {
    /// Returns the network with the number of nodes that were left out of its graph for want of edges.
    pub(crate) fn with_left_out(self, left_out: u64) -> Self {
        Self { left_out, ..self }
    }

    /// Returns the number of nodes, at least 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Returns `false`: a network always has a node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// Returns the number of classes of tokens, at least 1.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Returns the name of a class; its number if there is no such class.
    #[must_use]
    pub fn class_name(&self, class: u32) -> String {
        self.classes.get(class as usize).cloned().unwrap_or_else(|| class.to_string())
    }

    /// Returns the role of a node; that of the first node if the node does not exist.
    #[must_use]
    pub fn role(&self, node: u32) -> Role {
        self.profile(node).role
    }

    /// Returns the station at a node; `None` for a source.
    #[must_use]
    pub fn station(&self, node: u32) -> Option<Station> {
        match self.role(node) {
            Role::Station(station) => Some(station),
            Role::Source => None,
        }
    }

    /// Returns the behaviour of a node beyond servers, a line and routes by chance; `None` for an ordinary node.
    #[must_use]
    pub fn behaviour(&self, node: u32) -> Option<&Behaviour> {
        self.behaviours.get(&node)
    }

    /// Returns `true` if tokens only pass a node, in a tick.
    #[must_use]
    pub fn is_pass(&self, node: u32) -> bool {
        self.passes.binary_search(&node).is_ok()
    }

    /// Returns the regions of limited capacity.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Returns the first station where tokens are blocked instead of lost.
    #[must_use]
    pub fn blocking_node(&self) -> Option<u32> {
        let blocks = |role: Role| matches!(role, Role::Station(station) if station.overflow == Overflow::Block && station.capacity.is_some());
        if !self.profiles.iter().any(|profile| blocks(profile.role)) {
            return None;
        }
        (0..self.len() as u32).find(|&node| blocks(self.role(node)))
    }

    /// Returns the largest number of servers of a station, without a look at each node.
    pub(crate) fn most_servers(&self) -> u32 {
        let servers = |profile: &Profile| match profile.role {
            Role::Station(station) => station.servers,
            Role::Source => 0,
        };
        self.profiles.iter().map(servers).max().unwrap_or(0)
    }

    /// Returns the number of stations, and the number of their servers.
    pub(crate) fn stations_and_servers(&self) -> (u64, u64) {
        let servers =
            |station: Station| if station.servers == Station::INFINITE { 0 } else { u64::from(station.servers) };
        let of = |node: u32| self.station(node).map_or((0, 0), |station| (1, servers(station)));
        match self.profile {
            Column::All(_) => {
                let (stations, servers) = of(0);
                (stations * self.nodes as u64, servers * self.nodes as u64)
            }
            Column::Each(_) => (0..self.len() as u32).map(of).fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1)),
        }
    }

    /// Returns the mean over all nodes of their [mean service](Self::mean_service), in ticks.
    pub(crate) fn mean_service_of_all(&self) -> f64 {
        match self.service {
            Column::All(_) => f64::from(self.mean_service(0)),
            Column::Each(_) => {
                let means = (0..self.len() as u32).map(|node| f64::from(self.mean_service(node)));
                means.sum::<f64>() / self.len() as f64
            }
        }
    }

    /// Returns the rule by which a node chooses among its routes.
    #[must_use]
    pub fn routing(&self, node: u32) -> Routing {
        self.profile(node).routing
    }

    fn profile(&self, node: u32) -> Profile {
        let number = self.profile.get(node as usize) as usize;
        let default = Profile { role: Role::Station(Station::default()), routing: Routing::Random };
        self.profiles.get(number).copied().unwrap_or(default)
    }

    /// Returns the distinct laws of all nodes and classes.
    #[must_use]
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// Returns the length of a tick, the unit of the network's times.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Returns the [`laws`](Self::laws) compiled to ticks.
    #[must_use]
    pub fn samplers(&self) -> &[Sampler] {
        &self.samplers
    }

    /// Returns the number of the law by which a class is served at a node, or emitted by it; `None` for a class that
    /// never comes there.
    #[must_use]
    pub fn service(&self, node: u32, class: u32) -> Option<u32> {
        let index = self.pair(node, class)?;
        Some(self.service.get(index)).filter(|&law| law != NO_LAW)
    }

    /// Returns the class that a source emits, the first of those of a table; `None` for a station.
    #[must_use]
    pub fn source_class(&self, node: u32) -> Option<u32> {
        match self.role(node) {
            Role::Station(_) => None,
            Role::Source => (0..self.classes() as u32).find(|&class| self.service(node, class).is_some()),
        }
    }

    /// Returns the priority of a class at a node. The lowest number is served first if the discipline is by priority.
    #[must_use]
    pub fn priority(&self, node: u32, class: u32) -> u32 {
        self.pair(node, class).map_or(0, |index| self.priority.get(index))
    }

    /// Returns the classes that come to a node with their priorities, in the order of priority.
    #[must_use]
    pub fn priorities(&self, node: u32) -> Vec<(u32, u32)> {
        let come = (0..self.classes() as u32).filter(|&class| self.service(node, class).is_some());
        let mut priorities: Vec<_> = come.map(|class| (class, self.priority(node, class))).collect();
        priorities.sort_by_key(|(_, priority)| *priority);
        priorities
    }

    /// Returns the routes of a class at a node; none for a class that never comes there.
    #[must_use]
    pub fn routes(&self, node: u32, class: u32) -> Routes<'_> {
        self.routes.of(self.pair(node, class).unwrap_or(usize::MAX - 1), class)
    }

    /// Returns the number of the route list of a class at a node with round-robin routing. It is the first class that
    /// goes to the same nodes in the same order. Classes that share a list share its turns.
    #[must_use]
    pub fn route_list(&self, node: u32, class: u32) -> u32 {
        let to = self.routes(node, class).to;
        (0..class).find(|&other| self.routes(node, other).to == to).unwrap_or(class)
    }

    /// Returns the number of tokens of a class at a node at time 0.
    #[must_use]
    pub fn tokens(&self, node: u32, class: u32) -> u32 {
        self.pair(node, class).map_or(0, |index| self.tokens.get(index))
    }

    /// Returns the numbers of tokens at time 0, by node, and at a node by class.
    pub(crate) fn all_tokens(&self) -> Vec<u32> {
        parallel::map(self.nodes * self.classes.len(), |pair| self.tokens.get(pair))
    }

    /// Returns the index of a node and class in lists by node and class.
    fn pair(&self, node: u32, class: u32) -> Option<usize> {
        let inside = (node as usize) < self.nodes && (class as usize) < self.classes.len();
        inside.then(|| node as usize * self.classes.len() + class as usize)
    }

    /// Returns the nodes that can send tokens to `node`, each once, in ascending order.
    #[must_use]
    pub fn in_neighbours(&self, node: u32) -> &[u32] {
        group_slice(&self.in_start, &self.in_neighbours, node)
    }

    /// Returns the start of each node's in-neighbours in [`sources`](Self::sources), and one more entry for the end of
    /// the last.
    #[must_use]
    pub fn in_start(&self) -> &[u32] {
        &self.in_start
    }

    /// Returns all in-neighbour lists, one after the other.
    #[must_use]
    pub fn sources(&self) -> &[u32] {
        &self.in_neighbours
    }

    /// Returns the number of routes of all nodes and classes.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.routes.to.len()
    }

    /// Returns the mean service time at a node in whole ticks, as [`mean_ticks`](Self::mean_ticks); at most 2^32 - 1.
    #[must_use]
    pub fn mean_service(&self, node: u32) -> u32 {
        self.mean_ticks(node).round() as u32
    }

    /// Returns the mean service time at a node in ticks, averaged over the classes that come there. For a source it is
    /// the mean time between tokens.
    #[must_use]
    pub fn mean_ticks(&self, node: u32) -> f64 {
        let means = (0..self.classes() as u32).filter_map(|class| {
            let law = self.service(node, class)? as usize;
            self.samplers.get(law).map(Sampler::mean_ticks)
        });
        let (sum, count) = means.fold((0.0, 0.0), |(sum, count), mean| (sum + mean, count + 1.0));
        sum / f64::max(count, 1.0)
    }

    /// Returns `true` if tokens come from outside.
    #[must_use]
    pub fn has_sources(&self) -> bool {
        self.profiles.iter().any(|profile| profile.role == Role::Source)
    }

    /// Returns `true` if tokens can enter or leave the network.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.has_sources() || self.routes.to.contains(&routes::OUT)
    }

    /// Returns the number of tokens in the whole network at time 0.
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.tokens.sum(self.nodes * self.classes.len())
    }

    /// Returns the node's label, or its number if it has none or an empty one.
    #[must_use]
    pub fn label(&self, node: u32) -> String {
        self.labels.get(node as usize).filter(|label| !label.is_empty()).cloned().unwrap_or_else(|| node.to_string())
    }

    /// Returns the position of a node on a map, if known: longitude and latitude, or other plane coordinates.
    #[must_use]
    pub fn position(&self, node: u32) -> Option<(f64, f64)> {
        self.positions.get(node as usize).copied().flatten()
    }

    /// Returns width and height of the grid whose cells the nodes are, row by row; `None` if there is no such grid.
    #[must_use]
    pub fn grid(&self) -> Option<(u32, u32)> {
        self.grid
    }

    /// Returns the largest number of in-neighbours of any node.
    #[must_use]
    pub fn max_in_neighbours(&self) -> usize {
        longest(&self.in_start)
    }

    /// Returns the largest number of routes of any node and class.
    #[must_use]
    pub fn max_out_edges(&self) -> usize {
        longest(&self.routes.start)
    }

    fn find_in_neighbours(&self) -> Result<Lists, NetworkError> {
        let classes = self.classes() as u32;
        lists::in_neighbours(self.nodes, |from| (0..classes).flat_map(move |class| self.routes(from, class).targets()))
    }

    fn set_in_neighbours(&mut self, incoming: Lists) {
        (self.in_start, self.in_neighbours) = (incoming.start, incoming.values);
    }
}

#[cfg(test)]
mod tests;
