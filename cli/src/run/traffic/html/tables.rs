//! Tables of links, flows and packets in Mb/s and ms.

use imminent::models::sheet::Of;
use imminent::models::traffic::packet::FlowReport;
use imminent::models::traffic::packet::report::Delays;
use imminent::models::traffic::simulation::results::{FlowRow, QueueRow};

/// Returns the time that a link takes to send some bytes, in milliseconds.
fn to_send(row: &QueueRow, bytes: f64) -> f64 {
    bytes * 8e3 / row.bandwidth.max(1) as f64
}

/// Columns of links with their queues.
pub(super) const LINKS: [(&str, Of<QueueRow>); 11] = [
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("bandwidth Mb/s", Of::Number(|row| Some(row.bandwidth as f64 / 1e6))),
    ("offered Mb/s", Of::Number(|row| Some(row.offered / 1e6))),
    ("carried Mb/s", Of::Number(|row| Some(row.carried / 1e6))),
    ("used %", Of::Number(|row| Some(100.0 * row.utilization))),
    ("dropped %", Of::Number(|row| Some(100.0 * row.loss))),
    ("lost on link %", Of::Number(|row| Some(100.0 * row.link_loss))),
    ("mean queue ms", Of::Number(|row| Some(to_send(row, row.mean_length)))),
    ("greatest queue ms", Of::Number(|row| Some(to_send(row, row.greatest_length)))),
    ("room ms", Of::Number(|row| Some(to_send(row, row.capacity as f64)))),
];

/// Columns of fluids and packets of flows.
pub(super) const FLOWS: [(&str, Of<FlowRow>); 8] = [
    ("flow", Of::Text(|row| row.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("kind", Of::Text(|row| format!("{} {}", row.kind, row.part.name()))),
    ("sessions", Of::Count(|row| row.sessions.into())),
    ("rate Mb/s", Of::Number(|row| Some(row.rate / 1e6))),
    ("window packets", Of::Number(|row| row.window)),
    ("round trip ms", Of::Number(|row| row.round_trip.map(|time| time * 1e3))),
];

/// Packets of a flow, with its ends.
#[derive(Clone)]
pub(super) struct Packets {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) report: FlowReport,
}

fn ms(row: &Packets, of: fn(&Delays) -> f64) -> Option<f64> {
    row.report.delay.as_ref().map(|delay| of(delay) * 1e3)
}

/// Columns of delays and losses of packets. Delays are from source to destination.
pub(super) const PACKETS: [(&str, Of<Packets>); 17] = [
    ("flow", Of::Text(|row| row.report.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("sent", Of::Count(|row| row.report.sent)),
    ("sent again", Of::Count(|row| row.report.again)),
    ("delivered", Of::Count(|row| row.report.delivered)),
    ("dropped", Of::Count(|row| row.report.dropped)),
    ("lost on links", Of::Count(|row| row.report.lost)),
    ("dropped or lost %", Of::Number(|row| row.report.loss.map(|loss| 100.0 * loss))),
    ("goodput Mb/s", Of::Number(|row| Some(row.report.goodput / 1e6))),
    ("least ms", Of::Number(|row| ms(row, |delay| delay.least))),
    ("mean ms", Of::Number(|row| ms(row, |delay| delay.mean))),
    ("median ms", Of::Number(|row| ms(row, |delay| delay.median))),
    ("95 % ms", Of::Number(|row| ms(row, |delay| delay.p95))),
    ("99 % ms", Of::Number(|row| ms(row, |delay| delay.p99))),
    ("greatest ms", Of::Number(|row| ms(row, |delay| delay.greatest))),
    ("timeouts", Of::Count(|row| row.report.timeouts)),
];
