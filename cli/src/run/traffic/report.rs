//! What is told of a run, as one object.

use super::engine::{Ground, SpentTime};
use super::record::{Plan, Seen};
use super::rows::{FlowRow, PacketTotal, QueueRow, Rows, Total};
use super::units::span;
use crate::memory::MemoryFigures;
use imminent::models::output::sketch::RELATIVE_ERROR;
use imminent::models::traffic::config::Engine;
use imminent::models::traffic::packet::FlowReport;
use imminent::models::traffic::{StepSize, Traffic, TrafficConfig};
use serde::Serialize;
use std::time::Duration;

/// The most queues and flows that are told one by one; the files of `--out` have all.
const MOST_TOLD: usize = 20;

/// A run at its end.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) model: &'static str,
    pub(super) engine: &'static str,
    pub(super) backend: String,
    pub(super) device: String,
    #[serde(skip)]
    pub(super) why: Option<String>,
    pub(super) config: TrafficConfig,
    /// What was assumed, since nothing said it.
    pub(super) assumed: Vec<String>,
    pub(super) size: Size,
    /// What is missing of a run that was interrupted.
    pub(super) partial: Option<String>,
    /// Seconds.
    pub(super) simulated_time: f64,
    pub(super) warm_up: f64,
    /// Seconds between two looks, and how many looks are counted.
    pub(super) sample: f64,
    pub(super) samples: u64,
    /// The step of the fluid equations, with the rule for it.
    pub(super) step: Option<StepSize>,
    /// Events of packets.
    pub(super) events: Option<u64>,
    /// The most loaded queues.
    pub(super) queues: Vec<QueueRow>,
    /// The flows, or the first of them.
    pub(super) flows: Vec<FlowRow>,
    /// All flows together, by what they are.
    pub(super) totals: Vec<Total>,
    /// The flows with packets, or the first of them.
    pub(super) packets: Vec<FlowReport>,
    /// All of them together.
    pub(super) packet_total: Option<PacketTotal>,
    /// Bound on the error of the quantiles of delays, relative to them; none without packets.
    pub(super) delay_error: Option<f64>,
    pub(super) warnings: Vec<String>,
    pub(super) set_up_s: f64,
    pub(super) wall_s: f64,
    /// From the start of the process.
    pub(super) total_s: f64,
    /// What of it the host spent on packets, on handing work to the fluids, and on waiting for them.
    pub(super) spent: Option<SpentTime>,
    /// Simulated seconds in a second.
    pub(super) speed: f64,
    pub(super) memory: Option<MemoryFigures>,
}

/// How large the network is.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) nodes: usize,
    pub(super) links: usize,
    pub(super) flows: usize,
    /// Links that flows take, all together.
    pub(super) hops: usize,
}

impl Report {
    /// Puts together what is told.
    pub(super) fn new(run: Ran<'_>, ground: Ground, plan: Plan, seen: &Seen, rows: &Rows) -> Self {
        let Ran { engine, config, assumed, traffic, set_up, warnings } = run;
        let memory = ground.memory();
        let (device, why) = ground.device.unzip();
        let (backend, device) = device.as_ref().map_or(("none", "one thread of the host"), |device| {
            let info = device.info();
            (info.backend.as_str(), info.name.as_str())
        });
        let wall_s = seen.wall.as_secs_f64();
        let busiest = rows.busiest().into_iter().take(MOST_TOLD);
        Self {
            model: "traffic",
            engine: engine.name(),
            backend: backend.to_owned(),
            device: device.to_owned(),
            why,
            config,
            assumed,
            size: Size {
                nodes: traffic.network().nodes(),
                links: traffic.network().links().len(),
                flows: traffic.flows().all().len(),
                hops: traffic.routes().hops().len(),
            },
            partial: (seen.simulated_s < plan.horizon_s())
                .then(|| format!("{} of {} were simulated", span(seen.simulated_s), span(plan.horizon_s()))),
            simulated_time: seen.simulated_s,
            warm_up: plan.warm_up_s(),
            sample: plan.interval_s(),
            samples: seen.looks,
            step: ground.step,
            events: seen.packets.as_ref().map(|report| report.events),
            queues: busiest.filter_map(|place| rows.queues.get(place).cloned()).collect(),
            flows: rows.flows.iter().take(MOST_TOLD).cloned().collect(),
            totals: rows.totals(),
            packets: rows.packets.iter().take(MOST_TOLD).cloned().collect(),
            packet_total: rows.packet_total(),
            delay_error: seen.packets.is_some().then_some(RELATIVE_ERROR),
            warnings,
            set_up_s: set_up.as_secs_f64(),
            wall_s,
            total_s: crate::clock::elapsed().as_secs_f64(),
            spent: seen.spent,
            speed: seen.simulated_s / wall_s.max(f64::MIN_POSITIVE),
            memory,
        }
    }
}

/// What was run.
pub(super) struct Ran<'a> {
    pub(super) engine: Engine,
    pub(super) config: TrafficConfig,
    pub(super) assumed: Vec<String>,
    pub(super) traffic: &'a Traffic,
    /// How long it took to get ready.
    pub(super) set_up: Duration,
    pub(super) warnings: Vec<String>,
}
