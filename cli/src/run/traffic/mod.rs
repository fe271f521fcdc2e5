//! `imminent run traffic`: network traffic as fluids and as packets.

mod assumed;
mod delays;
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
mod warnings;

use super::read;
use crate::results::ResultsArgs;
use assumed::Given;
use clap::Args;
use engine::{Blamed, Ground, Simulation};
use imminent::models::traffic::TrafficConfig;
use imminent::models::traffic::config::{Built, ConfigError, Engine, TopologyShape};
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::selection::DeviceArgs;
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

/// Simulation task.
struct Task {
    config: TrafficConfig,
    built: Built,
    assumed: Vec<String>,
    /// Text and path of the configuration file, for the line of an error.
    origin: Option<(String, String)>,
}

impl TrafficArgs {
    /// Returns the device options, for replacement.
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        &mut self.device
    }

    pub(super) fn run(self) -> Result<(), Failure> {
        let began = Instant::now();
        let folder = self.results.folder(folder::NAMES)?;
        let task = self.task()?;
        let (engine, mut simulation, ground, plan) = self.begin(&task)?;
        let mut warnings = warnings::warnings(engine, &task.config, &task.built, &ground);
        // What the program fills in for a network that is named alone is no mistake of the user.
        if task.origin.is_some() {
            warnings.extend(warnings::unused(engine, &task.config, &task.built));
        }
        let set_up = began.elapsed();
        let (traffic, most) = (&task.built.traffic, self.simulation.series);
        let seen = interrupt::watched(|| record::carry_out(simulation.as_mut(), traffic, plan, most))?;
        let Task { config, built: Built { traffic, .. }, assumed, .. } = &task;
        let rows = Rows::of(traffic, &seen);
        let ran = Ran { engine, config: config.clone(), assumed: assumed.clone(), traffic, set_up, warnings };
        let report = Report::new(ran, ground, plan, &seen, &rows);
        if let Some(folder) = folder {
            folder.replace(|folder| folder::write(folder, &report, traffic, &rows, &seen))?;
        }
        if self.results.json {
            imminent_console::print::print_json(&report)?;
        } else {
            imminent_console::print::print_text(&output::text(&report))?;
        }
        report.partial.map_or(Ok(()), |partial| Err(Failure::run(format!("interrupted: {partial}"))))
    }

    /// Reads the configuration, and builds its traffic.
    fn task(&self) -> Result<Task, Failure> {
        let (mut config, text, named) = match (&self.file, &self.topology.topology) {
            (Some(path), _) => {
                let config = TrafficConfig::from_file(path).map_err(Failure::usage)?;
                // A network file alone is treated like --topology.
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
            pairs: self.traffic.pairs,
        };
        let mut assumed = if named { assumed::fill(&mut config, given) } else { vec![] };
        let origin = text.map(|(text, file)| (file, text));
        let mut built = config.build().map_err(|error| located(error, &origin))?;
        if named {
            built = assumed::fit(&mut config, given, built).map_err(Failure::usage)?;
            assumed.extend(assumed::list(&config, given, &built));
            if built.traffic.flows().all().is_empty() {
                let (flowing, of_flows) = assumed::flow(&mut config, given)?;
                built = flowing;
                assumed.extend(of_flows);
            } else if given.pairs.is_some() && config.traffic.gravity.is_none() {
                return Err(Failure::usage(
                    "--pairs are those of the gravity model, and the traffic comes from elsewhere: give --gravity, or remove it",
                ));
            }
            assumed.extend(assumed::waiting(&mut config, &built.traffic));
            assumed.extend(assumed::horizon(&mut config, given, &built.traffic));
        }
        if let Some((key, why)) = built.unused.iter().find(|(key, _)| self.topology.gives(key)) {
            return Err(Failure::usage(format!("topology.{key}: {why}: leave it out, or remove that of a link")));
        }
        assumed.extend(assumed::losses(&built.traffic));
        Ok(Task { config, built, assumed, origin })
    }

    fn begin<'t>(&self, task: &'t Task) -> Result<(Engine, Box<dyn Simulation + 't>, Ground, Plan), Failure> {
        let begin = || {
            let times = task.config.run.times()?;
            let engine = task.config.engine(&task.built.traffic)?;
            let unused = task.config.run.unused_by(engine);
            if let Some(option) = unused.iter().find_map(|key| self.simulation.option_of(key)) {
                let problem = format!(
                    "the engine `{}` does not use {option}: remove it, or choose another --engine",
                    engine.name()
                );
                return Err(Failure::usage(problem).into());
            }
            let (simulation, ground) = engine::begin(engine, &task.config, &task.built.traffic, &self.device)?;
            let plan = Plan::new(times, simulation.quantum(), &task.built.traffic);
            plan.check_memory(&task.built.traffic, self.simulation.series)?;
            Ok((engine, simulation, ground, plan))
        };
        begin().map_err(|error| match error {
            Blamed::Config(error) => located(error, &task.origin),
            Blamed::Other(failure) => failure,
        })
    }
}

/// Returns the configuration of a network that is named on the command line.
fn named(source: &Source) -> TrafficConfig {
    let topology = match source {
        Source::Generator(generator) => TopologyShape { generate: Some(*generator), ..TopologyShape::default() },
        Source::File(path) => TopologyShape { file: Some(path.clone()), ..TopologyShape::default() },
    };
    TrafficConfig { topology, ..TrafficConfig::default() }
}

/// Adds file and line to an error of a configuration, if it came from a file.
fn located(error: ConfigError, origin: &Option<(String, String)>) -> Failure {
    Failure::usage(match origin {
        Some((file, text)) => error.located(text, file),
        None => error,
    })
}
