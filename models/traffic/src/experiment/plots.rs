//! Plots: throughput, queue lengths and windows over time, and distributions of delays.

use crate::Traffic;
use crate::packet::clock;
use crate::simulation::delays::by_packets;
use crate::simulation::record::{FlowPoint, QueuePoint, RatePoint};
use crate::simulation::{Record, Representation};
use imminent_common::figure::{Line, Plot};
use imminent_common::output::Sketch;

use std::collections::BTreeMap;

/// Largest number of lines in a plot.
const MAX_LINES: usize = Line::COLOURS;

/// Number of bars per octave of a distribution of delays.
const BARS: usize = 64;
/// Share of the packets that a distribution shows.
const SHOWN: f64 = 0.999;

/// Returns the total rate of fluids sent and of packets received.
pub(super) fn throughput(record: &Record) -> Plot {
    let series = |of: fn(&RatePoint) -> Option<f64>| {
        record.rates.iter().filter_map(|point| Some((point.time, of(point)? / 1e6))).collect::<Vec<_>>()
    };
    let parts = [("fluids, sent", series(|point| point.fluid)), ("packets, delivered", series(|point| point.packets))];
    let parts = parts.into_iter().filter(|(_, points)| !points.is_empty());
    let lines: Vec<_> = parts.map(|(name, points)| Line::new(name.to_owned(), points)).collect();
    if lines.is_empty() {
        return Plot::empty("There are no flows.");
    }
    let caption = "All flows together: of fluids what they send, of packets what arrives for the first time.";
    Plot::new(lines, ["seconds", "Mb/s"], caption)
}

/// Returns the rates of the flows with the highest ones, if there are several flows.
pub(super) fn rates(traffic: &Traffic, record: &Record) -> Option<Plot> {
    let flows = series_of_flows(record, |_| true);
    let all = flows.len();
    if all < 2 {
        return None;
    }
    let sum = |points: &[&FlowPoint]| points.iter().map(|point| point.sample.rate).sum::<f64>();
    let mut highest: Vec<_> = flows.into_iter().map(|(key, points)| (key, sum(&points), points)).collect();
    highest.sort_by(|a, b| b.1.total_cmp(&a.1));
    highest.truncate(MAX_LINES);
    let line = |(key, _, points): ((u32, Representation), f64, Vec<&FlowPoint>)| {
        Line::new(part_name(traffic, key), points.iter().map(|point| (point.time, point.sample.rate / 1e6)))
    };
    let caption = format!("The flows with the highest rates of the {all} that were followed.");
    Some(Plot::new(highest.into_iter().map(line).collect(), ["seconds", "Mb/s"], &caption))
}

/// Returns the distribution functions of delays: of all packets together, and of the flows with the most.
pub(super) fn delays(traffic: &Traffic, record: &Record) -> Plot {
    let flows = by_packets(record);
    let mut all = Sketch::default();
    flows.iter().for_each(|(_, delays)| all += *delays);
    let Some(end) = all.quantile(SHOWN) else { return Plot::empty("No packet arrived.") };
    let end = end * 1e3 / clock::SECOND as f64;
    let mut lines = vec![Line::new("all packets".to_owned(), shares(&all, end))];
    let are_several = flows.len() > 1;
    if are_several {
        let line = |(flow, delays): &(u32, &Sketch)| Line::new(flow_name(traffic, *flow), shares(delays, end));
        lines.extend(flows.iter().take(MAX_LINES - 1).map(line));
    }
    let others = if are_several { ", and of the flows with the most packets" } else { "" };
    let caption = format!(
        "Share of the packets that took no longer than a delay from source to destination: of all {}{others}. The axis ends where {} % of all packets have arrived.",
        all.total(),
        100.0 * SHOWN
    );
    Plot::new(lines, ["delay in ms", "share of packets"], &caption)
}

/// Returns the share of the values up to each delay, in milliseconds, up to an end.
fn shares(delays: &Sketch, end: f64) -> Vec<(f64, f64)> {
    let (total, mut sum) = (delays.total().max(1) as f64, 0);
    let ms = |time: u64| clock::seconds(time) * 1e3;
    let (least, greatest) = delays.extremes().unwrap_or_default();
    let mut points = vec![];
    for (from, to, count) in delays.bars(BARS) {
        // There are no values between the last bar and this one.
        points.push((ms(from.max(least)), sum as f64 / total));
        sum += count;
        points.push((ms(to.min(greatest)), sum as f64 / total));
    }
    points.retain(|(delay, _)| *delay <= end);
    points
}

/// Returns the lengths of the longest queues (figure 6 of the paper).
pub(super) fn lengths(traffic: &Traffic, record: &Record, warm_up: f64) -> Plot {
    let mut queues = BTreeMap::<u32, Vec<&QueuePoint>>::new();
    for point in &record.queue_series {
        queues.entry(point.sample.link).or_default().push(point);
    }
    let sum = |points: &[&QueuePoint]| {
        points.iter().filter(|point| point.time > warm_up).map(|point| point.sample.length).sum::<f64>()
    };
    let all = queues.len();
    let mut longest: Vec<_> = queues.into_iter().map(|(link, points)| (link, sum(&points), points)).collect();
    longest.retain(|(_, sum, _)| *sum > 0.0);
    longest.sort_by(|a, b| b.1.total_cmp(&a.1));
    longest.truncate(MAX_LINES);
    if longest.is_empty() {
        return Plot::empty(&format!("None of the {all} queues that were followed was longer than nothing."));
    }
    let greatest = longest.iter().flat_map(|(.., points)| points).map(|point| point.sample.length).fold(0.0, f64::max);
    let (size, unit) = if greatest < 1e6 { (1e3, "kB") } else { (1e6, "MB") };
    let line = |(link, _, points): (u32, f64, Vec<&QueuePoint>)| {
        let name = traffic.network().link_label(link);
        Line::new(name, points.iter().map(|point| (point.time, point.sample.length / size)))
    };
    let caption = format!("The longest on average of the {all} queues that were followed.");
    let axes = ["seconds", &format!("length in {unit}")];
    Plot::new(longest.into_iter().map(line).collect(), axes, &caption)
}

/// Returns the windows of flows (figure 7 of the paper); for many flows, quantiles.
pub(super) fn windows(traffic: &Traffic, record: &Record) -> Plot {
    let flows = series_of_flows(record, |point| point.sample.window.is_some());
    if flows.is_empty() {
        return Plot::empty("No session of TCP was followed.");
    }
    if flows.len() > MAX_LINES {
        return quantiles(&flows.into_values().collect::<Vec<_>>());
    }
    let line = |(key, points): ((u32, Representation), Vec<&FlowPoint>)| {
        let window = |point: &&FlowPoint| (point.time, point.sample.window.unwrap_or(0.0));
        Line::new(part_name(traffic, key), points.iter().map(window))
    };
    let caption = "Mean window of the sessions of each flow, while it is on.";
    Plot::new(flows.into_iter().map(line).collect(), ["seconds", "window in packets"], caption)
}

fn quantiles(flows: &[Vec<&FlowPoint>]) -> Plot {
    let mut times = BTreeMap::<u64, Vec<f64>>::new();
    for point in flows.iter().flatten() {
        // The bits of non-negative numbers sort like the numbers.
        times.entry(point.time.to_bits()).or_default().extend(point.sample.window);
    }
    times.values_mut().for_each(|windows| windows.sort_by(f64::total_cmp));
    let line = |percent: usize| {
        let at = |(time, windows): (&u64, &Vec<f64>)| {
            let window = windows.get((windows.len() - 1) * percent / 100)?;
            Some((f64::from_bits(*time), *window))
        };
        Line::new(format!("{percent} % of flows are below"), times.iter().filter_map(at))
    };
    let caption = format!("Windows of the {} flows that were followed: of each the mean of its sessions.", flows.len());
    Plot::new([90, 50, 10].map(line).to_vec(), ["seconds", "window in packets"], &caption)
}

/// Returns the samples of each part of a flow that `counts`.
fn series_of_flows(
    record: &Record,
    counts: fn(&FlowPoint) -> bool,
) -> BTreeMap<(u32, Representation), Vec<&FlowPoint>> {
    let mut flows = BTreeMap::<_, Vec<_>>::new();
    for point in record.flow_series.iter().filter(|point| counts(point)) {
        flows.entry((point.sample.flow, point.sample.part)).or_default().push(point);
    }
    flows
}

fn part_name(traffic: &Traffic, (flow, part): (u32, Representation)) -> String {
    format!("{}, {}", flow_name(traffic, flow), part.name())
}

/// Names a flow by its ends, and by its name if it has one.
fn flow_name(traffic: &Traffic, number: u32) -> String {
    let Some(flow) = traffic.flows().all().get(number as usize) else { return String::new() };
    let network = traffic.network();
    let (ends, label) =
        (format!("{} -> {}", network.label(flow.from), network.label(flow.to)), traffic.flows().label(number));
    if label == number.to_string() || label == ends { ends } else { format!("{label}: {ends}") }
}
