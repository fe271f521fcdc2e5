//! Figures 5-8 to 5-10 of the dissertation: scenarios of Table 5-1 on a clock.

use crate::benchmarks::simulate;
use crate::{Execution, Network, Summary, digest, sequential};
use imminent_common::estimate::Estimate;
use imminent_common::figure::{self, Plot};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::Figures;
use imminent_study::figures::{Figure, Publication, Usual, lines};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Content;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

type Point = imminent_study::figures::Point<Setting, Found>;
type Results<'r> = imminent_study::figures::Results<'r, Setting, Found>;

/// Returns the figures.
pub(crate) fn all() -> Figures {
    let figure = |name, title, contents| Figure::new(name, title, settings, contents);
    Figures::from(Publication {
        name: "manet",
        about: "Figures 5-8 to 5-10 of mobile ad hoc networks: delay, hops, delivery ratio and speed by clock interval.",
        title: "Mobile ad hoc networks",
        introduction: "Figures 5-8 to 5-10 of Park's dissertation, measured anew: the scenarios of Table 5-1.",
        places: &[Usual::Host, Usual::Devices, Usual::AllThreads],
        figures: vec![
            figure("5-8", "Figure 5-8: mean delay from end to end by clock interval, in ms", |results| {
                estimates(results, &[(|found| (found.delay, found.delay_ci95), 1e3, "delay in ms")])
            }),
            figure("5-9", "Figure 5-9: mean hops, and packets delivered in %, by clock interval", |results| {
                let hops: (Of, _, _) = (|found| (found.hops, found.hops_ci95), 1.0, "hops");
                estimates(results, &[hops, (|found| (found.delivered, found.delivered_ci95), 100.0, "% of packets")])
            }),
            figure("5-10", "Figure 5-10: speed beside the first place by clock interval", speeds),
        ],
        measure: |options: Options| Box::new(move |setting, place| setting.measure(&options, place.device.as_ref())),
    })
}

/// Scenarios, and their length.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Options {
    /// Numbers of nodes; fields and traffic are those of Table 5-1.
    #[schemars(inner(range(min = 2, max = 4_000_000)))]
    nodes: Vec<u32>,
    /// Also simulate fields of half the width: 9,000 m2 a node.
    halved: bool,
    /// Clock intervals in ms, up to the airtime of a packet; 0 for exact times.
    #[schemars(inner(range(min = 0.0, max = 8.192)))]
    intervals: Vec<f64>,
    /// Simulated time in s.
    #[schemars(extend("unit" = "s"))]
    seconds: f64,
    /// Number of replications, which a device simulates together.
    #[schemars(range(min = 2, max = 1000))]
    replications: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            nodes: vec![50, 200, 800, 3200],
            halved: false,
            intervals: vec![0.0, 1.0, 2.0],
            seconds: 100.0,
            replications: 5,
        }
    }
}

const PRINTED: &str = "printed width";
const COLUMNS: [&str; 3] = ["nodes", "field", "interval"];

/// Scenario on a clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Setting {
    nodes: u32,
    field: &'static str,
    interval_ms: f64,
}

/// Results of all replications of a scenario: means with the half-widths of their intervals, and sums.
#[derive(Debug, Serialize)]
struct Found {
    delay: Option<f64>,
    delay_ci95: Option<f64>,
    hops: Option<f64>,
    hops_ci95: Option<f64>,
    delivered: Option<f64>,
    delivered_ci95: Option<f64>,
    transmissions: u64,
    seconds: f64,
    digest: String,
}

fn settings(options: &Options) -> Vec<Setting> {
    let fields: &[&str] = if options.halved { &[PRINTED, "half width"] } else { &[PRINTED] };
    let mut settings = vec![];
    for &field in fields {
        for &nodes in &options.nodes {
            settings.extend(options.intervals.iter().map(|&interval_ms| Setting { nodes, field, interval_ms }));
        }
    }
    settings
}

impl Setting {
    fn describe(&self) -> Vec<String> {
        vec![self.nodes.to_string(), self.field.to_owned(), format!("{} ms", self.interval_ms)]
    }

    /// Simulates the scenario: all replications together on a device, or one after the other on the host. The wall
    /// time is that of all replications, without compilation.
    fn measure(&self, options: &Options, device: Option<&Device>) -> Result<Found, Fault> {
        let mut network = Network::scenario(self.nodes);
        if self.field != PRINTED {
            network.field.width /= 2;
        }
        network.interval = (self.interval_ms * 1e3) as u64;
        network.end = (options.seconds * 1e6) as u64;
        let replications = u64::from(options.replications);
        let (counts, seconds) = match device {
            Some(device) => {
                let ran = simulate(device, &network, replications, Execution::Device, None)?;
                (ran.counts, ran.wall_s)
            }
            None => {
                let began = Instant::now();
                let counts = (0..replications).map(|of| sequential::simulate(&network, of));
                let counts = counts.collect::<Result<Vec<_>, _>>()?;
                (counts, began.elapsed().as_secs_f64())
            }
        };
        let each: Vec<_> = counts.iter().map(Summary::of).collect();
        let estimate = |of: fn(&Summary) -> f64| Estimate::of(&each.iter().map(of).collect::<Vec<_>>());
        let [delay, hops, delivered] = [Summary::mean_delay, Summary::mean_hops, Summary::delivery_ratio].map(estimate);
        Ok(Found {
            delay: delay.mean,
            delay_ci95: delay.half_width(),
            hops: hops.mean,
            hops_ci95: hops.half_width(),
            delivered: delivered.mean,
            delivered_ci95: delivered.half_width(),
            transmissions: each.iter().map(|summary| summary.total.sent).sum::<u64>(),
            seconds,
            digest: digest(counts.iter().flatten()),
        })
    }
}

/// Function that returns a mean, and the half-width of its interval.
type Of = fn(&Found) -> (Option<f64>, Option<f64>);

/// Returns a table of estimates, and a plot by intervals for each of them, in units that are so many of the measured
/// one. All places agree, so plots show the first.
fn estimates(results: &Results<'_>, shown: &[(Of, f64, &str)]) -> Vec<Content> {
    let text =
        |value: Option<f64>, scale| value.map_or_else(|| "–".to_owned(), |value| format!("{:.3}", value * scale));
    let cell = |point: &Point| {
        let estimate = |(of, scale, _): &(Of, f64, &str)| {
            let (mean, half) = of(&point.found);
            format!("{} ± {}", text(mean, *scale), text(half, *scale))
        };
        shown.iter().map(estimate).collect::<Vec<_>>().join("; ")
    };
    let table = results.table(&COLUMNS, results.settings, Setting::describe, cell);
    let plot = |(of, scale, label): &(Of, f64, &str)| {
        let at = |point: &Point| Some(figure::Point::new(point.setting.interval_ms, of(&point.found).0? * scale));
        let name = |point: &Point| format!("{} nodes, {}", point.setting.nodes, point.setting.field);
        let lines = lines(results.at(results.first()), at, name);
        Content::Plot(Plot::new(lines, ["clock interval in ms", label], "Means over the replications."))
    };
    std::iter::once(table).chain(shown.iter().map(plot)).collect()
}

/// Returns speeds beside the first place with exact times.
fn speeds(results: &Results<'_>) -> Vec<Content> {
    let speed = |point: &Point| {
        let exact = Setting { interval_ms: 0.0, ..point.setting.clone() };
        Some(results.of(results.first(), &exact)?.found.seconds / point.found.seconds)
    };
    let table = results.table(&COLUMNS, results.settings, Setting::describe, |point| match speed(point) {
        Some(times) => format!("{times:.2} x ({:.3} s)", point.found.seconds),
        None => format!("{:.3} s", point.found.seconds),
    });
    let others = results.places.iter().skip(1).flat_map(|place| results.at(place));
    let shown = others.filter(|point| point.setting.interval_ms == 0.0 && point.setting.field == PRINTED);
    let at = |point: &Point| Some(figure::Point::new(f64::from(point.setting.nodes), speed(point)?));
    let lines = lines(shown, at, |point| point.place.clone());
    let caption =
        "Exact times, printed widths, all replications together; beside the first place, one after the other.";
    vec![table, Content::Plot(Plot::logarithmic(lines, ["nodes", "speed beside the first place"], caption))]
}
