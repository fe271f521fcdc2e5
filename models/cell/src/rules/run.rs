//! Running the model of a rule file.

use super::Outcome;
use super::model::Model;
use super::postfix::CompileError;
use super::prepared::Prepared;
use super::tree_rules::TreeRules;
use crate::engine::{End, Failure, by_tables, host};
use crate::outcome::{Cancelled, Engine};
use crate::runner::{Ended, Runner, Watch};
use crate::sequential::{Output, RuleError};
use imminent_core::Device;
use std::ops::ControlFlow;
use thiserror::Error;

/// Reasons why a model cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The rules do not fit a device.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A rule failed, or rules with delay 0 go on for ever.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// Single outputs were asked for of an engine that does not list them.
    #[error(
        "the engines of device `{device}` do not list single outputs: use the engine `window` on the CPU backend, or `sequential`"
    )]
    Unlisted {
        /// The device.
        device: String,
    },
    /// The run was cancelled by its progress function.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Device(error) => RunError::Device(error),
            Failure::Rule(error) => RunError::Rule(error),
            Failure::Cancelled(cancelled) => RunError::Cancelled(cancelled),
        }
    }
}

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are rounds of outputs on a device, which are the launches of the engine `step`. On a host, and of the
/// sequential engine, they are distinct times.
pub type Run = crate::Run<Outcome>;

impl Model {
    /// Runs the model for `horizon` milliseconds, or [units](Self::unit) of time if it [reaches](Self::reach) farther,
    /// with the random numbers of a seed.
    ///
    /// On hosts with native rows, [`Engine::Auto`] takes windows of active cells; on other devices it chooses like
    /// [`Model::run_by_tables`]. Values are `f64`, so the class of the results is reproducible: equal bits on every
    /// device, which must round as IEEE 754 requires. All engines give the same outcome.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        seed: u64,
        horizon: u32,
        watch: Watch<'_>,
    ) -> Result<Run, RunError> {
        let native = device.capabilities().native_rows;
        match engine {
            Engine::Window | Engine::Auto if !native => self.run_by_tables(device, engine, seed, horizon, watch),
            Engine::Step => self.run_by_tables(device, engine, seed, horizon, watch),
            _ => self.run_observed(device, engine, seed, horizon, watch, &mut |_| ()),
        }
    }

    /// Runs the model by tables on any device, hosts included.
    ///
    /// [`Engine::Step`] makes one launch over all cells for each round of outputs. [`Engine::Window`] makes one launch
    /// for many rounds, by one group of 256 lanes. Other engines take windows for small spaces, and for larger ones as
    /// long as it measures that few cells are active; [`Run::engine`] is then the one that most rounds took. The choice
    /// changes no result. The advance is that of `liu-wainer-cell`.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run_by_tables(
        &self,
        device: &Device,
        engine: Engine,
        seed: u64,
        horizon: u32,
        watch: Watch<'_>,
    ) -> Result<Run, RunError> {
        let (mut runner, prepared) = (Runner::new(watch), Prepared::new(self, seed, horizon)?);
        let ended = by_tables(device, &prepared.task(), engine, &mut runner);
        let (end, steps, engine) = ended.map_err(|failure| self.in_milliseconds(failure))?;
        Ok(runner.finish(Ended { outcome: self.outcome(horizon, end), engine, steps }))
    }

    /// Runs the model as [`run`](Self::run) does, and calls `observe` for every output after the initial ones: in the
    /// order of time, at one time round by round, and in a round in the order of cells. [`Log`](super::Log) and
    /// [`PortLog`](super::PortLog) write them.
    ///
    /// # Errors
    /// [`RunError`]; [`RunError::Unlisted`] if the engine is that of devices.
    pub fn run_observed(
        &self,
        device: &Device,
        engine: Engine,
        seed: u64,
        horizon: u32,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(Output<f64>),
    ) -> Result<Run, RunError> {
        match engine {
            Engine::Sequential => self.run_sequentially_observed(seed, horizon, watch, observe),
            Engine::Window | Engine::Auto if device.capabilities().native_rows => {
                let (mut runner, prepared) = (Runner::new(watch), Prepared::new(self, seed, horizon)?);
                let ended = host::by_windows(&prepared.task(), &mut runner, observe);
                let (end, steps) = ended.map_err(|failure| self.in_milliseconds(failure))?;
                Ok(runner.finish(Ended { outcome: self.outcome(horizon, end), engine: Engine::Window, steps }))
            }
            _ => Err(RunError::Unlisted { device: device.info().name.clone() }),
        }
    }

    /// Returns an error of an engine, whose time is in units, with its time in milliseconds.
    fn in_milliseconds(&self, error: impl Into<RunError>) -> RunError {
        match error.into() {
            RunError::Rule(error) => {
                RunError::Rule(RuleError { time: error.time.saturating_mul(self.unit()), ..error })
            }
            other => other,
        }
    }

    /// Makes an outcome of the end of a run.
    fn outcome(&self, horizon: u32, end: End<f64>) -> Outcome {
        Outcome::new(self.space(), (horizon, self.unit()), end)
    }

    /// Runs the model by the sequential event list, which evaluates the rules as trees.
    ///
    /// # Errors
    /// [`RunError::Rule`].
    pub fn run_sequentially(&self, seed: u64, horizon: u32) -> Result<Run, RunError> {
        self.run_sequentially_observed(seed, horizon, &mut |_| ControlFlow::Continue(()), &mut |_| ())
    }

    /// Runs the model by the sequential event list, and calls `observe` for every output after the initial ones, as
    /// [`run_observed`](Self::run_observed) does.
    ///
    /// # Errors
    /// [`RunError::Rule`], [`RunError::Cancelled`].
    pub fn run_sequentially_observed(
        &self,
        seed: u64,
        horizon: u32,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(Output<f64>),
    ) -> Result<Run, RunError> {
        let (mut runner, mut rules) = (Runner::new(watch), TreeRules::new(self, seed));
        let sources = self.sources(seed, horizon);
        let (space, values) = ((self.space(), self.delay()), (self.initial(), &sources[..]));
        let ended = runner.by_event_list::<_, RunError>(space, &mut rules, values, horizon, observe);
        let end: End<_> = ended.map_err(|error| self.in_milliseconds(error))?.into();
        let steps = end.distinct_times;
        Ok(runner.finish(Ended { outcome: self.outcome(horizon, end), engine: Engine::Sequential, steps }))
    }
}
