//! Fluids on a device and packets on the host that share queues.

use super::fluid::{failure, looks};
use super::packets::Meter;
use super::{Look, QueueLook, Simulation, SpentTime};
use imminent::Device;
use imminent::models::traffic::coupling::{Coupled, Coupling, CouplingError};
use imminent::models::traffic::fluid::Means;
use imminent::models::traffic::packet::{PacketReport, Simulator, clock};
use imminent::models::traffic::{StepSize, Traffic};
use imminent_console::Failure;

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
    ) -> Result<Self, Failure> {
        let links = simulator.links();
        let coupled = Coupled::new(device, traffic, simulator, step, coupling).map_err(refused)?;
        let shared = coupled.shared_links();
        let own = links.into_iter().filter(|link| shared.binary_search(link).is_err()).collect();
        Ok(Self { traffic, coupled, meter: Meter::new(traffic), own, batches: 0 })
    }
}

impl Simulation for Hybrid<'_> {
    fn quantum(&self) -> u64 {
        self.coupled.batch() / clock::picoseconds(1)
    }

    fn advance(&mut self, quanta: u64) -> Result<(), Failure> {
        self.batches += quanta;
        self.coupled.run_until(self.batches.saturating_mul(self.coupled.batch())).map_err(refused)
    }

    fn look(&mut self) -> Result<Look, Failure> {
        let now = self.batches.saturating_mul(self.quantum());
        let (queues, flows) = (self.coupled.queues().map_err(refused)?, self.coupled.flows().map_err(refused)?);
        let mut look = looks(self.traffic, queues, flows, now);
        look.queues.retain(|queue| self.own.binary_search(&queue.link).is_err());
        let simulator = self.coupled.simulator();
        let own = |&link: &u32| QueueLook { link, length: simulator.backlog(link) as f64, passing: None };
        look.queues.extend(self.own.iter().map(own));
        look.queues.sort_unstable_by_key(|queue| queue.link);
        look.flows.extend(self.meter.look(self.traffic, simulator, now));
        look.flows.sort_by_key(|flow| (flow.flow, flow.part));
        Ok(look)
    }

    fn measure(&mut self) -> Result<(), Failure> {
        self.coupled.forget();
        self.meter.forget();
        self.coupled.measure().map_err(refused)
    }

    fn means(&self) -> Result<Option<Means>, Failure> {
        self.coupled.means().map_err(refused)
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

fn refused(error: CouplingError) -> Failure {
    match error {
        CouplingError::Fluid(error) => failure(error),
        other => Failure::run(other),
    }
}
