//! `imminent run traffic`: network traffic as fluids and as packets.

mod folder;
#[cfg(feature = "report")]
mod html;
mod options;
mod output;
mod report;

use crate::results::ResultsArgs;
use clap::Args;
use imminent::Device;
use imminent::models::input;
use imminent::models::traffic::TrafficConfig;
use imminent::models::traffic::config::{Built, ConfigError, TopologyShape};
use imminent::models::traffic::simulation::assumed::{self, Given};
use imminent::models::traffic::simulation::{Record, Results, Setup, Simulation, SimulationError, warnings};
use imminent::models::traffic::text::span;
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use options::{DemandArgs, SimulationArgs, Source, TopologyArgs};
use report::{Ground, Ran, Report};
use std::ops::ControlFlow;
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
        let (simulation, ground, setup) = self.begin(&task)?;
        let (engine, schedule) = (setup.engine(), simulation.schedule());
        let mut warnings = warnings::of_run(engine, &task.config, &task.built, ground.step);
        // What the program fills in for a network that is named alone is no mistake of the user.
        if task.origin.is_some() {
            warnings.extend(warnings::unused(engine, &task.config, &task.built));
        }
        let set_up = began.elapsed();
        let record = interrupt::watched(|| simulate(simulation, self.simulation.series, &task.origin))?;
        let Task { config, built: Built { traffic, .. }, assumed, .. } = &task;
        let rows = Results::of(traffic, &record);
        let ran = Ran { engine, config: config.clone(), assumed: assumed.clone(), traffic, set_up, warnings };
        let report = Report::new(ran, ground, schedule, &record, &rows);
        if let Some(folder) = folder {
            folder.replace(|folder| folder::write(folder, &report, traffic, &rows, &record))?;
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
                let origin = if named {
                    None
                } else {
                    Some((input::text(path).map_err(Failure::usage)?, path.display().to_string()))
                };
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
        let origin = text.map(|(text, file)| (file, text));
        let built =
            if named { assumed::complete(&mut config, given) } else { config.build().map(|built| (built, vec![])) };
        let (built, mut assumed) = built.map_err(|error| located(error, &origin))?;
        if let Some((key, why)) = built.unused.iter().find(|(key, _)| self.topology.gives(key)) {
            return Err(Failure::usage(format!("topology.{key}: {why}: leave it out, or remove that of a link")));
        }
        assumed.extend(assumed::losses(&built.traffic));
        Ok(Task { config, built, assumed, origin })
    }

    fn begin<'t>(&self, task: &'t Task) -> Result<(Simulation<'t>, Ground, Setup<'t>), Failure> {
        let setup = Setup::new(&task.config, &task.built.traffic).map_err(|error| located(error, &task.origin))?;
        let engine = setup.engine();
        let unused = task.config.run.unused_by(engine);
        if let Some(option) = unused.iter().find_map(|key| self.simulation.option_of(key)) {
            let problem =
                format!("the engine `{}` does not use {option}: remove it, or choose another --engine", engine.name());
            return Err(Failure::usage(problem));
        }
        let device = self.open(&setup)?;
        let begun = setup.begin(device.as_ref().map(|(device, _)| device));
        let simulation = begun.map_err(|error| failure(error, &task.origin))?;
        simulation.check_memory(self.simulation.series).map_err(|error| failure(error, &task.origin))?;
        Ok((simulation, Ground { device, step: setup.step() }, setup))
    }

    /// Opens the device for the fluids, if they need one, and returns it with the reason for its choice.
    fn open(&self, setup: &Setup<'_>) -> Result<Option<(Device, String)>, Failure> {
        match setup.work() {
            Some(work) => self.device.open_for(Some(work)).map(Some),
            None => {
                self.device.warn_unused(setup.engine().name());
                Ok(None)
            }
        }
    }
}

/// Runs a simulation with a bar of progress, until the user interrupts it.
fn simulate(simulation: Simulation<'_>, series: usize, origin: &Option<(String, String)>) -> Result<Record, Failure> {
    let schedule = simulation.schedule();
    let bar = Bar::new((schedule.horizon_s() / schedule.interval_s()).ceil() as u64, "looks");
    let ran = simulation.run(series, &mut |progress| {
        bar.done((progress.simulated_s / schedule.interval_s()) as u64);
        bar.say(format!("{} of {} simulated", span(progress.simulated_s), span(progress.horizon_s)));
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ran.map_err(|error| failure(error, origin))
}

/// Says who has to mend an error: the user, or nobody.
fn failure(error: SimulationError, origin: &Option<(String, String)>) -> Failure {
    match error {
        SimulationError::Config(error) => located(error, origin),
        error if error.is_of_configuration() => Failure::usage(error),
        error => Failure::run(error),
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
