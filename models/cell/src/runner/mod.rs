//! The runner of all simulations: it chooses the engine, asks whether the run goes on, and measures its phases.

mod simulation;

pub(crate) use simulation::Ended;
pub use simulation::{Advance, Simulation};

use crate::outcome::{Cancelled, Run, Spent};
use crate::sequential::{self, Delay, History, InputSource, LocalRule, Output, RuleError};
use crate::space::CellSpace;
use imminent_core::clock::Instant;
use imminent_core::{Program, Progress, Stop};
use std::fmt;
use std::ops::ControlFlow;

/// Callback that observes a run under way, and ends it by breaking.
pub type Watch<'a, R = Progress> = &'a mut dyn FnMut(R) -> ControlFlow<()>;

/// Phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    SetUp,
    Simulation,
    Reading,
}

/// A run under way. Begins with its set-up.
pub struct Runner<'a, R = Progress> {
    watch: Watch<'a, R>,
    phase: Phase,
    began: Instant,
    spent: Spent,
}

impl<R> fmt::Debug for Runner<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("phase", &self.phase).field("spent", &self.spent).finish_non_exhaustive()
    }
}

impl<'a, R> Runner<'a, R> {
    pub(crate) fn new(watch: Watch<'a, R>) -> Self {
        Runner { watch, phase: Phase::SetUp, began: Instant::now(), spent: Spent::default() }
    }

    /// Ends the present phase and begins another one, which may have been before.
    pub(crate) fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        let spent = match self.phase {
            Phase::SetUp => &mut self.spent.set_up,
            Phase::Simulation => &mut self.spent.simulation,
            Phase::Reading => &mut self.spent.reading,
        };
        *spent += now.saturating_duration_since(self.began);
        (self.phase, self.began) = (phase, now);
    }

    /// Tells the observer something. Breaks if the run is to end.
    pub(crate) fn tell(&mut self, report: R) -> ControlFlow<()> {
        (self.watch)(report)
    }

    /// Ends the run with its outcome.
    pub(crate) fn finish<O>(mut self, Ended { outcome, engine, steps }: Ended<O>) -> Run<O> {
        self.enter(Phase::Reading);
        Run { outcome, engine, spent: self.spent, steps }
    }
}

impl Runner<'_> {
    /// Tells the steps so far. Breaks if the run is to end.
    pub(crate) fn look(&mut self, steps: u64) -> ControlFlow<()> {
        self.tell(Progress { steps })
    }

    /// Tells the steps so far.
    ///
    /// # Errors
    /// [`Cancelled`] if the run is to end.
    pub(crate) fn go_on(&mut self, steps: u64) -> Result<(), Cancelled> {
        if self.look(steps).is_break() { Err(Cancelled { steps }) } else { Ok(()) }
    }

    /// Simulates by the sequential event list.
    pub(crate) fn by_event_list<L: LocalRule, E: From<RuleError> + From<Cancelled>>(
        &mut self,
        (space, delay): (&CellSpace, Delay),
        rule: &mut L,
        (initial, sources): (&[L::Value], &[InputSource<L::Input>]),
        horizon: u32,
        observe: &mut dyn FnMut(Output<L::Value>),
    ) -> Result<History<L::Value>, E> {
        self.enter(Phase::Simulation);
        let go_on = &mut |steps| self.look(steps);
        let (history, flow) =
            sequential::simulate_watched(space, delay, rule, initial, sources, horizon, observe, go_on)?;
        self.enter(Phase::Reading);
        if flow.is_break() { Err(Cancelled { steps: history.distinct_times }.into()) } else { Ok(history) }
    }

    /// Executes a program to its condition. Returns the steps that it took, which `steps_of` counts from the rounds of
    /// its loop.
    pub(crate) fn execute<E: From<imminent_core::Error> + From<Cancelled>>(
        &mut self,
        program: &mut Program,
        steps_of: impl Fn(u64) -> u64,
    ) -> Result<u64, E> {
        execute(program, steps_of, self.watch)
    }
}

/// Executes a program as [`Runner::execute`] does, and tells `watch` the steps so far.
pub(crate) fn execute<E: From<imminent_core::Error> + From<Cancelled>>(
    program: &mut Program,
    steps_of: impl Fn(u64) -> u64,
    watch: Watch<'_>,
) -> Result<u64, E> {
    let outcome = program.run_with(|now| watch(Progress { steps: steps_of(now.steps) }))?;
    let steps = steps_of(outcome.steps);
    if outcome.stop == Stop::Cancelled { Err(Cancelled { steps }.into()) } else { Ok(steps) }
}
