//! One simulation of the validation network, with its queue and its windows over time.

use crate::bench::hybrid::cell::refused;
use crate::bench::networks::invalid;
use imminent::models::traffic::coupling::{Coupled, Coupling, Scheme};
use imminent::models::traffic::network::{Kind, validation};
use imminent::models::traffic::packet::clock::SECOND;
use imminent::models::traffic::packet::{Settings, Simulator};
use imminent::models::traffic::{Metric, StepSize, Tcp, Traffic};
use imminent::{Device, Result};

/// Length of a step, in nanoseconds: the paper's 0.5 ms.
const STEP: u64 = 500_000;

/// Simulated time between two samples, in picoseconds: a batch of 20 launches of 20 steps.
const SAMPLE: u64 = SECOND / 5;

/// Number of flows of the network.
pub(super) const FLOWS: usize = 4;

/// Parameters in which the simulations differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    /// Number of sessions of flow 2 that are packets.
    pub(super) packets: u32,
    /// Number of launches of a batch, the paper's B.
    pub(super) batch: u32,
    /// Number of steps of a launch, the paper's τ.
    pub(super) lookahead: u64,
}

/// State of the network at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) case: Case,
    /// Time in seconds.
    pub(super) time: f64,
    /// Length of the queue from node 4 to node 7, in bytes: fluids, and the packets between them.
    pub(super) queue: f64,
    /// Mean window of the sessions of each flow, in packets.
    pub(super) windows: [f64; FLOWS],
}

impl Case {
    pub(super) fn name(&self) -> String {
        let Self { packets, batch, lookahead } = self;
        format!("{packets} packet sessions, B = {batch}, τ = {lookahead}")
    }

    /// Simulates some seconds, with fluids on a device and packets on the host.
    pub(super) fn run(&self, device: &Device, seconds: u32, seed: u64) -> Result<Vec<Sample>> {
        let network = validation::network().map_err(invalid)?;
        let link = network.link_between(4, 7).ok_or_else(|| invalid("there is no link from 4 to 7"))?;
        let flows = validation::flows(self.packets).map_err(invalid)?;
        let traffic = Traffic::new(network, flows, Metric::Hops, Tcp::default()).map_err(invalid)?;
        let simulator = Simulator::new(&traffic, Settings { seed, ..Settings::default() }).map_err(invalid)?;
        let size = StepSize { lookahead: self.lookahead, ..traffic.step(STEP, false).map_err(invalid)? };
        let coupling = Coupling { scheme: Scheme::Asynchronous { batch: self.batch }, ..Coupling::default() };
        let mut coupled = Coupled::new(device, &traffic, simulator, size, coupling).map_err(refused)?;
        let mut samples = vec![];
        while coupled.simulator().now() < u64::from(seconds) * SECOND {
            coupled.run_until(coupled.simulator().now() + SAMPLE).map_err(refused)?;
            samples.push(self.sample(&coupled, &traffic, link)?);
        }
        Ok(samples)
    }

    fn sample(&self, coupled: &Coupled, traffic: &Traffic, link: u32) -> Result<Sample> {
        let queues = coupled.queues().map_err(refused)?;
        let queue = queues.iter().find(|queue| queue.link == link).map_or(0.0, |queue| queue.length);
        let fluids = coupled.flows().map_err(refused)?;
        let packets = |flow| coupled.simulator().windows(flow).into_iter().map(f64::from).collect::<Vec<_>>();
        let mut windows = [0.0; FLOWS];
        for ((number, flow), window) in (0..).zip(traffic.flows().all()).zip(&mut windows) {
            let fluid = fluids.iter().find(|fluid| fluid.flow == number).map_or(0.0, |fluid| fluid.window);
            let sessions = if let Kind::Tcp { fluid, .. } = flow.kind { fluid } else { 0 };
            *window = mean(&packets(number), (sessions, fluid));
        }
        let time = coupled.simulator().now() as f64 / SECOND as f64;
        Ok(Sample { case: *self, time, queue, windows })
    }
}

/// Returns the mean window of packet sessions, and of a number of fluid sessions that have one window.
fn mean(packets: &[f64], (fluids, window): (u32, f64)) -> f64 {
    let sessions = packets.len() as f64 + f64::from(fluids);
    let sum = packets.iter().sum::<f64>() + f64::from(fluids) * window;
    if sessions > 0.0 { sum / sessions } else { 0.0 }
}
