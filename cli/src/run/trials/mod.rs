//! Trials: several configurations of a model, simulated on common random numbers.

mod measured;
mod telling;
mod variant;

pub(super) use measured::{known, shown};
pub(super) use telling::{Told, carry_out};
pub(super) use variant::{VARIANT, Variant, base, read, separated};

use super::model::{EXPLAIN, RunDevice, arg, explained, of_explain, options_of_runs, simulate};
use crate::describe::get;
use crate::results::ResultsArgs;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use imminent::Device;
use imminent::models::estimate::Confidence;
use imminent::models::study::compared::Replications;
use imminent::models::study::experiment::{Detail, Experiment, Experiments, OptionValues, RunsOn};
use imminent::models::study::{Catalogue, Configuration, MeasuredExperiments, Model, Outcome, Value};
use imminent_console::backends::backends;
use imminent_console::print::tell;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;

/// Name of the model that is tried unless another is named.
const MODEL: &str = "network";

/// Option, and key of runs, with the confidence of intervals.
const CONFIDENCE: &str = "confidence";

/// Option that names the model.
const OPTION: &str = "model";

/// Option with the names of measures that are shown.
pub(super) const MEASURE: &str = "measures";

/// Options of commands that try several configurations, beside their own and those of the model's runs.
#[derive(Debug)]
pub(super) struct TrialArgs {
    device: DeviceArgs,
    pub(super) results: ResultsArgs,
    pub(super) matches: ArgMatches,
}

impl TrialArgs {
    /// Adds the options to a command that takes so many files.
    pub(super) fn augment(command: Command, files: RangeInclusive<usize>, help: &'static str) -> Command {
        let files = Arg::new("FILE").help(help).num_args(files).required(true).value_parser(value_parser!(PathBuf));
        let model = Arg::new(OPTION).long(OPTION).value_name("MODEL").default_value(MODEL);
        let model = model.help("Model of the configurations, by whose measures they are judged.");
        let measure = Arg::new(MEASURE).long(MEASURE).value_name("NAME,...").value_delimiter(',');
        let measure = measure
            .help("Measures to show, such as `cost,system_response,waiting@desk`; all others are in --json and --out.");
        let command = command.arg(files).arg(model).arg(measure);
        ResultsArgs::augment_args(DeviceArgs::augment_args(command).arg(of_explain()))
    }

    pub(super) fn of(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (device, results) = (DeviceArgs::from_arg_matches(matches)?, ResultsArgs::from_arg_matches(matches)?);
        Ok(Self { device, results, matches: matches.clone() })
    }

    /// Returns the model of the configurations.
    pub(super) fn model<'c>(&self, catalogue: &'c Catalogue) -> Result<&'c Arc<dyn Model>, Failure> {
        get(catalogue, self.matches.get_one::<String>(OPTION).map_or(MODEL, String::as_str))
    }

    /// Returns the values of an option that may be given several times.
    pub(super) fn all<'m>(&'m self, option: &str) -> impl Iterator<Item = &'m str> {
        let values = self.matches.try_get_many::<String>(option).ok().flatten();
        values.into_iter().flatten().map(String::as_str)
    }

    /// Returns the value of an option.
    pub(super) fn one(&self, option: &str) -> Option<&str> {
        self.all(option).last()
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
    let of_measured = MeasuredExperiments::OPTIONS.iter().filter(|option| key_of(model, option.name).is_none());
    let options = options_of_runs(model).into_iter().chain(of_measures(model).map(arg)).chain(of_measured.map(arg));
    // Keys whose options the command has itself are given by `--set`.
    let own: Vec<String> = command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)).collect();
    command.args(options.filter(|option| !option.get_long().is_some_and(|long| own.iter().any(|own| own == long))))
}

/// Returns the options of a model's experiments that add measures.
fn of_measures(model: &dyn Model) -> impl Iterator<Item = &imminent::models::study::experiment::RunOption> {
    let experiments = own(model);
    let adds = move |name: &str| experiments.is_some_and(|of| of.options_of_measures().contains(&name));
    experiments.into_iter().flat_map(|of| of.options()).filter(move |option| adds(option.name))
}

/// Returns the experiments of a model that tells the values of each replication by itself.
fn own(model: &dyn Model) -> Option<&dyn Experiments> {
    model.experiments().filter(|experiments| experiments.measures_replications())
}

/// Configurations that are ready to be simulated on common random numbers.
pub(super) struct Trials {
    pub(super) seed: u64,
    pub(super) replications: u64,
    pub(super) confidence: Confidence,
    model: String,
    /// Notes on the model, for readers of its results.
    notes: Vec<String>,
    trials: Vec<(String, Box<dyn Experiment>)>,
    device: Option<(Device, String)>,
}

/// Results of one configuration.
pub(super) struct Simulated {
    pub(super) name: String,
    pub(super) outcome: Outcome,
    pub(super) notes: Vec<String>,
}

impl Simulated {
    /// Takes the values of the measures in each replication.
    pub(super) fn take_replications(&mut self) -> Replications {
        Replications::new(std::mem::take(&mut self.outcome.replications))
    }
}

impl Trials {
    /// Prepares the experiments of configurations, which must agree on their seed and the number of replications.
    pub(super) fn prepare(model: &Arc<dyn Model>, variants: Vec<Variant>, args: &TrialArgs) -> Result<Self, Failure> {
        let (seed, replications) =
            (count(&**model, &variants, "seed", args)?, count(&**model, &variants, "replications", args)?);
        let confidence = confidence(&**model, &variants, args)?;
        let prepare = Preparation::new(model, (seed, replications), confidence, args);
        let trials = variants.into_iter().map(|variant| prepare.experiment(variant));
        let trials = trials.collect::<Result<Vec<_>, Failure>>()?;
        let (description, places) = (model.description(), trials.iter().map(|(_, experiment)| experiment.place()));
        let device = open(&description.name, places, args)?;
        Ok(Self { seed, replications, confidence, model: description.name, notes: description.notes, trials, device })
    }

    /// Checks that an experiment of a configuration is possible.
    pub(super) fn check(model: &Arc<dyn Model>, variant: Variant, args: &TrialArgs) -> Result<(), Failure> {
        let all = [variant];
        let count = |name| count(&**model, &all, name, args);
        let (counts, confidence) = ((count("seed")?, count("replications")?), confidence(&**model, &all, args)?);
        let [variant] = all;
        Preparation::new(model, counts, confidence, args).experiment(variant).map(drop)
    }

    /// Returns the number of configurations.
    pub(super) fn len(&self) -> usize {
        self.trials.len()
    }

    /// Returns the name of a configuration.
    pub(super) fn name(&self, trial: usize) -> &str {
        self.trials.get(trial).map_or("", |(name, _)| name)
    }

    /// Executes all replications of a configuration.
    pub(super) fn run(&mut self, trial: usize) -> Result<Simulated, Failure> {
        self.carry_out(trial, None, Detail::Printed)
    }

    /// Executes some replications of a configuration, by their numbers.
    pub(super) fn run_some(&mut self, trial: usize, replications: Range<u64>) -> Result<Simulated, Failure> {
        self.carry_out(trial, Some(replications), Detail::Text)
    }

    fn carry_out(&mut self, trial: usize, some: Option<Range<u64>>, detail: Detail) -> Result<Simulated, Failure> {
        let (name, experiment) =
            self.trials.get_mut(trial).ok_or_else(|| Failure::run("there is no such configuration"))?;
        if let Some(some) = some {
            experiment.select(some).map_err(Failure::usage)?;
        }
        let device = self.device.as_ref().map(|(device, _)| device);
        let device = device.filter(|_| matches!(experiment.place(), RunsOn::Device(_)));
        let outcome = simulate(&mut **experiment, device, detail)?;
        if outcome.partial.is_some() {
            return Err(Failure::run("interrupted: it needs all replications of all configurations"));
        }
        if let Some(why) = outcome.failures.first() {
            return Err(Failure::run(format!("{name}: {why}")));
        }
        Ok(Simulated { name: name.clone(), outcome, notes: self.notes.clone() })
    }

    /// Executes all replications of all configurations, until the user interrupts it.
    pub(super) fn run_all(&mut self) -> Result<Vec<Simulated>, Failure> {
        let all = 0..self.len();
        interrupt::watched(|| all.map(|trial| self.run(trial)).collect::<Result<Vec<_>, _>>())
    }

    /// Remembers that the device carried the runs out.
    pub(super) fn note_run(&self) {
        if let Some((device, _)) = &self.device {
            backends().note_run(device.info(), &self.model);
        }
    }

    /// Returns the device of the runs, for reports.
    pub(super) fn run_device(&self) -> RunDevice {
        match &self.device {
            Some((device, why)) => {
                let info = device.info();
                RunDevice::new(&info.backend, &info.name, Some(why.clone()))
            }
            None => RunDevice::new("none", "the host", None),
        }
    }
}

/// Preparation of experiments with a seed and a number of replications.
struct Preparation<'a> {
    model: &'a Arc<dyn Model>,
    measured: MeasuredExperiments<'a>,
    options: OptionValues,
}

impl<'a> Preparation<'a> {
    fn new(model: &'a Arc<dyn Model>, (seed, count): (u64, u64), confidence: Confidence, args: &TrialArgs) -> Self {
        let mut options = OptionValues::default();
        if own(&**model).is_none() {
            options = options.with("seed", &seed.to_string()).with("replications", &count.to_string());
            options = options.with(CONFIDENCE, &confidence.level().to_string());
        }
        for option in of_measures(&**model) {
            options = match option.value {
                Some(_) => args.all(option.name).fold(options, |options, value| options.with(option.name, value)),
                None if args.matches.get_flag(option.name) => options.with(option.name, ""),
                None => options,
            };
        }
        Self { model, measured: MeasuredExperiments::new(model).common_random_numbers(), options }
    }

    fn experiment(&self, variant: Variant) -> Result<(String, Box<dyn Experiment>), Failure> {
        let Variant { name, mut configuration, values } = variant;
        let own = own(&**self.model);
        if own.is_none() {
            // The options have the seed and the number of the replications.
            let counts = ["seed", "replications"].into_iter().filter_map(|name| key_of(&**self.model, name));
            configuration.forget(&counts.collect::<Vec<_>>());
        }
        let experiments = own.unwrap_or(&self.measured);
        let experiment =
            experiments.prepare(&mut configuration, &self.options).map_err(|fault| match values.is_empty() {
                true => Failure::usage(fault),
                false => Failure::usage(format!("{name}: {fault}")),
            })?;
        Ok((name, experiment))
    }
}

/// Returns the number of an option that all configurations share, by their key of that name or by the option.
fn count(model: &dyn Model, all: &[Variant], name: &'static str, args: &TrialArgs) -> Result<u64, Failure> {
    let Some(key) = key_of(model, name) else {
        let text = args.one(name).unwrap_or("1");
        return text.parse().map_err(|_| Failure::usage(format!("--{name}: takes a whole number, 0 or more")));
    };
    let number = |variant: &Variant| match variant.configuration.value(&key) {
        Some(Value::Integer(number)) if number >= 0 => Ok((variant.name.clone(), number.unsigned_abs())),
        _ => Err(Failure::usage(format!("{}: has no '{name}': give one by --{name}", variant.name))),
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
fn confidence(model: &dyn Model, all: &[Variant], args: &TrialArgs) -> Result<Confidence, Failure> {
    let level = match (key_of(model, CONFIDENCE), all.first()) {
        (Some(key), Some(first)) => first.configuration.value(&key).and_then(|value| value.as_number()),
        _ => {
            let given = args.one(CONFIDENCE);
            let number = given.map(|text| text.parse().map_err(|_| Failure::option("--confidence", "takes a number")));
            number.transpose()?
        }
    };
    let level = level.map_or(Ok(Confidence::DEFAULT), Confidence::new);
    level.map_err(|error| Failure::usage(format!("--confidence: {error}")))
}

/// Opens the device for the work of all experiments of a model, if any of them runs on one.
fn open(
    model: &str,
    places: impl Iterator<Item = RunsOn>,
    args: &TrialArgs,
) -> Result<Option<(Device, String)>, Failure> {
    let (mut host, mut works) = ("", vec![]);
    for place in places {
        match place {
            RunsOn::Device(work) => works.push(work),
            RunsOn::Host(engine) | RunsOn::Threads(engine) => host = engine,
        }
    }
    let Some(work) = works.into_iter().reduce(|all, work| Some(all?.then(work?))) else {
        args.device.warn_unused(host);
        return Ok(None);
    };
    if args.matches.get_flag(EXPLAIN) {
        tell(&explained(model, work, &args.device));
    }
    Ok(Some(args.device.open_for(model, work)?))
}

/// Returns the key of all runs of a model that has this name, if there is one.
fn key_of(model: &dyn Model, name: &str) -> Option<String> {
    let keys = model.keys();
    [format!("run.{name}"), name.to_owned()].into_iter().find(|key| keys.key(key).is_some())
}

/// Returns the configuration of a model's file, with the values of options.
fn configured(model: &dyn Model, file: &std::path::Path, args: &TrialArgs) -> Result<Configuration, Failure> {
    super::model::configuration(model, Some(file), &args.matches)
}
