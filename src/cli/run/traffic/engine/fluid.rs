//! Fluids on a device.

use super::{FlowLook, Look, Part, QueueLook, Simulation, sent};
use crate::cli::Failure;
use imminent::Device;
use imminent::models::traffic::fluid::{Engine, FlowState, FluidError, QueueState, Rules};
use imminent::models::traffic::{StepSize, Traffic};

/// Launches that are recorded at a time, at most.
const MOST_LAUNCHES: u64 = 1 << 16;

pub(super) struct Fluids<'t> {
    traffic: &'t Traffic,
    engine: Engine,
    step: StepSize,
}

impl<'t> Fluids<'t> {
    pub(super) fn new(device: &Device, traffic: &'t Traffic, step: StepSize) -> Result<Self, Failure> {
        let engine = Engine::new(device, traffic, step, Rules::default()).map_err(failure)?;
        Ok(Self { traffic, engine, step })
    }
}

impl Simulation for Fluids<'_> {
    fn quantum(&self) -> u64 {
        self.step.step * u64::from(self.engine.lookahead())
    }

    fn advance(&mut self, quanta: u64) -> Result<(), Failure> {
        let mut left = quanta;
        while left > 0 {
            let launches = left.min(MOST_LAUNCHES);
            self.engine.advance(launches as u32).map_err(failure)?;
            left -= launches;
        }
        Ok(())
    }

    fn look(&mut self) -> Result<Look, Failure> {
        let time = self.engine.steps().saturating_mul(self.step.step);
        let (queues, flows) = (self.engine.queues().map_err(failure)?, self.engine.flows().map_err(failure)?);
        Ok(looks(self.traffic, queues, flows, time))
    }
}

/// What fluids are like at a time.
pub(super) fn looks(traffic: &Traffic, queues: Vec<QueueState>, flows: Vec<FlowState>, time: u64) -> Look {
    let queues = queues.into_iter().map(|queue| QueueLook {
        link: queue.link,
        length: queue.length.into(),
        passing: Some((f64::from(queue.arrivals) * 8.0, queue.loss.into())),
    });
    let flows = flows.into_iter().filter_map(|state| {
        let flow = traffic.flows().all().get(state.flow as usize)?;
        let (window, round_trip) = (f64::from(state.window), f64::from(state.round_trip));
        Some(FlowLook {
            flow: state.flow,
            part: Part::Fluid,
            window: (window > 0.0).then_some(window),
            round_trip: Some(round_trip),
            rate: sent(traffic, flow, window, round_trip, time),
        })
    });
    Look { queues: queues.collect(), flows: flows.collect() }
}

/// Queues too slow for a device are a matter of what was asked for; what a device cannot do is not.
pub(super) fn failure(error: FluidError) -> Failure {
    match error {
        FluidError::TooSlow { .. } => Failure::usage(error),
        FluidError::Device(error) => Failure::run(error),
    }
}
