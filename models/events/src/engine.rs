//! Engine for many simulations with event lists on the device.

use super::chooser::{Chooser, Taken, Turn};
use super::contract::{Events, Pace, Place, Prepared, Tables};
use super::delivery::{Delivery, DeliveryChoice};
use super::exchange::Exchange;
use super::layout::Layout;
use super::mapping::{Mapping, MappingChoice, has_warps, likely};
use super::room::Room;
use super::simulation::{End, MOST, Start, StartError, Terms};
use super::state::{self, State, StateError};
use super::steps;
use super::trouble::{Trouble, Whereabouts};
use super::uploads::{even_table, table};
use imminent_core::{Device, Program, Progress, Row, Stop, Table};
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
        Self::delivering(device, starts, BTreeMap::new(), most, DeliveryChoice::Auto)
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
        Self::delivering(device, starts.to_vec(), states, most, DeliveryChoice::Auto)
    }

    /// Creates simulations like [`Engine::resume`], with a choice of the delivery of messages. Outcomes do not depend
    /// on it.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn delivering(
        device: &Device,
        starts: Vec<Start<E>>,
        states: BTreeMap<usize, State<E>>,
        most: u32,
        choice: DeliveryChoice,
    ) -> Result<Self, EngineError> {
        let senders = starts.iter().filter(|start| start.lookahead > 0);
        let delivery = choice.of(E::LANES > 0, senders.map(|start| start.modules.len() as u64));
        let layout = match delivery {
            Delivery::AllToAll => Layout::of(&starts)?,
            Delivery::ByDestination => Layout::in_sequence(&starts)?,
        };
        if most > MOST {
            return Err(StartError::TooManyPromised { most }.into());
        }
        let most = most.max(1);
        let mut room = Room::new(most);
        let point_of: Vec<u32> = starts.iter().map(|start| room.add(start)).collect();
        let modules_of: Vec<u32> = starts.iter().map(|start| start.modules.len() as u32).collect();
        let place = |simulation: usize, module, terms: &Terms| Place {
            simulation: point_of[simulation],
            ..layout.place(simulation, module, terms, most)
        };
        let mut modules = vec![E::Module::zeroed(0); layout.rows];
        let mut agendas: Vec<_> = (0..layout.rows).map(|_| E::Agenda::zeroed(room.agenda())).collect();
        let mut terms_of = Vec::with_capacity(if states.is_empty() { 0 } else { starts.len() });
        for (simulation, start) in starts.into_iter().enumerate() {
            let (terms, (events, numbers)) = (start.terms(), start.agenda());
            for ((module, state), number) in (0..).zip(start.modules).zip(numbers) {
                let row = layout.row(simulation, module);
                E::seat(&mut agendas[row], &place(simulation, module, &terms));
                E::number_from(&mut agendas[row], number);
                modules[row] = state;
            }
            for event in &events {
                E::expect(&mut agendas[layout.row(simulation, event.to)], event);
            }
            if !states.is_empty() {
                terms_of.push(terms);
            }
        }
        // Before the first send, a post only contains the time of its module's first event.
        let mut posts: Vec<E::Post> = vec![];
        if !states.is_empty() {
            posts.extend(agendas.iter().map(|agenda| E::post(agenda, room.post())));
        }
        for (simulation, state) in states {
            if let Some(terms) = terms_of.get(simulation) {
                let place = |module| place(simulation, module, terms);
                let rows = (&mut modules[..], &mut agendas[..], &mut posts[..]);
                let laid = state.lay_over(&layout, place, simulation, rows);
                laid.map_err(|error| EngineError::State { simulation, error })?;
            }
        }
        let earliest: Vec<u64> = agendas.iter().map(E::next).collect();
        let (modules, agendas) = (table(device, modules)?, even_table(device, agendas)?);
        let posts = match posts.is_empty() {
            true => [E::posts(device, &earliest, room.post())?, E::posts(device, &earliest, room.post())?],
            false => [Table::from_rows(device, &posts)?, even_table(device, posts)?],
        };
        let exchange = match delivery {
            Delivery::ByDestination if !modules_of.is_empty() => Some(Exchange::new(device, &modules_of)?),
            _ => None,
        };
        let points = table(device, room.points())?;
        let mut engine = Engine {
            modules: modules_of,
            tables: Tables { modules, agendas, posts, points, prepared: None, exchange },
            layout,
            programs: BTreeMap::new(),
            mapping: MappingChoice::Auto,
            chooser: None,
            events: EVENTS_PER_STEP,
            steps: 0,
        };
        engine.set_preparing(has_warps(device.info().kind))?;
        Ok(engine)
    }

    /// Sets whether groups prepare events that the model declares as `prepared`. The default is `true` on GPUs. If
    /// messages are delivered by destination, no events are prepared. Outcomes do not depend on it.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_preparing(&mut self, prepares: bool) -> Result<(), EngineError> {
        self.programs.clear();
        self.tables.prepared = match prepares && E::LANES > 0 && self.tables.exchange.is_none() {
            true => {
                let (device, groups) = (self.tables.agendas.device(), self.layout.rows * E::GROUPS);
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

    /// Returns the way in which messages reach their receivers.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        if self.tables.exchange.is_some() { Delivery::ByDestination } else { Delivery::AllToAll }
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
        if self.tables.agendas.is_empty() {
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
        if self.tables.agendas.is_empty() {
            return Ok(());
        }
        let chooser = match self.chooser.take() {
            Some(chooser) => chooser,
            None => self.chooser()?,
        };
        let turn = chooser.turn();
        self.chooser = Some(chooser);
        let (key, pace, _) = self.plan(turn);
        let program = self.program(key, pace)?;
        self.programs.insert(key, program);
        Ok(())
    }

    /// Returns the time of the earliest pending event of each simulation, in ticks; the greatest time if there is none.
    /// A simulation is over if this is not below its end.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn reached(&self) -> Result<Vec<u64>, EngineError> {
        let earliest = if self.modules.is_empty() { vec![] } else { E::earliest(&self.tables)? };
        let of = |(simulation, &modules): (usize, &u32)| {
            (0..modules).map(|module| earliest[self.layout.row(simulation, module)]).min().unwrap_or(u64::MAX)
        };
        Ok(self.modules.iter().enumerate().map(of).collect())
    }

    /// Returns the states of the given simulations after a cancelled run, in that order; `None` for a simulation with
    /// trouble. Unknown numbers are skipped.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn states(&self, simulations: impl IntoIterator<Item = usize>) -> Result<Vec<Option<State<E>>>, EngineError> {
        let of = simulations.into_iter().filter_map(|number| Some((number, *self.modules.get(number)?)));
        Ok(state::of(&self.tables, &self.layout, of)?)
    }

    fn chooser(&self) -> Result<Chooser, EngineError> {
        match self.mapping {
            MappingChoice::Always(mapping) => Ok(Chooser::always(mapping)),
            MappingChoice::Auto => {
                let device = self.tables.agendas.device();
                Ok(likely(device.info().kind, E::NAMES.len() as u32, &E::coming(&self.tables.agendas).read()?))
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
                Stop::Condition(steps::FULL) => self.make_room()?,
                _ => {}
            }
            if let Some(earlier) = before {
                let now = self.handled()?;
                let taken = Taken { events: now - earlier, ..taken };
                chooser.tell(turn, taken, self.pace(turn.mapping()).events);
                before = Some(now);
            }
        }
    }

    fn take_turn(
        &mut self,
        turn: Turn,
        progress: &mut impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(Stop, Taken), EngineError> {
        let (key, pace, budget) = self.plan(turn);
        let begin = Instant::now();
        self.fit_messages()?;
        let mut program = self.program(key, pace)?;
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
    fn plan(&self, turn: Turn) -> ((Mapping, bool), Pace, Option<Duration>) {
        let (mapping, pace) = (turn.mapping(), self.pace(turn.mapping()));
        match turn {
            Turn::ToTheEnd(_) => ((mapping, false), pace, None),
            Turn::For(_, time) => ((mapping, false), pace, Some(time)),
            Turn::Trial(_, events) => ((mapping, true), Pace { events, ..pace }, None),
        }
    }

    /// Removes the program of a turn from the cache for its use, or records it.
    fn program(&mut self, key: (Mapping, bool), pace: Pace) -> Result<Program, EngineError> {
        if let Some(mut program) = self.programs.remove(&key) {
            E::set_pace(&mut program, pace, &self.tables)?;
            return Ok(program);
        }
        let (mapping, is_trial) = key;
        let program = steps::record(&mut self.tables, mapping, pace, if is_trial { TRIAL_STEPS } else { u64::MAX })?;
        program.compile()?;
        Ok(program)
    }

    /// Fits the room for messages to those that are under way.
    fn fit_messages(&mut self) -> Result<(), EngineError> {
        if let Some(exchange) = &mut self.tables.exchange {
            let sent = E::sent(&self.tables.posts[1]);
            let messages = self.tables.agendas.device().queue().sum(sent)?.read()?;
            if exchange.fit(messages)? {
                self.programs.clear();
            }
        }
        Ok(())
    }

    fn pace(&self, mapping: Mapping) -> Pace {
        match mapping.is_by_kind() {
            true => Pace { events: self.events.saturating_mul(LISTED), alike: true },
            false => Pace { events: self.events, alike: false },
        }
    }

    fn handled(&self) -> Result<u64, EngineError> {
        let agendas = &self.tables.agendas;
        Ok(agendas.device().queue().sum(E::handled(agendas))?.read()?)
    }

    /// Enlarges all agendas to the greatest capacity that one of them needs, or more if there is memory.
    fn make_room(&mut self) -> Result<(), EngineError> {
        let wanted = E::wanted(&self.tables.agendas)?.into_iter().max().unwrap_or(0);
        let ample = wanted.checked_next_power_of_two().unwrap_or(wanted);
        let agendas = &mut self.tables.agendas;
        match agendas.grow(ample).or_else(|_| agendas.grow(wanted)) {
            Ok(()) => {}
            Err(imminent_core::Error::OutOfMemory { .. } | imminent_core::Error::Limit { .. }) => E::give_up(agendas)?,
            Err(error) => return Err(error.into()),
        }
        Ok(E::catch_up(&mut self.tables)?)
    }

    /// Returns the outcomes of the given simulations, in that order; one that is not over has its current state.
    /// Unknown numbers are skipped.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn outcomes(&self, simulations: impl IntoIterator<Item = usize>) -> Result<Vec<Outcome<E>>, EngineError> {
        let mut states = self.tables.modules.read()?;
        let standings = E::standings(&self.tables.agendas)?;
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
                .filter(|&(_, row)| standings[row].trouble > 0)
                .min_by_key(|&(module, row)| (standings[row].now, module));
            let trouble = first_trouble.and_then(|(module, row)| {
                let event = E::NAMES.get(standings[row].happening as usize).copied().unwrap_or("none yet");
                let at = Whereabouts { simulation, module, time: standings[row].now, event };
                Trouble::numbered(standings[row].trouble, at)
            });
            let mut state = |row: usize| match times[simulation] {
                0 => std::mem::replace(&mut states[row], E::Module::zeroed(0)),
                _ => states[row].clone(),
            };
            match trouble {
                Some(trouble) => Err(trouble),
                None => Ok(End {
                    modules: rows().map(|(_, row)| state(row)).collect(),
                    handled: rows().map(|(_, row)| standings[row].handled).sum(),
                    waiting: rows().map(|(_, row)| u64::from(standings[row].waiting)).sum(),
                }),
            }
        };
        Ok(simulations.into_iter().map(outcome).collect())
    }
}
