//! Packets without fluids.

use super::error::SimulationError;
use super::sample::{FlowSample, QueueSample, Representation, Sample};
use super::stepper::Stepper;
use crate::Traffic;
use crate::network::Kind;
use crate::packet::{Alone, PacketReport, Simulator, clock};

/// Quantum in nanoseconds. Packets can stop at any time, but whole microseconds give short numbers.
pub(super) const QUANTUM: u64 = 1_000;

pub(super) struct Packets<'t> {
    traffic: &'t Traffic,
    simulator: Simulator,
    meter: Meter,
    now: u64,
    links: Vec<u32>,
}

impl<'t> Packets<'t> {
    pub(super) fn new(traffic: &'t Traffic, simulator: Simulator) -> Self {
        let links = (0..traffic.network().links().len() as u32).collect();
        Self { traffic, simulator, meter: Meter::new(traffic), now: 0, links }
    }
}

impl Stepper for Packets<'_> {
    fn quantum(&self) -> u64 {
        QUANTUM
    }

    fn advance(&mut self, quanta: u64) -> Result<(), SimulationError> {
        self.now += quanta * QUANTUM;
        self.simulator.run_until(clock::picoseconds(self.now), &mut Alone);
        Ok(())
    }

    fn sample(&mut self) -> Result<Sample, SimulationError> {
        let length = |link: u32| self.simulator.backlog(link) as f64;
        let queues = self.links.iter().map(|&link| QueueSample { link, length: length(link), passing: None }).collect();
        Ok(Sample { queues, flows: self.meter.sample(self.traffic, &self.simulator, self.now) })
    }

    fn measure(&mut self) -> Result<(), SimulationError> {
        self.simulator.forget();
        self.meter.forget();
        Ok(())
    }

    fn packets(&self) -> Option<PacketReport> {
        Some(self.simulator.report())
    }
}

/// Meter that computes the rates of flows from their counters.
pub(super) struct Meter {
    flows: Vec<u32>,
    /// Bytes of each flow received by the last sample.
    bytes: Vec<u64>,
    last: u64,
}

impl Meter {
    pub(super) fn new(traffic: &Traffic) -> Self {
        let numbered = (0..).zip(traffic.flows().all());
        let flows: Vec<_> = numbered.filter(|(_, flow)| flow.kind.has_packets()).map(|(number, _)| number).collect();
        Self { bytes: vec![0; flows.len()], flows, last: 0 }
    }

    /// Resets the meter with the counters.
    pub(super) fn forget(&mut self) {
        self.bytes.fill(0);
    }

    /// Samples the flows with packets at a time.
    pub(super) fn sample(&mut self, traffic: &Traffic, simulator: &Simulator, now: u64) -> Vec<FlowSample> {
        let elapsed = crate::units::seconds(now - self.last);
        self.last = now;
        let sampled = |(&number, before): (&u32, &mut u64)| {
            let flow = traffic.flows().all().get(number as usize)?;
            let bytes = simulator.flow_counts(number)?.bytes;
            let came = bytes - std::mem::replace(before, bytes);
            let on = (flow.start..flow.stop).contains(&now) && matches!(flow.kind, Kind::Tcp { .. });
            let windows = if on { simulator.windows(number) } else { vec![] };
            let trips = if on { simulator.round_trips(number) } else { vec![] };
            Some(FlowSample {
                flow: number,
                part: Representation::Packets,
                window: mean(windows.into_iter().map(f64::from)),
                round_trip: mean(trips.into_iter().flatten().map(clock::seconds)),
                rate: if elapsed > 0.0 { came as f64 * 8.0 / elapsed } else { 0.0 },
            })
        };
        self.flows.iter().zip(&mut self.bytes).filter_map(sampled).collect()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}
