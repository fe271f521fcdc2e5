//! Tables of a run for files. Rates are in bits per second, lengths in bytes, times in seconds.

use crate::Traffic;
use crate::packet::FlowReport;
use crate::simulation::delays::{self, DelayBar};
use crate::simulation::record::{FlowPoint, QueuePoint};
use crate::simulation::results::{FlowRow, QueueRow};
use crate::simulation::{Record, Results};
use imminent_common::sheet::{Kind, Of, Sheet, Value};
use imminent_study::outcome::Rows;
use std::collections::BTreeMap;

/// Names of all tables. Those of packets are written if there are packets.
pub(super) const NAMES: [&str; 6] = ["queues", "flows", "packets", "delays", "queue_series", "flow_series"];

/// Returns all tables.
pub(super) fn tables(traffic: &Traffic, results: Results, record: Record) -> Vec<Box<dyn Sheet>> {
    let [queues, flows, packets, delays, queue_series, flow_series] = NAMES;
    let mut tables: Vec<Box<dyn Sheet>> = vec![
        Box::new(Rows { name: queues, columns: &QUEUES, rows: results.queues }),
        Box::new(Rows { name: flows, columns: &FLOWS, rows: results.flows }),
    ];
    if record.packets.is_some() {
        tables.push(Box::new(Rows { name: packets, columns: &PACKETS, rows: results.packets }));
        tables.push(Box::new(Rows { name: delays, columns: &DELAYS, rows: delays::bars(traffic, &record) }));
    }
    let labels = |label: &dyn Fn(u32) -> String, numbers: &mut dyn Iterator<Item = u32>| {
        let mut labels = BTreeMap::new();
        numbers.for_each(|number| {
            labels.entry(number).or_insert_with(|| label(number));
        });
        labels
    };
    let (links, parts) = (&record.queue_series, &record.flow_series);
    let of_links = labels(&|link| traffic.network().link_label(link), &mut links.iter().map(|point| point.sample.link));
    let of_flows = labels(&|flow| traffic.flows().label(flow), &mut parts.iter().map(|point| point.sample.flow));
    tables.push(Box::new(QueueSeries { name: queue_series, labels: of_links, points: record.queue_series }));
    tables.push(Box::new(FlowSeries { name: flow_series, labels: of_flows, points: record.flow_series }));
    tables
}

/// Columns of queues.
const QUEUES: [(&str, Of<QueueRow>); 16] = [
    ("link", Of::Count(|row| row.link.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("bandwidth", Of::Count(|row| row.bandwidth)),
    ("offered", Of::Number(|row| Some(row.offered))),
    ("carried", Of::Number(|row| Some(row.carried))),
    ("capacity", Of::Count(|row| row.capacity)),
    ("mean_length", Of::Number(|row| Some(row.mean_length))),
    ("greatest_length", Of::Number(|row| Some(row.greatest_length))),
    ("utilization", Of::Number(|row| Some(row.utilization))),
    ("loss", Of::Number(|row| Some(row.loss))),
    ("link_loss", Of::Number(|row| Some(row.link_loss))),
    ("lost", Of::Number(|row| Some(row.lost))),
    ("marked", Of::Count(|row| row.marked)),
    ("failed", Of::Count(|row| row.failed)),
];

/// Columns of flows. Windows are in packets.
const FLOWS: [(&str, Of<FlowRow>); 11] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("kind", Of::Text(|row| row.kind.to_owned())),
    ("part", Of::Text(|row| row.part.name().to_owned())),
    ("sessions", Of::Count(|row| row.sessions.into())),
    ("rate", Of::Number(|row| Some(row.rate))),
    ("rate_ci95", Of::Number(|row| row.rate_ci95)),
    ("window", Of::Number(|row| row.window)),
    ("round_trip", Of::Number(|row| row.round_trip)),
];

/// Columns of packets. Counts are of packets.
const PACKETS: [(&str, Of<FlowReport>); 26] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("sent", Of::Count(|row| row.sent)),
    ("again", Of::Count(|row| row.again)),
    ("delivered", Of::Count(|row| row.delivered)),
    ("dropped", Of::Count(|row| row.dropped)),
    ("lost", Of::Count(|row| row.lost)),
    ("failed", Of::Count(|row| row.failed)),
    ("loss", Of::Number(|row| row.loss)),
    ("loss_ci95", Of::Number(|row| row.loss_ci95)),
    ("marked", Of::Count(|row| row.marked)),
    ("goodput", Of::Number(|row| Some(row.goodput))),
    ("goodput_ci95", Of::Number(|row| row.goodput_ci95)),
    ("mean_delay", Of::Number(|row| row.delay.map(|delay| delay.mean))),
    ("mean_delay_ci95", Of::Number(|row| row.mean_delay_ci95)),
    ("least_delay", Of::Number(|row| row.delay.map(|delay| delay.least))),
    ("median_delay", Of::Number(|row| row.delay.map(|delay| delay.median))),
    ("p90_delay", Of::Number(|row| row.delay.map(|delay| delay.p90))),
    ("p95_delay", Of::Number(|row| row.delay.map(|delay| delay.p95))),
    ("p99_delay", Of::Number(|row| row.delay.map(|delay| delay.p99))),
    ("greatest_delay", Of::Number(|row| row.delay.map(|delay| delay.greatest))),
    ("timeouts", Of::Count(|row| row.timeouts)),
    ("answers", Of::Count(|row| row.answers)),
    ("transfers", Of::Number(|row| row.completion.map(|completion| completion.transfers as f64))),
    ("mean_transfer", Of::Number(|row| row.completion.and_then(|completion| completion.mean))),
    ("longest_transfer", Of::Number(|row| row.completion.and_then(|completion| completion.longest))),
];

/// Columns of delays.
const DELAYS: [(&str, Of<DelayBar>); 5] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Number(|row| Some(row.from))),
    ("to", Of::Number(|row| Some(row.to))),
    ("packets", Of::Count(|row| row.packets)),
];

/// Queues over time.
struct QueueSeries {
    name: &'static str,
    labels: BTreeMap<u32, String>,
    points: Vec<QueuePoint>,
}

impl Sheet for QueueSeries {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        named([
            ("time", Kind::Number),
            ("link", Kind::Count),
            ("label", Kind::Text),
            ("length", Kind::Number),
            ("arrivals", Kind::Number),
            ("loss", Kind::Number),
        ])
    }

    fn rows(&self) -> usize {
        self.points.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some(QueuePoint { time, sample }) = self.points.get(row) else { return Value::Number(None) };
        match column {
            0 => Value::Number(Some(*time)),
            1 => Value::Count(sample.link.into()),
            2 => label(&self.labels, sample.link),
            3 => Value::Number(Some(sample.length)),
            4 => Value::Number(sample.passing.map(|(arrivals, _)| arrivals)),
            _ => Value::Number(sample.passing.map(|(_, loss)| loss)),
        }
    }
}

/// Flows over time. Windows are in packets.
struct FlowSeries {
    name: &'static str,
    labels: BTreeMap<u32, String>,
    points: Vec<FlowPoint>,
}

impl Sheet for FlowSeries {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        named([
            ("time", Kind::Number),
            ("flow", Kind::Count),
            ("label", Kind::Text),
            ("part", Kind::Text),
            ("window", Kind::Number),
            ("round_trip", Kind::Number),
            ("rate", Kind::Number),
        ])
    }

    fn rows(&self) -> usize {
        self.points.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some(FlowPoint { time, sample }) = self.points.get(row) else { return Value::Number(None) };
        match column {
            0 => Value::Number(Some(*time)),
            1 => Value::Count(sample.flow.into()),
            2 => label(&self.labels, sample.flow),
            3 => Value::Text(sample.part.name().to_owned()),
            4 => Value::Number(sample.window),
            5 => Value::Number(sample.round_trip),
            _ => Value::Number(Some(sample.rate)),
        }
    }
}

fn label(labels: &BTreeMap<u32, String>, number: u32) -> Value {
    Value::Text(labels.get(&number).cloned().unwrap_or_default())
}

fn named<const N: usize>(columns: [(&str, Kind); N]) -> Vec<(String, Kind)> {
    columns.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect()
}
