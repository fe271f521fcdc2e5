//! Report of a run, as one object.

use crate::memory::MemoryFigures;
use imminent::Device;
use imminent::models::output::sketch::RELATIVE_ERROR;
use imminent::models::traffic::config::Engine;
use imminent::models::traffic::packet::FlowReport;
use imminent::models::traffic::simulation::results::{FlowRow, PacketTotal, QueueRow, Total};
use imminent::models::traffic::simulation::{Record, Results, Schedule, SpentTime};
use imminent::models::traffic::text::span;
use imminent::models::traffic::{StepSize, Traffic, TrafficConfig};
use serde::Serialize;
use std::time::Duration;

/// Largest number of queues and flows that the report lists; the files of `--out` have all.
const MOST_TOLD: usize = 20;

/// Report of a completed run.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) model: &'static str,
    pub(super) engine: &'static str,
    pub(super) backend: String,
    pub(super) device: String,
    #[serde(skip)]
    pub(super) why: Option<String>,
    pub(super) config: TrafficConfig,
    /// Assumptions about values that were not given.
    pub(super) assumed: Vec<String>,
    pub(super) size: Size,
    /// Description of what is missing in an interrupted run.
    pub(super) partial: Option<String>,
    /// Simulated time in seconds.
    pub(super) simulated_time: f64,
    pub(super) warm_up: f64,
    /// Interval of the samples in seconds, and their number since the warm-up.
    pub(super) sample: f64,
    pub(super) samples: u64,
    /// Step of the fluid equations, with the limits for it.
    pub(super) step: Option<StepSize>,
    /// Number of packet events.
    pub(super) events: Option<u64>,
    /// The most loaded queues.
    pub(super) queues: Vec<QueueRow>,
    /// The flows, or the first of them.
    pub(super) flows: Vec<FlowRow>,
    /// Totals of all flows by kind and part.
    pub(super) totals: Vec<Total>,
    /// The flows with packets, or the first of them.
    pub(super) packets: Vec<FlowReport>,
    /// Totals of all flows with packets.
    pub(super) packet_total: Option<PacketTotal>,
    /// Bound on the relative error of the quantiles of delays; `None` without packets.
    pub(super) delay_error: Option<f64>,
    pub(super) warnings: Vec<String>,
    pub(super) set_up_s: f64,
    pub(super) wall_s: f64,
    /// Wall time from the start of the process, in seconds.
    pub(super) total_s: f64,
    /// Time of the host for packets, for enqueueing work of the fluids, and for waiting for them.
    pub(super) spent: Option<SpentTime>,
    /// Simulated seconds per second.
    pub(super) speed: f64,
    pub(super) memory: Option<MemoryFigures>,
}

/// Size of the network.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) nodes: usize,
    pub(super) links: usize,
    pub(super) flows: usize,
    /// Number of links on the paths of all flows.
    pub(super) hops: usize,
}

impl Report {
    /// Creates the report.
    pub(super) fn new(run: Ran<'_>, ground: Ground, schedule: Schedule, record: &Record, rows: &Results) -> Self {
        let Ran { engine, config, assumed, traffic, set_up, warnings } = run;
        let memory = ground.device.as_ref().map(|(device, _)| MemoryFigures::of(device));
        let (device, why) = ground.device.unzip();
        let (backend, device) = device.as_ref().map_or(("none", "one thread of the host"), |device| {
            let info = device.info();
            (info.backend.as_str(), info.name.as_str())
        });
        let wall_s = record.wall.as_secs_f64();
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
            partial: (record.simulated_s < schedule.horizon_s())
                .then(|| format!("{} of {} were simulated", span(record.simulated_s), span(schedule.horizon_s()))),
            simulated_time: record.simulated_s,
            warm_up: schedule.warm_up_s(),
            sample: schedule.interval_s(),
            samples: record.samples,
            step: ground.step,
            events: record.packets.as_ref().map(|report| report.events),
            queues: busiest.filter_map(|place| rows.queues.get(place).cloned()).collect(),
            flows: rows.flows.iter().take(MOST_TOLD).cloned().collect(),
            totals: rows.totals(),
            packets: rows.packets.iter().take(MOST_TOLD).cloned().collect(),
            packet_total: rows.packet_total(),
            delay_error: record.packets.is_some().then_some(RELATIVE_ERROR),
            warnings,
            set_up_s: set_up.as_secs_f64(),
            wall_s,
            total_s: imminent_console::clock::elapsed().as_secs_f64(),
            spent: record.spent,
            speed: record.simulated_s / wall_s.max(f64::MIN_POSITIVE),
            memory,
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

/// Input of a run.
pub(super) struct Ran<'a> {
    pub(super) engine: Engine,
    pub(super) config: TrafficConfig,
    pub(super) assumed: Vec<String>,
    pub(super) traffic: &'a Traffic,
    /// Time of the set-up.
    pub(super) set_up: Duration,
    pub(super) warnings: Vec<String>,
}
