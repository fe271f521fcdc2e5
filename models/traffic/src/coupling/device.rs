//! Fluids on a device.

use super::Coupling;
use super::fluids::{Aside, Fluids, Level};
use crate::fluid::{Engine, FlowState, FluidError, Means, QueueState, SharedQueues};
use crate::{StepSize, Traffic};
use imminent_core::clock::Instant;
use imminent_core::{Device, Submission};
use std::time::Duration;

/// Fluids on a device, simulated in batches.
#[derive(Debug)]
pub struct OnDevice {
    engine: Engine,
    /// Data exchanged with packets; `None` if packets share no queue.
    shared: Option<SharedQueues>,
    /// Launches per batch.
    launches: u32,
    /// Launches of the current batch whose steps were fetched.
    fetched: u32,
    /// The last batch, if nothing is fetched. `waiting` is the time spent waiting for earlier ones.
    under_way: Option<Submission<()>>,
    waiting: Duration,
}

impl OnDevice {
    pub(super) fn new(
        device: &Device,
        traffic: &Traffic,
        (size, launches): (StepSize, u32),
        coupling: &Coupling,
        links: &[u32],
    ) -> Result<Self, FluidError> {
        let kept = (coupling.rules, coupling.memory);
        let engine = Engine::with_precision(device, traffic, size, kept, coupling.precision)?;
        let shared = if links.is_empty() { None } else { Some(SharedQueues::new(&engine, links, launches)?) };
        Ok(OnDevice { engine, shared, launches, fetched: 0, under_way: None, waiting: Duration::ZERO })
    }

    /// Returns the engine, at the end of the last batch that was begun.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl Fluids for OnDevice {
    fn join(&mut self, bytes: &[u64]) -> Result<(), FluidError> {
        match &mut self.shared {
            Some(shared) => self.engine.join(shared, bytes),
            None => Ok(()),
        }
    }

    /// Without shared queues no packet waits for the results. The wait for the previous batch keeps the host at most
    /// one batch ahead.
    fn begin(&mut self) -> Result<(), FluidError> {
        self.fetched = 0;
        if let Some(shared) = &mut self.shared {
            return self.engine.launch(shared);
        }
        let next = self.engine.set_off(self.launches)?;
        let began = Instant::now();
        if let Some(before) = self.under_way.replace(next) {
            before.wait()?;
        }
        self.waiting += began.elapsed();
        Ok(())
    }

    fn fetch(&mut self, levels: &mut Vec<Level>) -> Result<(), FluidError> {
        let launch = self.fetched;
        self.fetched += 1;
        let Some(shared) = &mut self.shared else { return Ok(()) };
        shared.wait(launch, |level, loss| {
            levels.push(Level { length: level.max(0.0), loss, spare: (-level).max(0.0) });
        })
    }

    fn aside(&self) -> Aside {
        Aside { transfers: self.shared.as_ref().map_or(Duration::ZERO, SharedQueues::transfers), waiting: self.waiting }
    }

    fn measure(&mut self) -> Result<(), FluidError> {
        self.engine.measure()
    }

    fn means(&self) -> Result<Option<Means>, FluidError> {
        self.engine.means()
    }

    fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        self.engine.flows()
    }

    fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        self.engine.queues()
    }
}
