//! Figures 5-8 to 5-10 of the dissertation: scenarios of Table 5-1 on a clock.

use crate::benchmarks::{invalid, simulate};
use crate::{Execution, Network, Summary, digest, sequential};
use imminent_common::estimate::Estimate;
use imminent_core::clock::Instant;
use imminent_core::{Device, Result};
use imminent_study::Figures;
use imminent_study::figures::{Cell, Figure, Plot, Publication, Quantity, Setting, Values};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

const INTERVAL: &str = "clock interval in ms";
const MEANS: &str = "Means over the replications.";

const fn by_interval(result: &'static str, scale: f64, label: &'static str) -> Plot {
    Plot {
        x: "interval_ms",
        y: Quantity::Result(result, scale),
        labels: [INTERVAL, label],
        is_logarithmic: false,
        caption: MEANS,
    }
}

const PARTS: [Figure; 3] = [
    Figure {
        name: "5-8",
        title: "Figure 5-8: mean delay from end to end by clock interval, in ms",
        cell: Cell::Estimates(&[("delay", 1e3)]),
        plots: &[by_interval("delay", 1e3, "delay in ms")],
    },
    Figure {
        name: "5-9",
        title: "Figure 5-9: mean hops, and packets delivered in %, by clock interval",
        cell: Cell::Estimates(&[("hops", 1.0), ("delivered", 100.0)]),
        plots: &[by_interval("hops", 1.0, "hops"), by_interval("delivered", 100.0, "% of packets")],
    },
    Figure {
        name: "5-10",
        title: "Figure 5-10: speed beside the first place by clock interval",
        cell: Cell::Speed,
        plots: &[Plot {
            x: "nodes",
            y: Quantity::Speed(|setting| setting["interval_ms"] == 0.0 && setting["field"] == PRINTED),
            labels: ["nodes", "speed beside the first place"],
            is_logarithmic: true,
            caption: "Exact times, printed widths, all replications together; beside the first place, one after the other.",
        }],
    },
];

const PUBLICATION: Publication = Publication {
    name: "manet",
    about: "Figures 5-8 to 5-10 of mobile ad hoc networks: delay, hops, delivery ratio and speed by clock interval.",
    title: "Mobile ad hoc networks",
    introduction: "Figures 5-8 to 5-10 of Park's dissertation, measured anew: the scenarios of Table 5-1.",
    columns: &["nodes", "field", "interval"],
    parts: &PARTS,
};

/// Returns the figures.
pub(crate) fn all() -> Figures {
    Figures::new(PUBLICATION, settings)
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

fn settings(options: &Options) -> Vec<Setting> {
    let widths: &[bool] = if options.halved { &[false, true] } else { &[false] };
    let mut settings: Vec<Setting> = vec![];
    for &is_halved in widths {
        let field = if is_halved { "half width" } else { PRINTED };
        for &nodes in &options.nodes {
            let first = settings.len();
            let exact = options.intervals.iter().position(|interval| *interval == 0.0);
            for &interval in &options.intervals {
                let mut network = Network::scenario(nodes);
                if is_halved {
                    network.field.width /= 2;
                }
                network.interval = (interval * 1e3) as u64;
                network.end = (options.seconds * 1e6) as u64;
                let replications = u64::from(options.replications);
                settings.push(Setting {
                    values: named(json!({ "nodes": nodes, "field": field, "interval_ms": interval })),
                    cells: vec![nodes.to_string(), field.to_owned(), format!("{interval} ms")],
                    line: format!("{nodes} nodes, {field}"),
                    beside: exact.map(|exact| first + exact),
                    measure: Box::new(move |device| measure(&network, replications, device)),
                });
            }
        }
    }
    settings
}

/// Simulates a scenario: all replications together on a device, or one after the other on the host. The wall time is
/// that of all replications, without compilation.
fn measure(network: &Network, replications: u64, device: Option<&Device>) -> Result<Values> {
    let (counts, seconds) = match device {
        Some(device) => {
            let ran = simulate(device, network, replications, Execution::Device, None)?;
            (ran.counts, ran.wall_s)
        }
        None => {
            let began = Instant::now();
            let counts = (0..replications).map(|of| sequential::simulate(network, of).map_err(invalid));
            let counts = counts.collect::<Result<Vec<_>>>()?;
            (counts, began.elapsed().as_secs_f64())
        }
    };
    let each: Vec<_> = counts.iter().map(Summary::of).collect();
    let estimate = |of: fn(&Summary) -> f64| Estimate::of(&each.iter().map(of).collect::<Vec<_>>());
    let [delay, hops, delivered] = [Summary::mean_delay, Summary::mean_hops, Summary::delivery_ratio].map(estimate);
    Ok(named(json!({
        "delay": delay.mean,
        "delay_ci95": delay.ci95,
        "hops": hops.mean,
        "hops_ci95": hops.ci95,
        "delivered": delivered.mean,
        "delivered_ci95": delivered.ci95,
        "transmissions": each.iter().map(|summary| summary.total.sent).sum::<u64>(),
        "seconds": seconds,
        "digest": digest(counts.iter().flatten()),
    })))
}

fn named(object: Json) -> Values {
    match object {
        Json::Object(values) => values,
        _ => Values::new(),
    }
}
