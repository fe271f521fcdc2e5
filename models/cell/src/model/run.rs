//! Running a scenario.

use super::cells::{Cells, Event};
use super::class::class;
use super::contract::CellModel;
use super::error::{MAX_TIME, RunError};
use super::oracle::NativeRule;
use super::outcome::Outcome;
use crate::engine::{End, Setting, Task, by_tables, host};
use crate::outcome::Engine;
use crate::runner::{Ended, Runner, Watch};
use crate::sequential::{InputSource, Output};
use imminent_core::{Determinism, Device};
use std::ops::ControlFlow;

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are rounds of outputs on a device, which are the launches of the engine `step`. On a host, and of the
/// sequential engine, they are distinct times.
pub type Run<V> = crate::Run<Outcome<V>>;

impl<M: CellModel> Cells<M> {
    /// Returns the determinism class of all results: exact, or reproducible if the rule computes with floats. A
    /// reproducible model runs only on devices that round as IEEE 754 requires.
    #[must_use]
    pub fn class(&self) -> Determinism {
        class::<M::Step>()
    }

    /// Runs the scenario for `horizon` milliseconds, outputs at that time included. All engines give the same outcome.
    ///
    /// | engine | on the CPU backend | on other devices |
    /// | --- | --- | --- |
    /// | [`Engine::Window`] | active cells only, in windows as long as the lookahead | many rounds of outputs in a launch, by one group |
    /// | [`Engine::Step`] | a launch for each round of outputs | the same |
    /// | [`Engine::Auto`] | `Window` | the one that suits the activity of the cells, which it measures |
    /// | [`Engine::Sequential`] | the oracle | the oracle, on the host |
    ///
    /// # Errors
    /// [`RunError`]. An error of the rule names cell and time, and is the same by every engine.
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        horizon: u32,
        watch: Watch<'_>,
    ) -> Result<Run<M::Value>, RunError> {
        match engine {
            Engine::Sequential => self.run_sequentially_while(horizon, watch, &mut |_| ()),
            Engine::Window | Engine::Auto if device.capabilities().native_rows => {
                self.run_on_host(horizon, watch, &mut |_| ())
            }
            _ => self.run_by_tables(device, engine, horizon, watch),
        }
    }

    /// Runs the scenario by tables on any device, hosts included, as [`run`](Self::run) does on other devices.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run_by_tables(
        &self,
        device: &Device,
        engine: Engine,
        horizon: u32,
        watch: Watch<'_>,
    ) -> Result<Run<M::Value>, RunError> {
        let (mut runner, parts) = (Runner::new(watch), self.parts(horizon)?);
        let (end, steps, engine) = by_tables(device, &self.task(&parts, horizon), engine, &mut runner)?;
        Ok(runner.finish(Ended { outcome: Outcome::new(self.space(), (horizon, 1), end), engine, steps }))
    }

    /// Runs the scenario on the host, active cells only, and calls `observe` for every output after the initial ones:
    /// in the order of time, at one time round by round, and in a round in the order of cells.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run_on_host(
        &self,
        horizon: u32,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(Output<M::Value>),
    ) -> Result<Run<M::Value>, RunError> {
        let (mut runner, parts) = (Runner::new(watch), self.parts(horizon)?);
        let (end, steps) = host::by_windows(&self.task(&parts, horizon), &mut runner, observe)?;
        Ok(runner.finish(Ended {
            outcome: Outcome::new(self.space(), (horizon, 1), end),
            engine: Engine::Window,
            steps,
        }))
    }

    /// Runs the scenario by the sequential event list, the oracle, and calls `observe` for every output after the
    /// initial ones, in the order of [`run_on_host`](Self::run_on_host).
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run_sequentially(
        &self,
        horizon: u32,
        observe: &mut dyn FnMut(Output<M::Value>),
    ) -> Result<Run<M::Value>, RunError> {
        self.run_sequentially_while(horizon, &mut |_| ControlFlow::Continue(()), observe)
    }

    /// Runs the scenario like [`run_sequentially`](Self::run_sequentially), as long as the progress function goes on.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run_sequentially_while(
        &self,
        horizon: u32,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(Output<M::Value>),
    ) -> Result<Run<M::Value>, RunError> {
        check(horizon)?;
        let mut runner = Runner::new(watch);
        let mut rule = NativeRule::new(self);
        let source = |&Event { time, cell, value }: &Event<M::Value>| InputSource::once(cell, time, value);
        let sources: Vec<InputSource<M::Value>> = self.events().iter().map(source).collect();
        let (space, values) = ((self.space(), self.delay()), (self.initial(), &sources[..]));
        let end: End<_> = runner.by_event_list::<_, RunError>(space, &mut rule, values, horizon, observe)?.into();
        let steps = end.distinct_times;
        Ok(runner.finish(Ended {
            outcome: Outcome::new(self.space(), (horizon, 1), end),
            engine: Engine::Sequential,
            steps,
        }))
    }

    fn parts(&self, horizon: u32) -> Result<Parts<M>, RunError> {
        check(horizon)?;
        let source = |&Event { time, cell, value }: &Event<M::Value>| InputSource::once(cell, time, M::input(value));
        Ok(Parts { table: M::table(), sources: self.events().iter().map(source).collect() })
    }

    fn task<'a>(&'a self, parts: &'a Parts<M>, horizon: u32) -> Task<'a, M> {
        let setting = Setting {
            space: self.space(),
            delay: self.delay(),
            zones: self.zones(),
            lookahead: self.lookahead(),
            draws: M::DRAWS,
            seed: self.seed(),
            streams: self.space().cells() as u32,
            kept: 0,
            horizon,
            class: Some(self.class()).filter(|&class| class != Determinism::Exact),
        };
        let (initial, sources) = (self.initial(), &parts.sources);
        Task { setting, model: self.model(), facts: &parts.table, initial, kept: &[], sources }
    }
}

/// Tables that a task borrows beside the scenario.
struct Parts<M: CellModel> {
    table: Vec<M::Facts>,
    sources: Vec<InputSource<M::Input>>,
}

fn check(horizon: u32) -> Result<(), RunError> {
    if horizon > MAX_TIME { Err(RunError::Horizon { horizon }) } else { Ok(()) }
}
