//! Engine for many simulations with event lists on the device.

use super::chooser::{Chooser, Taken, Turn};
use super::contract::Events;
use super::kernels::list::{EarliestColumns as _, EventList, EventListColumns as _, Plan};
use super::kernels::order;
use super::layout::Layout;
use super::mapping::{Mapping, MappingChoice, has_warps, likely};
use super::room::Room;
use super::simulation::{End, MOST, Start, StartError};
use super::state::{self, State, StateError};
use super::steps;
use super::tables::{Prepared, Side, Tables, empty};
use super::trouble::{Trouble, Whereabouts};
use super::uploads::{even_table, table};
use super::windows::{Windows, reduces};
use imminent_core::{Device, MailTable, Program, Progress, Row, Stop, Table};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Default number of events per module and step.
const EVENTS_PER_STEP: u32 = 64;

/// Factor for that number if modules are listed anew for each step, which takes additional time.
const LISTED: u32 = 4;

/// Number of steps of a trial.
const TRIAL_STEPS: u64 = 2;

/// Simulations that run together.
///
/// In each step, every module of every simulation first receives the events that were sent to it. It then executes all
/// safe events: those before the earliest event of its simulation plus the lookahead. Simulations thus run in parallel
/// (the paper's external parallelism), and so do the modules of each (internal parallelism). An outcome depends neither
/// on the device nor on other simulations. Event lists grow on demand.
///
/// Determinism class: that of the handlers, `Exact` if they compute in integers.
#[derive(Debug)]
pub struct Engine<E: Events> {
    layout: Layout,
    /// Number of modules of each simulation.
    modules: Vec<u32>,
    tables: Tables<E>,
    /// Programs in use, by mapping and by whether they are trials.
    programs: BTreeMap<(Mapping, bool), Program>,
    mapping: MappingChoice,
    chooser: Option<Chooser>,
    /// Largest number of events per module and step.
    events: u32,
    /// `true` if modules send events to one another.
    sends: bool,
    steps: u64,
}

/// Outcome of a simulation.
pub type Outcome<E> = Result<End<<E as Events>::Module>, Trouble>;

/// Error of running simulations.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// The device reported an error.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// A simulation cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A simulation cannot continue from a state.
    #[error("simulation {simulation}: {error}")]
    State {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Error of the state.
        error: StateError,
    },
    /// The run was cancelled by its progress function.
    #[error("the run was cancelled after {steps} steps")]
    Cancelled {
        /// Number of completed steps.
        steps: u64,
    },
}

impl<E: Events> Engine<E> {
    /// Creates simulations before their first event. No handler may schedule more than `most` events per call; `most`
    /// is at most [`MOST`].
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn new(device: &Device, starts: &[Start<E>], most: u32) -> Result<Self, EngineError> {
        Self::of(device, starts.to_vec(), most)
    }

    /// Creates simulations like [`Engine::new`]. Their modules are moved to the device, without a copy, if the device
    /// stores rows in the host's format.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn of(device: &Device, starts: Vec<Start<E>>, most: u32) -> Result<Self, EngineError> {
        Self::begin(device, starts, BTreeMap::new(), most)
    }

    /// Creates simulations, some of which continue from a saved [state](Engine::states), given by their numbers. The
    /// device and the other simulations may differ from those of the saved run; the outcomes are the same.
    ///
    /// # Errors
    /// [`EngineError`]; [`EngineError::State`] for a state whose simulation had a different start.
    pub fn resume(
        device: &Device,
        starts: &[Start<E>],
        states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        Self::begin(device, starts.to_vec(), states, most)
    }

    fn begin(
        device: &Device,
        starts: Vec<Start<E>>,
        states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        let sending = || starts.iter().filter(|start| start.lookahead > 0);
        let (sends, reduces) = (sending().next().is_some(), reduces(sending().map(|start| start.modules.len() as u64)));
        let layout = if reduces { Layout::in_sequence(&starts)? } else { Layout::of(&starts)? };
        if most > MOST {
            return Err(StartError::TooManyPromised { most }.into());
        }
        let most = most.max(1);
        let mut room = Room::new(most);
        let point_of: Vec<u32> = starts.iter().map(|start| room.add(start)).collect();
        let modules_of: Vec<u32> = starts.iter().map(|start| start.modules.len() as u32).collect();
        let mut modules = vec![E::Module::zeroed(0); layout.rows];
        let mut lists: Vec<_> = (0..layout.rows).map(|_| empty(0, 0, 0, room.list())).collect();
        let mut payloads: Vec<_> = (0..layout.rows).map(|_| E::Payloads::zeroed(room.list())).collect();
        let (mut terms, mut bounds) = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
        for (simulation, start) in starts.into_iter().enumerate() {
            bounds.push(start.bounds());
            terms.push(layout.terms(simulation, point_of[simulation], &start.bounds(), most));
            let (events, numbers) = start.agenda();
            for ((module, state), number) in (0..).zip(start.modules).zip(numbers) {
                let (row, list) = (layout.row(simulation, module), &mut lists[layout.row(simulation, module)]);
                (list.simulation, list.module, list.scheduled) = (simulation as u32, module, number);
                modules[row] = state;
            }
            for event in &events {
                let row = layout.row(simulation, event.to);
                E::expect(&mut lists[row], &mut payloads[row], event);
            }
        }
        for (simulation, state) in states {
            if let Some(bounds) = bounds.get(simulation) {
                let rows = (&mut modules[..], &mut lists[..], &mut payloads[..]);
                let laid = state.lay_over(&layout, (bounds, most), simulation, rows);
                laid.map_err(|error| EngineError::State { simulation, error })?;
            }
        }
        for list in &mut lists {
            let end = bounds.get(list.simulation as usize).map_or(0, |bounds| bounds.end);
            list.foresee(end);
        }
        let earliest: Vec<u64> = lists.iter().map(|list| list.next).collect();
        let rows = layout.rows;
        // Nobody reads posts where nothing is sent.
        let read = if sends { rows } else { 0 };
        let known = Table::zeroed(device, rows)?;
        known.time().write_rows(0, &earliest)?;
        let mut engine = Engine {
            tables: Tables {
                modules: table(device, modules)?,
                lists: even_table(device, lists)?,
                payloads: even_table(device, payloads)?,
                posts: [
                    Table::with_capacity(device, read, room.post())?,
                    Table::with_capacity(device, rows, room.post())?,
                ],
                earliest: [known, Table::zeroed(device, rows)?],
                mail: MailTable::new(device, read, room.post())?,
                windows: Windows::new(device, &modules_of, reduces)?,
                terms: Table::from_rows(device, &terms)?,
                points: table(device, room.points())?,
                prepared: None,
            },
            modules: modules_of,
            layout,
            programs: BTreeMap::new(),
            mapping: MappingChoice::Auto,
            chooser: None,
            events: EVENTS_PER_STEP,
            sends,
            steps: 0,
        };
        engine.set_preparing(has_warps(device.info().kind))?;
        Ok(engine)
    }

    /// Sets whether groups prepare events that the model declares as `prepared`. The default is `true` on GPUs. Outcomes
    /// do not depend on it.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_preparing(&mut self, prepares: bool) -> Result<(), EngineError> {
        self.programs.clear();
        self.tables.prepared = match prepares && E::LANES > 0 {
            true => {
                let (device, groups) = (self.tables.lists.device(), self.layout.rows * E::GROUPS);
                Some(Prepared {
                    ready: Table::zeroed(device, groups)?,
                    shares: Table::zeroed(device, groups * E::LANES)?,
                })
            }
            false => None,
        };
        Ok(())
    }

    /// Sets the largest number of events per module and step: 64 by default, and four times as many if modules are
    /// listed for each step. Outcomes do not depend on it.
    pub fn set_events_per_step(&mut self, events: u32) {
        self.events = events.max(1);
    }

    /// Sets which modules the device runs in one warp: [`MappingChoice::Auto`] by default. Outcomes do not depend on
    /// it.
    pub fn set_mapping(&mut self, mapping: MappingChoice) {
        (self.mapping, self.chooser) = (mapping, None);
    }

    /// Returns the mapping in use, or the fastest one so far if the engine tries several; `None` before the first run.
    #[must_use]
    pub fn mapping(&self) -> Option<Mapping> {
        self.chooser.as_ref().map(Chooser::favourite)
    }

    /// Number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs all simulations to their ends. A simulation with [`Trouble`] stops there, and others continue.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn run(&mut self) -> Result<Vec<Outcome<E>>, EngineError> {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs all simulations like [`run`](Self::run), and reports progress to a function that may cancel the run. A
    /// cancelled run can be continued.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn run_with(
        &mut self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Outcome<E>>, EngineError> {
        if self.tables.lists.is_empty() {
            return Ok(Vec::new());
        }
        let mut chooser = match self.chooser.take() {
            Some(chooser) => chooser,
            None => self.chooser()?,
        };
        let run = self.run_by(&mut chooser, &mut progress);
        self.chooser = Some(chooser);
        run?;
        self.outcomes(0..self.modules.len())
    }

    /// Prepares a run ahead of time: chooses a mapping, and records and compiles the steps. No event is executed yet.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn compile(&mut self) -> Result<(), EngineError> {
        if self.tables.lists.is_empty() {
            return Ok(());
        }
        let chooser = match self.chooser.take() {
            Some(chooser) => chooser,
            None => self.chooser()?,
        };
        let turn = chooser.turn();
        self.chooser = Some(chooser);
        let (key, plan, _) = self.plan(turn);
        let program = self.program(key, &plan)?;
        self.programs.insert(key, program);
        Ok(())
    }

    /// Returns the time of the earliest pending event of each simulation, in ticks; the greatest time if there is none.
    /// A simulation is over if this is not below its end.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn reached(&self) -> Result<Vec<u64>, EngineError> {
        let earliest = if self.modules.is_empty() { vec![] } else { self.tables.earliest[0].time().read()? };
        let of = |(simulation, &modules): (usize, &u32)| {
            (0..modules).map(|module| earliest[self.layout.row(simulation, module)]).min().unwrap_or(u64::MAX)
        };
        Ok(self.modules.iter().enumerate().map(of).collect())
    }

    /// Returns the states of the given simulations after a cancelled run, in that order; `None` for a simulation with
    /// trouble. Unknown numbers are skipped. Events that are on their way are added to the lists of their receivers
    /// before.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn states(
        &mut self,
        simulations: impl IntoIterator<Item = usize>,
    ) -> Result<Vec<Option<State<E>>>, EngineError> {
        if self.sends && !self.modules.is_empty() {
            E::receive(&mut self.tables)?;
            self.make_room(Side::Delivered)?;
            self.tables.mail.deliver()?;
        }
        let of = simulations.into_iter().filter_map(|number| Some((number, *self.modules.get(number)?)));
        Ok(state::of(&self.tables, &self.layout, of)?)
    }

    fn chooser(&self) -> Result<Chooser, EngineError> {
        match self.mapping {
            MappingChoice::Always(mapping) => Ok(Chooser::always(mapping)),
            MappingChoice::Auto => {
                let lists = &self.tables.lists;
                Ok(likely(lists.device().info().kind, E::NAMES.len() as u32, &lists.coming().read()?))
            }
        }
    }

    /// Runs turn by turn until nothing is left to do.
    fn run_by(
        &mut self,
        chooser: &mut Chooser,
        progress: &mut impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), EngineError> {
        // Number of events of all modules before the turn.
        let mut before = None;
        loop {
            let turn = chooser.turn();
            if before.is_none() && !matches!(turn, Turn::ToTheEnd(_)) {
                before = Some(self.handled()?);
            }
            let (stop, taken) = self.take_turn(turn, progress)?;
            match stop {
                Stop::Condition(steps::DONE) => return Ok(()),
                Stop::Condition(steps::NO_ROOM) => self.make_room(Side::Before)?,
                _ => {}
            }
            if let Some(earlier) = before {
                let now = self.handled()?;
                let taken = Taken { events: now - earlier, ..taken };
                chooser.tell(turn, taken, self.limits(turn.mapping()).events);
                before = Some(now);
            }
        }
    }

    fn take_turn(
        &mut self,
        turn: Turn,
        progress: &mut impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(Stop, Taken), EngineError> {
        let (key, plan, budget) = self.plan(turn);
        let begin = Instant::now();
        let mut program = self.program(key, &plan)?;
        let prepared = begin.elapsed();
        let (begin, earlier) = (Instant::now(), self.steps);
        let mut is_cancelled = false;
        let outcome = program.run_with(|done| {
            if progress(Progress { steps: earlier + done.steps }).is_break() {
                is_cancelled = true;
                return ControlFlow::Break(());
            }
            match budget {
                Some(budget) if begin.elapsed() >= budget => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })?;
        let taken = Taken { steps: outcome.steps, events: 0, time: begin.elapsed(), prepared };
        self.programs.insert(key, program);
        self.steps += outcome.steps;
        match outcome.stop {
            Stop::Cancelled if is_cancelled => Err(EngineError::Cancelled { steps: self.steps }),
            stop => Ok((stop, taken)),
        }
    }

    /// Returns the program of a turn, the limits of its steps, and its time limit.
    fn plan(&self, turn: Turn) -> ((Mapping, bool), Plan, Option<Duration>) {
        let (mapping, limits) = (turn.mapping(), self.limits(turn.mapping()));
        match turn {
            Turn::ToTheEnd(_) => ((mapping, false), limits, None),
            Turn::For(_, time) => ((mapping, false), limits, Some(time)),
            Turn::Trial(_, events) => ((mapping, true), Plan { events, ..limits }, None),
        }
    }

    /// Removes the program of a turn from the cache for its use, or records it.
    fn program(&mut self, key: (Mapping, bool), plan: &Plan) -> Result<Program, EngineError> {
        if let Some(mut program) = self.programs.remove(&key) {
            E::set_plan(&mut program, plan, &self.tables)?;
            return Ok(program);
        }
        let (mapping, is_trial) = key;
        let most_steps = if is_trial { TRIAL_STEPS } else { u64::MAX };
        let program = steps::record(&mut self.tables, mapping, plan, self.sends, most_steps)?;
        program.compile()?;
        Ok(program)
    }

    /// Returns the limits of the steps of a mapping.
    fn limits(&self, mapping: Mapping) -> Plan {
        let looks = self.tables.windows.looks();
        match mapping.is_by_kind() {
            true => Plan { events: self.events.saturating_mul(LISTED), alike: true, looks },
            false => Plan { events: self.events, alike: false, looks },
        }
    }

    fn handled(&self) -> Result<u64, EngineError> {
        let lists = &self.tables.lists;
        Ok(lists.device().queue().sum(lists.handled())?.read()?)
    }

    /// Enlarges all lists to the greatest capacity that one of them needs, or more if there is memory, and adds the
    /// messages that were late.
    fn make_room(&mut self, side: Side) -> Result<(), EngineError> {
        let wanted = self.tables.lists.wanted().read()?.into_iter().max().unwrap_or(0);
        if wanted == 0 {
            return Ok(());
        }
        let ample = wanted.checked_next_power_of_two().unwrap_or(wanted);
        match self.grow(ample).or_else(|_| self.grow(wanted)) {
            Ok(()) => {}
            Err(imminent_core::Error::OutOfMemory { .. } | imminent_core::Error::Limit { .. }) => self.give_up()?,
            Err(error) => return Err(error.into()),
        }
        Ok(E::catch_up(&mut self.tables, side)?)
    }

    fn grow(&mut self, capacity: u32) -> imminent_core::Result<()> {
        self.tables.payloads.grow(capacity)?;
        self.tables.lists.grow(capacity)
    }

    /// Notes an error at all modules that need more room than there is.
    fn give_up(&mut self) -> imminent_core::Result<()> {
        let wanted = self.tables.lists.wanted().read()?;
        let mut trouble = self.tables.lists.trouble().read()?;
        for (trouble, _) in trouble.iter_mut().zip(wanted).filter(|(_, wanted)| *wanted > 0) {
            *trouble = order::NO_ROOM;
        }
        self.tables.lists.trouble().write_rows(0, &trouble)
    }

    /// Returns the outcomes of the given simulations, in that order; one that is not over has its current state.
    /// Unknown numbers are skipped.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn outcomes(&self, simulations: impl IntoIterator<Item = usize>) -> Result<Vec<Outcome<E>>, EngineError> {
        let mut states = self.tables.modules.read()?;
        let standings = Standings::read(&self.tables.lists)?;
        let simulations: Vec<usize> =
            simulations.into_iter().filter(|simulation| *simulation < self.modules.len()).collect();
        // The last request for a simulation moves its rows out instead of copying them.
        let mut times = vec![0_u32; self.modules.len()];
        simulations.iter().for_each(|simulation| times[*simulation] += 1);
        let outcome = |simulation: usize| {
            let modules = self.modules[simulation];
            let rows = || (0..modules).map(|module| (module, self.layout.row(simulation, module)));
            times[simulation] -= 1;
            let first_trouble = rows()
                .filter(|&(_, row)| standings.trouble[row] > 0)
                .min_by_key(|&(module, row)| (standings.now[row], module));
            let trouble = first_trouble.and_then(|(module, row)| {
                let event = E::NAMES.get(standings.happening[row] as usize).copied().unwrap_or("none yet");
                let at = Whereabouts { simulation, module, time: standings.now[row], event };
                Trouble::numbered(standings.trouble[row], at)
            });
            let mut state = |row: usize| match times[simulation] {
                0 => std::mem::replace(&mut states[row], E::Module::zeroed(0)),
                _ => states[row].clone(),
            };
            match trouble {
                Some(trouble) => Err(trouble),
                None => Ok(End {
                    modules: rows().map(|(_, row)| state(row)).collect(),
                    handled: rows().map(|(_, row)| standings.handled[row]).sum(),
                    waiting: rows().map(|(_, row)| u64::from(standings.waiting[row])).sum(),
                }),
            }
        };
        Ok(simulations.into_iter().map(outcome).collect())
    }
}

/// Positions of the modules, by row.
struct Standings {
    now: Vec<u64>,
    happening: Vec<u32>,
    handled: Vec<u64>,
    waiting: Vec<u32>,
    trouble: Vec<u32>,
}

impl Standings {
    fn read(lists: &Table<EventList>) -> imminent_core::Result<Self> {
        Ok(Standings {
            now: lists.now().read()?,
            happening: lists.happening().read()?,
            handled: lists.handled().read()?,
            waiting: lists.waiting().read()?,
            trouble: lists.trouble().read()?,
        })
    }
}
