//! Construction of a network, piece by piece.

use super::behaviour::{Arrivals, Behaviour, Replay};
use super::conditions::When;
use super::node::{Role, Station};
use super::region::Region;
use super::resources::Resource;
use super::routing::Routing;
use crate::law::{Law, tick_of};
use imminent_common::time::Tick;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Builder of a network: classes, nodes, their properties, and the routes between them.
///
/// ```
/// use imminent_queueing::{Builder, Law, Station};
///
/// # fn main() -> Result<(), imminent_queueing::NetworkError> {
/// let mut shop = Builder::new();
/// let customer = shop.class("customer");
/// let door = shop.source("door", customer, Law::Exponential { mean: 2.0 });
/// let till = shop.station("till", Station::with_servers(3));
/// shop.serve(till, customer, Law::LogNormal { mean: 5.0, cv: 0.5 });
/// shop.edge(door, till);
/// shop.exit(till);
/// let network = shop.build()?;
/// assert_eq!((network.len(), network.in_neighbours(till)), (2, [door].as_slice()));
/// # Ok(())
/// # }
/// ```
///
/// Classes and nodes are numbered from 0 in the order in which they are added. A network without added classes has one,
/// called `token`. Errors are reported only by [`build`](Self::build).
#[derive(Debug, Clone, Default)]
pub struct Builder {
    pub(super) classes: Vec<String>,
    pub(super) nodes: Vec<NodeDraft>,
    pub(super) services: Vec<Service>,
    pub(super) priorities: Vec<(u32, u32, u32)>,
    pub(super) tokens: Vec<(u32, u32, u32)>,
    pub(super) routes: Vec<RouteDraft>,
    /// Conditions by the number of the route.
    pub(super) conditions: BTreeMap<usize, Vec<When>>,
    pub(super) behaviours: BTreeMap<u32, Behaviour>,
    pub(super) regions: Vec<Region>,
    pub(super) resources: Vec<Resource>,
    /// Nodes that tokens only pass, in a tick.
    pub(super) passes: Vec<u32>,
    pub(super) grid: Option<(u32, u32)>,
    pub(super) tick: Tick,
}

#[derive(Debug, Clone)]
pub(super) struct NodeDraft {
    pub(super) label: String,
    pub(super) role: Role,
    pub(super) routing: Routing,
    pub(super) position: Option<(f64, f64)>,
    /// Class that a source emits; `None` for a station.
    pub(super) emits: Option<u32>,
}

#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) node: u32,
    /// Class that is served; `None` for every class.
    pub(super) class: Option<u32>,
    pub(super) law: Law,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RouteDraft {
    pub(super) from: u32,
    /// Class that takes the route; `None` for every class, which then keeps it.
    pub(super) class: Option<u32>,
    pub(super) onward: Onward,
}

/// Destination of a route, with its probability and the new class of the token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Onward {
    /// Destination node; `None` leaves the network.
    pub to: Option<u32>,
    /// New class of the token; `None` keeps its class.
    pub class: Option<u32>,
    /// Probability of the route; `None` at all routes of a node and class makes them equally likely.
    pub probability: Option<f64>,
}

impl Onward {
    /// Creates a route to a node, one of equally likely routes, which keeps the class.
    #[must_use]
    pub const fn to(node: u32) -> Self {
        Self { to: Some(node), class: None, probability: None }
    }

    /// Creates a route out of the network, one of equally likely routes.
    #[must_use]
    pub const fn out() -> Self {
        Self { to: None, class: None, probability: None }
    }

    /// Returns the route with a probability.
    #[must_use]
    pub const fn with(self, probability: f64) -> Self {
        Self { probability: Some(probability), ..self }
    }

    /// Returns the route with a new class for the token.
    #[must_use]
    pub const fn becoming(self, class: u32) -> Self {
        Self { class: Some(class), ..self }
    }
}

impl Builder {
    /// Creates an empty network.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class of tokens and returns its number.
    pub fn class(&mut self, name: impl Into<String>) -> u32 {
        self.classes.push(name.into());
        self.classes.len() as u32 - 1
    }

    /// Adds a node that serves tokens and returns its number.
    pub fn station(&mut self, label: impl Into<String>, station: Station) -> u32 {
        self.node(label.into(), Role::Station(station), None)
    }

    /// Adds a node that emits tokens of `class`, and returns its number. The first token comes after the first
    /// inter-arrival time.
    pub fn source(&mut self, label: impl Into<String>, class: u32, interarrival: Law) -> u32 {
        let node = self.node(label.into(), Role::Source, Some(class));
        self.serve(node, class, interarrival);
        node
    }

    /// Adds a node that emits the tokens of a table, of any classes, and returns its number.
    pub fn replay(&mut self, label: impl Into<String>, replay: Replay) -> u32 {
        let node = self.source_of(label.into(), &replay);
        self.behave_by(node, replay);
        node
    }

    /// Adds the source of a table, without its tokens.
    pub(crate) fn source_of(&mut self, label: String, replay: &Replay) -> u32 {
        let classes = replay.classes();
        let node = self.node(label, Role::Source, classes.first().copied());
        for class in classes {
            self.serve(node, class, Law::Exponential { mean: replay.mean_time_between(class) });
        }
        node
    }

    /// Gives a source the tokens of a table.
    pub(crate) fn behave_by(&mut self, source: u32, replay: Replay) {
        let arrivals = Arrivals { replay: Some(Arc::new(replay)), ..Arrivals::default() };
        self.behave(source, Behaviour { arrivals, ..Behaviour::default() });
    }

    fn node(&mut self, label: String, role: Role, emits: Option<u32>) -> u32 {
        self.nodes.push(NodeDraft { label, role, routing: Routing::Random, position: None, emits });
        self.nodes.len() as u32 - 1
    }

    /// Sets the service law of a class at a node.
    pub fn serve(&mut self, node: u32, class: u32, law: Law) -> &mut Self {
        self.services.push(Service { node, class: Some(class), law });
        self
    }

    /// Sets the service law at a node for every class without a law of its own.
    pub fn serve_all(&mut self, node: u32, law: Law) -> &mut Self {
        self.services.push(Service { node, class: None, law });
        self
    }

    /// Sets the priority of a class at a node, 0 by default. The lowest number is served first if the discipline is by
    /// priority.
    pub fn priority(&mut self, node: u32, class: u32, priority: u32) -> &mut Self {
        self.priorities.push((node, class, priority));
        self
    }

    /// Sets the number of tokens of a class at a node at time 0.
    pub fn tokens(&mut self, node: u32, class: u32, tokens: u32) -> &mut Self {
        self.tokens.push((node, class, tokens));
        self
    }

    /// Sets the rule by which a node chooses among its routes.
    pub fn routing(&mut self, node: u32, routing: Routing) -> &mut Self {
        if let Some(draft) = self.nodes.get_mut(node as usize) {
            draft.routing = routing;
        }
        self
    }

    /// Sets the behaviour of a node that is more than servers, a line and routes by chance. Only the
    /// [engine of the host](crate::host) carries it out.
    pub fn behave(&mut self, node: u32, behaviour: Behaviour) -> &mut Self {
        self.behaviours.insert(node, behaviour);
        self
    }

    /// Adds a node that tokens pass in one tick: a place for forks, joins and choices of a route.
    pub fn pass(&mut self, label: impl Into<String>) -> u32 {
        let node = self.station(label, Station::with_servers(Station::INFINITE));
        self.passes.push(node);
        node
    }

    /// Limits the number of tokens at several nodes together.
    pub fn region(&mut self, region: Region) -> &mut Self {
        self.regions.push(region);
        self
    }

    /// Adds a resource and returns its number, by which [`Behaviour::seize`] and [`Behaviour::release`] name it.
    pub fn resource(&mut self, name: impl Into<String>, units: u32) -> u32 {
        self.resources.push(Resource { name: name.into(), units });
        self.resources.len() as u32 - 1
    }

    /// Sets the position of a node on a map.
    pub fn position(&mut self, node: u32, x: f64, y: f64) -> &mut Self {
        if let Some(draft) = self.nodes.get_mut(node as usize) {
            draft.position = Some((x, y));
        }
        self
    }

    /// Declares that the nodes are the cells of a grid, row by row. Reports and the placement on a device use this.
    pub fn on_grid(&mut self, width: u32, height: u32) -> &mut Self {
        self.grid = Some((width, height));
        self
    }

    /// Sets the length of a tick, 2^-20 time units by default. It is the unit of horizons and other times of a run.
    pub fn tick(&mut self, tick: Tick) -> &mut Self {
        self.tick = tick;
        self
    }

    /// Sets the tick that [represents](tick_of) the laws given so far well. [`Network::tick`](super::Network::tick)
    /// returns it.
    pub fn fit_tick(&mut self) -> &mut Self {
        let of_behaviours: Vec<_> = self.behaviours.values().flat_map(Behaviour::laws).collect();
        self.tick(tick_of(self.services.iter().map(|service| &service.law).chain(of_behaviours)))
    }

    /// Adds a route for tokens of a class; routes keep their order, and copies count twice.
    pub fn route(&mut self, from: u32, class: u32, onward: Onward) -> &mut Self {
        self.routes.push(RouteDraft { from, class: Some(class), onward });
        self
    }

    /// Adds a route for tokens of every class.
    pub fn route_all(&mut self, from: u32, onward: Onward) -> &mut Self {
        self.routes.push(RouteDraft { from, class: None, onward });
        self
    }

    /// Makes the weight of the route that was added last depend on numbers of tokens. The probabilities of all routes
    /// of its node and class are weights then, 1 where none is given, which need not add up to 1.
    pub fn when(&mut self, conditions: Vec<When>) -> &mut Self {
        if let Some(last) = self.routes.len().checked_sub(1).filter(|_| !conditions.is_empty()) {
            self.conditions.insert(last, conditions);
        }
        self
    }

    /// Adds a route for tokens of every class, one of equally likely routes.
    pub fn edge(&mut self, from: u32, to: u32) -> &mut Self {
        self.route_all(from, Onward::to(to))
    }

    /// Adds a route out of the network for tokens of every class, one of equally likely routes.
    pub fn exit(&mut self, from: u32) -> &mut Self {
        self.route_all(from, Onward::out())
    }
}
