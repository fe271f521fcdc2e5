//! Tables of networks on a device.

use super::layout::Layout;
use crate::kernels::failure::Deleted;
use crate::kernels::geometry::Position;
use crate::kernels::gpsr;
use crate::kernels::grid::{Cell, Entry, Spot};
use crate::kernels::motion::{AT_RANDOM, Beacon, Clock, Leg, MotionArgs, Now, Order, Owner, Past, Stay, Terms};
use crate::kernels::node::{
    Air, Bound, Count, Epoch, Flow, FlowsArgs, HELD, Law, NOBODY, Others, OwnArgs, Queue, SLOTS, Sense, Signal, Source,
    Station, TimeArgs,
};
use crate::kernels::presence::{Place, PresentArgs, Since};
use crate::mobility::{Leg as PathLeg, Mobility};
use crate::network::Network;
use crate::start::{FlowStart, NodeStart, Start, Stream};
use crate::trace;
use imminent_core::random::Pcg32;
use imminent_core::{Device, MailTable, Result, Row as _, Table, TallyTable};

/// Packets that a queue has room for at first.
const QUEUE: u32 = 4;

/// Neighbours that a table has room for at first.
const NEIGHBOURS: u32 = 32;

/// Deletions of neighbours that a node has room for at first.
const DELETIONS: u32 = 4;

/// Tables of all nodes.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) own: Own,
    pub(super) motion: Moving,
    pub(super) time: Clocks,
    pub(super) owners: Table<Owner>,
    pub(super) airs: Table<Air>,
    pub(super) senses: Table<Sense>,
    pub(super) neighbours: Table<gpsr::Table>,
    pub(super) deleted: Table<Deleted>,
    /// Cells of nodes, by nodes.
    pub(super) spots: Table<Spot>,
    /// Cells of nodes in the order of the cells.
    pub(super) sorted: Table<Spot>,
    /// Cells and nodes in that order.
    pub(super) keys: [Table<u32>; 2],
    pub(super) entries: Table<Entry>,
    pub(super) cells: Table<Cell>,
    pub(super) mail: MailTable,
    pub(super) halts: TallyTable<u32>,
    pub(super) flows: Flowing,
    pub(super) present: Listed,
    /// Numbers of delivered packets by the buckets of their delays.
    pub(super) delays: TallyTable<u32>,
}

/// Tables whose rows a node changes in a step.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) stations: Table<Station>,
    pub(super) signals: Table<Signal>,
    pub(super) bounds: Table<Bound>,
    pub(super) queues: Table<Queue>,
    pub(super) others: Table<Others>,
    pub(super) counts: Table<Count>,
}

/// Tables of the nodes' motion.
#[derive(Debug)]
pub(super) struct Moving {
    pub(super) now: Table<Now>,
    pub(super) past: Table<Past>,
    pub(super) orders: Table<Order>,
    pub(super) stays: Table<Stay>,
}

/// Tables of flows.
#[derive(Debug)]
pub(super) struct Flowing {
    pub(super) rows: Table<Flow>,
    /// Statistics of each flow.
    pub(super) sums: TallyTable<u64>,
}

impl Flowing {
    pub(super) fn args(&self) -> FlowsArgs<'_> {
        FlowsArgs { rows: &self.rows, sums: &self.sums }
    }
}

/// Tables of the nodes that are there.
#[derive(Debug)]
pub(super) struct Listed {
    history: Table<Since>,
    places: Table<Place>,
}

impl Listed {
    pub(super) fn args(&self) -> PresentArgs<'_> {
        PresentArgs { history: &self.history, places: &self.places }
    }
}

/// Tables that say which events are safe.
#[derive(Debug)]
pub(super) struct Clocks {
    /// Earliest events of the simulations.
    pub(super) clock: Table<Clock>,
    /// Earliest event of all simulations.
    pub(super) earliest: Table<Clock>,
    /// Earliest events of the simulations, as a reduction gives them.
    pub(super) least: Table<u64>,
    /// Number of nodes of the largest simulation.
    pub(super) largest: u32,
    /// First node of each simulation, and the number of all nodes.
    pub(super) offsets: Table<u32>,
    pub(super) epoch: Table<Epoch>,
    pub(super) law: Law,
    pub(super) terms: Table<Terms>,
}

impl Own {
    pub(super) fn args(&mut self) -> OwnArgs<'_> {
        OwnArgs {
            station: &mut self.stations,
            signal: &mut self.signals,
            bound: &mut self.bounds,
            queue: &mut self.queues,
            others: &mut self.others,
            count: &mut self.counts,
        }
    }
}

impl Moving {
    pub(super) fn args(&self) -> MotionArgs<'_> {
        MotionArgs { stays: &self.stays, now: &self.now, past: &self.past, orders: &self.orders }
    }
}

impl Clocks {
    pub(super) fn args(&self) -> TimeArgs<'_> {
        TimeArgs { clock: &self.clock, epoch: &self.epoch, law: &self.law, terms: &self.terms }
    }
}

impl Tables {
    /// Creates the tables of simulations at their starts.
    pub(super) fn new<'n>(
        device: &Device,
        layout: &Layout,
        law: Law,
        simulations: impl Iterator<Item = (&'n Network, Start)>,
    ) -> Result<Self> {
        let mut rows = Rows::default();
        for ((number, terms), (network, start)) in (0..).zip(&layout.terms).zip(simulations) {
            rows.add(network, &start, (number, terms));
            let end = layout.terms.get(number as usize + 1).map_or(layout.nodes, |next| next.first.into());
            rows.fill(end, (number, terms));
        }
        let nodes = layout.nodes as usize;
        let lanes = rows.others.iter().map(Vec::len).max().unwrap_or(0).max(1) as u32;
        let offsets: Vec<u32> = layout.terms.iter().map(|terms| terms.first).chain([layout.nodes as u32]).collect();
        let others: Vec<Others> = rows.others.iter().map(|sources| others(sources, lanes)).collect();
        Ok(Tables {
            own: Own {
                stations: Table::from_rows(device, &rows.stations)?,
                signals: Table::from_rows(device, &rows.signals)?,
                bounds: Table::from_rows(device, &rows.bounds)?,
                queues: Table::with_capacity(device, nodes, QUEUE)?,
                others: Table::from_rows(device, &others)?,
                counts: Table::zeroed(device, nodes)?,
            },
            motion: Moving {
                now: Table::from_rows(device, &rows.now)?,
                past: Table::from_rows(device, &rows.past)?,
                orders: Table::from_rows(device, &rows.orders)?,
                stays: Table::from_rows(device, &rows.stays)?,
            },
            time: Clocks {
                clock: Table::zeroed(device, layout.clocks as usize)?,
                earliest: Table::zeroed(device, 1)?,
                least: Table::zeroed(device, layout.terms.len())?,
                largest: layout.terms.iter().map(|terms| terms.nodes).max().unwrap_or(0),
                offsets: Table::from_rows(device, &offsets)?,
                epoch: Table::zeroed(device, layout.terms.len())?,
                law,
                terms: Table::from_rows(device, &layout.terms)?,
            },
            owners: Table::from_rows(device, &rows.owners)?,
            airs: Table::with_capacity(device, nodes, HELD + 1)?,
            senses: Table::zeroed(device, nodes)?,
            neighbours: Table::with_capacity(device, nodes, NEIGHBOURS)?,
            deleted: Table::with_capacity(device, nodes, DELETIONS)?,
            spots: Table::from_rows(device, &nowhere(layout))?,
            sorted: Table::zeroed(device, nodes)?,
            keys: [Table::zeroed(device, nodes)?, Table::zeroed(device, nodes)?],
            entries: Table::zeroed(device, nodes)?,
            cells: Table::zeroed(device, layout.cells as usize + 1)?,
            mail: MailTable::new(device, nodes, 2)?,
            halts: TallyTable::new(device, &[0; 2])?,
            present: Listed {
                history: Table::from_rows(device, &layout.history)?,
                places: Table::from_rows(device, &layout.places)?,
            },
            flows: Flowing {
                sums: TallyTable::new(device, &vec![0; rows.flows.len().max(1) * SLOTS as usize])?,
                rows: Table::from_rows(device, &rows.flows)?,
            },
            delays: TallyTable::new(device, &vec![0; layout.delays.max(1) as usize])?,
        })
    }
}

/// Rows of all nodes at the start.
#[derive(Default)]
struct Rows {
    now: Vec<Now>,
    past: Vec<Past>,
    orders: Vec<Order>,
    stays: Vec<Stay>,
    owners: Vec<Owner>,
    flows: Vec<Flow>,
    signals: Vec<Signal>,
    bounds: Vec<Bound>,
    stations: Vec<Station>,
    /// Sources of each node beside the one whose packet comes next.
    others: Vec<Vec<Source>>,
}

/// Returns the spots of rows behind all cells, where rows without a node stay.
fn nowhere(layout: &Layout) -> Vec<Spot> {
    let place = Position { x: 0, y: 0 };
    (0..layout.nodes as u32).map(|node| Spot { place, cell: layout.cells as u32, node }).collect()
}

impl Rows {
    /// Adds rows without a node, up to the number `end`. They never have anything to do.
    fn fill(&mut self, end: u64, (simulation, terms): (u32, &Terms)) {
        let rng = Pcg32 { state: 0, increment: 1 };
        let beacon = Beacon { time: u64::MAX, rng };
        let from = Position { x: 0, y: 0 };
        let leg = Leg { depart: 0, arrive: 0, leave: u64::MAX, east: 0, north: 0, from, order: AT_RANDOM, rng };
        while (self.now.len() as u64) < end {
            self.now.push(Now { leg });
            self.past.push(Past { newest: beacon, oldest: beacon, leg });
            self.owners.push(Owner { simulation, clock: terms.clock });
            self.stays.push(Stay { enter: u64::MAX, leave: u64::MAX });
            self.bounds.push(Bound { time: u64::MAX });
            self.signals.push(Signal { next: u64::MAX, start: 0, until: 0, before: 0 });
            self.stations.push(station(nothing(), 0, rng, (simulation, u32::MAX)));
            self.others.push(vec![]);
        }
    }

    fn add(&mut self, network: &Network, start: &Start, (simulation, terms): (u32, &Terms)) {
        let first = self.flows.len();
        self.flows.resize(first + network.traffic.flows() as usize, Flow { gap: 1, stop: 0, airtime: 0 });
        for FlowStart { number, gap, stop, bytes, .. } in start.nodes.iter().flat_map(|node| &node.flows) {
            let airtime = network.airtime(*bytes);
            self.flows[first + *number as usize] = Flow { gap: *gap, stop: *stop, airtime };
        }
        for (number, node) in (0..).zip(&start.nodes) {
            let leg = self.first_leg(network, node, number);
            self.now.push(Now { leg });
            let beacon = Beacon { time: node.beacon, rng: generator(&node.beacons) };
            self.past.push(Past { newest: beacon, oldest: beacon, leg });
            self.owners.push(Owner { simulation, clock: terms.clock });
            let trace::Stay { enter, leave } = network.stay(number);
            self.stays.push(Stay { enter, leave });
            let (source, others) = sources(node);
            self.bounds.push(Bound { time: if source.time < terms.end { source.time } else { u64::MAX } });
            self.signals.push(Signal { next: source.time, start: 0, until: 0, before: 0 });
            let backoffs = generator(&node.backoffs);
            self.stations.push(station(source, others.len() as u32, backoffs, (simulation, number)));
            self.others.push(others);
        }
    }

    /// Returns the pause of a node before its first movement, and adds the orders of its trace or path.
    fn first_leg(&mut self, network: &Network, node: &NodeStart, number: u32) -> Leg {
        let first = self.orders.len() as u32;
        let order = match (&network.mobility, node.path.clone()) {
            (Mobility::Trace(trace), _) => {
                let moves = &trace.tracks()[number as usize].moves;
                let ends = moves.iter().skip(1).map(|order| order.time).chain([u64::MAX]);
                let order =
                    |(order, until): (&trace::Move, u64)| Order { target: order.target, speed: order.speed, until };
                self.orders.extend(moves.iter().zip(ends).map(order));
                first
            }
            (_, Some(mut path)) => {
                let mut begin = 0;
                while begin < network.end {
                    let PathLeg { target, speed, until } = path.next_leg();
                    self.orders.push(Order { target, speed, until });
                    begin = until;
                }
                first
            }
            (_, None) => AT_RANDOM,
        };
        Leg {
            depart: 0,
            arrive: 0,
            leave: node.leave,
            east: 0,
            north: 0,
            from: node.place,
            order,
            rng: generator(&node.waypoints),
        }
    }
}

/// Returns the state of a node at the start.
fn station(source: Source, others: u32, backoffs: Pcg32, (simulation, node): (u32, u32)) -> Station {
    Station {
        source,
        others,
        retry: u64::MAX,
        end: 0,
        backoffs,
        simulation,
        node,
        head: 0,
        count: 0,
        pending: 0,
        wanted: 0,
        failures: 0,
        lane: 0,
        is_sending: false,
        is_received: true,
        is_holding: false,
    }
}

/// Returns a source that sends nothing.
fn nothing() -> Source {
    Source { time: u64::MAX, rng: Pcg32 { state: 0, increment: 1 }, destination: NOBODY, flow: 0 }
}

/// Returns the source of a node whose packet comes first, and the others. One that sends nothing stands for none.
fn sources(node: &NodeStart) -> (Source, Vec<Source>) {
    let of = |flow: &FlowStart| {
        let rng = generator(&flow.packets);
        Source { time: flow.time, rng, destination: flow.destination, flow: flow.number }
    };
    let mut sources: Vec<Source> = node.flows.iter().map(of).collect();
    // A stable order: of packets at one time the lowest number comes first.
    sources.sort_by_key(|source| source.time);
    if sources.is_empty() {
        return (nothing(), sources);
    }
    (sources.remove(0), sources)
}

/// Returns the row of a node's other sources.
fn others(sources: &[Source], lanes: u32) -> Others {
    let mut others = Others::zeroed(lanes);
    for (lane, source) in (0..).zip(sources) {
        others.sources.set(lane, *source);
    }
    others
}

fn generator(stream: &Stream) -> Pcg32 {
    Pcg32 { state: stream.state, increment: stream.increment }
}
