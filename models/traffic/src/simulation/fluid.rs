//! Fluids on a device.

use super::error::SimulationError;
use super::sample::{FlowSample, QueueSample, Representation, Sample};
use super::stepper::{Stepper, sent};
use crate::fluid::{Engine, FlowState, Means, Memory, Precision, QueueState, Rules};
use crate::{StepSize, Traffic};
use imminent_core::Device;

/// Longest time that is simulated at once, in nanoseconds: the history has only some seconds.
const MAX_PIECES: u64 = 100_000_000;

pub(super) struct Fluids<'t> {
    traffic: &'t Traffic,
    engine: Engine,
    step: StepSize,
}

impl<'t> Fluids<'t> {
    pub(super) fn new(
        device: &Device,
        traffic: &'t Traffic,
        step: StepSize,
        (kept, precision): ((Rules, Memory), Precision),
    ) -> Result<Self, SimulationError> {
        let engine = Engine::with_precision(device, traffic, step, kept, precision)?;
        Ok(Self { traffic, engine, step })
    }
}

impl Stepper for Fluids<'_> {
    fn quantum(&self) -> u64 {
        self.step.step * u64::from(self.engine.lookahead())
    }

    fn advance(&mut self, quanta: u64) -> Result<(), SimulationError> {
        // Pieces of equal length are recorded only once.
        let pieces = quanta.div_ceil((MAX_PIECES / self.quantum()).max(1));
        for piece in 0..pieces {
            let launches = quanta / pieces + u64::from(piece < quanta % pieces);
            self.engine.advance(launches as u32)?;
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<(), SimulationError> {
        Ok(self.engine.measure()?)
    }

    fn means(&self) -> Result<Option<Means>, SimulationError> {
        Ok(self.engine.means()?)
    }

    fn measures_all(&self) -> bool {
        true
    }

    fn sample(&mut self) -> Result<Sample, SimulationError> {
        let time = self.engine.steps().saturating_mul(self.step.step);
        let (queues, flows) = (self.engine.queues()?, self.engine.flows()?);
        Ok(sample_of(self.traffic, queues, flows, time))
    }
}

/// Converts the states of fluids at a time.
pub(super) fn sample_of(traffic: &Traffic, queues: Vec<QueueState>, flows: Vec<FlowState>, time: u64) -> Sample {
    let queues = queues.into_iter().map(|queue| QueueSample {
        link: queue.link,
        length: queue.length,
        passing: Some((queue.arrivals * 8.0, queue.loss)),
    });
    let flows = flows.into_iter().filter_map(|state| {
        let flow = traffic.flows().all().get(state.flow as usize)?;
        let FlowState { window, round_trip, .. } = state;
        Some(FlowSample {
            flow: state.flow,
            part: Representation::Fluid,
            window: (window > 0.0).then_some(window),
            round_trip: Some(round_trip),
            rate: sent(traffic, flow, window, round_trip, time),
        })
    });
    Sample { queues: queues.collect(), flows: flows.collect() }
}
