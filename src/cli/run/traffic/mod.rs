//! `imminent run traffic`: network traffic, as fluids and as packets.

mod assumed;
mod engine;
mod folder;
#[cfg(feature = "report")]
mod html;
mod means;
mod options;
mod output;
mod record;
mod report;
mod rows;
mod units;

use super::{Failure, read};
use crate::cli::results::ResultsArgs;
use crate::cli::selection::DeviceArgs;
use assumed::Given;
use clap::Args;
use engine::{Blamed, Ground, Simulation};
use imminent::models::traffic::config::{ConfigError, Engine, TopologyShape};
use imminent::models::traffic::{Traffic, TrafficConfig};
use options::{DemandArgs, SimulationArgs, Source, TopologyArgs};
use record::Plan;
use report::{Ran, Report};
use rows::Rows;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `imminent run traffic`.
#[derive(Debug, Args)]
pub(crate) struct TrafficArgs {
    /// Configuration (TOML), whose values options replace; or a GraphML or SNDlib file, as with --topology.
    #[arg(conflicts_with = "topology")]
    file: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    topology: TopologyArgs,
    #[command(flatten)]
    traffic: DemandArgs,
    #[command(flatten)]
    simulation: SimulationArgs,
    #[command(flatten)]
    results: ResultsArgs,
}

/// What is to be simulated.
struct Task {
    config: TrafficConfig,
    traffic: Traffic,
    assumed: Vec<String>,
    /// The configuration's file with its text, in which a value at fault may stand.
    origin: Option<(String, String)>,
}

impl TrafficArgs {
    /// The device, to be replaced.
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        &mut self.device
    }

    pub(super) fn run(self) -> Result<(), Failure> {
        let began = Instant::now();
        let folder = self.results.folder(&folder::OURS)?;
        let task = self.task()?;
        let (engine, mut simulation, ground, plan) = self.begin(&task)?;
        let warnings = warnings(engine, &task.traffic, &ground);
        let set_up = began.elapsed();
        let seen = record::carry_out(simulation.as_mut(), &task.traffic, plan, self.simulation.series)?;
        let Task { config, traffic, assumed, .. } = &task;
        let rows = Rows::of(traffic, &seen);
        let ran = Ran { engine, config: config.clone(), assumed: assumed.clone(), traffic, set_up, warnings };
        let report = Report::new(ran, ground, plan, &seen, &rows);
        if let Some(folder) = folder {
            folder::write(&folder, &report, traffic, &rows, &seen)?;
        }
        if self.results.json { crate::cli::print_json(&report) } else { crate::cli::print_text(&output::text(&report)) }
    }

    /// The configuration, and what it describes.
    fn task(&self) -> Result<Task, Failure> {
        let (mut config, text, named) = match (&self.file, &self.topology.topology) {
            (Some(path), _) => {
                let config = TrafficConfig::from_file(path).map_err(Failure::usage)?;
                // A file of a network alone is as good as --topology.
                let named = config.topology.file.as_ref() == Some(path);
                let origin = if named { None } else { Some((read(path)?, path.display().to_string())) };
                (config, origin, named)
            }
            (None, Some(source)) => (named(source), None, true),
            (None, None) => {
                return Err(Failure::usage(
                    "say which traffic: `imminent run traffic FILE`, a TOML file, for instance examples/traffic/five-cities.toml, or give --topology",
                ));
            }
        };
        self.topology.apply(&mut config);
        self.traffic.apply(&mut config);
        self.simulation.apply(&mut config);
        let given = Given {
            bandwidth: self.topology.bandwidth.is_some(),
            delay: self.topology.delay.is_some(),
            least_delay: self.topology.least_delay.is_some(),
            buffer: self.topology.buffer.is_some() || self.topology.buffer_time.is_some(),
            step: self.simulation.step.is_some(),
            horizon: self.simulation.horizon.is_some(),
        };
        let mut assumed = if named { assumed::fill(&mut config, given) } else { vec![] };
        let origin = text.map(|(text, file)| (file, text));
        let (mut traffic, filled) = config.build().map_err(|error| located(error, &origin))?;
        if named {
            assumed.extend(assumed::tell(&config, given, filled));
            if traffic.flows().all().is_empty() {
                let (flowing, told) = assumed::flow(&mut config)?;
                traffic = flowing;
                assumed.extend(told);
            }
            assumed.extend(assumed::horizon(&mut config, given, &traffic));
        }
        Ok(Task { config, traffic, assumed, origin })
    }

    fn begin<'t>(&self, task: &'t Task) -> Result<(Engine, Box<dyn Simulation + 't>, Ground, Plan), Failure> {
        let begin = || {
            let times = task.config.run.times()?;
            let engine = task.config.engine(&task.traffic)?;
            let (simulation, ground) = engine::begin(engine, &task.config, &task.traffic, &self.device)?;
            let plan = Plan::new(times, simulation.quantum(), &task.traffic);
            Ok((engine, simulation, ground, plan))
        };
        begin().map_err(|error| match error {
            Blamed::Config(error) => located(error, &task.origin),
            Blamed::Other(failure) => failure,
        })
    }
}

/// The configuration of a network that is named on the command line.
fn named(source: &Source) -> TrafficConfig {
    let topology = match source {
        Source::Generator(generator) => TopologyShape { generate: Some(*generator), ..TopologyShape::default() },
        Source::File(path) => TopologyShape { file: Some(path.clone()), ..TopologyShape::default() },
    };
    TrafficConfig { topology, ..TrafficConfig::default() }
}

/// Adds file and line to what is wrong with a configuration, if it came from a file.
fn located(error: ConfigError, origin: &Option<(String, String)>) -> Failure {
    Failure::usage(match origin {
        Some((file, text)) => error.located(text, file),
        None => error,
    })
}

/// What does not keep a run from being made, and has to be known of it.
fn warnings(engine: Engine, traffic: &Traffic, ground: &Ground) -> Vec<String> {
    let mut warnings = vec![];
    if let Some(step) = ground.step {
        warnings.extend(assumed::long_step(step.links_below_ten_steps, step.step));
    }
    let flows = traffic.flows().all().iter();
    let (left_out, what) = match engine {
        Engine::Fluid | Engine::Sequential => (flows.filter(|flow| flow.kind.has_packets()).count(), "packets"),
        Engine::Packets => (flows.filter(|flow| flow.kind.fluid().is_some()).count(), "fluids"),
        Engine::Hybrid => (0, "flows"),
    };
    if left_out > 0 {
        warnings.push(format!("the engine `{}` leaves out the {what} of {left_out} flows", engine.name()));
    }
    warnings
}
