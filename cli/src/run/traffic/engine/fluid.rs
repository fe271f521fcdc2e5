//! Fluids on a device.

use super::{FlowLook, Look, Part, QueueLook, Simulation, sent};
use imminent::Device;
use imminent::models::traffic::fluid::{Engine, FlowState, FluidError, Means, Memory, Precision, QueueState, Rules};
use imminent::models::traffic::{StepSize, Traffic};
use imminent_console::Failure;

/// Longest time that is simulated at once, in nanoseconds: the history has only some seconds.
const MOST: u64 = 100_000_000;

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
    ) -> Result<Self, Failure> {
        let engine = Engine::with_precision(device, traffic, step, kept, precision).map_err(failure)?;
        Ok(Self { traffic, engine, step })
    }
}

impl Simulation for Fluids<'_> {
    fn quantum(&self) -> u64 {
        self.step.step * u64::from(self.engine.lookahead())
    }

    fn advance(&mut self, quanta: u64) -> Result<(), Failure> {
        // Pieces of equal length are recorded only once.
        let pieces = quanta.div_ceil((MOST / self.quantum()).max(1));
        for piece in 0..pieces {
            let launches = quanta / pieces + u64::from(piece < quanta % pieces);
            self.engine.advance(launches as u32).map_err(failure)?;
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<(), Failure> {
        self.engine.measure().map_err(failure)
    }

    fn means(&self) -> Result<Option<Means>, Failure> {
        self.engine.means().map_err(failure)
    }

    fn look(&mut self) -> Result<Look, Failure> {
        let time = self.engine.steps().saturating_mul(self.step.step);
        let (queues, flows) = (self.engine.queues().map_err(failure)?, self.engine.flows().map_err(failure)?);
        Ok(looks(self.traffic, queues, flows, time))
    }
}

/// Converts the states of fluids at a time.
pub(super) fn looks(traffic: &Traffic, queues: Vec<QueueState>, flows: Vec<FlowState>, time: u64) -> Look {
    let queues = queues.into_iter().map(|queue| QueueLook {
        link: queue.link,
        length: queue.length,
        passing: Some((queue.arrivals * 8.0, queue.loss)),
    });
    let flows = flows.into_iter().filter_map(|state| {
        let flow = traffic.flows().all().get(state.flow as usize)?;
        let FlowState { window, round_trip, .. } = state;
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

/// Converts an error. Queues too slow for a device are a usage error; limits of a device are not.
pub(super) fn failure(error: FluidError) -> Failure {
    match error {
        FluidError::TooSlow { .. } | FluidError::Rules(_) | FluidError::Launch(_) => Failure::usage(error),
        FluidError::TooLate { .. } => Failure::run(format!("{error} ('waiting' in [run], or --waiting)")),
        FluidError::Memory { .. } => Failure::run(format!(
            "{error} ('pairs' in [traffic], 'buffer' in [topology], 'step' in [run], or --pairs, --buffer, --step)"
        )),
        FluidError::NoDoubles { .. } => Failure::run(format!("{error} ('precision' in [run], or --precision)")),
        FluidError::Device(error) => Failure::run(error),
    }
}
