//! Rows of networks, and the grids of their cells.

use crate::delays::buckets;
use crate::kernels::motion::Terms;
use crate::kernels::node::{DATA, REQUEST};
use crate::kernels::presence::{Place, Since};
use crate::kernels::team::LANES;
use crate::memory::legs;
use crate::mobility::{Mobility, Waypoints};
use crate::network::{Network, Planar};
use crate::presence::Presence;
use crate::traffic::{Arrivals, Exchange};
use crate::visits::Visits;

/// Number of groups over which simulations are spread before several share one: a device executes as many at once.
const SPREAD: u64 = 256;

/// Longest epoch in µs.
const LONGEST_EPOCH: u64 = 60_000_000;

/// Share of the range that two nodes may approach in an epoch.
const APPROACH: u64 = 16;

/// Returns the time for which the cells of a network hold, in µs: the longer it is, the larger are the cells.
pub(super) fn epoch(network: &Network) -> u64 {
    let speed = u64::from(network.greatest_speed());
    let epoch = match speed {
        0 => LONGEST_EPOCH,
        speed => u64::from(network.range) * 1_000_000_000 / (2 * APPROACH * speed),
    };
    epoch.clamp(network.lookahead() + network.interval, LONGEST_EPOCH.max(network.lookahead() + network.interval))
}

/// Square cells over a field.
pub(super) struct Cells {
    side: u32,
    columns: u32,
    lines: u32,
    sense: u32,
    table: u32,
    /// Distances in mm.
    reaches: [u128; 2],
}

impl Cells {
    /// Returns the cells of a network that hold for an epoch. A network has four times as many cells as nodes at most.
    fn new(network: &Network, epoch: u64) -> Self {
        // Positions are rounded, so that two nodes may approach by two millimetres more.
        let approach =
            |time: u64| (2 * u128::from(network.greatest_speed()) * u128::from(time)).div_ceil(1_000_000_000) + 2;
        let range = u128::from(network.range);
        let sensed = range + approach(epoch);
        let heard = range + approach(epoch.max(network.beacons.timeout));
        let mut side = sensed.clamp(1, 1 << 31);
        let count = |side: u128, length: u32| u128::from(length) / side + 1;
        while count(side, network.field.width) * count(side, network.field.height) > 4 * u128::from(network.nodes) + 64
        {
            side *= 2;
        }
        let away = |distance: u128| distance.div_ceil(side).min(1 << 30) as u32;
        Cells {
            side: side as u32,
            columns: count(side, network.field.width) as u32,
            lines: count(side, network.field.height) as u32,
            sense: away(sensed),
            table: away(heard),
            reaches: [sensed, heard],
        }
    }

    fn count(&self) -> u32 {
        self.columns * self.lines
    }
}

/// List of the nodes of a network that are there.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    first_length: u32,
    first_place: u32,
}

/// Places of networks in the tables.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Constants of the simulations.
    pub terms: Vec<Terms>,
    /// Number of rows of nodes of all simulations.
    pub nodes: u64,
    /// Number of rows of clocks.
    pub clocks: u64,
    /// Largest number of simulations in a group, if each lies within one.
    in_group: Option<u64>,
    /// Number of simulations in the last group.
    in_last: u64,
    /// Number of cells of all simulations.
    pub cells: u64,
    /// Number of buckets of delays of all simulations.
    pub delays: u64,
    /// Histories of lists of nodes.
    pub history: Vec<Since>,
    /// Places of these lists.
    pub places: Vec<Place>,
    /// Number of flows of all simulations.
    pub flows: u64,
    /// Bound of the number of legs of all paths.
    pub legs: u64,
}

impl Layout {
    /// Returns places for a number of simulations whose nodes are visited in a given way.
    pub(super) fn of(visits: Visits, simulations: u64) -> Self {
        let in_group = (visits == Visits::Apart).then(|| simulations.div_ceil(SPREAD));
        Layout { in_group, ..Layout::default() }
    }

    /// Begins another group if the last one has no room for a simulation.
    fn make_room(&mut self, nodes: u32) {
        let Some(most) = self.in_group else { return };
        if self.nodes % u64::from(LANES) + u64::from(nodes) > LANES.into() || self.in_last == most {
            self.close();
            self.in_last = 0;
        }
        self.in_last += 1;
    }

    /// Completes the last group.
    pub(super) fn close(&mut self) {
        if self.in_group.is_some() {
            self.nodes = self.nodes.next_multiple_of(LANES.into());
            self.clocks = self.nodes;
        }
    }

    /// Adds the list of the nodes of a network that are there, for all of its replications.
    pub(super) fn list(&mut self, network: &Network) -> List {
        let Presence { lengths, places } = Presence::new(network);
        let list = List { first_length: self.history.len() as u32, first_place: self.places.len() as u32 };
        for history in std::iter::once(&lengths).chain(&places) {
            let first = self.history.len();
            let end = (first + history.len()) as u32;
            self.history.extend(history.iter().map(|(time, value)| Since { time: *time, value: *value, end }));
            if first > list.first_length as usize {
                self.places.push(Place { first: first as u32 });
            }
        }
        list
    }

    /// Adds the simulation of a network with a list of nodes.
    pub(super) fn add(&mut self, network: &Network, epoch: u64, list: List) {
        self.make_room(network.nodes);
        let cells = Cells::new(network, epoch);
        let (speed, pause) = match &network.mobility {
            Mobility::Waypoints(Waypoints { speed, pause }) => (*speed, *pause),
            _ => ([0; 2], [0; 2]),
        };
        let choices = |[least, most]: [u32; 2]| most - least + 1;
        // No two positions are further apart than 2^31 mm.
        let [sense_reach, table_reach] = cells.reaches.map(|reach| (reach.min(1 << 31) as u64).pow(2));
        self.terms.push(Terms {
            // Times before the last tick of the clock: comparisons hold for times on the clock and for others.
            end: (network.end - 1) / network.interval.max(1) * network.interval.max(1) + 1,
            warm_up: network.warm_up,
            interval: network.interval.max(1),
            lookahead: network.lookahead(),
            timeout: network.beacons.timeout,
            reach: u64::from(network.range) * u64::from(network.range),
            sense_reach,
            table_reach,
            range: network.range.into(),
            approach: (u64::from(network.greatest_speed()) << 33).div_ceil(1_000_000_000),
            pause_least: pause[0],
            pause_most: pause[1],
            response: match network.traffic.exchange {
                Exchange::Data => 0,
                Exchange::Requests { response_bytes } => network.airtime(response_bytes),
            },
            sense_cells: cells.sense,
            table_cells: cells.table,
            width: network.field.width,
            height: network.field.height,
            speed_least: speed[0],
            speed_most: speed[1],
            beacon_least: network.beacons.interval[0],
            beacon_choices: choices(network.beacons.interval),
            backoff_least: network.medium.backoff[0],
            backoff_choices: choices(network.medium.backoff),
            queue: network.medium.queue,
            hops: network.medium.hops,
            retries: network.medium.retries,
            kind: if network.traffic.exchange == Exchange::Data { DATA } else { REQUEST },
            is_poisson: network.traffic.arrivals == Arrivals::Poisson,
            is_relative: network.planar == Planar::RelativeNeighbourhood,
            has_stays: network.has_stays(),
            clock: if self.in_group.is_some() { self.nodes } else { self.terms.len() as u64 } as u32,
            first: self.nodes as u32,
            nodes: network.nodes,
            first_cell: self.cells as u32,
            columns: cells.columns,
            lines: cells.lines,
            side: cells.side,
            first_delay: self.delays as u32,
            first_flow: self.flows as u32,
            first_length: list.first_length,
            first_place: list.first_place,
        });
        self.nodes += u64::from(network.nodes);
        self.clocks = self.clocks.max(self.terms.len() as u64);
        self.cells += u64::from(cells.count());
        self.delays += buckets(network) as u64;
        self.flows += u64::from(network.traffic.flows());
        self.legs = self.legs.saturating_add(legs(network));
    }
}
