//! Fluids on the host, one flow after the other.

use super::error::SimulationError;
use super::sample::{FlowSample, QueueSample, Representation, Sample};
use super::stepper::{Stepper, sent};
use crate::fluid::{Means, Rules, Sequential};
use crate::{StepSize, Traffic};

pub(super) struct OneByOne<'t> {
    traffic: &'t Traffic,
    fluids: Sequential<'t>,
    step: u64,
    links: Vec<u32>,
    flows: Vec<u32>,
}

/// Estimates the memory of the simulation in bytes.
pub(super) fn bytes(traffic: &Traffic, step: StepSize) -> u64 {
    Sequential::bytes(traffic, step.step)
}

impl<'t> OneByOne<'t> {
    pub(super) fn new(traffic: &'t Traffic, step: StepSize, rules: Rules) -> Self {
        let numbered = (0..).zip(traffic.flows().all());
        let flows = numbered.filter_map(|(number, flow)| flow.kind.fluid().map(|_| number)).collect();
        let fluids = Sequential::new(traffic, step.step, rules);
        Self { traffic, fluids, step: step.step, links: traffic.used_links(), flows }
    }
}

impl Stepper for OneByOne<'_> {
    fn quantum(&self) -> u64 {
        self.step
    }

    fn advance(&mut self, quanta: u64) -> Result<(), SimulationError> {
        self.fluids.advance(quanta);
        Ok(())
    }

    fn measure(&mut self) -> Result<(), SimulationError> {
        self.fluids.measure();
        Ok(())
    }

    fn means(&self) -> Result<Option<Means>, SimulationError> {
        Ok(self.fluids.means())
    }

    fn measures_all(&self) -> bool {
        true
    }

    fn sample(&mut self) -> Result<Sample, SimulationError> {
        let (fluids, time) = (&self.fluids, self.fluids.steps().saturating_mul(self.step));
        let queues = self.links.iter().filter_map(|&link| {
            let passing = Some((fluids.arrivals(link)? * 8.0, fluids.loss(link)?));
            Some(QueueSample { link, length: fluids.queue(link)?, passing })
        });
        let flows = self.flows.iter().filter_map(|&number| {
            let flow = self.traffic.flows().all().get(number as usize)?;
            let (window, round_trip) = (fluids.window(number), fluids.round_trip(number)?);
            let rate = sent(self.traffic, flow, window.unwrap_or(0.0), round_trip, time);
            let window = window.filter(|window| *window > 0.0);
            Some(FlowSample { flow: number, part: Representation::Fluid, window, round_trip: Some(round_trip), rate })
        });
        Ok(Sample { queues: queues.collect(), flows: flows.collect() })
    }
}
