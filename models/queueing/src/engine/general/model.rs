//! Description of an ensemble of scenarios, from which a device sets up its rows.

use super::layout::{Block, Layout};
use crate::engine::EngineError;
use crate::engine::limits::MAX_LANES;
use crate::engine::placement::Placement;
use crate::engine::reach::{Reaches, index};
use crate::kernels::general::beginning::{Crowd, Replica, Site};
use crate::kernels::general::facility::{BY_CHANCE, IN_TURN, IN_TURN_OF_ENDS, NO_LAW, Route, Visit};
use crate::kernels::general::line::{FIFO, LIFO, PRIORITY, RANDOM};
use crate::kernels::law::{LawRow, Quantile};
use crate::kernels::law_rows;
use crate::kernels::relaxation::{Far, Reach};
use crate::network::{Beyond, Discipline, Network, Role, Routing};
use crate::scenario::Scenario;

/// Returns the number of lanes, if a row can have so many.
pub(super) fn lanes(needed: u64) -> Result<u32, EngineError> {
    match u32::try_from(needed) {
        Ok(lanes) if needed <= MAX_LANES => Ok(lanes),
        _ => Err(EngineError::LineTooLong { lanes: needed }),
    }
}

/// Function that gives the initial number of places of a line. Its arguments are the tokens of the node at the start,
/// the number of its in-neighbours, and the tokens of the whole network, if it is closed.
pub(super) type FirstPlaces = fn(u64, u64, Option<u64>) -> u64;

/// Description of an ensemble: every distinct network once, and a row for each scenario.
#[derive(Default)]
pub(super) struct Ensemble {
    /// Nodes of the distinct networks, in the order of rows.
    pub(super) sites: Vec<Site>,
    pub(super) visits: Vec<Visit>,
    pub(super) routes: Vec<Route>,
    pub(super) laws: Vec<LawRow>,
    pub(super) quantiles: Vec<Quantile>,
    /// In-neighbours outside the groups, network after network, for scenarios that begin in row 0.
    pub(super) fars: Vec<Far>,
    pub(super) replicas: Vec<Replica>,
    /// Tokens at time 0, scenario after scenario.
    pub(super) crowds: Vec<Crowd>,
    /// Number of in-neighbours outside the groups of all scenarios.
    pub(super) all_fars: usize,
    /// Number of classes at all nodes of all scenarios.
    pub(super) all_counts: usize,
    pub(super) room: Room,
}

/// Numbers of lanes and of in-neighbours, by row; zero for rows without a node.
#[derive(Default)]
pub(super) struct Room {
    pub(super) lines: Vec<u32>,
    pub(super) servers: Vec<u32>,
    pub(super) departures: Vec<u32>,
    pub(super) in_neighbours: Vec<u32>,
}

/// Checks that this engine can simulate a scenario.
pub(super) fn check(scenario: &Scenario<'_>) -> Result<(), EngineError> {
    let network = scenario.network();
    match network.beyond_exact() {
        Some(Beyond { node, what }) => Err(EngineError::Beyond { label: network.label(node), what }),
        None => EngineError::too_many_servers(network).map_or(Ok(()), Err),
    }
}

/// Distinct network of an ensemble, which has been described.
#[derive(Clone, Copy)]
struct Kind<'s> {
    network: &'s Network,
    first_site: usize,
    first_far: usize,
    /// Number of in-neighbours outside the groups.
    fars: usize,
    /// Scenario that was laid out last, and its first row: the next one may have the same tokens.
    last: Option<(usize, usize)>,
}

impl Ensemble {
    /// Describes scenarios in the order of a layout.
    pub(super) fn of(scenarios: &[Scenario<'_>], layout: &Layout, places: FirstPlaces) -> Result<Self, EngineError> {
        let mut ensemble = Self::default();
        let (mut kinds, mut samplers): (Vec<Option<Kind<'_>>>, _) = (vec![None; layout.placements().len()], vec![]);
        for (number, (scenario, block)) in scenarios.iter().zip(layout.blocks()).enumerate() {
            let Some((kind, placement)) =
                kinds.get_mut(block.kind as usize).zip(layout.placements().get(block.kind as usize))
            else {
                continue;
            };
            let network = scenario.network();
            let kind = match kind {
                Some(kind) => kind,
                None => {
                    let first_law = index(samplers.len(), "laws")?;
                    samplers.extend_from_slice(network.samplers());
                    kind.insert(ensemble.describe(network, placement, first_law)?)
                }
            };
            ensemble.add(scenario, *block, kind)?;
            let before = kind.last.and_then(|(other, first)| Some((scenarios.get(other)?, first)));
            ensemble.room.add(scenario, (*block, placement), before, places, &ensemble.sites[kind.first_site..])?;
            kind.last = Some((number, block.first as usize));
        }
        (ensemble.laws, ensemble.quantiles) = law_rows(&samplers).ok_or(EngineError::TooLarge { what: "laws" })?;
        Ok(ensemble)
    }

    /// Adds a network, its nodes in the order of a placement.
    fn describe<'s>(
        &mut self,
        network: &'s Network,
        placement: &Placement,
        first_law: u32,
    ) -> Result<Kind<'s>, EngineError> {
        let (first_site, first_far) = (self.sites.len(), self.fars.len());
        let mut reaches = Reaches::default();
        for place in 0..network.len() as u32 {
            let node = placement.node(place);
            let first_visit = index(self.visits.len(), "classes at nodes")?;
            self.add_visits(network, node, placement, first_law)?;
            reaches.push(network.in_neighbours(node).iter().map(|&from| placement.row(from)))?;
            let reach = reaches.reaches.last().copied().unwrap_or(Reach { places: 0, near: 0, first_far: 0, far: 0 });
            self.sites.push(site(network, node, first_visit, reach));
        }
        self.fars.extend(reaches.fars);
        Ok(Kind { network, first_site, first_far, fars: self.fars.len() - first_far, last: None })
    }

    /// Adds the visits of every class at a node, and their routes.
    fn add_visits(
        &mut self,
        network: &Network,
        node: u32,
        placement: &Placement,
        first_law: u32,
    ) -> Result<(), EngineError> {
        for class in 0..network.classes() as u32 {
            let routes = network.routes(node, class);
            self.visits.push(Visit {
                law: network.service(node, class).map_or(NO_LAW, |law| first_law + law),
                priority: network.priority(node, class),
                first_route: index(self.routes.len(), "routes")?,
                routes: routes.len() as u32,
                alike: u32::from(routes.are_equal()),
                list: network.route_list(node, class),
            });
            self.routes.extend(routes.iter().map(|route| Route {
                to: route.to.map_or(0, |to| placement.row(to) + 1),
                class: route.class,
                threshold: route.threshold.unwrap_or(0),
            }));
        }
        Ok(())
    }

    /// Adds a scenario, whose network has been described.
    fn add(&mut self, scenario: &Scenario<'_>, block: Block, kind: &Kind<'_>) -> Result<(), EngineError> {
        self.replicas.push(Replica {
            first_row: block.first,
            nodes: block.nodes,
            first_site: index(kind.first_site, "nodes")?,
            first_far: index(self.all_fars, "edges between groups")?,
            first_far_of_network: index(kind.first_far, "edges between groups")?,
            first_crowd: index(self.crowds.len(), "classes at nodes")?,
            first_count: index(self.all_counts, "classes at nodes")?,
            key: scenario.key().number(),
            counted_from: scenario.counted_from().unwrap_or(u64::MAX),
        });
        self.crowds.extend(scenario.tokens().iter().map(|&tokens| Crowd { tokens }));
        self.all_fars += kind.fars;
        self.all_counts += kind.network.len() * kind.network.classes();
        Ok(())
    }
}

/// Describes a node whose in-neighbours are `reach`.
fn site(network: &Network, node: u32, first_visit: u32, reach: Reach) -> Site {
    let (servers, discipline, capacity) = match network.role(node) {
        Role::Source => (0, FIFO, u32::MAX),
        Role::Station(station) => {
            let discipline = match station.discipline {
                Discipline::Fifo => FIFO,
                Discipline::Lifo => LIFO,
                Discipline::Random => RANDOM,
                Discipline::Priority => PRIORITY,
                // Networks with other disciplines were refused.
                _ => FIFO,
            };
            (station.servers, discipline, station.capacity.unwrap_or(u32::MAX))
        }
    };
    let Reach { places, near, first_far, far } = reach;
    Site {
        servers,
        discipline,
        capacity,
        routing: match network.routing(node) {
            Routing::Random => BY_CHANCE,
            Routing::RoundRobin if servers > 1 => IN_TURN_OF_ENDS,
            // Networks with other rules were refused.
            _ => IN_TURN,
        },
        classes: network.classes() as u32,
        emits: network.source_class(node).unwrap_or(0),
        first_visit,
        number: node,
        places,
        near,
        first_far,
        far,
    }
}

impl Room {
    /// Adds the rows of a scenario, whose `sites` come first. They may equal those of a scenario `before` with the same
    /// network, which begin at a known row.
    fn add(
        &mut self,
        scenario: &Scenario<'_>,
        (block, placement): (Block, &Placement),
        before: Option<(&Scenario<'_>, usize)>,
        places: FirstPlaces,
        sites: &[Site],
    ) -> Result<(), EngineError> {
        let (first, nodes) = (block.first as usize, block.nodes as usize);
        self.all().into_iter().for_each(|rows| rows.resize(first, 0));
        if let Some((other, row)) = before {
            let end = if other.tokens() == scenario.tokens() { 4 } else { 3 };
            self.all().into_iter().take(end).for_each(|rows| rows.extend_from_within(row..row + nodes));
            if end == 4 {
                return Ok(());
            }
        } else {
            for site in sites.iter().take(nodes) {
                self.servers.push(lanes(u64::from(site.servers.max(1)))?);
                self.departures.push(lanes(u64::from(turns(site)))?);
                self.in_neighbours.push(site.near + site.far);
            }
        }
        let all_tokens = all_tokens(scenario);
        for (place, site) in (0..block.nodes).zip(sites) {
            let classes = 0..site.classes;
            let node = placement.node(place);
            let tokens = classes.map(|class| u64::from(scenario.tokens_of(node, class))).sum();
            let least = places(tokens, u64::from(site.near + site.far), all_tokens);
            self.lines.push(lanes(least.max(tokens).max(u64::from(site.servers == 0)))?);
        }
        Ok(())
    }

    /// Returns all lists; that of lines, which depends on tokens, comes last.
    fn all(&mut self) -> [&mut Vec<u32>; 4] {
        [&mut self.servers, &mut self.departures, &mut self.in_neighbours, &mut self.lines]
    }
}

/// Returns the number of lanes that the turns of a node need.
fn turns(site: &Site) -> u32 {
    match site.routing {
        BY_CHANCE => 0,
        IN_TURN => site.classes,
        _ => site.classes.max(site.servers),
    }
}

/// Returns the number of tokens of a closed network.
fn all_tokens(scenario: &Scenario<'_>) -> Option<u64> {
    let tokens = || scenario.tokens().iter().map(|&tokens| u64::from(tokens)).sum();
    (!scenario.network().has_sources()).then(tokens)
}
