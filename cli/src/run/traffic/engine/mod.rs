//! Engines of traffic behind one trait: they advance for a while, and are sampled.

mod fluid;
mod hybrid;
mod packets;
mod sequential;

use crate::memory::MemoryFigures;
use imminent::models::free_memory::fits;
use imminent::models::traffic::config::Engine;
use imminent::models::traffic::fluid::Means;
use imminent::models::traffic::network::Flow;
use imminent::models::traffic::network::flow::Fluid;
use imminent::models::traffic::packet::PacketReport;
use imminent::models::traffic::{FLUID_STEPS, StepSize, Traffic, TrafficConfig};
use imminent::{Device, Work};
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use serde::Serialize;

/// Simulation under way. Times are in nanoseconds.
pub(super) trait Simulation {
    /// Returns the time between points at which the simulation can stop.
    fn quantum(&self) -> u64;

    /// Advances by `quanta` quanta.
    fn advance(&mut self, quanta: u64) -> Result<(), Failure>;

    /// Samples all queues and flows; they are always the same ones, in the same order.
    fn look(&mut self) -> Result<Look, Failure>;

    /// Ends the warm-up: means start from now.
    fn measure(&mut self) -> Result<(), Failure>;

    /// Returns means of fluids since [`measure`](Self::measure), over all steps, if there are fluids.
    fn means(&self) -> Result<Option<Means>, Failure> {
        Ok(None)
    }

    /// Returns the host's time by activity, if fluids and packets share it.
    fn spent(&self) -> Option<SpentTime> {
        None
    }

    /// Returns statistics of packets since counting began, if there are packets.
    fn packets(&self) -> Option<PacketReport> {
        None
    }
}

/// Sample of queues and flows at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub(super) queues: Vec<QueueLook>,
    pub(super) flows: Vec<FlowLook>,
}

/// Sample of a queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct QueueLook {
    pub(super) link: u32,
    /// Length in bytes.
    pub(super) length: f64,
    /// Arrivals in bits per second, and the share of them that is lost. `None` for packets, for which neither has a
    /// value at one time.
    pub(super) passing: Option<(f64, f64)>,
}

/// Sample of the fluid or the packets of a flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlowLook {
    pub(super) flow: u32,
    pub(super) part: Part,
    /// Mean window of its sessions, in packets; `None` for UDP, and for an inactive flow.
    pub(super) window: Option<f64>,
    /// Mean round-trip time of its sessions, in seconds, if known.
    pub(super) round_trip: Option<f64>,
    /// Rate in bits per second: for fluids the sending rate, for packets the first copies received since the last
    /// sample.
    pub(super) rate: f64,
}

/// Time of the host by activity, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct SpentTime {
    /// Time for simulating packets.
    pub(super) packets_s: f64,
    /// Time for enqueueing work of the fluids.
    pub(super) fluids_s: f64,
    /// Time spent waiting for the fluids.
    pub(super) waiting_s: f64,
}

/// Part of a flow.
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

/// Device and step of a simulation.
#[derive(Debug, Default)]
pub(super) struct Ground {
    /// Device and the reason for its choice; `None` for engines of the host.
    pub(super) device: Option<(Device, String)>,
    /// Step of the fluid equations.
    pub(super) step: Option<StepSize>,
}

impl Ground {
    pub(super) fn memory(&self) -> Option<MemoryFigures> {
        self.device.as_ref().map(|(device, _)| MemoryFigures::of(device))
    }
}

/// Sets up a simulation at time 0.
pub(super) fn begin<'t>(
    engine: Engine,
    config: &TrafficConfig,
    traffic: &'t Traffic,
    device: &DeviceArgs,
) -> Result<(Box<dyn Simulation + 't>, Ground), Blamed> {
    if matches!(engine, Engine::Sequential | Engine::Packets) {
        device.warn_unused(engine.name());
    }
    match engine {
        Engine::Fluid => {
            let step = config.step(traffic)?;
            let (device, why) = device.open_for(Some(work(traffic, step, config.horizon()?)))?;
            let kept = (config.rules()?, config.memory()?);
            let simulation = fluid::Fluids::new(&device, traffic, step, (kept, config.precision()))?;
            Ok((Box::new(simulation), Ground { device: Some((device, why)), step: Some(step) }))
        }
        Engine::Sequential => {
            let step = config.step(traffic)?;
            let (flows, bytes) = (traffic.flows().all().len() as u64, sequential::bytes(traffic, step));
            // The memory of fewer flows is less in proportion.
            let some = |count: u64| (u128::from(bytes) * u128::from(count) / u128::from(flows.max(1))) as u64;
            fits("--engine sequential, number of flows:", flows, some).map_err(Failure::usage)?;
            let simulation = sequential::OneByOne::new(traffic, step, config.rules()?);
            Ok((Box::new(simulation), Ground { device: None, step: Some(step) }))
        }
        Engine::Hybrid => {
            let (step, coupling) = (config.step(traffic)?, config.coupling()?);
            let simulator = config.simulator(traffic)?;
            let (device, why) = device.open_for(Some(work(traffic, step, config.horizon()?)))?;
            let simulation = hybrid::Hybrid::new(&device, traffic, simulator, step, coupling)?;
            Ok((Box::new(simulation), Ground { device: Some((device, why)), step: Some(step) }))
        }
        Engine::Packets => {
            let simulator = config.simulator(traffic)?;
            Ok((Box::new(packets::Packets::new(traffic, simulator)), Ground::default()))
        }
    }
}

/// Returns the work of the fluids until a time.
fn work(traffic: &Traffic, step: StepSize, horizon: u64) -> Work {
    let steps = (horizon / step.step.max(1)) as f64;
    Work::new(FLUID_STEPS, steps * traffic.routes().hops().len() as f64)
}

/// Returns the sending rate of a fluid at a time, in bits per second, from its window and round-trip time.
fn sent(traffic: &Traffic, flow: &Flow, window: f64, round_trip: f64, time: u64) -> f64 {
    match flow.kind.fluid() {
        Some(Fluid::Tcp(sessions)) if round_trip > 0.0 => {
            f64::from(sessions) * window * f64::from(traffic.tcp().packet) * 8.0 / round_trip
        }
        Some(Fluid::Udp(rate)) if (flow.start..flow.stop).contains(&time) => rate as f64,
        _ => 0.0,
    }
}

/// Reason why a simulation cannot start: a value of the configuration, or another failure.
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
