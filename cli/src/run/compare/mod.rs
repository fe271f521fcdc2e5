//! `imminent compare`: differences between two or more configurations of a model, on common random numbers.

mod measures;
mod told;

use super::model::configuration;
use crate::describe::get;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use imminent::Device;
use imminent::models::queueing::config::{ConfigError, Engine, NetworkConfig};
use imminent::models::queueing::engine::Schedule;
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::run::{EngineOptions, Watcher, check_measure, check_schedule, schedule, simulate};
use imminent::models::study::{Catalogue, Model};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use told::{Compared, Configuration, Difference, text};

/// Name of the model whose options the command has, and whose configurations are compared unless another is named.
pub(crate) const MODEL: &str = "network";

/// Options of `imminent compare`, beside those of the model's runs.
#[derive(Debug)]
pub(crate) struct Compare {
    device: DeviceArgs,
    matches: ArgMatches,
}

impl FromArgMatches for Compare {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { device: DeviceArgs::from_arg_matches(matches)?, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Compare {
    fn augment_args(command: Command) -> Command {
        let files = Arg::new("FILE").help("Configurations: each is compared with the first.").num_args(2..);
        let model = Arg::new("model").long("model").value_name("MODEL").default_value(MODEL);
        let model = model.help("Model of the configurations, by whose measures they are compared.");
        let schedule = Arg::new("schedule").long("schedule").value_name("SCHEDULE");
        let schedule = schedule.help("Schedule of the exact engine: auto, tiles or events [default: auto].");
        let json = Arg::new("json").long("json").help("Print one JSON object.").action(ArgAction::SetTrue);
        let command =
            command.arg(files.required(true).value_parser(value_parser!(PathBuf))).arg(model).arg(schedule).arg(json);
        DeviceArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Network with its experiment and engine.
struct Plan {
    file: String,
    experiment: Experiment,
    engine: Engine,
    /// Warnings about the configuration.
    warnings: Vec<String>,
}

impl Compare {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let compared = match self.matches.get_one::<String>("model").filter(|name| *name != MODEL) {
            Some(name) => {
                let command =
                    measures::Command { files: self.files().collect(), matches: &self.matches, device: &self.device };
                measures::compare(&command, get(catalogue, name)?, get(catalogue, MODEL)?, catalogue)?
            }
            None => self.networks(get(catalogue, MODEL)?)?,
        };
        if self.matches.get_flag("json") { print_json(&compared) } else { print_text(&text(&compared)) }
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.matches.get_many("FILE").into_iter().flatten()
    }

    /// Compares queueing networks by the statistics of their runs.
    fn networks(&self, model: &dyn Model) -> Result<Compared, Failure> {
        let files = self.files();
        let plans = files.map(|file| self.plan(model, file)).collect::<Result<Vec<_>, _>>()?;
        let (seed, replications) = common(&plans)?;
        let schedule = schedule(self.matches.get_one::<String>("schedule").map(String::as_str));
        let schedule = schedule.map_err(Failure::usage)?;
        if let Some(plan) = plans.first().filter(|_| !plans.iter().any(|plan| plan.engine == Engine::Exact)) {
            check_schedule(schedule, plan.engine).map_err(Failure::usage)?;
        }
        let device = if plans.iter().any(|plan| plan.engine != Engine::Sequential) {
            Some(self.device.open()?.0)
        } else {
            self.device.warn_unused("sequential");
            None
        };
        let mut configurations = vec![];
        let mut all = vec![];
        for plan in plans {
            let findings = plan.find(device.as_ref(), schedule)?;
            let of_network = plan.experiment.network.warnings().into_iter().map(|warning| warning.to_string());
            let of_findings = findings.warnings.iter().map(ToString::to_string);
            configurations.push(Configuration {
                file: plan.file,
                digest: Some(findings.digest().to_string()),
                stats: findings.estimates.clone(),
                warnings: plan.warnings.into_iter().chain(of_network).chain(of_findings).collect(),
            });
            all.push(findings);
        }
        Ok(Compared { seed, replications, comparisons: differences(&configurations, &all), configurations })
    }

    fn plan(&self, model: &dyn Model, file: &Path) -> Result<Plan, Failure> {
        let configuration = configuration(model, Some(file), &self.matches)?;
        let config: NetworkConfig = configuration.parse().map_err(Failure::usage)?;
        let (experiment, unused) = config.experiment_and_unused().map_err(|error| match error {
            ConfigError::Toml(error) => Failure::usage(configuration.located(error)),
            other => Failure::usage(other),
        })?;
        if configuration.is_given("run.measure") {
            check_measure(&experiment.plan, false).map_err(Failure::usage)?;
        }
        // A key that is given for all networks may have an effect on another.
        let warnings = unused.iter().map(|unused| configuration.warning(unused)).collect();
        Ok(Plan { file: file.display().to_string(), experiment, engine: config.run.engine, warnings })
    }
}

impl Plan {
    /// Simulates the network, with a bar of progress.
    fn find(&self, device: Option<&Device>, schedule: Schedule) -> Result<Findings, Failure> {
        let device = device.filter(|_| self.engine != Engine::Sequential);
        let (options, replications) =
            (EngineOptions { engine: self.engine, device, schedule, times: false }, self.experiment.replications);
        let bar = Bar::new(replications, "replications");
        let mut watch = |progress: imminent::models::study::experiment::Progress| {
            bar.done(progress.done);
            bar.say(progress.now);
            ControlFlow::Continue(())
        };
        simulate(&self.experiment, &options, &Watcher::new(&mut watch, replications)).map_err(Failure::run)
    }
}

/// Returns the seed and the number of replications, which all networks must share.
fn common(plans: &[Plan]) -> Result<(u64, u64), Failure> {
    let Some(first) = plans.first() else { return Err(Failure::usage("give two networks or more")) };
    let same = |value: fn(&Experiment) -> u64, option: &str| {
        let other = plans.iter().find(|plan| value(&plan.experiment) != value(&first.experiment));
        other.map_or(Ok(value(&first.experiment)), |other| {
            Err(Failure::usage(format!(
                "{} and {} have different values of '{option}': give one for both by --{option}",
                first.file, other.file
            )))
        })
    };
    let (seed, replications) = (same(|e| e.seed, "seed")?, same(|e| e.replications, "replications")?);
    if replications < 2 {
        return Err(Failure::usage(
            "a comparison needs two replications at least: give --replications, for instance --replications 20",
        ));
    }
    Ok((seed, replications))
}

fn differences(configurations: &[Configuration], findings: &[Findings]) -> Vec<Difference> {
    let Some((first, before)) = configurations.first().zip(findings.first()) else { return vec![] };
    let others = configurations.iter().zip(findings).skip(1);
    let difference = |(second, after): (&Configuration, &Findings)| Difference {
        first: first.file.clone(),
        second: second.file.clone(),
        measures: Measure::ALL.map(|measure| (measure.name().to_owned(), before.compare(after, measure))).into(),
    };
    others.map(difference).collect()
}
