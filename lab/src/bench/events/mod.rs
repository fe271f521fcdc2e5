//! Many simulations of the benchmarks of parameter studies at once.

pub(crate) mod timed;

use super::Figure;
use clap::{Args, ValueEnum};
use imminent::models::events::{Events, MappingChoice, Parallelism, Start, laden, lcg, parallelism, phold};
use imminent::models::time::TICKS_PER_UNIT;
use imminent::{Device, Error, Result};
use serde::Serialize;
use std::time::{Duration, Instant};
use timed::{Lists, Timed, Way, device_error, meshes};

/// Fewest runs of each study, however long they take.
const FEWEST: usize = 3;

/// Simulations whose rounds are counted, at most: one of each point of the mesh.
const MOST_COUNTED: usize = 9;

/// Which studies.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// What happens in the simulations.
    #[arg(long, value_enum, default_value_t = Model::Lcg)]
    model: Model,
    /// Simulations of each study, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "1,32,1024", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    simulations: Vec<u32>,
    /// Modules of each simulation, separated by commas; 1 unless told, 5 nodes of a mesh.
    #[arg(long, value_delimiter = ',', value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1024))]
    modules: Vec<u32>,
    /// LCG, laden: events of each simulation, which its modules share.
    #[arg(long, default_value_t = 300, value_name = "N")]
    events: u32,
    /// LCG: iterations of a generator for each event.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    iterations: u32,
    /// LCG: generators in use, each with a handler of its own.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    generators: u32,
    /// Laden: bytes of a module's state, all of which every event goes over.
    #[arg(long, default_value_t = 72, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(8..=1 << 24))]
    state: u32,
    /// Mesh: how long each simulation is, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// The most events that happen at a module in a step.
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_step: u32,
    /// Which modules the device runs side by side.
    #[arg(long, default_value = "auto", value_name = "none|spread|sort|pad|compact|auto", value_parser = |name: &str| name.parse::<MappingChoice>())]
    mapping: MappingChoice,
    /// Where the lists of events are.
    #[arg(long, value_enum, default_value_t = Lists::Device)]
    lists: Lists,
    /// Lists on the host: parts of each study, of which one is on the host while another is transferred or has its handlers run.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    streams: u32,
    /// Lists on the host: states of modules go to the device and back in every round as well, as in the paper.
    #[arg(long)]
    copy_states: bool,
    /// Run one simulation of each study after the other as well, event by event, on one core.
    #[arg(long)]
    sequential: bool,
    /// Count for the longest of the first simulations of each study, up to nine, in how many rounds its modules have their events if none is guessed, and how long the longest chain of events is.
    #[arg(long)]
    parallelism: bool,
}

#[derive(Clone, Copy, Debug, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Model {
    /// Modules that reckon and do nothing else (Kunz et al., section V-B).
    Lcg,
    /// Modules that go over all of their state with every event, and do nothing else (Kunz et al., section V-A2).
    Laden,
    /// Modules that pass events on to one another (Fujimoto's PHOLD): 16 events a module, nine of ten go elsewhere, lookahead 1, mean delay 1 more, 100 units.
    Phold,
    /// Nodes that send packets over channels that fade (Kunz et al., section V-C): simulation `i` has rate and speed number `i` modulo 9 of 1, 5 and 10 packets/s and m/s. The paper's study is 270.
    Mesh,
}

/// How long a study took.
#[derive(Debug, Serialize)]
pub(super) struct Study {
    model: Model,
    simulations: u32,
    modules: u32,
    events: u64,
    steps: u64,
    /// The mapping in use at the end.
    mapping: Option<String>,
    /// Wall time of the median run.
    seconds: f64,
    events_per_second: f64,
    /// Of one simulation, where it was measured.
    sequential_events_per_second: Option<f64>,
    /// Of the simulation with the most rounds, where it was counted.
    parallelism: Option<Parallelism>,
}

impl Figure for Study {
    const HEAD: &'static [&'static str] = &[
        "simulations",
        "modules",
        "events",
        "steps",
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

/// Every study, each for about the given time.
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
            repeated.measure(&study.starts(), lcg::MOST)
        }
        Model::Laden => {
            let study = laden::LadenStudy { simulations, modules, per_module: events / modules.max(1), bytes: state };
            repeated.measure(&study.starts(), laden::MOST)
        }
        Model::Phold => {
            let study = phold::PholdStudy {
                simulations,
                modules,
                tokens: 16,
                lookahead: TICKS_PER_UNIT,
                mean: TICKS_PER_UNIT,
                remote: 90,
                end: 100 * TICKS_PER_UNIT,
                seed: 1,
            };
            repeated.measure(&study.starts(), phold::MOST)
        }
        Model::Mesh => {
            let (starts, most) = meshes(simulations, modules, options.seconds)?;
            repeated.measure(&starts, most)
        }
    }
}

/// A study that is run again and again for some time.
struct Repeated<'a> {
    device: &'a Device,
    budget: Duration,
    options: &'a Options,
    modules: u32,
}

impl Repeated<'_> {
    fn measure<E: Events>(self, starts: &[Start<E>], most: u32) -> Result<Study> {
        let Repeated { device, budget, options, modules } = self;
        let way = match options.lists {
            Lists::Device => Way::Lists { mapping: options.mapping, per_step: Some(options.per_step) },
            Lists::Host => Way::Streams { parts: options.streams, copies: options.copy_states },
        };
        let timed = Timed { device: Some(device), way };
        // The first run compiles.
        let ran = timed.run(starts, most)?;
        let mut seconds = Vec::new();
        let begin = Instant::now();
        while seconds.len() < FEWEST || begin.elapsed() < budget {
            seconds.push(timed.run(starts, most)?.seconds);
        }
        seconds.sort_by(f64::total_cmp);
        let seconds = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
        let sequential_events_per_second = match starts.get(..1) {
            Some(first) if options.sequential => {
                let alone = Timed { device: None, way }.run(first, most)?;
                Some(alone.events as f64 / alone.seconds)
            }
            _ => None,
        };
        let mut found = None;
        for start in starts.iter().take(if options.parallelism { MOST_COUNTED } else { 0 }) {
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
            mapping: ran.mapping.map(|mapping| mapping.to_string()),
            seconds,
            events_per_second: ran.events as f64 / seconds,
            sequential_events_per_second,
            parallelism: found,
        })
    }
}
