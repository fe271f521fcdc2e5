//! Links, flows and packets in Mb/s and ms, for reports.

use crate::Traffic;
use crate::network::Flow;
use crate::packet::FlowReport;
use crate::packet::report::Delays;
use crate::simulation::Results;
use crate::simulation::results::{FlowRow, QueueRow};
use imminent_common::sheet::{Of, Records};
use imminent_study::outcome::Listing;

/// Returns the links, the most loaded first.
pub(super) fn links(results: &Results) -> Listing {
    let rows: Vec<_> = results.busiest().into_iter().filter_map(|place| results.queues.get(place)).collect();
    Listing::of_report(&Records { name: "links", columns: &link_columns(), rows: &rows })
}

/// Returns the flows, those with the highest rates first.
pub(super) fn flows(results: &Results) -> Listing {
    let mut rows: Vec<_> = results.flows.iter().collect();
    rows.sort_by(|a, b| b.rate.total_cmp(&a.rate));
    Listing::of_report(&Records { name: "flows", columns: &flow_columns(), rows: &rows })
}

/// Returns the flows with packets, those with the most first.
pub(super) fn packets<'r>(traffic: &'r Traffic, results: &'r Results) -> Listing {
    let mut reports: Vec<_> = results.packets.iter().collect();
    reports.sort_by_key(|report| std::cmp::Reverse(report.sent));
    let named = |report: &'r FlowReport| {
        let end = |node: fn(&Flow) -> u32| {
            let flow = traffic.flows().all().get(report.flow as usize);
            flow.map_or("", |flow| traffic.network().label(node(flow)))
        };
        Packets { from: end(|flow| flow.from), to: end(|flow| flow.to), report }
    };
    let rows: Vec<_> = reports.into_iter().map(named).collect();
    // One run has no intervals.
    let has_intervals = results.replications.len() > 1;
    let columns = packet_columns().into_iter().filter(|(name, _)| has_intervals || !name.contains('±'));
    Listing::of_report(&Records { name: "packets", columns: &columns.collect::<Vec<_>>(), rows: &rows })
}

/// Returns the time that a link takes to send some bytes, in milliseconds.
fn to_send(row: &QueueRow, bytes: f64) -> f64 {
    bytes * 8e3 / row.bandwidth.max(1) as f64
}

/// Columns of links with their queues.
fn link_columns<'r>() -> [(&'static str, Of<&'r QueueRow>); 13] {
    [
        ("from", Of::Text(|row| row.from.clone())),
        ("to", Of::Text(|row| row.to.clone())),
        ("bandwidth Mb/s", Of::Number(|row| Some(row.bandwidth as f64 / 1e6))),
        ("offered Mb/s", Of::Number(|row| Some(row.offered / 1e6))),
        ("carried Mb/s", Of::Number(|row| Some(row.carried / 1e6))),
        ("used %", Of::Number(|row| Some(100.0 * row.utilization))),
        ("dropped %", Of::Number(|row| Some(100.0 * row.loss))),
        ("lost on link %", Of::Number(|row| Some(100.0 * row.link_loss))),
        ("marked", Of::Count(|row| row.marked)),
        ("failed", Of::Count(|row| row.failed)),
        ("mean queue ms", Of::Number(|row| Some(to_send(row, row.mean_length)))),
        ("greatest queue ms", Of::Number(|row| Some(to_send(row, row.greatest_length)))),
        ("room ms", Of::Number(|row| Some(to_send(row, row.capacity as f64)))),
    ]
}

/// Columns of fluids and packets of flows.
fn flow_columns<'r>() -> [(&'static str, Of<&'r FlowRow>); 8] {
    [
        ("flow", Of::Text(|row| row.label.clone())),
        ("from", Of::Text(|row| row.from.clone())),
        ("to", Of::Text(|row| row.to.clone())),
        ("kind", Of::Text(|row| format!("{} {}", row.kind, row.part.name()))),
        ("sessions", Of::Count(|row| row.sessions.into())),
        ("rate Mb/s", Of::Number(|row| Some(row.rate / 1e6))),
        ("window packets", Of::Number(|row| row.window)),
        ("round trip ms", Of::Number(|row| row.round_trip.map(|time| time * 1e3))),
    ]
}

/// Packets of a flow, with its ends.
struct Packets<'r> {
    from: &'r str,
    to: &'r str,
    report: &'r FlowReport,
}

fn ms(row: &Packets<'_>, of: fn(&Delays) -> f64) -> Option<f64> {
    row.report.delay.as_ref().map(|delay| of(delay) * 1e3)
}

/// Columns of delays and losses of packets. Delays are from source to destination.
fn packet_columns<'r>() -> [(&'static str, Of<Packets<'r>>); 22] {
    [
        ("flow", Of::Text(|row| row.report.label.clone())),
        ("from", Of::Text(|row| row.from.to_owned())),
        ("to", Of::Text(|row| row.to.to_owned())),
        ("sent", Of::Count(|row| row.report.sent)),
        ("sent again", Of::Count(|row| row.report.again)),
        ("delivered", Of::Count(|row| row.report.delivered)),
        ("dropped", Of::Count(|row| row.report.dropped)),
        ("lost on links", Of::Count(|row| row.report.lost)),
        ("failed", Of::Count(|row| row.report.failed)),
        ("dropped or lost %", Of::Number(|row| row.report.loss.map(|loss| 100.0 * loss))),
        ("marked", Of::Count(|row| row.report.marked)),
        ("dropped or lost ± %", Of::Number(|row| row.report.loss_ci95.map(|half| 100.0 * half))),
        ("goodput Mb/s", Of::Number(|row| Some(row.report.goodput / 1e6))),
        ("goodput ± Mb/s", Of::Number(|row| row.report.goodput_ci95.map(|half| half / 1e6))),
        ("least ms", Of::Number(|row| ms(row, |delay| delay.least))),
        ("mean ms", Of::Number(|row| ms(row, |delay| delay.mean))),
        ("mean ± ms", Of::Number(|row| row.report.mean_delay_ci95.map(|half| half * 1e3))),
        ("median ms", Of::Number(|row| ms(row, |delay| delay.median))),
        ("95 % ms", Of::Number(|row| ms(row, |delay| delay.p95))),
        ("99 % ms", Of::Number(|row| ms(row, |delay| delay.p99))),
        ("greatest ms", Of::Number(|row| ms(row, |delay| delay.greatest))),
        ("timeouts", Of::Count(|row| row.report.timeouts)),
    ]
}
