//! Fluids and packets together: wall time of a simulated second, and its parts on the host and the device.

pub(crate) mod cell;

use super::networks::{campuses, core, invalid, of_validation, seconds, steps_within};
use cell::{Cell, Warm};
use clap::Args;
use imminent::models::study::benchmark::Line;
use imminent::models::traffic::coupling::MAX_LAUNCHES;
use imminent::models::traffic::fluid::{Engine, Rules};
use imminent::models::traffic::packet::clock::SECOND;
use imminent::models::traffic::{StepSize, Traffic};
use imminent::{Device, Result};
use serde::Serialize;
use std::time::Duration;

/// Networks, and parameters of their simulation.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Numbers of campuses of each network, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "4,8,16", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=5000))]
    campuses: Vec<u32>,
    /// Shares of a campus network's flows that are packets, from 0 to 1.
    #[arg(long, value_delimiter = ',', default_value = "0,0.005,0.01", value_name = "S,S,...", value_parser = cell::share)]
    shares: Vec<f64>,
    /// Numbers of packet sessions of the validation network's flow 2, from 0 to 20.
    #[arg(long, value_delimiter = ',', default_value = "0,10,20", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(0..=20))]
    sessions: Vec<u32>,
    /// Numbers of launches of a batch; 0 for lock-step, where the host waits for each step.
    #[arg(long, value_delimiter = ',', default_value = "3", value_name = "B,B,...", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_LAUNCHES)))]
    batch: Vec<u32>,
    /// Length of a step, in microseconds: at most the delay of a LAN's links, 1 ms.
    #[arg(long, default_value_t = 500, value_name = "US", value_parser = clap::value_parser!(u64).range(1..=1000))]
    step: u64,
    /// Capacity of a campus network's queues, in milliseconds of transmission on their links.
    #[arg(long, default_value_t = 200, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    room: u32,
    /// Simulated milliseconds before measuring begins, in which windows grow and queues fill.
    #[arg(long, default_value_t = 2000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    warm_up: u64,
    /// Also simulate with fluids on the host, one flow after the other. The warm-up is then only as long as packets
    /// need to fill the network.
    #[arg(long)]
    on_host: bool,
}

/// Measurements of a network, with fluids in one place.
#[derive(Debug, Serialize)]
pub(super) struct Hybrid {
    network: String,
    /// Place of the fluids: the device, or the host.
    fluids: &'static str,
    #[serde(flatten)]
    found: cell::CellTimes,
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
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Hybrid>> {
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
fn network(device: &Device, budget: Duration, options: &Options, name: &str, traffic: &Traffic) -> Result<Vec<Hybrid>> {
    let size = traffic.step(options.step * 1000, true).map_err(invalid)?;
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
fn fluids_alone(device: &Device, budget: Duration, traffic: &Traffic, size: StepSize) -> Result<f64> {
    let mut engine = Engine::new(device, traffic, size, Rules::default()).map_err(core)?;
    // The first launch compiles.
    engine.advance(1).map_err(core)?;
    let (steps, wall) = steps_within(&mut engine, budget)?;
    Ok(wall / seconds(steps, size.step))
}
