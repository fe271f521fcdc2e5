//! Fluids and packets together: wall time of a simulated second, and its parts on the host and the device.

use super::cell::{Cell, CellTimes, Warm};
use super::networks::{campuses, of_validation, seconds, steps_within};
use crate::coupling::MAX_LAUNCHES;
use crate::fluid::{Engine, Rules};
use crate::packet::clock::SECOND;
use crate::{StepSize, Traffic};
use imminent_core::Device;
use imminent_study::benchmark::Line;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Networks, and parameters of their simulation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// Numbers of campuses of each network, separated by commas.
    #[schemars(inner(range(min = 1, max = 5000)))]
    campuses: Vec<u32>,
    /// Shares of a campus network's flows that are packets, from 0 to 1.
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    shares: Vec<f64>,
    /// Numbers of packet sessions of the validation network's flow 2, from 0 to 20.
    #[schemars(inner(range(max = 20)))]
    sessions: Vec<u32>,
    /// Numbers of launches of a batch; 0 for lock-step, where the host waits for each step.
    #[schemars(inner(range(max = MAX_LAUNCHES)))]
    batch: Vec<u32>,
    /// Length of a step: at most the delay of a LAN's links, 1 ms.
    #[schemars(range(min = 1, max = 1000), extend("unit" = "us"))]
    step: u64,
    /// Capacity of a campus network's queues, in transmission time on their links.
    #[schemars(range(min = 1, max = 10_000), extend("unit" = "ms"))]
    room: u32,
    /// Simulated time before measuring begins, in which windows grow and queues fill.
    #[schemars(range(min = 1, max = 600_000), extend("unit" = "ms"))]
    warm_up: u64,
    /// Also simulate with fluids on the host, one flow after the other. The warm-up is then only as long as packets
    /// need to fill the network.
    on_host: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            campuses: vec![4, 8, 16],
            shares: vec![0.0, 0.005, 0.01],
            sessions: vec![0, 10, 20],
            batch: vec![3],
            step: 500,
            room: 200,
            warm_up: 2000,
            on_host: false,
        }
    }
}

/// Measurements of a network, with fluids in one place.
#[derive(Debug, Serialize)]
pub(super) struct Hybrid {
    network: String,
    /// Place of the fluids: the device, or the host.
    fluids: &'static str,
    #[serde(flatten)]
    found: CellTimes,
    /// Wall time of the same fluids alone for a simulated second, with all launches in one program.
    fluids_alone: Option<f64>,
    /// Share of the wall time in which the device computes fluids.
    kernels: Option<f64>,
}

impl Line for Hybrid {
    const HEAD: &'static [&'static str] = &[
        "network",
        "fluids",
        "packet sessions",
        "batch",
        "shared queues",
        "s a simulated s",
        "host: packets",
        "waiting",
        "launches",
        "transfers",
        "device: kernels",
        "packets a s",
        "events a s",
        "fluids alone: s a simulated s",
    ];

    fn cells(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let found = &self.found;
        let batch = match found.batch {
            0 => "lock-step".to_owned(),
            batch => format!("{batch} x {}", found.lookahead),
        };
        vec![
            self.network.clone(),
            self.fluids.to_owned(),
            found.packet_sessions.to_string(),
            batch,
            found.shared_queues.to_string(),
            format!("{:.4}", found.seconds_per_second),
            percent(found.packets),
            percent(found.waiting),
            percent(found.launches),
            percent(found.transfers),
            self.kernels.map_or_else(String::new, percent),
            format!("{:.0}", found.packets_per_s),
            format!("{:.0}", found.events_per_s),
            self.fluids_alone.map_or_else(String::new, |seconds| format!("{seconds:.4}")),
        ]
    }
}

/// Measures every network, for about the given time each.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Hybrid>, Fault> {
    let mut figures = Vec::new();
    for &count in &options.campuses {
        for &share in &options.shares {
            let name = format!("{count} campuses, {} % packets", 100.0 * share);
            figures.extend(network(device, budget, options, &name, &campuses(count, options.room, share)?)?);
        }
    }
    for &packets in &options.sessions {
        let name = format!("validation, {packets} of 20 packets");
        figures.extend(network(device, budget, options, &name, &of_validation(packets)?)?);
    }
    Ok(figures)
}

/// Measures one network, with every batch size.
fn network(
    device: &Device,
    budget: Duration,
    options: &Options,
    name: &str,
    traffic: &Traffic,
) -> Result<Vec<Hybrid>, Fault> {
    let size = traffic.step(options.step * 1000, true)?;
    let warm_up = options.warm_up * (SECOND / 1000);
    let mut figures = Vec::new();
    for &batch in &options.batch {
        let cell = Cell { traffic, size, batch, budget, warm: Warm { until: warm_up, patience: Duration::MAX } };
        // One after the other, since each needs the device's memory.
        let alone = fluids_alone(device, budget, traffic, cell.size())?;
        let found = cell.on_device(device)?;
        let kernels = Some(alone / found.seconds_per_second);
        figures.push(Hybrid { network: name.to_owned(), fluids: "device", found, fluids_alone: Some(alone), kernels });
        if options.on_host {
            let short = Warm { until: warm_up.min(SECOND / 2), patience: Duration::MAX };
            let found = Cell { warm: short, ..cell }.on_host()?;
            figures.push(Hybrid { network: name.to_owned(), fluids: "host", found, fluids_alone: None, kernels: None });
        }
    }
    Ok(figures)
}

/// Measures the wall time for a simulated second of the fluids alone, without communication with the host.
fn fluids_alone(device: &Device, budget: Duration, traffic: &Traffic, size: StepSize) -> Result<f64, Fault> {
    let mut engine = Engine::new(device, traffic, size, Rules::default())?;
    // The first launch compiles.
    engine.advance(1)?;
    let (steps, wall) = steps_within(&mut engine, budget)?;
    Ok(wall / seconds(steps, size.step))
}
