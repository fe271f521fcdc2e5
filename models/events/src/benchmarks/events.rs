//! Many simulations of the benchmarks of parameter studies at once.

use super::timed::{Lists, Strategy, Timed, meshes};
use crate::graph::GraphStudy;
use crate::phold::{MAX_SCHEDULED, PholdStudy};
use crate::{Events, Execution, Parallelism, Start, laden, lcg, parallelism};
use imminent_common::time::TICKS_PER_UNIT;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::benchmark::Line;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Smallest number of runs of each study, independently of their length.
const MIN_RUNS: usize = 3;

/// Largest number of simulations whose rounds are counted: one of each point of the mesh.
const MAX_COUNTED: usize = 9;

/// Studies to measure. Times of PHOLD and of graphs are in units.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// Model of the simulations: modules that only compute random numbers (lcg), or only process their whole state
    /// (laden), of Kunz et al., sections V-B and V-A2; PHOLD; PHOLD on a graph with delays of its own for each edge;
    /// the wireless mesh of Kunz et al., section V-C, whose study has 270 simulations.
    model: Model,
    /// Numbers of simulations of each study, separated by commas.
    #[schemars(inner(range(min = 1, max = 1_048_576)))]
    simulations: Vec<u32>,
    /// Numbers of modules of each simulation, separated by commas; 1 by default, 5 nodes of a mesh.
    #[schemars(inner(range(min = 1, max = 16_777_216)))]
    modules: Vec<u32>,
    /// LCG, laden: number of events of each simulation, which its modules share.
    events: u32,
    /// LCG: number of iterations of a generator for each event.
    iterations: u32,
    /// LCG: number of generators in use, each with a handler of its own.
    #[schemars(range(min = 1, max = 4))]
    generators: u32,
    /// Laden: size of a module's state; every event processes all of it.
    #[schemars(range(min = 8, max = 16_777_216), extend("unit" = "bytes"))]
    state: u32,
    /// Mesh: length of each simulation.
    #[schemars(extend("unit" = "s"))]
    seconds: f64,
    /// Largest number of events at a module in a step.
    #[schemars(range(min = 1))]
    per_step: u32,
    /// Mapping of modules to threads of the device.
    #[schemars(extend("enum" = ["none", "due", "apart", "spread", "sort", "pad", "compact", "auto"]))]
    mapping: String,
    /// PHOLD, graph: number of events at each module at the beginning.
    #[schemars(range(min = 1, max = 65_536))]
    tokens: u32,
    /// PHOLD: share of events that go to any module, the own one included.
    #[schemars(range(max = 100), extend("unit" = "percent"))]
    remote: u32,
    /// PHOLD, graph: least delay of an event that goes to another module.
    #[schemars(range(min = 0.000_001, max = 1e9), extend("unit" = "units"))]
    lookahead: f64,
    /// PHOLD, graph: mean of a delay beyond the lookahead.
    #[schemars(range(min = 0.000_001, max = 1e9), extend("unit" = "units"))]
    mean: f64,
    /// PHOLD, graph: length of each simulation.
    #[schemars(range(min = 0.000_001, max = 1e9), extend("unit" = "units"))]
    length: f64,
    /// PHOLD: length of time windows whose events the device executes speculatively; conservative steps by default.
    #[schemars(range(min = 0.000_001, max = 1e9), extend("unit" = "units"))]
    window: Option<f64>,
    /// Graph: number of neighbours on each side of a module.
    #[schemars(range(min = 1, max = 64))]
    reach: u32,
    /// Graph: number of times that the least delay of an edge may double.
    #[schemars(range(max = 32))]
    doublings: u32,
    /// Graph: declare no links, so that the least delay of all edges is the lookahead.
    no_links: bool,
    /// Executor of the events, if their lists are not on the host of a coprocessor: threads of the host if the device
    /// is the host's processor (auto), or always the device, or the host.
    on: Execution,
    /// Place of the lists of events: the device, or the host, which uploads events and downloads the events that they
    /// schedule (the paper's co-processor).
    lists: Lists,
    /// Lists on the host: number of parts of each study; one is on the host while another is transferred or has its
    /// handlers run.
    #[schemars(range(min = 1, max = 64))]
    streams: u32,
    /// Lists on the host: copy the states of modules to the device and back in every round, as in the paper.
    copy_states: bool,
    /// Also run one simulation of each study sequentially, event by event, on one core.
    sequential: bool,
    /// Count rounds and event chains for the longest of the first simulations of each study, up to nine. Reports the
    /// rounds in which its modules have their events without speculation, and the length of the longest chain.
    parallelism: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: Model::Lcg,
            simulations: vec![1, 32, 1024],
            modules: vec![],
            events: 300,
            iterations: 20_000,
            generators: 1,
            state: 72,
            seconds: 60.0,
            per_step: 64,
            mapping: "auto".to_owned(),
            tokens: 16,
            remote: 90,
            lookahead: 1.0,
            mean: 1.0,
            length: 100.0,
            window: None,
            reach: 2,
            doublings: 7,
            no_links: false,
            on: Execution::Auto,
            lists: Lists::Device,
            streams: 3,
            copy_states: false,
            sequential: false,
            parallelism: false,
        }
    }
}

impl Options {
    /// Returns the lookahead, the mean delay and the length, in ticks.
    fn ticks(&self) -> [u64; 3] {
        [self.lookahead, self.mean, self.length].map(in_ticks)
    }

    fn phold(&self, simulations: u32, modules: u32) -> PholdStudy {
        let [lookahead, mean, end] = self.ticks();
        let Self { tokens, remote, .. } = *self;
        PholdStudy { simulations, modules, tokens, lookahead, mean, remote, end, seed: 1 }
    }

    fn graph(&self, simulations: u32, modules: u32) -> GraphStudy {
        let [least, mean, end] = self.ticks();
        let Self { tokens, reach, doublings, no_links, .. } = *self;
        let has_links = !no_links;
        GraphStudy { simulations, modules, tokens, reach, least, doublings, mean, has_links, end, seed: 1 }
    }
}

fn in_ticks(units: f64) -> u64 {
    ((units * TICKS_PER_UNIT as f64).round() as u64).max(1)
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Model {
    /// Modules that only compute random numbers (Kunz et al., section V-B).
    Lcg,
    /// Modules whose events only process the whole state (Kunz et al., section V-A2).
    Laden,
    /// Modules that pass events on to one another (Fujimoto's PHOLD).
    Phold,
    /// Modules that pass events on to their neighbours on a ring.
    Graph,
    /// Nodes that send packets over fading channels (Kunz et al., section V-C). Simulation `i` has rate and speed
    /// number `i` modulo 9 of 1, 5 and 10 packets/s and m/s. The paper's study has 270 simulations.
    Mesh,
}

/// Measurements of a study.
#[derive(Debug, Serialize)]
pub(super) struct Study {
    model: Model,
    simulations: u32,
    modules: u32,
    events: u64,
    steps: u64,
    /// Number of rounds of speculative time windows, if there were any.
    speculative_rounds: Option<u64>,
    /// Number of events as a share of their speculative executions, if there were any.
    efficiency: Option<f64>,
    /// Mapping in use at the end.
    mapping: Option<String>,
    /// Wall time of the median run, in seconds.
    seconds: f64,
    events_per_second: f64,
    /// Rate of one sequential simulation, if measured.
    sequential_events_per_second: Option<f64>,
    /// Parallelism of the simulation with the most rounds, if counted.
    parallelism: Option<Parallelism>,
}

impl Line for Study {
    const HEAD: &'static [&'static str] = &[
        "simulations",
        "modules",
        "events",
        "steps",
        "speculative rounds",
        "efficiency",
        "mapping",
        "s",
        "M events/s",
        "one after the other",
        "as fast",
        "rounds",
        "chain",
    ];

    fn cells(&self) -> Vec<String> {
        let sequential = self.sequential_events_per_second;
        vec![
            self.simulations.to_string(),
            self.modules.to_string(),
            self.events.to_string(),
            self.steps.to_string(),
            self.speculative_rounds.map_or_else(String::new, |rounds| rounds.to_string()),
            self.efficiency.map_or_else(String::new, |efficiency| format!("{efficiency:.3}")),
            self.mapping.clone().unwrap_or_default(),
            format!("{:.5}", self.seconds),
            format!("{:.3}", self.events_per_second / 1e6),
            sequential.map_or_else(String::new, |events| format!("{:.3}", events / 1e6)),
            sequential.map_or_else(String::new, |events| format!("{:.1}", self.events_per_second / events)),
            self.parallelism.map_or_else(String::new, |found| found.rounds.to_string()),
            self.parallelism.map_or_else(String::new, |found| found.chain.to_string()),
        ]
    }
}

/// Measures every study, each for about the given time.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Study>, Fault> {
    let modules = match (&options.modules[..], options.model) {
        ([], Model::Mesh) => &[5],
        ([], _) => &[1],
        (given, _) => given,
    };
    let sizes =
        modules.iter().flat_map(|&modules| options.simulations.iter().map(move |&simulations| (simulations, modules)));
    sizes.map(|size| one(device, budget, options, size)).collect()
}

fn one(
    device: &Device,
    budget: Duration,
    options: &Options,
    (simulations, modules): (u32, u32),
) -> Result<Study, Fault> {
    let Options { events, iterations, generators, state, .. } = *options;
    let repeated = Repeated { device, budget, options, modules };
    match options.model {
        Model::Lcg => {
            let study = lcg::LcgStudy { simulations, modules, events, iterations, generators };
            repeated.measure(&study.starts(), lcg::MAX_SCHEDULED)
        }
        Model::Laden => {
            let start = |_| laden::start(modules, events / modules.max(1), state);
            repeated.measure(&(0..simulations).map(start).collect::<Vec<_>>(), laden::MAX_SCHEDULED)
        }
        Model::Phold => {
            let study = options.phold(simulations, modules);
            repeated.measure(&study.starts(), MAX_SCHEDULED)
        }
        Model::Graph => {
            let study = options.graph(simulations, modules);
            repeated.measure(&study.starts(), MAX_SCHEDULED)
        }
        Model::Mesh => {
            let (starts, most) = meshes(simulations, modules, options.seconds)?;
            repeated.measure(&starts, most)
        }
    }
}

/// A study that is run repeatedly for some time.
struct Repeated<'a> {
    device: &'a Device,
    budget: Duration,
    options: &'a Options,
    modules: u32,
}

impl Repeated<'_> {
    fn measure<E: Events>(self, starts: &[Start<E>], most: u32) -> Result<Study, Fault> {
        let Repeated { device, budget, options, modules } = self;
        let strategy = match options.lists {
            Lists::Device => {
                let (execution, window) = (options.on, options.window.map(in_ticks));
                let mapping = options.mapping.parse()?;
                Strategy::Lists { execution, mapping, per_step: Some(options.per_step), window }
            }
            Lists::Host => Strategy::Streams { parts: options.streams, copies: options.copy_states },
        };
        let timed = Timed { device: Some(device), strategy };
        // The first run compiles.
        let ran = timed.run(starts, most)?;
        let mut seconds = Vec::new();
        let begin = Instant::now();
        while seconds.len() < MIN_RUNS || begin.elapsed() < budget {
            seconds.push(timed.run(starts, most)?.seconds);
        }
        seconds.sort_by(f64::total_cmp);
        let seconds = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
        let sequential_events_per_second = match starts.get(..1) {
            Some(first) if options.sequential => {
                let alone = Timed { device: None, strategy }.run(first, most)?;
                Some(alone.events as f64 / alone.seconds)
            }
            _ => None,
        };
        let mut found = None;
        for start in starts.iter().take(if options.parallelism { MAX_COUNTED } else { 0 }) {
            found = found.into_iter().chain([parallelism(start, most)??]).max_by_key(|found| found.rounds);
        }
        Ok(Study {
            model: options.model,
            simulations: starts.len() as u32,
            modules,
            events: ran.events,
            steps: ran.steps,
            speculative_rounds: ran.speculation.map(|work| work.rounds),
            efficiency: ran.speculation.map(|work| ran.events as f64 / work.executed as f64),
            mapping: ran.mapping.map(|mapping| mapping.to_string()),
            seconds,
            events_per_second: ran.events as f64 / seconds,
            sequential_events_per_second,
            parallelism: found,
        })
    }
}
