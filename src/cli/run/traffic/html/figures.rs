//! The paper's plots: queue lengths, and windows, over time.

use super::super::record::{FlowPoint, QueuePoint, Seen};
use crate::cli::plot::{Curve, PlotError, Point, curves};
use imminent::models::traffic::Traffic;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most lines of a plot: so many colours there are.
const MOST_LINES: usize = 6;

/// The lengths of the longest queues (figure 6 of the paper).
pub(super) fn lengths(traffic: &Traffic, seen: &Seen, warm_up: f64) -> Result<String, PlotError> {
    let mut queues = BTreeMap::<u32, Vec<QueuePoint>>::new();
    for point in &seen.queue_series {
        queues.entry(point.look.link).or_default().push(*point);
    }
    let sum = |points: &[QueuePoint]| {
        points.iter().filter(|point| point.time > warm_up).map(|point| point.look.length).sum::<f64>()
    };
    let all = queues.len();
    let mut longest: Vec<_> = queues.into_iter().map(|(link, points)| (link, sum(&points), points)).collect();
    longest.retain(|(_, sum, _)| *sum > 0.0);
    longest.sort_by(|a, b| b.1.total_cmp(&a.1));
    longest.truncate(MOST_LINES);
    if longest.is_empty() {
        return Ok(format!("<p>None of the {all} queues that were followed was longer than nothing.</p>\n"));
    }
    let lines: Vec<_> = (0..)
        .zip(longest)
        .map(|(colour, (link, _, points))| Curve {
            points: points.iter().map(|point| exact(point.time, point.look.length / 1e6)).collect(),
            ..Curve::new(Some(traffic.network().link_label(link)), colour)
        })
        .collect();
    let caption = format!("The longest on average of the {all} queues that were followed.");
    figure(&lines, "length in MB", &caption)
}

/// The windows of flows (figure 7 of the paper); of many flows, quantiles.
pub(super) fn windows(traffic: &Traffic, seen: &Seen) -> Result<String, PlotError> {
    let mut flows = BTreeMap::<_, Vec<FlowPoint>>::new();
    for point in seen.flow_series.iter().filter(|point| point.look.window.is_some()) {
        flows.entry((point.look.flow, point.look.part)).or_default().push(*point);
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
            points: points.iter().map(|point| exact(point.time, point.look.window.unwrap_or(0.0))).collect(),
            ..Curve::new(Some(format!("flow {}, {}", traffic.flows().label(flow), part.name())), colour)
        })
        .collect();
    figure(&lines, "window in packets", "Mean window of the sessions of each flow, while it is on.")
}

fn quantiles(flows: &[Vec<FlowPoint>]) -> Result<String, PlotError> {
    let mut times = BTreeMap::<u64, Vec<f64>>::new();
    for point in flows.iter().flatten() {
        // Bits of numbers that are not negative are in their order.
        times.entry(point.time.to_bits()).or_default().extend(point.look.window);
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
    let mut text = String::new();
    let plot = curves(lines, "seconds", y_label)?;
    let _ = writeln!(text, "<figure>{plot}<figcaption>{caption}</figcaption></figure>");
    Ok(text)
}
