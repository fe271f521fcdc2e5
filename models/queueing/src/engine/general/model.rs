//! Rows of an ensemble of scenarios.

use super::layout::{Home, Layout};
use crate::engine::EngineError;
use crate::engine::limits::MAX_LANES;
use crate::engine::reach::{Reaches, index};
use crate::kernels::general::departures::Departures;
use crate::kernels::general::facility::{BY_CHANCE, Facility, IN_TURN, IN_TURN_OF_ENDS, NO_LAW, Route, Visit};
use crate::kernels::general::line::{FIFO, LIFO, Line, PRIORITY, RANDOM, Token};
use crate::kernels::general::servers::{Servers, Service};
use crate::kernels::law::{LawRow, Quantile};
use crate::kernels::law_rows;
use crate::kernels::relaxation::{Far, Lookahead, Reach};
use crate::law::Sampler;
use crate::network::{Discipline, Network, Role, Routing};
use crate::scenario::Scenario;
use imminent_core::random::Pcg32;
use imminent_core::{Data, Lanes, Row};
use std::collections::HashMap;

/// Returns the number of lanes, if a row can have so many.
pub(super) fn lanes(needed: u64) -> Result<u32, EngineError> {
    match u32::try_from(needed) {
        Ok(lanes) if needed <= MAX_LANES => Ok(lanes),
        _ => Err(EngineError::LineTooLong { lanes: needed }),
    }
}

/// Rows of a node at time 0.
#[derive(Clone)]
pub(super) struct NodeRows {
    pub(super) facility: Facility,
    pub(super) lookahead: Lookahead,
    pub(super) line: Line,
    pub(super) servers: Servers,
    pub(super) departures: Departures,
}

/// Function that gives the initial number of places of a line. Its arguments are the tokens of the node at the start,
/// the number of its in-neighbours, and the tokens of the whole network, if it is closed.
pub(super) type FirstPlaces = fn(u64, u64, Option<u64>) -> u64;

/// Tables to which rows refer; common to all rows and never changed.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) visits: Vec<Visit>,
    pub(super) routes: Vec<Route>,
    pub(super) laws: Vec<LawRow>,
    pub(super) quantiles: Vec<Quantile>,
    /// In-neighbours, row by row.
    pub(super) reaches: Vec<Reach>,
    pub(super) fars: Vec<Far>,
}

/// Checks that this engine can simulate a scenario.
pub(super) fn check(scenario: &Scenario<'_>) -> Result<(), EngineError> {
    let network = scenario.network();
    match network.blocking_node() {
        Some(node) => Err(EngineError::Blocking { label: network.label(node) }),
        None => EngineError::too_many_servers(network).map_or(Ok(()), Err),
    }
}

/// Returns the number of tokens of a closed network.
fn all_tokens(scenario: &Scenario<'_>) -> Option<u64> {
    let tokens = || scenario.tokens().iter().map(|&tokens| u64::from(tokens)).sum();
    (!scenario.network().has_sources()).then(tokens)
}

/// Returns the samplers of an ensemble, and the start of those of each scenario. A network that occurs several times
/// has its samplers once.
fn samplers(scenarios: &[Scenario<'_>]) -> (Vec<Sampler>, Vec<u32>) {
    let mut all = Vec::new();
    let mut known: HashMap<*const Network, u32> = HashMap::new();
    let first = scenarios.iter().map(|scenario| {
        *known.entry(std::ptr::from_ref(scenario.network())).or_insert_with(|| {
            let first = all.len() as u32;
            all.extend_from_slice(scenario.network().samplers());
            first
        })
    });
    let first = first.collect();
    (all, first)
}

/// Builds the rows of scenarios in the order of a layout.
pub(super) fn rows(
    scenarios: &[Scenario<'_>],
    layout: &Layout,
    places: FirstPlaces,
) -> Result<(Vec<NodeRows>, Shared), EngineError> {
    let (samplers, first_law) = samplers(scenarios);
    let mut shared = Shared::default();
    (shared.laws, shared.quantiles) = law_rows(&samplers).ok_or(EngineError::TooLarge { what: "laws" })?;
    let all_tokens: Vec<Option<u64>> = scenarios.iter().map(all_tokens).collect();
    let mut reaches = Reaches::default();
    let mut rows = Vec::with_capacity(layout.homes().len());
    for home in layout.homes() {
        let row = home.and_then(|home| Some((home, scenarios.get(home.network as usize)?)));
        let Some((home, scenario)) = row else {
            reaches.push(std::iter::empty())?;
            rows.push(idle());
            continue;
        };
        let first_law = first_law.get(home.network as usize).copied().unwrap_or(0);
        let all_tokens = all_tokens.get(home.network as usize).copied().flatten();
        let maker = Maker { scenario, home, layout, first_law, all_tokens };
        let first_visit = index(shared.visits.len(), "classes at nodes")?;
        maker.visits(&mut shared)?;
        let in_neighbours = scenario.network().in_neighbours(home.node);
        reaches.push(in_neighbours.iter().map(|&from| layout.row(home.network, from)))?;
        rows.push(maker.node(first_visit, places)?);
    }
    (shared.reaches, shared.fars) = (reaches.reaches, reaches.fars);
    Ok((rows, shared))
}

/// Returns the rows without a node: nothing ever comes or starts.
fn idle() -> NodeRows {
    NodeRows {
        facility: <Facility as Row>::zeroed(0),
        lookahead: Lookahead { free: 0, ahead: u64::MAX },
        line: Line { next: u64::MAX, ..Line::zeroed(0) },
        servers: Servers::zeroed(0),
        departures: Departures { next: u64::MAX, ..Departures::zeroed(0) },
    }
}

struct Maker<'a> {
    scenario: &'a Scenario<'a>,
    home: Home,
    layout: &'a Layout,
    first_law: u32,
    /// Number of tokens of a closed network.
    all_tokens: Option<u64>,
}

impl Maker<'_> {
    /// Builds the visits of every class at this node, and their routes.
    fn visits(&self, shared: &mut Shared) -> Result<(), EngineError> {
        let network = self.scenario.network();
        for class in 0..network.classes() as u32 {
            let routes = network.routes(self.home.node, class);
            shared.visits.push(Visit {
                law: network.service(self.home.node, class).map_or(NO_LAW, |law| self.first_law + law),
                priority: network.priority(self.home.node, class),
                first_route: index(shared.routes.len(), "routes")?,
                routes: routes.len() as u32,
                alike: u32::from(routes.are_equal()),
                list: network.route_list(self.home.node, class),
            });
            shared.routes.extend(routes.iter().map(|route| Route {
                to: route.to.map_or(0, |to| self.layout.row(self.home.network, to) + 1),
                class: route.class,
                threshold: route.threshold.unwrap_or(0),
            }));
        }
        Ok(())
    }

    fn node(&self, first_visit: u32, places: FirstPlaces) -> Result<NodeRows, EngineError> {
        let (network, node) = (self.scenario.network(), self.home.node);
        let (servers, discipline, capacity) = match network.role(node) {
            Role::Source => (0, FIFO, u32::MAX),
            Role::Station(station) => {
                let discipline = match station.discipline {
                    Discipline::Fifo => FIFO,
                    Discipline::Lifo => LIFO,
                    Discipline::Random => RANDOM,
                    Discipline::Priority => PRIORITY,
                };
                (station.servers, discipline, station.capacity.unwrap_or(u32::MAX))
            }
        };
        let generator = |seed: imminent_common::streams::Seed| Pcg32::new(seed.state, seed.stream);
        let rng = generator(self.scenario.key().node(node));
        let facility = Facility {
            servers,
            discipline,
            capacity,
            routing: match network.routing(node) {
                Routing::Random => BY_CHANCE,
                Routing::RoundRobin if servers > 1 => IN_TURN_OF_ENDS,
                Routing::RoundRobin => IN_TURN,
            },
            classes: network.classes() as u32,
            emits: network.source_class(node).unwrap_or(0),
            first_visit,
            number: node,
            network: self.home.network,
            counted_from: self.scenario.counted_from().unwrap_or(u64::MAX),
            rng,
            choice: generator(self.scenario.key().choice(node)),
            ..<Facility as Row>::zeroed(0)
        };
        let departures = departures(&facility)?;
        let servers = self.servers(servers.max(1), rng)?;
        let ahead = servers.coming.as_slice().iter().take(facility.servers.max(1) as usize).min();
        let lookahead = Lookahead { free: 0, ahead: ahead.copied().unwrap_or(u64::MAX) };
        let arrivals = network.in_neighbours(node).len() as u64;
        let line = self.line(facility.servers == 0, |tokens| places(tokens, arrivals, self.all_tokens))?;
        Ok(NodeRows { facility, lookahead, line, servers, departures })
    }

    /// Builds the servers, idle, and the shortest durations of the first services.
    fn servers(&self, count: u32, rng: Pcg32) -> Result<Servers, EngineError> {
        let network = self.scenario.network();
        let laws: Vec<&Sampler> = (0..network.classes() as u32)
            .filter_map(|class| network.samplers().get(network.service(self.home.node, class)? as usize))
            .collect();
        let capacity = lanes(u64::from(count))? as usize;
        let mut scout = rng;
        let mut coming = Vec::with_capacity(capacity);
        for _ in 0..count {
            let word = scout.next_u32();
            // The next word is for a route.
            scout.next_u32();
            coming.push(laws.iter().map(|law| law.draw(word)).min().unwrap_or(u64::MAX));
        }
        Ok(Servers {
            busy: 0,
            turn: 0,
            scout: scout.state,
            services: Lanes::from(vec![Service::zeroed(); capacity]),
            coming: Lanes::from(coming),
        })
    }

    /// Builds the line, in which the tokens of the start are expected at time 0, class after class. A source has one
    /// token that always waits.
    fn line(&self, source: bool, places: impl Fn(u64) -> u64) -> Result<Line, EngineError> {
        let (scenario, node) = (self.scenario, self.home.node);
        let classes = 0..scenario.network().classes() as u32;
        let tokens = classes.flat_map(|class| (0..scenario.tokens_of(node, class)).map(move |_| class));
        // With equal times, tokens in the order of their numbers form a heap.
        let mut inbox: Vec<Token> =
            (0..).zip(tokens).map(|(number, class)| Token { time: 0, number, from: 0, class }).collect();
        let expected = inbox.len() as u64;
        let capacity = lanes(places(expected).max(expected).max(u64::from(source)))?;
        inbox.resize(capacity as usize, Token::zeroed());
        Ok(Line {
            next: if expected > 0 { 0 } else { u64::MAX },
            expected: expected as u32,
            waiting: u32::from(source),
            inbox: Lanes::from(inbox),
            ..Line::zeroed(capacity)
        })
    }
}

/// Builds the turns of a node; each list starts with its first route.
fn departures(facility: &Facility) -> Result<Departures, EngineError> {
    let capacity = match facility.routing {
        BY_CHANCE => 0,
        IN_TURN => facility.classes,
        _ => facility.classes.max(facility.servers),
    };
    let capacity = lanes(u64::from(capacity))?;
    Ok(Departures { next: u64::MAX, ..Departures::zeroed(capacity) })
}
