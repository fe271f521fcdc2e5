//! Runs that are executed one after the other.

use super::base::Base;
use super::laboratory::{Failed, Fault, Finished, Laboratory, Point, Run, Update};
use super::runs::Runs;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Executor of one run at a time, for models whose engine has the device for itself.
pub trait Single: Send {
    /// Configuration of a run.
    type Config: DeserializeOwned + Send + Sync;

    /// Executes a run. `go_on` is called now and then; the run ends early once it breaks, and what it then returns is
    /// not looked at.
    ///
    /// # Errors
    /// A fault that says why the run failed. Other runs go on.
    fn run(&mut self, config: &Self::Config, seed: u64, go_on: GoOn<'_>) -> Result<Measured, Fault>;
}

/// Callback that ends a run early by breaking.
pub type GoOn<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// Measured values of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Number of events that the run took.
    pub events: u64,
    /// The value of each measure, in the order of the description.
    pub values: Vec<Option<f64>>,
}

/// Laboratory that executes runs one after the other.
pub struct Singly<S: Single> {
    single: S,
    base: Arc<Base>,
    /// Point of the last run, with its configuration.
    last: Option<(u64, Arc<S::Config>)>,
}

impl<S: Single> Singly<S> {
    /// Creates a laboratory of runs of configurations that start from `base`.
    #[must_use]
    pub fn new(base: &Arc<Base>, single: S) -> Self {
        Self { single, base: Arc::clone(base), last: None }
    }

    fn config(&mut self, point: &Point) -> Result<Arc<S::Config>, Fault> {
        if let Some((number, config)) = &self.last
            && *number == point.number()
        {
            return Ok(Arc::clone(config));
        }
        let config = Arc::new(self.base.config(point)?);
        self.last = Some((point.number(), Arc::clone(&config)));
        Ok(config)
    }

    fn one(&mut self, run: &Run, go_on: GoOn<'_>) -> Result<Measured, Fault> {
        let config = self.config(&run.point)?;
        self.single.run(&config, run.seed, go_on)
    }
}

impl<S: Single> Laboratory for Singly<S> {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let all = runs.len().max(1) as f64;
        for (done, run) in runs.iter().enumerate() {
            let share = done as f64 / all;
            let mut ended = ControlFlow::Continue(());
            let measured = self.one(&run, &mut || {
                ended = observer(Update::Progress { share });
                ended
            });
            let update = match measured {
                _ if ended.is_break() => return Ok(()),
                Ok(Measured { events, values }) => Update::Finished(Finished { run: run.number, events, values }),
                Err(fault) => Update::Failed(Failed { run: run.number, why: fault.to_string() }),
            };
            if observer(update).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}
