//! Conversion of a scenario to tables on a device, and of the tables to an outcome.

use super::EngineError;
use super::placement::Placement;
use super::resident::Resident;
use crate::kernels::boundary::{First, Site, Streams, Waiter, WaiterColumns as _, list_waiting, set_up};
use crate::kernels::ending::{Completions, Conclusion, NodeEnd, Presence, conclude, sum_completions, sum_presence};
use crate::kernels::station::{InNeighbour, Run, Station, StationColumns as _, Target};
use crate::network::{Network, Simple};
use crate::outcome::{
    Ended, FEW, NodeResults, NodeState, NodeStatistics, Outcome, Parts, Source as _, Statistics as _, VisitSums,
    WaitingLines, add_in_flight,
};
use crate::scenario::Scenario;
use imminent_common::parallel;
use imminent_common::streams::StreamKey;
use imminent_core::{Condition, Device, Table, TallyTable};

/// Largest number of places of a line: a device's table grows by as many columns.
const MAX_LANES: u64 = 1 << 20;

/// Returns the in-neighbours of all nodes by number, in the order to which the stations' rows refer.
pub(super) fn sources(device: &Device, network: &Network) -> Result<Table<InNeighbour>, EngineError> {
    let all = network.sources();
    let sources = parallel::map(all.len(), |edge| InNeighbour { node: all.get(edge).copied().unwrap_or(0) });
    Ok(Table::from_rows(device, &sources)?)
}

/// Tables that all engines share.
pub(super) struct Tables {
    pub(super) stations: Table<Station>,
    pub(super) targets: Table<Target>,
    /// Tally with one slot: the places that the fullest line may need by the end of the next step.
    pub(super) fullest: TallyTable<u32>,
    pub(super) run: Run,
    /// Assignment of nodes to rows.
    placement: Placement,
    key: StreamKey,
}

impl Tables {
    /// Creates the tables of a scenario on a device, node after node. Lines get room for `arrivals` more tokens than
    /// they hold.
    pub(super) fn new(
        device: &Device,
        scenario: &Scenario<'_>,
        interval: u64,
        arrivals: u64,
    ) -> Result<Self, EngineError> {
        Self::placed(device, scenario, interval, arrivals, Placement::by_number())
    }

    /// Creates the tables with the nodes in the rows of a placement. Targets are rows too.
    pub(super) fn placed(
        device: &Device,
        scenario: &Scenario<'_>,
        interval: u64,
        arrivals: u64,
        placement: Placement,
    ) -> Result<Self, EngineError> {
        let simple = scenario.simple().ok_or(EngineError::NotSimple)?;
        let (sites, targets) = sites(scenario, simple, &placement);
        let sites = Table::from_rows(device, &sites)?;
        let mut stations = stations(device, scenario, arrivals)?;
        device.queue().launch::<set_up>((&mut stations, &sites, &Streams { key: scenario.key().number() }))?;
        let targets = Table::from_rows(device, &targets)?;
        Self::of_stations(scenario, interval, (stations, targets), placement)
    }

    /// Completes the tables of stations in their state at time 0 and of the targets of their edges.
    pub(super) fn of_stations(
        scenario: &Scenario<'_>,
        interval: u64,
        (stations, targets): (Table<Station>, Table<Target>),
        placement: Placement,
    ) -> Result<Self, EngineError> {
        Ok(Tables {
            fullest: TallyTable::new(stations.device(), &[0])?,
            stations,
            targets,
            run: Run { horizon: scenario.horizon(), interval },
            placement,
            key: scenario.key(),
        })
    }

    /// Returns the condition that the next step might overflow a line.
    pub(super) fn too_full(&self) -> Condition {
        self.fullest.above(0, self.stations.capacity())
    }

    /// Makes room for twice the places that the fullest line may need.
    pub(super) fn grow(&mut self) -> Result<(), EngineError> {
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        self.stations.grow(lanes(2 * u64::from(needed))?)?;
        Ok(())
    }

    /// Returns the outcome, once no more service can start. `in_flight` lists tokens between two nodes: destination row
    /// and arrival time.
    pub(super) fn outcome(&self, in_flight: Vec<(u32, u64)>) -> Result<Outcome, EngineError> {
        let (placement, horizon) = (&self.placement, self.run.horizon);
        let in_flight: Vec<_> = in_flight.into_iter().map(|(row, time)| (placement.node(row), time)).collect();
        let waiting = self.waiting(&in_flight)?;
        let (free_at, next_service) = (self.stations.free_at().read()?, self.stations.next_service().read()?);
        let mut statistics = self.conclude()?.0.read()?.to_rows();
        let states = parallel::map(self.stations.len(), |node| {
            let row = placement.row(node as u32) as usize;
            // Every service took two words, and the first word of the next one has been drawn.
            let drawn = 2 * statistics.get(node).map_or(0, |node| node.served) + 1;
            NodeState {
                free_at: at(&free_at, row),
                next_service: at(&next_service, row),
                rng_state: self.key.node(node as u32).state_after(drawn),
            }
        });
        add_in_flight(&mut statistics, &in_flight, horizon);
        Ok(Outcome { horizon, states, statistics, waiting })
    }

    /// Returns what a run keeps of the outcome, once no more service can start and no token is in flight. The device
    /// computes digest and sums, and keeps the statistics of the nodes.
    pub(super) fn ended(&self) -> Result<Ended, EngineError> {
        let (ends, Conclusion { first, second, served, arrivals }) = self.conclude()?;
        let queue = self.stations.device().queue();
        let completions = queue.launch::<sum_completions>((&ends.0,))?;
        let presence = queue.launch::<sum_presence>((&ends.0,))?;
        let Completions { completed, busy, sojourn, waiting } = completions.read()?;
        let Presence { present, started_waiting, started_sojourn } = presence.read()?;
        let totals = NodeStatistics {
            served,
            completed,
            busy,
            sojourn_sum: sojourn,
            waiting_sum: waiting,
            number_integral: present,
            arrivals,
            started: VisitSums { visits: served, waiting: started_waiting, sojourn: started_sojourn },
            ..NodeStatistics::default()
        };
        let digest = Parts { first, second }.digest(ends.nodes(), self.run.horizon);
        Ok(Ended { horizon: self.run.horizon, events: served, digest, nodes: NodeResults::left(ends, totals) })
    }

    /// Computes the statistics of all stations at the horizon on the device, and their sums and digest.
    fn conclude(&self) -> Result<(Resident, Conclusion), EngineError> {
        let device = self.stations.device();
        let mut ends = Table::<NodeEnd>::zeroed(device, self.stations.len())?;
        let conclusion = device.queue().launch::<conclude>((&mut ends, &self.stations, &self.run))?;
        Ok((Resident(ends), conclusion.read()?))
    }

    /// Compiles what a run of `nodes` nodes needs at its end.
    pub(super) fn rehearse_end(&self, nodes: usize) -> Result<(), EngineError> {
        self.ended()?;
        if nodes > FEW {
            self.conclude()?.0.busiest(1)?;
        }
        Ok(())
    }

    /// Returns the tokens in all lines, and those in flight, as pairs of node and arrival. The device lists those in
    /// lines, since most places of most lines are empty.
    fn waiting(&self, in_flight: &[(u32, u64)]) -> Result<WaitingLines, EngineError> {
        let (device, nodes) = (self.stations.device(), self.stations.len());
        let mut total = 0_u32;
        let firsts = self.stations.waiting().read()?.into_iter().map(|count| {
            let token = total;
            total += count;
            First { token }
        });
        let firsts: Vec<First> = firsts.collect();
        let mut waiters = Table::<Waiter>::zeroed(device, total as usize)?;
        device.queue().launch::<list_waiting>((&mut waiters, &self.stations, &Table::from_rows(device, &firsts)?))?;
        let arrivals = waiters.arrival().read()?;
        let first = |row: usize| firsts.get(row).map_or(total, |first| first.token) as usize;
        let line = |node: u32| {
            let row = self.placement.row(node) as usize;
            arrivals.get(first(row)..first(row + 1)).unwrap_or_default()
        };
        let sent =
            if in_flight.is_empty() { WaitingLines::default() } else { WaitingLines::from_pairs(nodes, in_flight) };
        Ok(WaitingLines::of_lines(nodes, |node| [line(node), sent.of(node)]))
    }
}

/// Returns zeroed stations, whose lines have room for `arrivals` more tokens than the fullest holds at time 0.
pub(super) fn stations(device: &Device, scenario: &Scenario<'_>, arrivals: u64) -> Result<Table<Station>, EngineError> {
    let most = u64::from(scenario.tokens().iter().copied().max().unwrap_or(0));
    let capacity = lanes((most + arrivals).max(8))?;
    Ok(Table::with_capacity(device, scenario.network().len(), capacity)?)
}

fn lanes(needed: u64) -> Result<u32, EngineError> {
    match u32::try_from(needed) {
        Ok(lanes) if needed <= MAX_LANES => Ok(lanes),
        _ => Err(EngineError::LineTooLong { lanes: needed }),
    }
}

/// Returns the data of the node in each row at time 0, and the target rows of all out-edges.
fn sites(scenario: &Scenario<'_>, simple: Simple<'_>, placement: &Placement) -> (Vec<Site>, Vec<Target>) {
    let network = scenario.network();
    let range = |starts: &[u32], node: u32| {
        let first = starts.get(node as usize).copied().unwrap_or(0);
        (first, starts.get(node as usize + 1).copied().unwrap_or(first) - first)
    };
    let rows = network.len();
    let mut sites = parallel::map(rows, |row| {
        let node = placement.node(row as u32);
        let tokens = scenario.tokens().get(node as usize).copied().unwrap_or(0);
        let (first_source, sources) = range(network.in_start(), node);
        let targets = simple.out_edges(node).len() as u32;
        Site { node, tokens, mean: simple.mean_service(node), first_source, sources, first_target: 0, targets }
    });
    let mut edges = 0;
    for site in &mut sites {
        site.first_target = edges;
        edges += site.targets;
    }
    let onward = |part: std::ops::Range<usize>| {
        let ends = part.flat_map(|row| simple.out_edges(placement.node(row as u32)));
        ends.map(|&to| Target { node: placement.row(to) }).collect::<Vec<_>>()
    };
    (sites, parallel::ranges(rows, onward).concat())
}

fn at(column: &[u64], row: usize) -> u64 {
    column.get(row).copied().unwrap_or(0)
}
