//! Plots: throughput, queue lengths and windows over time, and distributions of delays.

use imminent::models::output::Sketch;
use imminent::models::traffic::Traffic;
use imminent::models::traffic::packet::clock;
use imminent::models::traffic::simulation::Part;
use imminent::models::traffic::simulation::delays::by_packets;
use imminent::models::traffic::simulation::record::{FlowPoint, QueuePoint, RatePoint, Record};
use imminent_report::page::escape;
use imminent_report::plot::{Curve, PlotError, Point, curves};
use std::collections::BTreeMap;

/// Largest number of lines in a plot, which is the number of colours.
const MOST_LINES: usize = 6;

/// Number of bars per octave of a distribution of delays.
const BARS: usize = 64;
/// Share of the packets that a distribution shows.
const SHOWN: f64 = 0.999;

/// Draws the total rate of fluids sent and of packets received.
pub(super) fn throughput(record: &Record) -> Result<String, PlotError> {
    let series = |of: fn(&RatePoint) -> Option<f64>| {
        let points = record.rates.iter().filter_map(|point| Some(exact(point.time, of(point)? / 1e6)));
        points.collect::<Vec<_>>()
    };
    let parts = [("fluids, sent", series(|point| point.fluid)), ("packets, delivered", series(|point| point.packets))];
    let lines: Vec<_> = (0..)
        .zip(parts.into_iter().filter(|(_, points)| !points.is_empty()))
        .map(|(colour, (name, points))| Curve { points, ..Curve::new(Some(name.to_owned()), colour) })
        .collect();
    if lines.is_empty() {
        return Ok("<p>There are no flows.</p>\n".to_owned());
    }
    figure(&lines, "Mb/s", "All flows together: of fluids what they send, of packets what arrives for the first time.")
}

/// Draws the rates of the flows with the highest ones.
pub(super) fn rates(traffic: &Traffic, record: &Record) -> Result<String, PlotError> {
    let mut flows = BTreeMap::<(u32, Part), Vec<FlowPoint>>::new();
    for point in &record.flow_series {
        flows.entry((point.sample.flow, point.sample.part)).or_default().push(*point);
    }
    let all = flows.len();
    if all < 2 {
        return Ok(String::new());
    }
    let sum = |points: &[FlowPoint]| points.iter().map(|point| point.sample.rate).sum::<f64>();
    let mut highest: Vec<_> = flows.into_iter().map(|(key, points)| (key, sum(&points), points)).collect();
    highest.sort_by(|a, b| b.1.total_cmp(&a.1));
    highest.truncate(MOST_LINES);
    let lines: Vec<_> = (0..)
        .zip(&highest)
        .map(|(colour, ((flow, part), _, points))| Curve {
            points: points.iter().map(|point| exact(point.time, point.sample.rate / 1e6)).collect(),
            ..Curve::new(Some(format!("{}, {}", flow_name(traffic, *flow), part.name())), colour)
        })
        .collect();
    let caption = format!("The flows with the highest rates of the {all} that were followed.");
    figure(&lines, "Mb/s", &caption)
}

/// Draws the distribution functions of delays: of all packets together, and of the flows with the most.
pub(super) fn delays(traffic: &Traffic, record: &Record) -> Result<String, PlotError> {
    let flows = by_packets(record);
    let mut all = Sketch::default();
    flows.iter().for_each(|(_, delays)| all += *delays);
    let Some(end) = all.quantile(SHOWN) else { return Ok("<p>No packet arrived.</p>\n".to_owned()) };
    let end = end * 1e3 / clock::SECOND as f64;
    let mut lines = vec![Curve { points: shares(&all, end), ..Curve::new(Some("all packets".to_owned()), 0) }];
    if flows.len() > 1 {
        lines.extend((1..MOST_LINES).zip(&flows).map(|(colour, (flow, delays))| Curve {
            points: shares(delays, end),
            ..Curve::new(Some(flow_name(traffic, *flow)), colour)
        }));
    }
    let others = if flows.len() > 1 { ", and of the flows with the most packets" } else { "" };
    let caption = format!(
        "Share of the packets that took no longer than a delay from source to destination: of all {}{others}. The axis ends where {} % of all packets have arrived.",
        all.total(),
        100.0 * SHOWN
    );
    labelled(&lines, ["delay in ms", "share of packets"], &caption)
}

/// Returns the share of the values up to each delay, in milliseconds, up to an end.
fn shares(delays: &Sketch, end: f64) -> Vec<Point> {
    let (total, mut sum) = (delays.total().max(1) as f64, 0);
    let ms = |time: u64| clock::seconds(time) * 1e3;
    let (least, greatest) = delays.extremes().unwrap_or_default();
    let mut points = vec![];
    for (from, to, count) in delays.bars(BARS) {
        // There are no values between the last bar and this one.
        points.push(exact(ms(from.max(least)), sum as f64 / total));
        sum += count;
        points.push(exact(ms(to.min(greatest)), sum as f64 / total));
    }
    points.retain(|point| point.x <= end);
    points
}

/// Names a flow by its ends, and by its name if it has one.
fn flow_name(traffic: &Traffic, number: u32) -> String {
    let Some(flow) = traffic.flows().all().get(number as usize) else { return String::new() };
    let network = traffic.network();
    let (ends, label) =
        (format!("{} -> {}", network.label(flow.from), network.label(flow.to)), traffic.flows().label(number));
    if label == number.to_string() || label == ends { ends } else { format!("{label}: {ends}") }
}

/// Draws the lengths of the longest queues (figure 6 of the paper).
pub(super) fn lengths(traffic: &Traffic, record: &Record, warm_up: f64) -> Result<String, PlotError> {
    let mut queues = BTreeMap::<u32, Vec<QueuePoint>>::new();
    for point in &record.queue_series {
        queues.entry(point.sample.link).or_default().push(*point);
    }
    let sum = |points: &[QueuePoint]| {
        points.iter().filter(|point| point.time > warm_up).map(|point| point.sample.length).sum::<f64>()
    };
    let all = queues.len();
    let mut longest: Vec<_> = queues.into_iter().map(|(link, points)| (link, sum(&points), points)).collect();
    longest.retain(|(_, sum, _)| *sum > 0.0);
    longest.sort_by(|a, b| b.1.total_cmp(&a.1));
    longest.truncate(MOST_LINES);
    if longest.is_empty() {
        return Ok(format!("<p>None of the {all} queues that were followed was longer than nothing.</p>\n"));
    }
    let greatest = longest.iter().flat_map(|(.., points)| points).map(|point| point.sample.length).fold(0.0, f64::max);
    let (size, unit) = if greatest < 1e6 { (1e3, "kB") } else { (1e6, "MB") };
    let lines: Vec<_> = (0..)
        .zip(longest)
        .map(|(colour, (link, _, points))| Curve {
            points: points.iter().map(|point| exact(point.time, point.sample.length / size)).collect(),
            ..Curve::new(Some(traffic.network().link_label(link)), colour)
        })
        .collect();
    let caption = format!("The longest on average of the {all} queues that were followed.");
    figure(&lines, &format!("length in {unit}"), &caption)
}

/// Draws the windows of flows (figure 7 of the paper); for many flows, quantiles.
pub(super) fn windows(traffic: &Traffic, record: &Record) -> Result<String, PlotError> {
    let mut flows = BTreeMap::<_, Vec<FlowPoint>>::new();
    for point in record.flow_series.iter().filter(|point| point.sample.window.is_some()) {
        flows.entry((point.sample.flow, point.sample.part)).or_default().push(*point);
    }
    if flows.is_empty() {
        return Ok("<p>No session of TCP was followed.</p>\n".to_owned());
    }
    if flows.len() > MOST_LINES {
        return quantiles(&flows.into_values().collect::<Vec<_>>());
    }
    let lines: Vec<_> = (0..)
        .zip(flows)
        .map(|(colour, ((flow, part), points))| Curve {
            points: points.iter().map(|point| exact(point.time, point.sample.window.unwrap_or(0.0))).collect(),
            ..Curve::new(Some(format!("{}, {}", flow_name(traffic, flow), part.name())), colour)
        })
        .collect();
    figure(&lines, "window in packets", "Mean window of the sessions of each flow, while it is on.")
}

fn quantiles(flows: &[Vec<FlowPoint>]) -> Result<String, PlotError> {
    let mut times = BTreeMap::<u64, Vec<f64>>::new();
    for point in flows.iter().flatten() {
        // The bits of non-negative numbers sort like the numbers.
        times.entry(point.time.to_bits()).or_default().extend(point.sample.window);
    }
    times.values_mut().for_each(|windows| windows.sort_by(f64::total_cmp));
    let lines: Vec<_> = [(0, 90), (1, 50), (2, 10)]
        .into_iter()
        .map(|(colour, percent)| Curve {
            points: times
                .iter()
                .filter_map(|(time, windows)| {
                    let place = (windows.len() - 1) * percent / 100;
                    windows.get(place).map(|window| exact(f64::from_bits(*time), *window))
                })
                .collect(),
            ..Curve::new(Some(format!("{percent} % of flows are below")), colour)
        })
        .collect();
    let caption = format!("Windows of the {} flows that were followed: of each the mean of its sessions.", flows.len());
    figure(&lines, "window in packets", &caption)
}

fn exact(x: f64, y: f64) -> Point {
    Point { x, y, half_width: None }
}

fn figure(lines: &[Curve], y_label: &str, caption: &str) -> Result<String, PlotError> {
    labelled(lines, ["seconds", y_label], caption)
}

fn labelled(lines: &[Curve], [x_label, y_label]: [&str; 2], caption: &str) -> Result<String, PlotError> {
    let plot = curves(lines, x_label, y_label)?;
    Ok(format!("<figure>{plot}<figcaption>{}</figcaption></figure>\n", escape(caption)))
}
