//! Figures 8 to 10 of the paper on hybrid traffic: wall time of a simulated second, with fluids in several places.

use crate::Traffic;
use crate::benchmarks::cell::{Cell, CellTimes, Warm};
use crate::benchmarks::networks::campuses;
use crate::coupling::MAX_LAUNCHES;
use crate::packet::clock::SECOND;
use imminent_common::figure::{self, Line, Plot};
use imminent_study::figures::{Figure, Place, Publication, Usual, lines};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Content;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

type Point = imminent_study::figures::Point<Setting, CellTimes>;
type Results<'r> = imminent_study::figures::Results<'r, Setting, CellTimes>;

/// Returns the figures.
pub(super) fn publication() -> Publication<Options, Setting, CellTimes> {
    Publication {
        name: "traffic",
        about: "Figures 8 to 10 of hybrid traffic: wall time of a simulated second by campuses, shares of packets and \
                batches, in several places.",
        title: "Fluids and packets that share queues",
        introduction: "Figures 8 to 10 of the paper on GPU-assisted hybrid network traffic, measured anew: wall time of \
                       a simulated second.",
        places: &[Usual::Threads(1), Usual::Threads(2), Usual::AllThreads, Usual::Devices],
        figures: vec![
            Figure::new(
                "8",
                "Figure 8: wall time of a simulated second, in seconds",
                |options| each(&options.campuses, &options.shares, &[options.batch]),
                by_campuses,
            ),
            Figure::new(
                "9",
                "Figure 9: wall time of a simulated second by shares of packets, in seconds",
                |options| each(&[options.middle], &options.more_shares, &[options.batch]),
                by_shares,
            ),
            Figure {
                is_for: batches_matter,
                ..Figure::new(
                    "10",
                    "Figure 10: wall time of a simulated second by launches of a batch, in seconds",
                    |options| each(&options.campuses, &[greatest(&options.shares)], &options.batches),
                    by_batches,
                )
            },
        ],
        measure: |options: Options| {
            // Settings of one network follow one another.
            let mut network: Option<((u32, f64), Traffic)> = None;
            Box::new(move |setting, place| {
                let key = (setting.campuses, setting.packet_share);
                let traffic = match network.take_if(|(of, _)| *of == key) {
                    Some((_, traffic)) => traffic,
                    None => campuses(setting.campuses, options.room, setting.packet_share)?,
                };
                let (_, traffic) = network.insert((key, traffic));
                setting.measure(&options, traffic, place)
            })
        },
    }
}

/// Networks, and the length of their measurement.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// Wall time for each point. As much as fits is simulated, up to half of the time before measuring begins.
    /// Preparing the network, and compiling, come on top.
    #[schemars(range(min = 0.001, max = 86_400.0), extend("unit" = "s"))]
    budget: f64,
    /// Numbers of campuses of figures 8 and 10.
    #[schemars(inner(range(min = 1, max = 5000)))]
    campuses: Vec<u32>,
    /// Shares of the flows that are packets in figure 8, from 0 to 1; figure 10 uses the largest of them.
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    shares: Vec<f64>,
    /// Number of launches of a batch in figures 8 and 9.
    #[schemars(range(max = MAX_LAUNCHES))]
    batch: u32,
    /// Number of campuses of figure 9.
    #[schemars(range(min = 1, max = 5000))]
    middle: u32,
    /// Shares of packets of figure 9.
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    more_shares: Vec<f64>,
    /// Numbers of launches of a batch in figure 10; 0 for lock-step.
    #[schemars(inner(range(max = MAX_LAUNCHES)))]
    batches: Vec<u32>,
    /// Length of a step: at most the delay of a LAN's links, 1 ms.
    #[schemars(range(min = 1, max = 1000), extend("unit" = "us"))]
    step: u64,
    /// Capacity of the queues, in transmission time on their links.
    #[schemars(range(min = 1, max = 10_000), extend("unit" = "ms"))]
    room: u32,
    /// Simulated time before measuring begins, as far as the budget allows.
    #[schemars(range(min = 0, max = 600_000), extend("unit" = "ms"))]
    warm_up: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            budget: 5.0,
            campuses: vec![4, 8, 16],
            shares: vec![0.0, 0.005, 0.01],
            batch: 3,
            middle: 8,
            more_shares: vec![0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0],
            batches: (1..=7).collect(),
            step: 500,
            room: 200,
            warm_up: 2000,
        }
    }
}

/// Parameters of one simulation of campus networks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Setting {
    campuses: u32,
    /// Share of the flows that are packets.
    packet_share: f64,
    batch: u32,
}

fn each(campuses: &[u32], shares: &[f64], batches: &[u32]) -> Vec<Setting> {
    let mut settings = vec![];
    for &campuses in campuses {
        for &packet_share in shares {
            settings.extend(batches.iter().map(|&batch| Setting { campuses, packet_share, batch }));
        }
    }
    settings
}

fn greatest(shares: &[f64]) -> f64 {
    shares.iter().copied().fold(0.0, f64::max)
}

/// Batches only matter if fluids and packets are on different devices.
fn batches_matter(_: &Setting, place: &Place, all: &[Place]) -> bool {
    place.is_apart() || !all.iter().any(Place::is_apart)
}

impl Setting {
    fn measure(&self, options: &Options, traffic: &Traffic, place: &Place) -> Result<CellTimes, Fault> {
        let budget = Duration::from_secs_f64(options.budget);
        let warm = Warm { until: options.warm_up * (SECOND / 1000), patience: budget / 2 };
        let size = traffic.step(options.step * 1000, true)?;
        let cell = Cell { traffic, size, batch: self.batch, budget: budget / 2, warm };
        match &place.device {
            Some(device) => cell.on_device(device),
            None => cell.on_host(),
        }
    }

    fn describe(&self) -> Vec<String> {
        let batch = if self.batch == 0 { "lock-step".to_owned() } else { self.batch.to_string() };
        vec![self.campuses.to_string(), percent(self), batch]
    }
}

fn percent(setting: &Setting) -> String {
    format!("{} %", 100.0 * setting.packet_share)
}

const SECONDS: &str = "s a simulated second";

fn seconds(point: &Point) -> f64 {
    point.found.seconds_per_second
}

/// Returns the speed beside the first place.
fn speed(results: &Results<'_>, point: &Point) -> Option<f64> {
    Some(seconds(results.of(results.first(), &point.setting)?) / seconds(point))
}

fn table(results: &Results<'_>) -> Content {
    let cell = |point: &Point| match speed(results, point).filter(|_| results.first() != point.place) {
        Some(times) => format!("{:.4} ({times:.1} x)", seconds(point)),
        None => format!("{:.4}", seconds(point)),
    };
    results.table(&["campuses", "packets", "batch"], results.settings, Setting::describe, cell)
}

/// Returns a plot of times for each place, with a line for each of the `names`.
fn in_each_place(results: &Results<'_>, x: (fn(&Setting) -> u32, &str), name: fn(&Setting) -> String) -> Vec<Content> {
    let plot = |place: &String| {
        let at = |point: &Point| Some(figure::Point::new(f64::from(x.0(&point.setting)), seconds(point)));
        let lines = lines(results.at(place), at, |point| name(&point.setting));
        Content::Plot(Plot::new(lines, [x.1, SECONDS], &format!("Fluids on {place}.")))
    };
    results.places.iter().map(plot).collect()
}

/// Returns times by campuses in each place, speeds beside the first place, and times of all places beside those that
/// the paper states in its text. Its figures are not available, so there are no others.
fn by_campuses(results: &Results<'_>) -> Vec<Content> {
    let of_share = |setting: &Setting| format!("{} packets", percent(setting));
    let campuses = |point: &Point| f64::from(point.setting.campuses);
    let mut contents = vec![table(results)];
    contents.extend(in_each_place(results, (|setting| setting.campuses, "campuses"), of_share));
    for place in results.places.iter().skip(1) {
        let at = |point: &Point| Some(figure::Point::new(campuses(point), speed(results, point)?));
        let mut lines = lines(results.at(place), at, |point| of_share(&point.setting));
        if !lines.is_empty() {
            // The greatest printed speed-up is that of fluids alone.
            lines.push(Line::level("paper, 16 campuses, 0 % packets", Line::ends(&lines), 25.0));
        }
        let caption = format!("{place} beside {}, and (dashed) as printed.", results.first());
        contents.push(Content::Plot(Plot::logarithmic(lines, ["campuses", "speed-up"], &caption)));
    }
    // The least and greatest share of packets.
    let shares: Vec<f64> = results.settings.iter().map(|setting| setting.packet_share).collect();
    let ends = [shares.iter().copied().fold(f64::INFINITY, f64::min), greatest(&shares)];
    let points = results.places.iter().flat_map(|place| results.at(place));
    let points = points.filter(|point| ends.contains(&point.setting.packet_share));
    let at = |point: &Point| Some(figure::Point::new(campuses(point), seconds(point)));
    let mut lines = lines(points, at, |point| format!("{}, {}", point.place, of_share(&point.setting)));
    if !lines.is_empty() {
        let (colour, ends) = (lines.len(), Line::ends(&lines));
        // A CPU alone: 4 campuses without packets, and 16 with 1 % packets. The paper's GPU keeps real time except in
        // the second.
        let name = "paper, CPU alone: 4 campuses, 0 %; 16 campuses, 1 %";
        let marks = [Line::mark(name, (4.0, 1.3)), Line::mark("", (16.0, 9.3))];
        lines.extend(marks.map(|line| line.coloured(colour)));
        lines.push(Line::level("real time", ends, 1.0).coloured(colour + 1));
    }
    let caption = "All places, and (dashed) as printed.";
    contents.push(Content::Plot(Plot::logarithmic(lines, ["campuses", SECONDS], caption)));
    contents
}

/// Returns speeds beside the first place by shares of packets.
fn by_shares(results: &Results<'_>) -> Vec<Content> {
    let points = results.places.iter().skip(1).flat_map(|place| results.at(place));
    let at = |point: &Point| Some(figure::Point::new(100.0 * point.setting.packet_share, speed(results, point)?));
    let mut lines = lines(points, at, |point| point.place.clone());
    if !lines.is_empty() {
        lines.push(Line::printed("paper, packets alone", [(96.0, 1.0), (100.0, 1.0)]));
    }
    let caption = format!("Beside {}, and (dashed) as printed.", results.first());
    vec![table(results), Content::Plot(Plot::new(lines, ["% packets", "speed-up"], &caption))]
}

/// Returns times by batches in each place.
fn by_batches(results: &Results<'_>) -> Vec<Content> {
    let name = |setting: &Setting| format!("{} campuses", setting.campuses);
    let plots = in_each_place(results, (|setting| setting.batch, "launches of a batch"), name);
    [table(results)].into_iter().chain(plots).collect()
}
