//! `imminent run`.

#[cfg(feature = "models")]
mod cells;
mod compare;
mod engine;
mod folder;
mod model;
mod networks;
mod nodes;
mod options;
mod output;
mod quantiles;
mod trace;
#[cfg(feature = "models")]
mod traffic;
mod warm_up;

pub(super) use compare::Compare;
use model::ModelRun;
pub(crate) use model::command;

#[cfg(not(feature = "models"))]
use super::absent::{Models as FileArgs, Models as FireArgs, Models as FloodArgs, Models as TrafficArgs};
use super::results::ResultsArgs;
#[cfg(feature = "models")]
use cells::{FileArgs, FireArgs, FloodArgs};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use engine::{Finished, Prepared};
use imminent::Device;
use imminent::models::input;
use imminent::models::queueing::analysis::ClassFindings;
use imminent::models::queueing::config::{ConfigError, Engine, NetworkConfig, TorusConfig};
use imminent::models::queueing::experiment::Experiment;
use imminent::models::queueing::report::{TimesReport, of_classes};
use imminent::models::study::Catalogue;
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::selection::DeviceArgs;
use networks::{NetworkArgs, OpenArgs};
use options::{RunArgs, TorusArgs};
use serde::Serialize;
use std::path::{Path, PathBuf};
use trace::{Recorder, TraceArgs};
#[cfg(feature = "models")]
use traffic::TrafficArgs;

/// Options of `imminent run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(subcommand)]
    model: Chosen,
}

/// Model that a command line chooses, with its options.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// Model with a command of its own.
    Own(Box<Model>),
    /// Model of the catalogue, whose command the parser of the program has.
    Catalogue(ModelRun),
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand() {
            Some((name, options)) if !Model::has_subcommand(name) => {
                Ok(Self::Catalogue(ModelRun { name: name.to_owned(), matches: options.clone() }))
            }
            _ => Ok(Self::Own(Box::new(Model::from_arg_matches(matches)?))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        Model::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Model::augment_subcommands_for_update(command)
    }

    fn has_subcommand(_: &str) -> bool {
        true
    }
}

impl Chosen {
    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    pub(crate) fn run(self, device: Option<Device>, catalogue: &Catalogue) -> Result<(), Failure> {
        match self {
            Self::Own(model) => model.run(device),
            Self::Catalogue(model) => model.run(catalogue, device),
        }
    }
}

/// Model with a command of its own.
#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// A closed queueing network on a torus: every station sends to its four neighbours.
    Torus {
        #[command(flatten)]
        torus: TorusArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Lines of servers in tandem, with arrivals from outside at the first and departures at the last.
    Open {
        #[command(flatten)]
        open: OpenArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Any queueing network, from a GraphML or TOML file.
    Network {
        #[command(flatten)]
        network: NetworkArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Network traffic, as fluids and as packets: TCP and UDP over links with queues.
    Traffic(Box<TrafficArgs>),
    /// A forest fire that spreads over a grid of cells (Cell-DEVS), with the published rates of spread.
    Fire(Box<FireArgs>),
    /// Water that spreads over a grid of cells until it is level (Cell-DEVS).
    Flood(Box<FloodArgs>),
    /// A cell space from a CD++ rule file.
    Cells(Box<FileArgs>),
}

/// Options of all queueing models.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    trace: TraceArgs,
    /// Also report statistics of each class of tokens.
    #[arg(long)]
    by_class: bool,
    #[command(flatten)]
    results: ResultsArgs,
}

impl Run {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        self.model.run(None, catalogue)
    }
}

impl Model {
    /// Returns the model's device options.
    fn device_mut(&mut self) -> &mut DeviceArgs {
        match self {
            Model::Torus { common, .. } | Model::Open { common, .. } | Model::Network { common, .. } => {
                &mut common.device
            }
            Model::Traffic(traffic) => traffic.device_mut(),
            Model::Fire(fire) => fire.device_mut(),
            Model::Flood(flood) => flood.device_mut(),
            Model::Cells(cells) => cells.device_mut(),
        }
    }

    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    fn run(mut self, device: Option<Device>) -> Result<(), Failure> {
        if let Some(device) = device {
            self.device_mut().opened = Some((device, "it was asked for".to_owned()));
        }
        match self {
            Model::Torus { torus, mut common } => {
                let (mut config, text) = match &common.run.config {
                    Some(path) => {
                        let text = read(path)?;
                        let config =
                            TorusConfig::from_toml(&text, &path.display().to_string()).map_err(Failure::usage)?;
                        (config, Some(text))
                    }
                    None => (TorusConfig::default(), None),
                };
                torus.apply(&mut config.torus);
                common.run.apply(&mut config.run);
                let (engine, file) = (config.run.engine, common.run.config.clone());
                let build = || located(config.experiment(), &file, text);
                let prepared = engine::prepare(engine, &mut common.device, build)?;
                common.simulate("torus", config, engine, prepared)
            }
            Model::Open { open, mut common } => {
                let mut config = open.config(common.run.config.as_deref())?;
                common.run.apply(&mut config.run);
                let text = common.run.config.as_deref().map(read).transpose()?;
                let (engine, file) = (config.run.engine, common.run.config.clone());
                let build = || located(config.experiment(), &file, text);
                let prepared = engine::prepare(engine, &mut common.device, build)?;
                common.simulate("open", config, engine, prepared)
            }
            Model::Network { network, mut common } => {
                let (mut config, source) = match (&network.file, &common.run.config) {
                    (Some(_), Some(_)) => {
                        return Err(Failure::usage("give the network as FILE or by --config, not both"));
                    }
                    (Some(path), None) | (None, Some(path)) => {
                        (NetworkConfig::from_file(path).map_err(Failure::usage)?, path.clone())
                    }
                    (None, None) => {
                        return Err(Failure::usage(
                            "say which network: `imminent run network FILE`, a GraphML or TOML file, for instance examples/networks/nsfnet.graphml",
                        ));
                    }
                };
                network.apply(&mut config.network);
                common.run.apply(&mut config.run);
                // The value at fault may be in the file, whose text then gives the line.
                let text = config.network.graph.as_ref() != Some(&source);
                let text = if text { Some(read(&source)?) } else { None };
                let engine = config.run.engine;
                let build = || {
                    let experiment = located(config.experiment(), &Some(source), text)?;
                    network.check_used(&experiment.network)?;
                    Ok(experiment)
                };
                let prepared = engine::prepare(engine, &mut common.device, build)?;
                common.simulate("network", config, engine, prepared)
            }
            Model::Traffic(traffic) => traffic.run(),
            Model::Fire(fire) => fire.run(),
            Model::Flood(flood) => flood.run(),
            Model::Cells(cells) => cells.run(),
        }
    }
}

impl Common {
    /// Simulates a model, and once more to record visits if that is needed.
    fn simulated<C: Serialize>(
        &self,
        model: &str,
        config: C,
        prepared: &Prepared,
        engine: Engine,
        recorder: Recorder,
    ) -> Result<Finished<C>, Failure> {
        let mut finished = engine::simulate(model, config, prepared, engine, self, interrupt::requested)?;
        // After an interrupt the run is not simulated once more.
        if finished.report.partial.is_none() {
            let recorded = recorder.record(&prepared.experiment, &finished.findings, interrupt::requested)?;
            finished.report.partial = recorded.missing;
            finished.times = recorded.times;
            finished.end_to_end = recorded.end_to_end;
        } else {
            finished.times = recorder.counted(&finished.findings);
        }
        Ok(finished)
    }

    fn simulate<C: Serialize>(
        &self,
        model: &str,
        config: C,
        engine: Engine,
        mut prepared: Prepared,
    ) -> Result<(), Failure> {
        if self.by_class && engine == Engine::Interval {
            return Err(Failure::usage(
                "--by-class: the engine `interval` does not count classes: choose an exact engine, or leave the option out",
            ));
        }
        self.run.check_schedule(engine)?;
        self.run.check_measure(&prepared.experiment.plan, self.results.named().is_some())?;
        prepared.experiment.plan.by_class = self.by_class;
        let folder = self.results.folder(folder::NAMES)?;
        let recorder = self.trace.open(&prepared.experiment)?;
        let mut finished = interrupt::watched(|| self.simulated(model, config, &prepared, engine, recorder))?;
        let experiment = &prepared.experiment;
        finished.report.times = finished.times.as_ref().map(|times| TimesReport::of(times, experiment.network.tick()));
        finished.report.end_to_end = finished.end_to_end.as_ref().map(|times| times.report(&experiment.network));
        if self.by_class && (finished.report.partial.is_none() || finished.findings.classes.is_some()) {
            let classes = ClassFindings::of(experiment, &finished.findings).map_err(Failure::run)?;
            finished.report.classes = Some(of_classes(&experiment.network, &classes));
            finished.classes = Some(classes);
        }
        finished.report.total_s = imminent_console::clock::elapsed().as_secs_f64();
        if let Some(folder) = folder {
            folder.replace(|folder| folder::write(folder, &finished, experiment))?;
        }
        if self.results.json {
            imminent_console::print::print_json(&output::json(&finished))?;
        } else {
            imminent_console::print::print_text(&output::text(&finished, experiment))?;
        }
        match finished.report.partial {
            None => Ok(()),
            Some(partial) => Err(Failure::run(format!("interrupted: {partial}"))),
        }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    input::text(path).map_err(Failure::usage)
}

/// Adds file and line to an error of a configuration.
fn located(
    experiment: Result<Experiment, ConfigError>,
    file: &Option<PathBuf>,
    text: Option<String>,
) -> Result<Experiment, Failure> {
    experiment.map_err(|error| match (file, text) {
        (Some(file), Some(text)) => Failure::usage(error.located(&text, &file.display().to_string())),
        _ => Failure::usage(error),
    })
}
