//! Fluid traffic on campus networks, compared with the sequential simulation.

use super::networks::{self, seconds};
use crate::fluid::{Engine, Memory, Precision, Rules, Sequential};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::benchmark::Line;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Networks, and parameters of their simulation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// Numbers of campuses of each network, separated by commas.
    #[schemars(inner(range(min = 1, max = 5000)))]
    campuses: Vec<u32>,
    /// Length of a step: at most the delay of a LAN's links, 1 ms.
    #[schemars(range(min = 1, max = 1000), extend("unit" = "us"))]
    step: u64,
    /// Capacity of the queues, in transmission time on their links.
    #[schemars(range(min = 1, max = 10_000), extend("unit" = "ms"))]
    room: u32,
    /// Longest total waiting time of fluid in all queues of its path: sent rates are stored for this long.
    #[schemars(range(min = 1, max = 100_000), extend("unit" = "ms"))]
    waiting: u32,
    /// Number of classes into which flows are divided by path length, each with histories as long as its flows need.
    #[schemars(range(min = 1, max = 64))]
    classes: Option<u32>,
    /// Use numbers of 64 bits instead of 32, on a device that has them.
    double: bool,
    /// Also simulate this many steps of each network sequentially, one flow after the other.
    #[schemars(extend("unit" = "steps"))]
    sequential: u64,
}

impl Default for Options {
    fn default() -> Self {
        let (campuses, classes) = (vec![4], None);
        Options { campuses, step: 500, room: 200, waiting: 2000, classes, double: false, sequential: 0 }
    }
}

/// Measurements of a network.
#[derive(Debug, Serialize)]
pub(super) struct Campuses {
    campuses: u32,
    flows: u64,
    hops: u64,
    /// Number of hops; hops that several flows reach on the same path from one sender count once.
    branches: u64,
    /// Number of steps per launch.
    lookahead: u32,
    /// Memory of the device, in bytes.
    bytes: u64,
    /// Time of finding routes and filling tables, in seconds.
    prepare_s: f64,
    steps: u64,
    /// Wall time for a simulated second.
    seconds_per_second: f64,
    /// Wall time for one step of one branch, in nanoseconds.
    ns_per_branch_step: f64,
    /// Wall time of the sequential simulation for a simulated second, if measured.
    sequential: Option<f64>,
}

impl Line for Campuses {
    const HEAD: &'static [&'static str] = &[
        "campuses",
        "flows",
        "hops",
        "branches",
        "steps a launch",
        "MiB",
        "s to prepare",
        "s a simulated s",
        "ns a branch and step",
        "sequential: s a simulated s",
        "as fast",
    ];

    fn cells(&self) -> Vec<String> {
        let sequential = self.sequential.map_or_else(String::new, |seconds| format!("{seconds:.2}"));
        let ratio =
            self.sequential.map_or_else(String::new, |seconds| format!("{:.1}", seconds / self.seconds_per_second));
        vec![
            self.campuses.to_string(),
            self.flows.to_string(),
            self.hops.to_string(),
            self.branches.to_string(),
            self.lookahead.to_string(),
            (self.bytes >> 20).to_string(),
            format!("{:.2}", self.prepare_s),
            format!("{:.4}", self.seconds_per_second),
            format!("{:.4}", self.ns_per_branch_step),
            sequential,
            ratio,
        ]
    }
}

/// Measures every network, for about the given time.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Campuses>, Fault> {
    options.campuses.iter().map(|&campuses| one(device, budget, options, campuses)).collect()
}

fn one(device: &Device, budget: Duration, options: &Options, campuses: u32) -> Result<Campuses, Fault> {
    let began = Instant::now();
    let before = device.memory().current;
    let traffic = networks::campuses(campuses, options.room, 0.0)?;
    let step = options.step * 1000;
    let size = traffic.step(step, true)?;
    let memory = Memory { waiting: f64::from(options.waiting) / 1000.0, classes: options.classes };
    let precision = if options.double { Precision::Double } else { Precision::Single };
    let kept = (Rules::default(), memory);
    let mut engine = Engine::with_precision(device, &traffic, size, kept, precision)?;
    // The first launches compile.
    engine.advance(1)?;
    let prepare_s = began.elapsed().as_secs_f64();
    let bytes = device.memory().current - before;
    let (steps, wall) = networks::steps_within(&mut engine, budget)?;
    let sequential = (options.sequential > 0).then(|| {
        let mut sequential = Sequential::new(&traffic, step, Rules::default());
        // Warm-up, in which packets fill the network.
        sequential.advance(options.sequential);
        let begin = Instant::now();
        sequential.advance(options.sequential);
        begin.elapsed().as_secs_f64() / seconds(options.sequential, step)
    });
    let (hops, branches) = (traffic.routes().hops().len() as u64, engine.branches() as u64);
    Ok(Campuses {
        campuses,
        flows: traffic.flows().all().len() as u64,
        hops,
        branches,
        lookahead: engine.lookahead(),
        bytes,
        prepare_s,
        steps,
        seconds_per_second: wall / seconds(steps, step),
        ns_per_branch_step: wall * 1e9 / (steps * branches) as f64,
        sequential,
    })
}
