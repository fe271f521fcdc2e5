//! Fluids and packets together: what a simulated second costs, and what the host does meanwhile.

use super::Figure;
use super::networks::{campuses, core, invalid, of_validation, seconds, steps_within};
use clap::Args;
use imminent::models::traffic::coupling::{Coupled, Coupling, CouplingError, Fluids, MOST_LAUNCHES, Scheme, Spent};
use imminent::models::traffic::fluid::{Engine, Rules};
use imminent::models::traffic::packet::clock::SECOND;
use imminent::models::traffic::packet::{Settings, Simulator};
use imminent::models::traffic::{StepSize, Traffic};
use imminent::{Device, Error, Result};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Which networks, and how they are simulated.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Campuses of each network, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "4,8,16", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=5000))]
    campuses: Vec<u32>,
    /// Shares of a campus network's flows that are packets, from 0 to 1.
    #[arg(long, value_delimiter = ',', default_value = "0,0.005,0.01", value_name = "S,S,...", value_parser = share)]
    shares: Vec<f64>,
    /// Packet sessions of the validation network's flow 2, from 0 to 20.
    #[arg(long, value_delimiter = ',', default_value = "0,10,20", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(0..=20))]
    sessions: Vec<u32>,
    /// Launches of a batch; 0 for lock-step, where the host waits for each step.
    #[arg(long, value_delimiter = ',', default_value = "3", value_name = "B,B,...", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_LAUNCHES)))]
    batch: Vec<u32>,
    /// Length of a step, in microseconds: at most the delay of a LAN's links, 1 ms.
    #[arg(long, default_value_t = 500, value_name = "US", value_parser = clap::value_parser!(u64).range(1..=1000))]
    step: u64,
    /// Room of a campus network's queues, as milliseconds of what their links send.
    #[arg(long, default_value_t = 200, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    room: u32,
    /// Simulated milliseconds before measuring begins, in which windows grow and queues fill.
    #[arg(long, default_value_t = 2000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    warm_up: u64,
    /// Simulate with fluids on the host too, one flow after the other, after as short a warm-up as packets take to fill the network.
    #[arg(long)]
    on_host: bool,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}

/// How long a network took, with fluids in one place.
#[derive(Debug, Serialize)]
pub(super) struct Hybrid {
    network: String,
    /// Where fluids are: on the device, or on the host.
    fluids: &'static str,
    /// Flows or sessions that are packets.
    packet_sessions: u64,
    /// Launches of a batch; 0 for lock-step.
    batch: u32,
    /// Steps of a launch.
    lookahead: u64,
    /// Queues that both enter.
    shared_queues: usize,
    /// What the device sends for a simulated second: lengths, losses and reductions of shared queues.
    downloaded_bytes_per_second: f64,
    simulated_s: f64,
    /// Wall time for a simulated second.
    seconds_per_second: f64,
    /// Shares of the wall time, from the host's side.
    packets: f64,
    waiting: f64,
    handing_over: f64,
    /// Packets of data sent, and events of packets, in a second of wall time.
    packets_per_s: f64,
    events_per_s: f64,
    /// Wall time of the same fluids alone for a simulated second, all launches one program.
    fluids_alone: Option<f64>,
}

impl Figure for Hybrid {
    const HEAD: &'static [&'static str] = &[
        "network",
        "fluids",
        "packet sessions",
        "batch",
        "shared queues",
        "s a simulated s",
        "packets",
        "waiting",
        "handing over",
        "packets a s",
        "events a s",
        "fluids alone: s a simulated s",
    ];

    fn cells(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let batch =
            if self.batch == 0 { "lock-step".to_owned() } else { format!("{} x {}", self.batch, self.lookahead) };
        vec![
            self.network.clone(),
            self.fluids.to_owned(),
            self.packet_sessions.to_string(),
            batch,
            self.shared_queues.to_string(),
            format!("{:.4}", self.seconds_per_second),
            percent(self.packets),
            percent(self.waiting),
            percent(self.handing_over),
            format!("{:.0}", self.packets_per_s),
            format!("{:.0}", self.events_per_s),
            self.fluids_alone.map_or_else(String::new, |seconds| format!("{seconds:.4}")),
        ]
    }
}

/// Every network, for about the given time each.
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

/// One network, in every batch.
fn network(device: &Device, budget: Duration, options: &Options, name: &str, traffic: &Traffic) -> Result<Vec<Hybrid>> {
    let size = traffic.step(options.step * 1000, true).map_err(invalid)?;
    let simulator = Simulator::new(traffic, Settings::default()).map_err(invalid)?;
    let (warm_up, short) = (options.warm_up * (SECOND / 1000), (options.warm_up * (SECOND / 1000)).min(SECOND / 2));
    let mut figures = Vec::new();
    for &batch in &options.batch {
        let scheme = if batch == 0 { Scheme::LockStep } else { Scheme::Asynchronous { batch } };
        let coupling = Coupling { scheme, ..Coupling::default() };
        let case = Case { name, size, batch, budget };
        // One after the other, since each takes the device's memory.
        let alone = fluids_alone(device, budget, traffic, case.size())?;
        let mut coupled = Coupled::new(device, traffic, simulator.clone(), size, coupling).map_err(refused)?;
        figures.push(Hybrid { fluids_alone: Some(alone), ..case.run(&mut coupled, "device", warm_up)? });
        drop(coupled);
        if options.on_host {
            let mut coupled = Coupled::on_host(traffic, simulator.clone(), size, coupling).map_err(refused)?;
            figures.push(case.run(&mut coupled, "host", short)?);
        }
    }
    Ok(figures)
}

/// A network in one scheme.
#[derive(Clone, Copy)]
struct Case<'t> {
    name: &'t str,
    size: StepSize,
    batch: u32,
    budget: Duration,
}

impl Case<'_> {
    /// Steps as the scheme takes them.
    fn size(&self) -> StepSize {
        StepSize { lookahead: if self.batch == 0 { 1 } else { self.size.lookahead }, ..self.size }
    }

    /// Goes on until `warm_up`, and then batch by batch until the budget is used up.
    fn run<F: Fluids>(&self, coupled: &mut Coupled<F>, fluids: &'static str, warm_up: u64) -> Result<Hybrid> {
        let length = coupled.batch();
        coupled.run_until(warm_up.next_multiple_of(length)).map_err(refused)?;
        coupled.forget();
        let (before, from, events) = (coupled.spent(), coupled.simulator().now(), coupled.simulator().events());
        let (begin, mut batches) = (Instant::now(), 1);
        while begin.elapsed() < self.budget {
            coupled.run_until(coupled.simulator().now() + batches * length).map_err(refused)?;
            batches = (2 * batches).min(64);
        }
        // What is still on its way belongs to the batches that were begun.
        coupled.queues().map_err(refused)?;
        let wall = begin.elapsed().as_secs_f64();
        let simulated = (coupled.simulator().now() - from) as f64 / SECOND as f64;
        let Spent { fluids: handing_over, waiting, packets } = coupled.spent();
        let share = |now: Duration, before: Duration| (now - before).as_secs_f64() / wall;
        let sent: u64 = coupled.simulator().report().flows.iter().map(|flow| flow.sent).sum();
        let shared_queues = coupled.shared_links().len();
        let size = self.size();
        Ok(Hybrid {
            network: self.name.to_owned(),
            fluids,
            packet_sessions: coupled.simulator().sources(),
            batch: self.batch,
            lookahead: size.lookahead,
            shared_queues,
            downloaded_bytes_per_second: if fluids == "device" {
                8.0 * shared_queues as f64 / seconds(1, size.step)
            } else {
                0.0
            },
            simulated_s: simulated,
            seconds_per_second: wall / simulated,
            packets: share(packets, before.packets),
            waiting: share(waiting, before.waiting),
            handing_over: share(handing_over, before.fluids),
            packets_per_s: sent as f64 / wall,
            events_per_s: (coupled.simulator().events() - events) as f64 / wall,
            fluids_alone: None,
        })
    }
}

/// Wall time for a simulated second of the fluids alone, without a word to the host.
fn fluids_alone(device: &Device, budget: Duration, traffic: &Traffic, size: StepSize) -> Result<f64> {
    let mut engine = Engine::new(device, traffic, size, Rules::default()).map_err(core)?;
    // The first launch compiles.
    engine.advance(1).map_err(core)?;
    let (steps, wall) = steps_within(&mut engine, budget)?;
    Ok(wall / seconds(steps, size.step))
}

fn refused(error: CouplingError) -> Error {
    match error {
        CouplingError::Fluid(error) => core(error),
        other => invalid(other),
    }
}
