//! What simulates traffic, behind one trait: it goes on for a while, and is looked at.

mod fluid;
mod hybrid;
mod packets;
mod sequential;

use super::super::Failure;
use crate::memory::MemoryFigures;
use crate::selection::DeviceArgs;
use imminent::Device;
use imminent::models::traffic::config::Engine;
use imminent::models::traffic::fluid::Means;
use imminent::models::traffic::network::Flow;
use imminent::models::traffic::network::flow::Fluid;
use imminent::models::traffic::packet::PacketReport;
use imminent::models::traffic::{StepSize, Traffic, TrafficConfig};
use serde::Serialize;

/// A simulation under way. Times are in nanoseconds.
pub(super) trait Simulation {
    /// It stops at multiples of this.
    fn quantum(&self) -> u64;

    /// Goes on for so many quanta.
    fn advance(&mut self, quanta: u64) -> Result<(), Failure>;

    /// What queues and flows are like now; always the same ones, in the same order.
    fn look(&mut self) -> Result<Look, Failure>;

    /// What was counted so far was a warm-up; means are those from now on.
    fn measure(&mut self) -> Result<(), Failure>;

    /// What fluids were like since then, step by step, if there are any.
    fn means(&self) -> Result<Option<Means>, Failure> {
        Ok(None)
    }

    /// What the host spent its time on, where fluids and packets share it.
    fn spent(&self) -> Option<SpentTime> {
        None
    }

    /// What packets met since counting began, if there are any.
    fn packets(&self) -> Option<PacketReport> {
        None
    }
}

/// What queues and flows are like at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub(super) queues: Vec<QueueLook>,
    pub(super) flows: Vec<FlowLook>,
}

/// A queue at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct QueueLook {
    pub(super) link: u32,
    /// Bytes.
    pub(super) length: f64,
    /// What comes in, in bits per second, and the share of it that is lost, where that has a value at one time: of fluids.
    pub(super) passing: Option<(f64, f64)>,
}

/// The fluid or the packets of a flow at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlowLook {
    pub(super) flow: u32,
    pub(super) part: Part,
    /// Mean window of its sessions, in packets; none of UDP, and of a flow that is off.
    pub(super) window: Option<f64>,
    /// Mean round-trip time of its sessions, in seconds, where it is known.
    pub(super) round_trip: Option<f64>,
    /// Bits per second: of fluids what they send, of packets what came for the first time since the last look.
    pub(super) rate: f64,
}

/// What the host spent its time on, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct SpentTime {
    /// Simulating packets.
    pub(super) packets_s: f64,
    /// Handing work to the fluids.
    pub(super) fluids_s: f64,
    /// Waiting for them.
    pub(super) waiting_s: f64,
}

/// What of a flow is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    Fluid,
    Packets,
}

impl Part {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Packets => "packets",
        }
    }
}

/// What a simulation runs on, and in which steps.
#[derive(Debug, Default)]
pub(super) struct Ground {
    /// The device, and why it was taken; none for engines of the host.
    pub(super) device: Option<(Device, String)>,
    /// The step of the fluid equations.
    pub(super) step: Option<StepSize>,
}

impl Ground {
    pub(super) fn memory(&self) -> Option<MemoryFigures> {
        self.device.as_ref().map(|(device, _)| MemoryFigures::of(device))
    }
}

/// Sets a simulation up, at time 0.
pub(super) fn begin<'t>(
    engine: Engine,
    config: &TrafficConfig,
    traffic: &'t Traffic,
    device: &DeviceArgs,
) -> Result<(Box<dyn Simulation + 't>, Ground), Blamed> {
    match engine {
        Engine::Fluid => {
            let step = config.step(traffic)?;
            let (device, why) = device.open()?;
            let kept = (config.rules()?, config.memory()?);
            let simulation = fluid::Fluids::new(&device, traffic, step, (kept, config.precision()))?;
            Ok((Box::new(simulation), Ground { device: Some((device, why)), step: Some(step) }))
        }
        Engine::Sequential => {
            let step = config.step(traffic)?;
            let simulation = sequential::OneByOne::new(traffic, step, config.rules()?);
            Ok((Box::new(simulation), Ground { device: None, step: Some(step) }))
        }
        Engine::Hybrid => {
            let (step, coupling) = (config.step(traffic)?, config.coupling()?);
            let simulator = config.simulator(traffic)?;
            let (device, why) = device.open()?;
            let simulation = hybrid::Hybrid::new(&device, traffic, simulator, step, coupling)?;
            Ok((Box::new(simulation), Ground { device: Some((device, why)), step: Some(step) }))
        }
        Engine::Packets => {
            let simulator = config.simulator(traffic)?;
            Ok((Box::new(packets::Packets::new(traffic, simulator)), Ground::default()))
        }
    }
}

/// Bits per second that a fluid sends at a time, given its window and its round-trip time.
fn sent(traffic: &Traffic, flow: &Flow, window: f64, round_trip: f64, time: u64) -> f64 {
    match flow.kind.fluid() {
        Some(Fluid::Tcp(sessions)) if round_trip > 0.0 => {
            f64::from(sessions) * window * f64::from(traffic.tcp().packet) * 8.0 / round_trip
        }
        Some(Fluid::Udp(rate)) if (flow.start..flow.stop).contains(&time) => rate as f64,
        _ => 0.0,
    }
}

/// What keeps a simulation from beginning: a value of the configuration, or something else.
pub(super) enum Blamed {
    Config(imminent::models::traffic::config::ConfigError),
    Other(Failure),
}

impl From<imminent::models::traffic::config::ConfigError> for Blamed {
    fn from(error: imminent::models::traffic::config::ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<Failure> for Blamed {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}
