//! Simulations in steps of kernels.

use super::chooser::{Chooser, Taken, Turn};
use super::ends;
use super::guesses::Guesses;
use super::layout::Layout;
use super::likely::{goes_apart, has_warps, likely};
use super::setup::{Setup, set_up};
use super::steps::{self, Form};
use super::tables::{Prepared, Side, Tables};
use crate::contract::Events;
use crate::error::{EngineError, Outcome};
use crate::kernels::list::{self, EarliestColumns as _, EventListColumns as _, NEAR, Plan};
use crate::kernels::order;
use crate::kernels::speculation::Reach;
use crate::mapping::{Mapping, MappingChoice};
use crate::simulation::Start;
use crate::speculation::Speculation;
use crate::state::State;
use imminent_core::clock::Instant;
use imminent_core::{Device, Program, Progress, Stop, Table};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

/// Default number of events per module and step.
const EVENTS_PER_STEP: u32 = 64;

/// Factor for that number if modules are listed anew for each step, which takes additional time.
const LISTED: u32 = 4;

/// Number of steps of a trial.
const TRIAL_STEPS: u64 = 2;

/// Simulations in steps of kernels. In each step, every module of every simulation first receives the events that were
/// sent to it. It then executes all safe events: those before the earliest event of its simulation plus the lookahead.
#[derive(Debug)]
pub(crate) struct OnDevice<E: Events> {
    layout: Layout,
    /// Number of modules of each simulation.
    modules: Vec<u32>,
    pub(super) tables: Tables<E>,
    /// Programs in use, by mapping and by whether they are trials.
    pub(super) programs: BTreeMap<(Mapping, bool), Program>,
    mapping: MappingChoice,
    pub(super) chooser: Option<Chooser>,
    /// Length of speculative time windows, in ticks.
    pub(super) window: u64,
    /// Work of speculation that has ended; `None` if there was none.
    pub(super) speculation: Option<Speculation>,
    /// Largest number of events per module and step.
    events: u32,
    /// `true` if modules send events to one another.
    pub(super) sends: bool,
    /// `true` if messages may be under way, which lists do not yet contain.
    under_way: bool,
    /// `true` if a module of a simulation has failed.
    failed: bool,
    steps: u64,
}

impl<E: Events> OnDevice<E> {
    /// Creates checked simulations, some of which continue from a saved state.
    pub(crate) fn new(
        device: &Device,
        starts: Vec<Start<E>>,
        states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        let Setup { layout, tables, modules, sends } = set_up(device, starts, states, most)?;
        let mut simulations = OnDevice {
            layout,
            modules,
            tables,
            programs: BTreeMap::new(),
            mapping: MappingChoice::Auto,
            chooser: None,
            window: 0,
            speculation: None,
            events: EVENTS_PER_STEP,
            sends,
            under_way: false,
            failed: false,
            steps: 0,
        };
        simulations.set_preparing(has_warps(device.info().kind))?;
        Ok(simulations)
    }

    /// Sets whether groups prepare events.
    pub(crate) fn set_preparing(&mut self, prepares: bool) -> Result<(), EngineError> {
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

    /// Sets the largest number of events per module and step.
    pub(crate) fn set_events_per_step(&mut self, events: u32) {
        self.events = events.max(1);
    }

    /// Sets which modules the device runs in one warp.
    pub(crate) fn set_mapping(&mut self, mapping: MappingChoice) {
        (self.mapping, self.chooser) = (mapping, None);
    }

    /// Returns the mapping in use, or the fastest one so far; `None` before the first run.
    pub(crate) fn mapping(&self) -> Option<Mapping> {
        self.chooser.as_ref().map(Chooser::favourite)
    }

    /// Number of simulations.
    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// Number of steps so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs all simulations to their ends.
    pub(crate) fn run(&mut self, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        if self.tables.lists.is_empty() {
            return Ok(());
        }
        let mut chooser = match self.chooser.take() {
            Some(chooser) => chooser,
            None => self.chooser()?,
        };
        let run = self.run_by(&mut chooser, progress);
        self.chooser = Some(chooser);
        run
    }

    /// Chooses a mapping, and records and compiles the steps.
    pub(crate) fn compile(&mut self) -> Result<(), EngineError> {
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

    /// Returns the time of the earliest pending event of each simulation.
    pub(crate) fn reached(&self) -> Result<Vec<u64>, EngineError> {
        let earliest = if self.modules.is_empty() { vec![] } else { self.tables.earliest[0].time().read()? };
        let of = |(simulation, &modules): (usize, &u32)| {
            (0..modules).map(|module| earliest[self.layout.row(simulation, module)]).min().unwrap_or(u64::MAX)
        };
        Ok(self.modules.iter().enumerate().map(of).collect())
    }

    /// Adds the messages under way to their receivers' lists.
    pub(super) fn settle(&mut self) -> Result<(), EngineError> {
        if std::mem::take(&mut self.under_way) {
            E::receive(&mut self.tables)?;
            let Tables { lists, earliest: [earliest, _], .. } = &mut self.tables;
            lists.device().queue().launch::<list::publish>((earliest, &*lists))?;
            self.make_room(Side::Delivered)?;
            self.tables.mail.deliver()?;
        }
        Ok(())
    }

    /// Returns the states of simulations. Messages under way are added to their receivers' lists first.
    pub(crate) fn states(
        &mut self,
        simulations: &mut dyn Iterator<Item = usize>,
    ) -> Result<Vec<Option<State<E>>>, EngineError> {
        self.settle()?;
        let of = simulations.filter_map(|number| Some((number, *self.modules.get(number)?)));
        Ok(ends::states(&self.tables, &self.layout, of)?)
    }

    fn chooser(&self) -> Result<Chooser, EngineError> {
        match self.mapping {
            // Speculative steps know no other mapping.
            _ if self.tables.guesses.is_some() => Ok(Chooser::always(Mapping::InOrder)),
            MappingChoice::Always(mapping) => Ok(Chooser::always(mapping)),
            // With links both take as long on an H200, and this longer until the loop is one launch.
            MappingChoice::Auto
                if self.tables.windows.are_in_groups()
                    && !self.tables.links.exist()
                    && goes_apart(self.tables.lists.device(), E::NAMES.len()) =>
            {
                Ok(Chooser::always(Mapping::Apart))
            }
            MappingChoice::Auto => {
                let (lists, kinds) = (&self.tables.lists, E::NAMES.len() as u32);
                let coming = if kinds > 1 { lists.coming().read()? } else { Vec::new() };
                let modules = self.modules.iter().map(|modules| *modules as usize).sum();
                Ok(likely(lists.device().info().kind, modules, kinds, &coming))
            }
        }
    }

    /// Runs turn by turn until nothing is left to do.
    fn run_by(
        &mut self,
        chooser: &mut Chooser,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
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
                Stop::Condition(steps::FAILED) => {
                    self.programs.clear();
                    self.failed = true;
                    self.stop_speculating()?;
                }
                Stop::Condition(steps::CUT) => self.widen()?,
                _ => {}
            }
            if let Some(earlier) = before {
                let now = self.handled()?;
                let taken = Taken { events: now - earlier, ..taken };
                chooser.record(turn, taken, self.limits(turn.mapping()).events);
                before = Some(now);
            }
        }
    }

    fn take_turn(
        &mut self,
        turn: Turn,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(Stop, Taken), EngineError> {
        let (key, plan, budget) = self.plan(turn);
        match self.form(turn.mapping()) {
            Form::Whole => self.under_way = self.sends,
            Form::Staged | Form::Apart | Form::Listed | Form::Speculative => self.settle()?,
        }
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
        let (mapping, is_trial) = key;
        let form = self.form(mapping);
        if let Some(program) = self.programs.remove(&key) {
            if form == Form::Speculative {
                return Ok(program);
            }
            let mut program = program;
            E::set_plan(&mut program, plan, &self.tables, form != Form::Whole)?;
            return Ok(program);
        }
        let most_steps = if is_trial { TRIAL_STEPS } else { u64::MAX };
        let limits = (plan, &Reach { window: self.window });
        let sends = (self.sends, self.failed);
        let program = steps::record(&mut self.tables, (mapping, form), limits, sends, most_steps)?;
        program.compile()?;
        Ok(program)
    }

    fn form(&self, mapping: Mapping) -> Form {
        steps::form(&self.tables, mapping, (self.sends, self.failed))
    }

    /// Returns the limits of the steps of a mapping.
    fn limits(&self, mapping: Mapping) -> Plan {
        let looks = self.tables.windows.looks();
        if self.tables.guesses.is_some() {
            return Plan { events: u32::MAX, alike: false, looks };
        }
        match mapping.is_by_kind() {
            true => Plan { events: self.events.saturating_mul(LISTED), alike: true, looks },
            false => Plan { events: self.events, alike: false, looks },
        }
    }

    fn handled(&self) -> Result<u64, EngineError> {
        let lists = &self.tables.lists;
        Ok(lists.device().queue().launch::<list::executed>((lists,))?.read()?)
    }

    /// Enlarges all lists to the greatest capacity that one of them needs, or more if there is memory, and adds the
    /// messages that were late.
    fn make_room(&mut self, side: Side) -> Result<(), EngineError> {
        self.tables.halts.fill(0)?;
        let lists = &self.tables.lists;
        let wanted = lists.device().queue().launch::<list::wanted>((lists,))?.read()?;
        if wanted == 0 {
            return Ok(());
        }
        let mut grown = self.grow_for(wanted);
        if matches!(grown, Ok(false)) && self.tables.guesses.is_some() {
            // Without the saved lists there may be room.
            self.stop_speculating()?;
            grown = self.grow_for(wanted);
        }
        if !grown? {
            self.give_up()?;
        }
        Ok(E::catch_up(&mut self.tables, side)?)
    }

    /// Enlarges all lists to a capacity, or more if there is memory. Returns `false` if there is not enough.
    pub(super) fn grow_for(&mut self, wanted: u32) -> Result<bool, EngineError> {
        let ample = wanted.checked_next_power_of_two().unwrap_or(wanted);
        has_grown(self.grow(ample).or_else(|_| self.grow(wanted)))
    }

    fn grow(&mut self, capacity: u32) -> imminent_core::Result<()> {
        if let Some(Guesses { saved, .. }) = &mut self.tables.guesses {
            saved.grow(capacity)?;
        }
        self.tables.payloads.grow(capacity)?;
        self.tables.lists.grow(capacity - NEAR)
    }

    /// Notes an error at all modules that need more room than there is.
    fn give_up(&mut self) -> imminent_core::Result<()> {
        let (wanted, mut trouble) = (self.tables.lists.wanted().read()?, self.tables.lists.trouble().read()?);
        for (trouble, _) in trouble.iter_mut().zip(wanted).filter(|(_, wanted)| *wanted > 0) {
            *trouble = order::NO_ROOM;
        }
        self.tables.lists.trouble().write_rows(0, &trouble)
    }

    /// Returns the outcomes of simulations.
    pub(crate) fn outcomes(
        &self,
        simulations: &mut dyn Iterator<Item = usize>,
    ) -> Result<Vec<Outcome<E>>, EngineError> {
        Ok(ends::outcomes(&self.tables, &self.layout, &self.modules, simulations)?)
    }
}

/// Returns `false` if there was not enough memory.
pub(super) fn has_grown(grown: imminent_core::Result<()>) -> Result<bool, EngineError> {
    match grown {
        Ok(()) => Ok(true),
        Err(imminent_core::Error::OutOfMemory { .. } | imminent_core::Error::Limit { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
