//! Figures 6 and 7 of the paper on hybrid traffic: a queue and the windows of the validation network over time.

use crate::coupling::{Coupled, Coupling, Fluids, Scheme};
use crate::network::{Kind, validation};
use crate::packet::clock::SECOND;
use crate::packet::{Settings, Simulator};
use crate::{Metric, StepSize, Tcp, Traffic};
use imminent_common::figure::{Line, Plot};
use imminent_core::Device;
use imminent_study::figures::{Figure, Point, Publication, Usual};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Content;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

type Results<'r> = imminent_study::figures::Results<'r, Case, Vec<Sample>>;

/// Returns the figures.
pub(super) fn publication() -> Publication<Options, Case, Vec<Sample>> {
    Publication {
        name: "validation",
        about: "Figures 6 and 7 of hybrid traffic: a queue and the windows of the validation network over time.",
        title: "Fluids and packets in the validation network",
        introduction: "Figures 6 and 7 of the paper on hybrid traffic. The wiring of the network is a reconstruction.",
        places: &[Usual::Chosen],
        figures: vec![
            Figure::new(
                "6",
                "Figure 6: length of the queue from node 4 to node 7, in kB",
                |_| [0, 10, 20].map(|packet_sessions| Case { packet_sessions, batch: 1, lookahead: 20 }).into(),
                |results| vec![means(results), queues(results)],
            ),
            Figure::new(
                "7",
                "Figure 7: mean window of the sessions of each flow, in packets",
                |_| {
                    let schemes = [(1, 1), (1, 20), (20, 20)];
                    schemes.map(|(batch, lookahead)| Case { packet_sessions: 10, batch, lookahead }).into()
                },
                |results| std::iter::once(means(results)).chain(of_all(results).map(windows)).collect(),
            ),
        ],
        measure: |options: Options| {
            Box::new(move |case, place| case.run(place.device.as_ref(), options.seconds, options.seed))
        },
    }
}

/// Length of the simulations, and their seed.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// Simulated time.
    #[schemars(range(min = 1, max = 3600), extend("unit" = "s"))]
    seconds: u32,
    /// Seed of the packets' random numbers.
    #[schemars(range(min = 0))]
    seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { seconds: 90, seed: 1 }
    }
}

/// Length of a step, in nanoseconds: the paper's 0.5 ms.
const STEP: u64 = 500_000;

/// Simulated time between two samples, in picoseconds: a batch of 20 launches of 20 steps.
const SAMPLE: u64 = SECOND / 5;

/// Number of flows of the network.
const FLOWS: usize = 4;

/// Parameters in which the simulations differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Case {
    /// Number of sessions of flow 2 that are packets.
    packet_sessions: u32,
    /// Number of launches of a batch, the paper's B.
    batch: u32,
    /// Number of steps of a launch, the paper's τ.
    lookahead: u64,
}

/// State of the network at one time.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Sample {
    time_s: f64,
    /// Length of the queue from node 4 to node 7: fluids, and the packets between them.
    queue_bytes: f64,
    /// Mean window of the sessions of each flow, in packets.
    window_0: f64,
    window_1: f64,
    window_2: f64,
    window_3: f64,
}

impl Sample {
    fn windows(&self) -> [f64; FLOWS] {
        [self.window_0, self.window_1, self.window_2, self.window_3]
    }
}

impl Case {
    fn name(&self) -> String {
        let Self { packet_sessions, batch, lookahead } = self;
        format!("{packet_sessions} packet sessions, B = {batch}, τ = {lookahead}")
    }

    /// Simulates some seconds, with fluids on a device and packets on the host.
    fn run(&self, device: Option<&Device>, seconds: u32, seed: u64) -> Result<Vec<Sample>, Fault> {
        let network = validation::network()?;
        let link = network.link_between(4, 7).ok_or("there is no link from 4 to 7")?;
        let flows = validation::flows(self.packet_sessions)?;
        let traffic = Traffic::new(network, flows, Metric::Hops, Tcp::default())?;
        let simulator = Simulator::new(&traffic, Settings { seed, ..Settings::default() })?;
        let size = StepSize { lookahead: self.lookahead, ..traffic.step(STEP, false)? };
        let coupling = Coupling { scheme: Scheme::Asynchronous { batch: self.batch }, ..Coupling::default() };
        match device {
            Some(device) => {
                samples(Coupled::new(device, &traffic, simulator, size, coupling)?, &traffic, link, seconds)
            }
            None => samples(Coupled::on_host(&traffic, simulator, size, coupling)?, &traffic, link, seconds),
        }
    }
}

fn samples<F: Fluids>(
    mut coupled: Coupled<F>,
    traffic: &Traffic,
    link: u32,
    seconds: u32,
) -> Result<Vec<Sample>, Fault> {
    let mut samples = vec![];
    while coupled.simulator().now() < u64::from(seconds) * SECOND {
        coupled.run_until(coupled.simulator().now() + SAMPLE)?;
        samples.push(sample(&coupled, traffic, link)?);
    }
    Ok(samples)
}

fn sample<F: Fluids>(coupled: &Coupled<F>, traffic: &Traffic, link: u32) -> Result<Sample, Fault> {
    let queues = coupled.queues()?;
    let queue_bytes = queues.iter().find(|queue| queue.link == link).map_or(0.0, |queue| queue.length);
    let fluids = coupled.flows()?;
    let packets = |flow| coupled.simulator().windows(flow).into_iter().map(f64::from).collect::<Vec<_>>();
    let mut windows = [0.0; FLOWS];
    for ((number, flow), window) in (0..).zip(traffic.flows().all()).zip(&mut windows) {
        let fluid = fluids.iter().find(|fluid| fluid.flow == number).map_or(0.0, |fluid| fluid.window);
        let sessions = if let Kind::Tcp { fluid, .. } = flow.kind { fluid } else { 0 };
        *window = mean(&packets(number), (sessions, fluid));
    }
    let time_s = coupled.simulator().now() as f64 / SECOND as f64;
    let [window_0, window_1, window_2, window_3] = windows;
    Ok(Sample { time_s, queue_bytes, window_0, window_1, window_2, window_3 })
}

/// Returns the mean window of packet sessions, and of a number of fluid sessions that have one window.
fn mean(packets: &[f64], (fluids, window): (u32, f64)) -> f64 {
    let sessions = packets.len() as f64 + f64::from(fluids);
    let sum = packets.iter().sum::<f64>() + f64::from(fluids) * window;
    if sessions > 0.0 { sum / sessions } else { 0.0 }
}

/// Periods over which tables have means, in seconds: before flow 3, with it, and after it. The first ten seconds of
/// each are left out.
const PERIODS: [(f64, f64); 3] = [(10.0, 30.0), (40.0, 60.0), (70.0, 90.0)];

/// Returns the results of all simulations, in all places.
fn of_all<'r>(results: &Results<'r>) -> impl Iterator<Item = &'r Point<Case, Vec<Sample>>> {
    results.places.iter().flat_map(|place| results.at(place))
}

/// Returns a table with a line for each simulation and period.
fn means(results: &Results<'_>) -> Content {
    let mut rows = vec![];
    for point in of_all(results) {
        for (from, to) in PERIODS {
            let own = || point.found.iter().filter(|sample| sample.time_s > from && sample.time_s <= to);
            let mean = |of: &dyn Fn(&Sample) -> f64| own().map(of).sum::<f64>() / own().count() as f64;
            if own().count() > 0 {
                let windows = (0..FLOWS).map(|flow| mean(&|sample| sample.windows()[flow]));
                let values = std::iter::once(mean(&|sample| sample.queue_bytes / 1000.0)).chain(windows);
                let names = [point.place.clone(), point.setting.name(), format!("{from} to {to}")];
                rows.push(names.into_iter().chain(values.map(|value| format!("{value:.1}"))).collect());
            }
        }
    }
    let columns = ["on", "packet sessions, batch", "s", "queue, kB", "flow 0", "flow 1", "flow 2", "flow 3"];
    Content::Table { columns: columns.map(str::to_owned).to_vec(), rows }
}

/// Returns a plot of the queue with a line for each number of packet sessions.
fn queues(results: &Results<'_>) -> Content {
    let line = |case: &Case| {
        let samples = results.of(results.first(), case).map_or(&[][..], |point| &point.found);
        let points = samples.iter().map(|sample| (sample.time_s, sample.queue_bytes / 1000.0));
        Line::new(format!("{} packet sessions", case.packet_sessions), points)
    };
    let lines = results.settings.iter().map(line).collect();
    Content::Plot(Plot::new(lines, ["s", "queue from 4 to 7, kB"], "Flow 3 comes at 30 s and goes at 60 s."))
}

/// Returns a plot of windows with a line for each flow.
fn windows(point: &Point<Case, Vec<Sample>>) -> Content {
    let line = |flow: usize| {
        let points = point.found.iter().map(|sample| (sample.time_s, sample.windows()[flow]));
        Line::new(format!("flow {flow}"), points)
    };
    let lines = (0..FLOWS).map(line).collect();
    let caption = format!("{}, on {}.", point.setting.name(), point.place);
    Content::Plot(Plot::new(lines, ["s", "window, packets"], &caption))
}
