//! General engine on a device with many lanes: all nodes at once, step by step.

use super::layout::Layout;
use super::model::{Ensemble, FirstPlaces};
use super::room::{needs, wanted};
use crate::engine::EngineError;
use crate::kernels::general::beginning::{Crowd, EnsembleArgs, Replica, Site, place_far, set_up};
use crate::kernels::general::departures::Departures;
use crate::kernels::general::facility::{
    BUCKETS, CLASS_SUMS, EntranceArgs, Facility, NetworkArgs, NodeArgs, Route, Visit,
};
use crate::kernels::general::line::Line;
use crate::kernels::general::servers::Servers;
use crate::kernels::general::steps::{Limit, Message, Throttle, extend, settle};
use crate::kernels::general::{enclosed, steps};
use crate::kernels::law::{LawRow, Quantile};
use crate::kernels::relaxation::{Bound, Far, Lookahead, Reach, SIZE};
use crate::kernels::station::Clock;
use crate::network::Role;
use crate::scenario::Scenario;
use imminent_common::threads::side_by_side;
use imminent_core::{Device, Program, Progress, Row, Stop, Table, TallyTable};
use std::ops::ControlFlow;

/// Approximate limit of the tokens of the fastest source that the slowest node has not processed yet.
const TOKENS_AHEAD: f64 = 64.0;

/// Initial number of places of every line of a small network, unless it can never need so many.
const INITIAL_PLACES: u64 = 24;

/// An ensemble in the tables of a device.
pub(super) struct OnDevice {
    pub(super) layout: Layout,
    pub(super) facilities: Table<Facility>,
    pub(super) lookaheads: Table<Lookahead>,
    /// Lines; each row has room for the needs of its own line.
    pub(super) lines: Table<Line>,
    pub(super) servers: Table<Servers>,
    pub(super) departures: Table<Departures>,
    pub(super) reaches: Table<Reach>,
    pub(super) fars: Table<Far>,
    /// Number of in-neighbours of each row.
    in_neighbours: Vec<u32>,
    /// Number of classes at all nodes.
    counts: usize,
    /// Number of tokens that can come to a row from each in-neighbour before its room is checked.
    arrivals: u32,
    /// Bounds; two tables, used alternately.
    pub(super) bounds: [Table<Bound>; 2],
    /// Messages sent in the first and in the last service round of a step.
    pub(super) sent: [Table<Message>; 2],
    /// Earliest possible start after the previous step, and after this one.
    pub(super) clocks: [Table<Clock>; 2],
    limits: Table<Limit>,
    pub(super) visits: Table<Visit>,
    pub(super) routes: Table<Route>,
    pub(super) laws: Table<LawRow>,
    pub(super) quantiles: Table<Quantile>,
    /// Tally with one slot: nonzero if a line may overflow before the next check.
    pub(super) too_full: TallyTable<u32>,
    /// Flags for two launches: nonzero if a bound fell, or if a network has not reached its limit.
    pub(super) flags: [TallyTable<u32>; 2],
    /// Tally: nonzero if the first service round of a step started a service.
    pub(super) started: TallyTable<u32>,
    /// Buckets of the times of visits that ended since they were last taken, network by network; one slot if times are
    /// not counted.
    pub(super) times: TallyTable<u64>,
    /// Sums by class at each row, in the order of visits; one slot if classes are not counted.
    pub(super) classes: TallyTable<u64>,
    pub(super) throttle: Throttle,
    /// `true` if every network lies in one group.
    pub(super) is_enclosed: bool,
    /// Descriptions from which the rows are set up, until they are.
    origin: Option<Origin>,
    program: Option<Program>,
}

/// Descriptions of the networks, from which a kernel sets the rows up.
struct Origin {
    sites: Table<Site>,
    replicas: Table<Replica>,
    crowds: Table<Crowd>,
    /// In-neighbours that are far; none if there are no such neighbours.
    fars: Option<Table<Far>>,
}

impl OnDevice {
    pub(super) fn new(device: &Device, scenarios: &[Scenario<'_>]) -> Result<Self, EngineError> {
        let is_enclosed = scenarios.iter().all(|scenario| scenario.network().len() <= enclosed::ENCLOSURE as usize);
        Self::at_origin(device, scenarios, is_enclosed)
    }

    /// Sets an ensemble up for steps in which nodes of a group exchange data through tables.
    pub(super) fn open(device: &Device, scenarios: &[Scenario<'_>]) -> Result<Self, EngineError> {
        Self::at_origin(device, scenarios, false)
    }

    fn at_origin(device: &Device, scenarios: &[Scenario<'_>], is_enclosed: bool) -> Result<Self, EngineError> {
        let size = if is_enclosed { enclosed::ENCLOSURE } else { SIZE };
        let layout = Layout::in_groups(scenarios, size).ok_or(EngineError::TooLarge { what: "nodes" })?;
        let arrivals = if is_enclosed { enclosed::ARRIVALS } else { steps::ARRIVALS };
        let places: FirstPlaces = if is_enclosed {
            // If tokens are few, all of them have room everywhere.
            |tokens, from, all| match from {
                0 => tokens,
                _ => (4 * (tokens + from)).max(INITIAL_PLACES).min(all.map_or(u64::MAX, |all| all + from)),
            }
        } else {
            |tokens, from, _| 2 * tokens + u64::from(steps::ARRIVALS + 1) * from
        };
        let of = Ensemble::of(scenarios, &layout, places)?;
        let tally = || TallyTable::new(device, &[0]);
        let rows = layout.rows().max(1);
        // Nodes of one group exchange data in scratch memory.
        let exchanged = if is_enclosed { 1 } else { rows };
        Ok(Self {
            layout,
            facilities: Table::zeroed(device, rows)?,
            lookaheads: Table::zeroed(device, rows)?,
            lines: ragged(device, &of.room.lines)?,
            servers: ragged(device, &of.room.servers)?,
            departures: ragged(device, &of.room.departures)?,
            arrivals,
            reaches: Table::zeroed(device, rows)?,
            fars: Table::zeroed(device, of.all_fars.max(1))?,
            bounds: [Table::zeroed(device, exchanged)?, Table::zeroed(device, exchanged)?],
            sent: [Table::zeroed(device, exchanged)?, Table::zeroed(device, exchanged)?],
            clocks: [Table::zeroed(device, 1)?, Table::zeroed(device, 1)?],
            limits: Table::zeroed(device, scenarios.len().max(1))?,
            visits: table(device, &of.visits)?,
            routes: table(device, &of.routes)?,
            laws: table(device, &of.laws)?,
            quantiles: table(device, &of.quantiles)?,
            too_full: tally()?,
            flags: [tally()?, tally()?],
            started: tally()?,
            times: TallyTable::new(device, &[0])?,
            classes: TallyTable::new(device, &[0])?,
            counts: of.all_counts,
            throttle: Throttle { window: window(scenarios) },
            is_enclosed,
            origin: Some(Origin {
                sites: table(device, &of.sites)?,
                replicas: table(device, &of.replicas)?,
                crowds: table(device, &of.crowds)?,
                fars: (of.all_fars > 0).then(|| table(device, &of.fars)).transpose()?,
            }),
            program: None,
            in_neighbours: of.room.in_neighbours,
        })
    }

    /// Builds a program that sets all rows up at time 0, unless they are.
    fn beginning(&mut self) -> Result<Option<Program>, EngineError> {
        let device = self.facilities.device().clone();
        let Self { facilities, lookaheads, lines, servers, departures, reaches, fars, visits, routes, .. } = self;
        let Self { laws, quantiles, times, classes, origin, .. } = self;
        let Some(Origin { sites, replicas, crowds, fars: of_fars }) = origin else { return Ok(None) };
        let program = Program::record(&device, |program| {
            let node = NodeArgs { me: facilities, lookahead: lookaheads, line: lines, servers, departures };
            let net = NetworkArgs { visits, routes, laws, quantiles, times, classes };
            program.launch::<set_up>((node, reaches, EnsembleArgs { sites, replicas, crowds }, net))?;
            if let Some(of_fars) = of_fars {
                program.launch::<place_far>((fars, &*of_fars, &*replicas))?;
            }
            Ok(())
        })?;
        Ok(Some(program))
    }

    /// Sets all rows up at time 0, by the program that does so.
    fn begin(&mut self, beginning: Option<Program>) -> Result<(), EngineError> {
        if let Some(mut program) = beginning {
            program.run()?;
            self.origin = None;
        }
        Ok(())
    }

    /// Sets all rows up at time 0, unless they are.
    pub(super) fn set_up(&mut self) -> Result<&mut Self, EngineError> {
        let beginning = self.beginning()?;
        self.begin(beginning)?;
        Ok(self)
    }

    /// Counts waiting and sojourn times of visits from now on.
    pub(super) fn count_times(&mut self, networks: usize) -> Result<(), EngineError> {
        let slots = networks.saturating_mul(2 * BUCKETS as usize).max(2);
        u32::try_from(slots).map_err(|_| EngineError::TooLarge { what: "buckets of times" })?;
        self.times = TallyTable::new(self.facilities.device(), &vec![0; slots])?;
        self.program = None;
        Ok(())
    }

    /// Counts statistics by class from now on.
    pub(super) fn count_classes(&mut self) -> Result<(), EngineError> {
        let slots = self.counts.saturating_mul(CLASS_SUMS as usize).max(2);
        u32::try_from(slots).map_err(|_| EngineError::TooLarge { what: "sums of classes" })?;
        self.classes = TallyTable::new(self.facilities.device(), &vec![0; slots])?;
        self.program = None;
        Ok(())
    }

    /// Compiles the kernels of a run side by side and sets all rows up, unless this has been done.
    pub(super) fn prepare(&mut self) -> Result<(), EngineError> {
        if self.program.is_some() {
            return Ok(());
        }
        let (beginning, program) = (self.beginning()?, self.step()?);
        let (ends, conclusion) = (self.ends()?, self.conclusion()?);
        let device = self.facilities.device();
        side_by_side(&[
            &|| beginning.as_ref().map_or(Ok(()), Program::compile),
            &|| program.compile(),
            &|| ends.compile(),
            &|| conclusion.compile(),
            // Lines will grow, so the kernel that moves them is compiled too.
            &|| Table::<Line>::ragged(device, &[1])?.grow_rows(&[2]),
        ])?;
        self.begin(beginning)?;
        self.program = Some(program);
        Ok(())
    }

    /// Builds the program parts before and after the steps of a run.
    fn ends(&mut self) -> Result<Program, EngineError> {
        let device = self.facilities.device().clone();
        let Self { facilities, limits, lines, servers, visits, times, classes, .. } = self;
        Ok(Program::record(&device, |program| {
            program.launch::<extend>((&mut *facilities, &*servers, &*limits, &*times))?;
            let entrance = EntranceArgs { visits, classes };
            program.launch::<settle>((&mut *facilities, &mut *lines, &mut *servers, entrance))?;
            Ok(())
        })?)
    }

    /// Runs every network to its limit; returns the number of steps.
    pub(super) fn run(
        &mut self,
        limits: &[u64],
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<u64, EngineError> {
        let rows: Vec<Limit> = limits.iter().map(|&horizon| Limit { horizon }).collect();
        self.limits.write(&rows)?;
        let queue = self.facilities.device().clone();
        queue.queue().launch::<extend>((&mut self.facilities, &self.servers, &self.limits, &self.times))?;
        // The previous run may have ended with a full line.
        if self.is_too_full()? {
            self.grow()?;
        }
        let mut program = match self.program.take() {
            Some(program) => program,
            None => self.step()?,
        };
        let mut steps = 0;
        loop {
            let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
            steps += outcome.steps;
            match outcome.stop {
                Stop::Condition(0) => break,
                Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
                _ => self.grow()?,
            }
        }
        self.program = Some(program);
        let entrance = EntranceArgs { visits: &self.visits, classes: &self.classes };
        queue.queue().launch::<settle>((&mut self.facilities, &mut self.lines, &mut self.servers, entrance))?;
        queue.queue().wait()?;
        Ok(steps)
    }

    /// Returns `true` if a line may overflow in the next step.
    pub(super) fn is_too_full(&self) -> Result<bool, EngineError> {
        Ok(self.too_full.read()?.first().is_some_and(|places| *places > 0))
    }

    /// Makes room in the lines that need it, and in others before they do.
    pub(super) fn grow(&mut self) -> Result<(), EngineError> {
        let needs = needs(&self.lines, &self.in_neighbours, self.arrivals)?;
        let wanted = wanted(&needs, &self.lines.capacities())?;
        self.lines.grow_rows(&wanted)?;
        self.too_full.fill(0)?;
        Ok(())
    }
}

/// Creates a table of rows; of one zeroed row if there are none.
fn table<R: Row>(device: &Device, rows: &[R]) -> Result<Table<R>, EngineError> {
    Ok(if rows.is_empty() { Table::zeroed(device, 1)? } else { Table::from_rows(device, rows)? })
}

/// Creates zeroed rows with these numbers of lanes.
fn ragged<R: Row>(device: &Device, lanes: &[u32]) -> Result<Table<R>, EngineError> {
    Ok(Table::ragged(device, if lanes.is_empty() { &[0] } else { lanes })?)
}

/// Returns the distance that nodes may run ahead of each other, in ticks. A closed network has a fixed number of
/// tokens, but sources could flood the lines behind them. A source emits one token per step, so the number of steps is
/// at least that of the fastest source's tokens.
fn window(scenarios: &[Scenario<'_>]) -> u64 {
    let means = scenarios.iter().flat_map(|scenario| {
        let network = scenario.network();
        let sources = (0..network.len() as u32).filter(|&node| network.role(node) == Role::Source);
        sources.filter_map(|node| {
            let law = network.service(node, network.source_class(node)?)?;
            Some(network.samplers().get(law as usize)?.mean_ticks())
        })
    });
    // The cast saturates.
    means.reduce(f64::min).map_or(u64::MAX, |mean| (TOKENS_AHEAD * mean).ceil() as u64)
}
