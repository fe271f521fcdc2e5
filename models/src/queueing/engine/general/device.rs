//! The general engine on a device with many lanes: all nodes at once, step by step.

use super::layout::Layout;
use super::model::{Shared, lanes, rows};
use super::results::{Final, InFlight, outcome, times};
use crate::queueing::engine::EngineError;
use crate::queueing::kernels::general::facility::{BUCKETS, Facility, Route, Visit};
use crate::queueing::kernels::general::line::{Line, LineColumns as _};
use crate::queueing::kernels::general::outlook::{Bound, Outlook, SIZE, relax};
use crate::queueing::kernels::general::servers::Servers;
use crate::queueing::kernels::general::steps::{Limit, Parcel, Throttle, begin, extend, serve, settle};
use crate::queueing::kernels::law::{LawRow, Quantile};
use crate::queueing::kernels::station::{Clock, Source};
use crate::queueing::network::Role;
use crate::queueing::outcome::Outcome;
use crate::queueing::scenario::Scenario;
use crate::queueing::trace::Times;
use imminent_core::{Device, Program, Progress, Row, Stop, Table, TallyTable};
use std::ops::ControlFlow;

/// How many tokens of the fastest source may be under way that the slowest node has not come to, about.
const TOKENS_AHEAD: f64 = 64.0;

/// An ensemble in the tables of a device.
pub(super) struct OnDevice {
    pub(super) layout: Layout,
    pub(super) facilities: Table<Facility>,
    pub(super) outlooks: Table<Outlook>,
    /// Each row has room for what its own line needs.
    pub(super) lines: Table<Line>,
    /// The most tokens that a step can bring to each row: one from each in-neighbour.
    newcomers: Vec<u32>,
    pub(super) servers: Table<Servers>,
    /// Used by turns.
    bounds: [Table<Bound>; 2],
    pub(super) parcels: Table<Parcel>,
    /// The earliest start that was possible after the step before, and after this one.
    pub(super) clocks: [Table<Clock>; 2],
    limits: Table<Limit>,
    pub(super) visits: Table<Visit>,
    pub(super) routes: Table<Route>,
    pub(super) laws: Table<LawRow>,
    pub(super) quantiles: Table<Quantile>,
    pub(super) sources: Table<Source>,
    /// One slot: the places that a line may need by the end of the next step and does not have, of the fullest one; 0 if none does.
    pub(super) fullest: TallyTable<u32>,
    /// Whether a bound fell, in the first and in the second of two launches.
    fell: [TallyTable<u32>; 2],
    /// How many visits waited and stayed how long, network by network; one slot if nobody asked.
    pub(super) times: TallyTable<u64>,
    throttle: Throttle,
}

impl OnDevice {
    pub(super) fn new(device: &Device, scenarios: &[Scenario<'_>]) -> Result<Self, EngineError> {
        let layout = Layout::in_groups(scenarios, SIZE).ok_or(EngineError::TooLarge { what: "nodes" })?;
        let (rows, shared) = rows(scenarios, &layout, |tokens, newcomers| 2 * (tokens + newcomers))?;
        let Shared { visits, routes, laws, quantiles, sources } = shared;
        let tally = || TallyTable::new(device, &[0]);
        let nodes = rows.len();
        Ok(Self {
            layout,
            facilities: table(device, rows.iter().map(|row| row.facility))?,
            outlooks: table(device, rows.iter().map(|row| row.outlook))?,
            newcomers: rows.iter().map(|row| row.outlook.sources).collect(),
            lines: ragged(device, rows.iter().map(|row| &row.line))?,
            servers: ragged(device, rows.iter().map(|row| &row.servers))?,
            bounds: [Table::zeroed(device, nodes)?, Table::zeroed(device, nodes)?],
            parcels: Table::zeroed(device, nodes)?,
            clocks: [Table::zeroed(device, 1)?, Table::zeroed(device, 1)?],
            limits: Table::zeroed(device, scenarios.len().max(1))?,
            visits: table(device, visits)?,
            routes: table(device, routes)?,
            laws: table(device, laws)?,
            quantiles: table(device, quantiles)?,
            sources: table(device, sources)?,
            fullest: tally()?,
            fell: [tally()?, tally()?],
            times: TallyTable::new(device, &[0])?,
            throttle: Throttle { window: window(scenarios) },
        })
    }

    /// Counts from now on how long visits wait and stay.
    pub(super) fn count_times(&mut self, networks: usize) -> Result<(), EngineError> {
        let slots = networks.saturating_mul(2 * BUCKETS as usize).max(2);
        u32::try_from(slots).map_err(|_| EngineError::TooLarge { what: "buckets of times" })?;
        self.times = TallyTable::new(self.facilities.device(), &vec![0; slots])?;
        Ok(())
    }

    /// How long visits waited and stayed that ended by the limits of the last run.
    pub(super) fn visit_times(&self, limits: &[u64]) -> Result<Vec<Times>, EngineError> {
        let (facilities, servers, counts) = (self.facilities.read()?, self.servers.read()?, self.times.read()?);
        let counts = counts.chunks_exact(2 * BUCKETS as usize);
        let networks = (0..).zip(limits).zip(counts);
        Ok(networks
            .map(|((network, limit), counts)| {
                let rows = self.layout.rows_of(network).iter().map(|row| *row as usize);
                times(counts, *limit, rows.filter_map(|row| facilities.get(row).zip(servers.get(row))))
            })
            .collect())
    }

    /// Runs every network to its limit; gives the steps that it took.
    pub(super) fn run(
        &mut self,
        limits: &[u64],
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<u64, EngineError> {
        let rows: Vec<Limit> = limits.iter().map(|&horizon| Limit { horizon }).collect();
        self.limits.write(&rows)?;
        let queue = self.facilities.device().clone();
        queue.queue().launch::<extend>((&mut self.facilities, &self.limits))?;
        // The run before may have ended with a line that is full.
        if self.is_too_full()? {
            self.grow()?;
        }
        let mut steps = 0;
        loop {
            let mut program = self.step(&queue)?;
            let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
            steps += outcome.steps;
            match outcome.stop {
                Stop::Condition(0) => break,
                Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
                _ => self.grow()?,
            }
        }
        queue.queue().launch::<settle>((&mut self.facilities, &mut self.lines, &mut self.servers, &self.visits))?;
        queue.queue().wait()?;
        Ok(steps)
    }

    /// One step, until no service can start before its limit (condition 0) or a line might overflow (condition 1).
    fn step(&mut self, device: &Device) -> Result<Program, EngineError> {
        let Self { facilities, outlooks, lines, servers, bounds, parcels, clocks, .. } = self;
        let ([odd, even], [before, now], [first, second]) = (bounds, clocks, &self.fell);
        let Self { visits, routes, laws, quantiles, sources, fullest, times, throttle, .. } = self;
        let too_full = fullest.above(0, 0);
        let program = Program::record(device, |program| {
            program.loop_until(u64::MAX, |step| {
                step.swap(before, now)?;
                step.launch::<begin>((&mut *lines, &*outlooks, &mut *odd, &*parcels, &*sources, &*fullest))?;
                step.loop_until(u64::MAX, |again| {
                    again.launch::<relax>((&*outlooks, &mut *even, &*odd, &*sources, first, second))?;
                    again.launch::<relax>((&*outlooks, &mut *odd, &*even, &*sources, second, first))?;
                    Ok(vec![second.equals(0, 0)])
                })?;
                let next = step.launch_into::<serve, _>(
                    (
                        &mut *facilities,
                        &mut *outlooks,
                        &mut *lines,
                        &mut *servers,
                        &mut *parcels,
                        &*odd,
                        &*visits,
                        &*routes,
                        &*laws,
                        &*quantiles,
                        &*before,
                        &*times,
                        &*throttle,
                    ),
                    &mut *now,
                )?;
                Ok(vec![next.equals(u64::MAX), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Whether a line may overflow in the next step.
    pub(super) fn is_too_full(&self) -> Result<bool, EngineError> {
        Ok(self.fullest.read()?.first().is_some_and(|places| *places > 0))
    }

    /// Doubles the room of every line that may need more than three quarters of it by the end of the next step. So those that are next in need
    /// of room get it too, and such stops are few; and no line has more than about three times the places that it needed at most.
    pub(super) fn grow(&mut self) -> Result<(), EngineError> {
        let (expected, waiting) = (self.lines.expected().read()?, self.lines.waiting().read()?);
        let needed = expected.iter().zip(&waiting).zip(&self.newcomers);
        let needed =
            needed.map(|((expected, waiting), new)| [expected, waiting, new].map(|n| u64::from(*n)).iter().sum());
        let wanted: Result<Vec<u32>, EngineError> = needed
            .zip(self.lines.capacities())
            .map(|(needed, places): (u64, u32)| {
                // Rings need twice their places, if they grow at all.
                let places = u64::from(places);
                if 4 * needed > 3 * places { lanes(2 * needed.max(places)) } else { Ok(0) }
            })
            .collect();
        self.lines.grow_rows(&wanted?)?;
        self.fullest.fill(0)?;
        Ok(())
    }

    /// The outcomes up to the limits of the last run.
    pub(super) fn outcomes(&self, scenarios: &[Scenario<'_>], limits: &[u64]) -> Result<Vec<Outcome>, EngineError> {
        // The last step's tokens have not been taken in yet.
        let parcels = self.parcels.read()?;
        let sent =
            parcels.iter().filter_map(|parcel| Some(InFlight { row: parcel.to.checked_sub(1)?, time: parcel.time }));
        self.outcomes_with(scenarios, limits, sent)
    }

    /// The same with other tokens on their way.
    pub(super) fn outcomes_with(
        &self,
        scenarios: &[Scenario<'_>],
        limits: &[u64],
        sent: impl Iterator<Item = InFlight>,
    ) -> Result<Vec<Outcome>, EngineError> {
        let (facilities, lines, servers) = (self.facilities.read()?, self.lines.read()?, self.servers.read()?);
        let row = |row: u32| {
            let row = row as usize;
            Some(Final { facility: facilities.get(row)?, line: lines.get(row)?, servers: servers.get(row)? })
        };
        let mut in_flight: Vec<Vec<InFlight>> = (0..scenarios.len()).map(|_| Vec::new()).collect();
        for token in sent {
            let home = self.layout.homes().get(token.row as usize).copied().flatten();
            if let Some(tokens) = home.and_then(|home| in_flight.get_mut(home.network as usize)) {
                tokens.push(token);
            }
        }
        let networks = (0..).zip(scenarios).zip(limits).zip(&in_flight);
        Ok(networks
            .map(|(((network, scenario), &limit), tokens)| outcome(scenario, network, limit, &self.layout, row, tokens))
            .collect())
    }
}

fn table<R: Row>(device: &Device, rows: impl IntoIterator<Item = R>) -> Result<Table<R>, EngineError> {
    let rows: Vec<R> = rows.into_iter().collect();
    Ok(if rows.is_empty() { Table::zeroed(device, 1)? } else { Table::from_rows(device, &rows)? })
}

fn ragged<'r, R: Row>(device: &Device, rows: impl Iterator<Item = &'r R>) -> Result<Table<R>, EngineError> {
    let rows: Vec<R> = rows.cloned().collect();
    Ok(if rows.is_empty() { Table::ragged(device, &[0])? } else { Table::from_ragged_rows(device, &rows)? })
}

/// How far nodes may run ahead of each other, in ticks. Tokens of a closed network are only so many; sources would flood the lines behind them.
/// A source emits one token a step, so the fastest one needs its many steps anyhow.
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
