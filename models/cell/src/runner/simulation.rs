//! Simulations that several engines run to one outcome.

use super::{Phase, Runner, Watch};
use crate::outcome::{Engine, Run};
use imminent_core::Device;
use std::ops::ControlFlow;

/// Way in which time advances, with what an engine needs for it.
#[derive(Clone, Copy, Debug)]
pub enum Advance<'a> {
    /// An engine of the host, which uses this number of threads at most.
    Host(Engine, u32),
    /// An engine of a device, by tiles of cells.
    Tiles(Engine, &'a Device),
    /// The sequential event list on the host.
    Sequential,
}

/// End of a run of an engine.
#[derive(Debug)]
pub struct Ended<O> {
    pub(crate) outcome: O,
    /// Engine that was used.
    pub(crate) engine: Engine,
    pub(crate) steps: u64,
}

/// A simulation of cells. All engines give the same outcome and digest. Determinism class: exact.
///
/// `watch` is asked now and then whether the run goes on; a run that it ends is an error that says so.
pub trait Simulation {
    /// Result of a run.
    type Outcome;
    /// Reason why a run ends without a result.
    type Error;
    /// News of a run under way: [`Progress`](imminent_core::Progress), or more than that.
    type Report;

    /// Runs an engine from its set-up to the outcome. Programs call the other functions.
    ///
    /// # Errors
    /// The errors of the engine.
    fn advance(
        &self,
        by: Advance<'_>,
        runner: &mut Runner<'_, Self::Report>,
    ) -> Result<Ended<Self::Outcome>, Self::Error>;

    /// Runs on a device: on hosts with native rows by an engine of the host, on other devices by tiles.
    /// [`Engine::Sequential`] runs on the host, whatever the device.
    ///
    /// # Errors
    /// The errors of the engine.
    fn run(
        &self,
        device: &Device,
        engine: Engine,
        watch: Watch<'_, Self::Report>,
    ) -> Result<Run<Self::Outcome>, Self::Error> {
        let capabilities = device.capabilities();
        let by = match engine {
            Engine::Sequential => Advance::Sequential,
            _ if capabilities.native_rows => Advance::Host(engine, capabilities.threads),
            _ => Advance::Tiles(engine, device),
        };
        run_by(self, by, watch)
    }

    /// Runs by tiles on any device, hosts included. [`Engine::Sequential`] is taken as [`Engine::Auto`].
    ///
    /// # Errors
    /// The errors of the engine.
    fn run_by_tiles(
        &self,
        device: &Device,
        engine: Engine,
        watch: Watch<'_, Self::Report>,
    ) -> Result<Run<Self::Outcome>, Self::Error> {
        run_by(self, Advance::Tiles(engine, device), watch)
    }

    /// Runs by the sequential event list, to which other engines are compared.
    ///
    /// # Errors
    /// The errors of the engine.
    fn run_sequentially(&self) -> Result<Run<Self::Outcome>, Self::Error> {
        self.run_sequentially_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Runs by the sequential event list, as long as `watch` goes on.
    ///
    /// # Errors
    /// The errors of the engine.
    fn run_sequentially_while(&self, watch: Watch<'_, Self::Report>) -> Result<Run<Self::Outcome>, Self::Error> {
        run_by(self, Advance::Sequential, watch)
    }
}

/// Runs a simulation by an engine.
fn run_by<S: Simulation + ?Sized>(
    simulation: &S,
    by: Advance<'_>,
    watch: Watch<'_, S::Report>,
) -> Result<Run<S::Outcome>, S::Error> {
    let mut runner = Runner::new(watch);
    let ended = simulation.advance(by, &mut runner)?;
    runner.enter(Phase::Reading);
    Ok(runner.finish(ended))
}
