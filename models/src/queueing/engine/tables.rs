//! A scenario as tables on a device, and back as an outcome.

use super::EngineError;
use super::placement::Placement;
use crate::queueing::kernels::station::{Run, Source, Station, Target};
use crate::queueing::network::{Network, Simple};
use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines, add_waiting};
use crate::queueing::scenario::Scenario;
use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};
use imminent_core::{Condition, Device, Lanes, Row, Table, TallyTable};

/// The most places that a line can have: a device's table grows by as many columns.
const MAX_LANES: u64 = 1 << 20;

/// The in-neighbours of all nodes by number, as the stations' rows name them.
pub(super) fn sources(device: &Device, network: &Network) -> Result<Table<Source>, EngineError> {
    let nodes = (0..network.len() as u32).flat_map(|node| network.in_neighbours(node));
    Ok(Table::from_rows(device, &nodes.map(|&node| Source { node }).collect::<Vec<_>>())?)
}

/// The tables that all engines share.
pub(super) struct Tables {
    pub(super) stations: Table<Station>,
    pub(super) targets: Table<Target>,
    /// One slot: the places that the fullest line may need by the end of the next step.
    pub(super) fullest: TallyTable<u32>,
    pub(super) run: Run,
    /// Which node is which row.
    placement: Placement,
}

impl Tables {
    /// Puts a scenario on a device, node after node. Lines get room for `newcomers` tokens more than they hold.
    pub(super) fn new(
        device: &Device,
        scenario: &Scenario<'_>,
        interval: u64,
        newcomers: u64,
    ) -> Result<Self, EngineError> {
        Self::placed(device, scenario, interval, newcomers, Placement::by_number(scenario.network().len()))
    }

    /// The same with the nodes in the rows of a placement. Rows stand for nodes in the list of targets too.
    pub(super) fn placed(
        device: &Device,
        scenario: &Scenario<'_>,
        interval: u64,
        newcomers: u64,
        placement: Placement,
    ) -> Result<Self, EngineError> {
        let simple = scenario.simple().ok_or(EngineError::NotSimple)?;
        let most = u64::from(scenario.tokens().iter().copied().max().unwrap_or(0));
        let capacity = lanes((most + newcomers).max(8))?;
        let by_node: Vec<Station> = stations(scenario, simple, 0).collect();
        let mut targets = Vec::new();
        let mut rows = Vec::with_capacity(by_node.len());
        for &node in placement.nodes() {
            let Some(station) = by_node.get(node as usize) else { continue };
            rows.push(Station { first_target: targets.len() as u32, line: Lanes::zeroed(capacity), ..station.clone() });
            targets.extend(simple.out_edges(node).iter().map(|&to| Target { node: placement.row(to) }));
        }
        Ok(Tables {
            stations: Table::from_rows(device, &rows)?,
            targets: Table::from_rows(device, &targets)?,
            fullest: TallyTable::new(device, &[0])?,
            run: Run { horizon: scenario.horizon(), interval },
            placement,
        })
    }

    /// Holds when the next step might overflow a line.
    pub(super) fn too_full(&self) -> Condition {
        self.fullest.above(0, self.stations.capacity())
    }

    /// Makes room for as much as the fullest line may need, and as much again.
    pub(super) fn grow(&mut self) -> Result<(), EngineError> {
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        self.stations.grow(lanes(2 * u64::from(needed))?)?;
        Ok(())
    }

    /// The outcome, once no service can start any more; `in_flight` are tokens between two nodes: the row to which one goes, and when.
    pub(super) fn outcome(&self, in_flight: Vec<(u32, u64)>) -> Result<Outcome, EngineError> {
        let in_flight = in_flight.into_iter().map(|(row, time)| (self.placement.node(row), time)).collect();
        Ok(outcome(&self.placement.by_node(&self.stations.read()?), in_flight, self.run.horizon))
    }
}

fn lanes(needed: u64) -> Result<u32, EngineError> {
    match u32::try_from(needed) {
        Ok(lanes) if needed <= MAX_LANES => Ok(lanes),
        _ => Err(EngineError::LineTooLong { lanes: needed }),
    }
}

/// The rows of the stations at time 0, with `capacity` places in every line.
pub(super) fn stations<'s>(
    scenario: &'s Scenario<'_>,
    simple: Simple<'s>,
    capacity: u32,
) -> impl Iterator<Item = Station> + 's {
    let network = scenario.network();
    let starts = |starts: &[u32], node: u32| {
        let first = starts.get(node as usize).copied().unwrap_or(0);
        (first, starts.get(node as usize + 1).copied().unwrap_or(first) - first)
    };
    (0..).zip(scenario.tokens()).map(move |(node, &tokens)| {
        let mean = simple.mean_service(node);
        let seed = scenario.key().node(node);
        let mut rng = Pcg32::new(seed.state, seed.stream);
        let next_service = scaled_ticks(exponential_q27(rng.next_u32()), u64::from(mean));
        let (first_source, sources) = starts(network.in_start(), node);
        let (first_target, targets) = starts(simple.out_start(), node);
        Station {
            next_service,
            rng,
            mean,
            // Tokens at the start arrive at time 0: a line of zeros is in order.
            waiting: tokens,
            line: Lanes::zeroed(capacity),
            first_source,
            sources,
            first_target,
            targets,
            ..Station::zeroed(0)
        }
    })
}

/// The outcome from the stations' rows; `in_flight` are tokens between two nodes.
pub(super) fn outcome(rows: &[Station], in_flight: Vec<(u32, u64)>, horizon: u64) -> Outcome {
    let mut waiting = in_flight;
    for (node, station) in (0..).zip(rows) {
        let line = station.line.as_slice().iter().take(station.waiting as usize);
        waiting.extend(line.map(|&arrival| (node, arrival)));
    }
    let mut all: Vec<NodeStatistics> = rows.iter().map(|station| statistics(station, horizon)).collect();
    add_waiting(&mut all, &waiting, horizon);
    let states = rows.iter().map(|station| NodeState {
        free_at: station.free_at,
        next_service: station.next_service,
        rng_state: station.rng.state,
    });
    Outcome {
        horizon,
        states: states.collect(),
        statistics: all,
        waiting: WaitingLines::from_pairs(rows.len(), &waiting),
    }
}

fn statistics(station: &Station, horizon: u64) -> NodeStatistics {
    let sums = Sums { served: station.served, service: station.service_sum, waiting: station.waiting_sum };
    let mut node = sums.statistics();
    if station.free_at > horizon {
        let late = Late { arrival: station.late_arrival, start: station.late_start };
        late.take_from(&mut node, station.free_at, horizon);
    }
    node
}

/// What a station counts while it serves: times in ticks.
pub(super) struct Sums {
    /// Services started.
    pub(super) served: u64,
    /// Sum of departure minus start over them.
    pub(super) service: u64,
    /// Sum of start minus arrival over them.
    pub(super) waiting: u64,
}

impl Sums {
    /// The statistics of a station whose services all ended by the horizon.
    pub(super) fn statistics(&self) -> NodeStatistics {
        let whole = self.waiting + self.service;
        NodeStatistics {
            served: self.served,
            completed: self.served,
            busy: self.service,
            sojourn_sum: whole,
            waiting_sum: self.waiting,
            number_integral: whole,
            ..NodeStatistics::default()
        }
    }
}

/// A service that ends after the horizon: a node's last, if any.
pub(super) struct Late {
    /// When its token arrived.
    pub(super) arrival: u64,
    /// When it started.
    pub(super) start: u64,
}

impl Late {
    /// Takes from a node's statistics what this service adds to them beyond the horizon.
    pub(super) fn take_from(&self, node: &mut NodeStatistics, end: u64, horizon: u64) {
        let beyond = end - horizon;
        node.completed -= 1;
        node.busy -= beyond;
        node.number_integral -= beyond;
        node.sojourn_sum -= end - self.arrival;
        node.waiting_sum -= self.start - self.arrival;
    }
}
