//! Many simulations of the benchmarks of parameter studies at once.

mod graph;
mod phold;
pub(crate) mod timed;

use super::on::On;
use clap::{Args, ValueEnum};
use graph::GraphOptions;
use imminent::models::events::{
    Events, MappingChoice, Parallelism, Start, laden, lcg, parallelism, phold::MAX_SCHEDULED,
};
use imminent::models::study::benchmark::Line;
use imminent::{Device, Error, Result};
use phold::PholdOptions;
use serde::Serialize;
use std::time::{Duration, Instant};
use timed::{Lists, Strategy, Timed, device_error, meshes};

/// Smallest number of runs of each study, independently of their length.
const MIN_RUNS: usize = 3;

/// Largest number of simulations whose rounds are counted: one of each point of the mesh.
const MAX_COUNTED: usize = 9;

/// Studies to measure.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Model of the simulations.
    #[arg(long, value_enum, default_value_t = Model::Lcg)]
    model: Model,
    /// Numbers of simulations of each study, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "1,32,1024", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    simulations: Vec<u32>,
    /// Numbers of modules of each simulation, separated by commas; 1 by default, 5 nodes of a mesh.
    #[arg(long, value_delimiter = ',', value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    modules: Vec<u32>,
    /// LCG, laden: number of events of each simulation, which its modules share.
    #[arg(long, default_value_t = 300, value_name = "N")]
    events: u32,
    /// LCG: number of iterations of a generator for each event.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    iterations: u32,
    /// LCG: number of generators in use, each with a handler of its own.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    generators: u32,
    /// Laden: size of a module's state in bytes; every event processes all of it.
    #[arg(long, default_value_t = 72, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(8..=1 << 24))]
    state: u32,
    /// Mesh: length of each simulation, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// Largest number of events at a module in a step.
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_step: u32,
    /// Mapping of modules to threads of the device.
    #[arg(long, default_value = "auto", value_name = "none|due|spread|sort|pad|compact|auto", value_parser = |name: &str| name.parse::<MappingChoice>())]
    mapping: MappingChoice,
    #[command(flatten)]
    phold: PholdOptions,
    #[command(flatten)]
    graph: GraphOptions,
    /// Executor of the events, if their lists are not on the host of a coprocessor.
    #[arg(long, value_enum, default_value_t = On::Auto)]
    on: On,
    /// Place of the lists of events.
    #[arg(long, value_enum, default_value_t = Lists::Device)]
    lists: Lists,
    /// Lists on the host: number of parts of each study; one is on the host while another is transferred or has its
    /// handlers run.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    streams: u32,
    /// Lists on the host: copy the states of modules to the device and back in every round, as in the paper.
    #[arg(long)]
    copy_states: bool,
    /// Also run one simulation of each study sequentially, event by event, on one core.
    #[arg(long)]
    sequential: bool,
    /// Count rounds and event chains for the longest of the first simulations of each study, up to nine. Reports
    /// the rounds in which its modules have their events without speculation, and the length of the longest chain.
    #[arg(long)]
    parallelism: bool,
}

#[derive(Clone, Copy, Debug, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
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
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Study>> {
    let modules = match (&options.modules[..], options.model) {
        ([], Model::Mesh) => &[5],
        ([], _) => &[1],
        (given, _) => given,
    };
    let sizes =
        modules.iter().flat_map(|&modules| options.simulations.iter().map(move |&simulations| (simulations, modules)));
    sizes.map(|size| one(device, budget, options, size)).collect()
}

fn one(device: &Device, budget: Duration, options: &Options, (simulations, modules): (u32, u32)) -> Result<Study> {
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
            let study = options.phold.study(simulations, modules);
            repeated.measure(&study.starts(), MAX_SCHEDULED)
        }
        Model::Graph => {
            let study = options.graph.study(&options.phold, simulations, modules);
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
    fn measure<E: Events>(self, starts: &[Start<E>], most: u32) -> Result<Study> {
        let Repeated { device, budget, options, modules } = self;
        let strategy = match options.lists {
            Lists::Device => {
                let (execution, window) = (options.on.into(), options.phold.window());
                Strategy::Lists { execution, mapping: options.mapping, per_step: Some(options.per_step), window }
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
            let of_start = parallelism(start, most).map_err(device_error)?;
            let of_start = of_start.map_err(|trouble| Error::invalid("study", trouble.to_string()))?;
            found = found.into_iter().chain([of_start]).max_by_key(|found| found.rounds);
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
