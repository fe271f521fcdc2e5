//! Fluids on a device and packets on the host that share queues.

use super::error::SimulationError;
use super::fluid::sample_of;
use super::packets::Meter;
use super::sample::{QueueSample, Sample, SpentTime};
use super::stepper::Stepper;
use crate::coupling::{Coupled, Coupling};
use crate::fluid::Means;
use crate::packet::{PacketReport, Simulator, clock};
use crate::{StepSize, Traffic};
use imminent_core::Device;

pub(super) struct Hybrid<'t> {
    traffic: &'t Traffic,
    coupled: Coupled,
    meter: Meter,
    /// Links that only packets use.
    own: Vec<u32>,
    /// Number of batches so far.
    batches: u64,
}

impl<'t> Hybrid<'t> {
    pub(super) fn new(
        device: &Device,
        traffic: &'t Traffic,
        simulator: Simulator,
        step: StepSize,
        coupling: Coupling,
    ) -> Result<Self, SimulationError> {
        let links = simulator.links();
        let coupled = Coupled::new(device, traffic, simulator, step, coupling)?;
        let shared = coupled.shared_links();
        let own = links.into_iter().filter(|link| shared.binary_search(link).is_err()).collect();
        Ok(Self { traffic, coupled, meter: Meter::new(traffic), own, batches: 0 })
    }
}

impl Stepper for Hybrid<'_> {
    fn quantum(&self) -> u64 {
        self.coupled.batch() / clock::picoseconds(1)
    }

    fn advance(&mut self, quanta: u64) -> Result<(), SimulationError> {
        self.batches += quanta;
        Ok(self.coupled.run_until(self.batches.saturating_mul(self.coupled.batch()))?)
    }

    fn sample(&mut self) -> Result<Sample, SimulationError> {
        let now = self.batches.saturating_mul(self.quantum());
        let (queues, flows) = (self.coupled.queues()?, self.coupled.flows()?);
        let mut sample = sample_of(self.traffic, queues, flows, now);
        sample.queues.retain(|queue| self.own.binary_search(&queue.link).is_err());
        let simulator = self.coupled.simulator();
        let own = |&link: &u32| QueueSample { link, length: simulator.backlog(link) as f64, passing: None };
        sample.queues.extend(self.own.iter().map(own));
        sample.queues.sort_unstable_by_key(|queue| queue.link);
        sample.flows.extend(self.meter.sample(self.traffic, simulator, now));
        sample.flows.sort_by_key(|flow| (flow.flow, flow.part));
        Ok(sample)
    }

    fn measure(&mut self) -> Result<(), SimulationError> {
        self.coupled.forget();
        self.meter.forget();
        Ok(self.coupled.measure()?)
    }

    fn means(&self) -> Result<Option<Means>, SimulationError> {
        Ok(self.coupled.means()?)
    }

    fn packets(&self) -> Option<PacketReport> {
        Some(self.coupled.simulator().report())
    }

    fn spent(&self) -> Option<SpentTime> {
        let spent = self.coupled.spent();
        Some(SpentTime {
            packets_s: spent.packets.as_secs_f64(),
            fluids_s: (spent.fluids + spent.transfers).as_secs_f64(),
            waiting_s: spent.waiting.as_secs_f64(),
        })
    }
}
