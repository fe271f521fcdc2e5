//! `imminent compare`: differences between two or more configurations of a model, on common random numbers.

mod told;

use super::model::{EXPLAIN, arg, configuration, explained, of_explain, options_of_runs, simulate};
use crate::describe::get;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use imminent::Device;
use imminent::models::estimate::Confidence;
use imminent::models::study::experiment::{Detail, Experiment, OptionValues, RunsOn};
use imminent::models::study::{Catalogue, Configuration, MeasuredExperiments, Model, Value};
use imminent_console::backends::backends;
use imminent_console::print::{print_json, print_text, tell};
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use std::path::PathBuf;
use told::{Compared, Simulated, text};

/// Name of the model whose configurations are compared unless another is named.
const MODEL: &str = "network";

/// Option, and key of runs, with the confidence of intervals.
const CONFIDENCE: &str = "confidence";

/// Option that names the model.
const OPTION: &str = "model";

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
        let model = Arg::new(OPTION).long(OPTION).value_name("MODEL").default_value(MODEL);
        let model = model.help("Model of the configurations, by whose measures they are compared.");
        let json = Arg::new("json").long("json").help("Print one JSON object.").action(ArgAction::SetTrue);
        let command = command.arg(files.required(true).value_parser(value_parser!(PathBuf))).arg(model).arg(json);
        DeviceArgs::augment_args(command).arg(of_explain())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds the options of runs of the model that the arguments name.
pub(crate) fn with_model(command: Command, catalogue: &Catalogue, arguments: &[String]) -> Command {
    let named = arguments.iter().rev().find_map(|argument| argument.strip_prefix("--model="));
    let option = format!("--{OPTION}");
    let follows = || arguments.windows(2).rev().find(|pair| pair.first() == Some(&option))?.last();
    let name = named.or_else(|| follows().map(String::as_str)).unwrap_or(MODEL);
    // A name that no model has is told when the command runs.
    let Some(model) = catalogue.get(name).map(|model| &**model) else { return command };
    let command = command.args(options_of_runs(model));
    command.args(MeasuredExperiments::OPTIONS.iter().filter(|option| key_of(model, option.name).is_none()).map(arg))
}

impl Compare {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let name = self.matches.get_one::<String>(OPTION).map_or(MODEL, String::as_str);
        let model = get(catalogue, name)?;
        let files = self.matches.get_many::<PathBuf>("FILE").into_iter().flatten();
        let read =
            |file: &PathBuf| Ok((file.display().to_string(), configuration(&**model, Some(file), &self.matches)?));
        let configurations = files.map(read).collect::<Result<Vec<_>, Failure>>()?;
        let (seed, replications) =
            (self.count(&**model, &configurations, "seed")?, self.count(&**model, &configurations, "replications")?);
        let confidence = self.confidence(&**model, &configurations)?;
        if replications < 2 {
            let problem =
                "a comparison needs two replications at least: give --replications, for instance --replications 20";
            return Err(Failure::usage(problem));
        }
        let measured = MeasuredExperiments::new(model).common_random_numbers();
        let own = model.experiments().filter(|experiments| experiments.measures_replications());
        let mut options = OptionValues::default();
        if own.is_none() {
            options = options.with("seed", &seed.to_string()).with("replications", &replications.to_string());
            options = options.with(CONFIDENCE, &confidence.level().to_string());
        }
        let prepare = |(file, mut configuration): (String, Configuration)| {
            if own.is_none() {
                // The options have the seed and the number of the replications.
                let counts = ["seed", "replications"].into_iter().filter_map(|name| key_of(&**model, name));
                configuration.forget(&counts.collect::<Vec<_>>());
            }
            let experiment = own.unwrap_or(&measured).prepare(&mut configuration, &options).map_err(Failure::usage)?;
            Ok((file, experiment))
        };
        let prepared = configurations.into_iter().map(prepare).collect::<Result<Vec<_>, Failure>>()?;
        let device = self.open(name, prepared.iter().map(|(_, experiment)| experiment.place()))?;
        let notes = model.description().notes;
        let ran =
            prepared.into_iter().map(|(file, mut experiment)| run(file, &mut *experiment, device.as_ref(), &notes));
        let compared =
            Compared::new((seed, replications), confidence, interrupt::watched(|| ran.collect::<Result<_, _>>())?);
        if let Some(device) = &device {
            backends().note_run(device.info(), name);
        }
        if self.matches.get_flag("json") { print_json(&compared) } else { print_text(&text(&compared)) }
    }

    /// Returns the number of an option that all configurations share, by their key of that name or by the option.
    fn count(&self, model: &dyn Model, all: &[(String, Configuration)], name: &'static str) -> Result<u64, Failure> {
        let Some(key) = key_of(model, name) else {
            let text = self.matches.try_get_one::<String>(name).ok().flatten().map_or("1", String::as_str);
            return text.parse().map_err(|_| Failure::usage(format!("--{name}: takes a whole number, 0 or more")));
        };
        let number = |(file, configuration): &(String, Configuration)| match configuration.value(&key) {
            Some(Value::Integer(number)) if number >= 0 => Ok((file.clone(), number.unsigned_abs())),
            _ => Err(Failure::usage(format!("{file}: has no '{name}': give one by --{name}"))),
        };
        let numbers = all.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        let (first, value) = numbers.first().ok_or_else(|| Failure::usage("give two configurations or more"))?;
        match numbers.iter().find(|(_, other)| other != value) {
            None => Ok(*value),
            Some((other, _)) => Err(Failure::usage(format!(
                "{first} and {other} have different values of '{name}': give one for both by --{name}"
            ))),
        }
    }

    /// Returns the confidence of the intervals: that of the first configuration, or of the option.
    fn confidence(&self, model: &dyn Model, all: &[(String, Configuration)]) -> Result<Confidence, Failure> {
        let level = match (key_of(model, CONFIDENCE), all.first()) {
            (Some(key), Some((_, first))) => first.value(&key).and_then(|value| value.as_number()),
            _ => {
                let given = self.matches.try_get_one::<String>(CONFIDENCE).ok().flatten();
                let number =
                    given.map(|text| text.parse().map_err(|_| Failure::option("--confidence", "takes a number")));
                number.transpose()?
            }
        };
        let level = level.map_or(Ok(Confidence::DEFAULT), Confidence::new);
        level.map_err(|error| Failure::usage(format!("--confidence: {error}")))
    }

    /// Opens the device for the work of all experiments of a model, if any of them runs on one.
    fn open(&self, model: &str, places: impl Iterator<Item = RunsOn>) -> Result<Option<Device>, Failure> {
        let (mut host, mut works) = ("", vec![]);
        for place in places {
            match place {
                RunsOn::Device(work) => works.push(work),
                RunsOn::Host(engine) | RunsOn::Threads(engine) => host = engine,
            }
        }
        let Some(work) = works.into_iter().reduce(|all, work| Some(all?.then(work?))) else {
            self.device.warn_unused(host);
            return Ok(None);
        };
        if self.matches.get_flag(EXPLAIN) {
            tell(&explained(model, work, &self.device));
        }
        Ok(Some(self.device.open_for(model, work)?.0))
    }
}

/// Returns the key of all runs of a model that has this name, if there is one.
fn key_of(model: &dyn Model, name: &str) -> Option<String> {
    let keys = model.keys();
    [format!("run.{name}"), name.to_owned()].into_iter().find(|key| keys.key(key).is_some())
}

/// Executes the replications of a configuration.
fn run(
    file: String,
    experiment: &mut dyn Experiment,
    device: Option<&Device>,
    notes: &[String],
) -> Result<Simulated, Failure> {
    let device = device.filter(|_| matches!(experiment.place(), RunsOn::Device(_)));
    let outcome = simulate(experiment, device, Detail::Printed)?;
    if outcome.partial.is_some() {
        let why = "interrupted: a comparison needs all replications of all configurations";
        return Err(Failure::run(why));
    }
    if let Some(why) = outcome.failures.first() {
        return Err(Failure::run(format!("{file}: {why}")));
    }
    Ok(Simulated {
        file,
        digest: outcome.digest,
        stats: outcome.values.get("stats").cloned().unwrap_or_default(),
        values: outcome.replications.into_iter().collect(),
        notes: notes.to_vec(),
        warnings: outcome.warnings,
    })
}
