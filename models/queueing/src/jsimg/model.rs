//! Model of a file of JSIMgraph, as a queueing network.

use super::laws::Times;
use crate::law::Law;
use crate::network::{Discipline, Join, Overflow, Routing};

/// Model of a file of JSIMgraph, with names in place of numbers.
///
/// It has only what tokens can reach. Routers by chance, loggers and class switches, which tokens pass at once, are
/// part of the routes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Names of the classes that have tokens, in the order of the file.
    pub classes: Vec<String>,
    /// Sources: one for each class that a node of the file emits.
    pub sources: Vec<Source>,
    /// Stations.
    pub stations: Vec<Station>,
    /// Routes, those of a node and class one after the other.
    pub routes: Vec<Route>,
    /// Regions of several stations, and those outside of which tokens wait.
    pub regions: Vec<Region>,
    /// Names of stations that no token can reach, and which were left out.
    pub left_out: Vec<String>,
    /// Results that JSIMgraph stored in the file.
    pub results: Vec<super::StoredResult>,
}

/// Source of tokens of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Name of the node; followed by the class if the node emits several.
    pub name: String,
    /// Name of the class.
    pub class: String,
    /// Times between tokens.
    pub interarrival: Times,
    /// Rule by which it chooses among its routes.
    pub routing: Routing,
    /// Position on the screen.
    pub position: Option<[f64; 2]>,
    /// Line of the node in the file.
    pub line: u32,
}

/// A station.
#[derive(Debug, Clone, PartialEq)]
pub struct Station {
    /// Name of the node.
    pub name: String,
    /// Number of servers.
    pub servers: u32,
    /// Order in which waiting tokens are served.
    pub discipline: Discipline,
    /// Largest number of tokens waiting and in service.
    pub capacity: Option<u32>,
    /// Treatment of a token that finds the station full.
    pub overflow: Overflow,
    /// Properties that differ by class, for each class that comes here.
    pub classes: Vec<ClassThere>,
    /// `true` if tokens pass at once: a router by the state, a fork or a join.
    pub pass: bool,
    /// Number of parts of forked tokens that wait for one another here.
    pub join: Option<Join>,
    /// Law of the time after which a token that found no room comes again.
    pub retry: Option<Law>,
    /// Rule by which it chooses among its routes.
    pub routing: Routing,
    /// Position on the screen.
    pub position: Option<[f64; 2]>,
    /// Line of the node in the file.
    pub line: u32,
}

/// Properties of a class at a station.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassThere {
    /// Name of the class.
    pub class: String,
    /// Service law; `None` where tokens pass at once.
    pub service: Option<Law>,
    /// Priority: the lowest is served first. 0 where the discipline ignores it.
    pub priority: u32,
    /// Share in relation to other classes, where tokens share the servers.
    pub weight: u32,
    /// Law of the time after which a waiting token leaves the network; `None` if it waits for ever.
    pub patience: Option<Law>,
    /// Number of tokens at time 0.
    pub tokens: u32,
}

/// Stations that together have room for a limited number of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Names of the stations.
    pub stations: Vec<String>,
    /// Largest number of tokens at the stations together; [`crate::network::Region::UNLIMITED`] for no limit.
    pub capacity: u32,
    /// Names of classes with the largest number of their tokens at the stations.
    pub classes: Vec<(String, u32)>,
    /// Treatment of a token that finds no room: it is lost, or waits outside ([`Overflow::Block`]).
    pub overflow: Overflow,
}

/// A route.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Name of the source or station that it leaves.
    pub from: String,
    /// Name of the class that takes it.
    pub class: String,
    /// Name of the station to which it leads; `None` leaves the network.
    pub to: Option<String>,
    /// Name of the class from there on, where it changes.
    pub becomes: Option<String>,
    /// Probability; `None` at all routes of a node and class makes them equally likely.
    pub probability: Option<f64>,
}
