//! Results of a run for programs.

use super::prepared::Prepared;
use crate::packet::FlowReport;
use crate::simulation::results::{FlowRow, PacketTotal, QueueRow, Total};
use crate::simulation::{Record, Results, Schedule, SpentTime};
use crate::{StepSize, Traffic, TrafficConfig};
use imminent_common::output::sketch::RELATIVE_ERROR;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// Largest number of queues and flows in the object for programs; tables have all.
const MAX_ROWS: usize = 20;

/// Object for programs. Rates are in bits per second, lengths in bytes, times in seconds.
#[derive(Serialize)]
struct Values<'r> {
    engine: &'static str,
    config: &'r TrafficConfig,
    /// Assumptions about values that were not given.
    assumed: &'r [String],
    size: Size,
    simulated_time: f64,
    warm_up: f64,
    /// Interval of the samples.
    sample: f64,
    /// Number of samples since the warm-up.
    samples: u64,
    /// Step of the fluid equations, with the limits for it.
    step: Option<StepSize>,
    /// Number of packet events.
    events: Option<u64>,
    /// The most loaded queues.
    queues: Vec<&'r QueueRow>,
    /// The first flows.
    flows: Vec<&'r FlowRow>,
    /// Totals of all flows by kind and part.
    totals: Vec<Total>,
    /// The first flows with packets.
    packets: Vec<&'r FlowReport>,
    /// Totals of all flows with packets.
    packet_total: Option<PacketTotal>,
    /// Bound on the relative error of the quantiles of delays; `None` without packets.
    delay_error: Option<f64>,
    /// Time of the host for packets, for enqueueing work of the fluids, and for waiting for them.
    spent: Option<SpentTime>,
    /// Simulated seconds per second.
    speed: f64,
}

/// Size of a network.
#[derive(Serialize)]
pub(super) struct Size {
    pub(super) nodes: usize,
    pub(super) links: usize,
    pub(super) flows: usize,
    /// Number of links on the paths of all flows.
    pub(super) hops: usize,
}

impl Size {
    pub(super) fn of(traffic: &Traffic) -> Self {
        Self {
            nodes: traffic.network().nodes(),
            links: traffic.network().links().len(),
            flows: traffic.flows().all().len(),
            hops: traffic.routes().hops().len(),
        }
    }
}

/// Returns the simulated seconds per second.
pub(super) fn speed(record: &Record) -> f64 {
    record.simulated_s / record.wall.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// Returns the object for programs.
pub(super) fn values(prepared: &Prepared, record: &Record, results: &Results, schedule: Schedule) -> Map<String, Json> {
    let busiest = results.busiest().into_iter().take(MAX_ROWS);
    let values = Values {
        engine: prepared.engine.name(),
        config: &prepared.config,
        assumed: &prepared.assumed,
        size: Size::of(&prepared.built.traffic),
        simulated_time: record.simulated_s,
        warm_up: schedule.warm_up_s(),
        sample: schedule.interval_s(),
        samples: record.samples,
        step: prepared.step,
        events: record.packets.as_ref().map(|report| report.events),
        queues: busiest.filter_map(|place| results.queues.get(place)).collect(),
        flows: results.flows.iter().take(MAX_ROWS).collect(),
        totals: results.totals(),
        packets: results.packets.iter().take(MAX_ROWS).collect(),
        packet_total: results.packet_total(),
        delay_error: record.packets.is_some().then_some(RELATIVE_ERROR),
        spent: record.spent,
        speed: speed(record),
    };
    match serde_json::to_value(values) {
        Ok(Json::Object(values)) => values,
        // Names of all keys are texts, so there is always an object.
        _ => Map::new(),
    }
}
