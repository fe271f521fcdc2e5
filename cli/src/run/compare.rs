//! `imminent compare`: differences between two or more networks, on common random numbers.

use super::model::configuration;
use crate::describe::get;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::Device;
use imminent::models::estimate::Estimate;
use imminent::models::output::Comparison;
use imminent::models::queueing::config::{ConfigError, Engine, NetworkConfig};
use imminent::models::queueing::engine::Schedule;
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::outcome::Digest;
use imminent::models::queueing::run::{How, Watcher, check_measure, check_schedule, find, schedule};
use imminent::models::study::{Catalogue, Model};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Name of the model whose configurations are compared.
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
        let files = Arg::new("FILE").help("GraphML or TOML files: each is compared with the first.").num_args(2..);
        let schedule = Arg::new("schedule").long("schedule").value_name("SCHEDULE");
        let schedule = schedule.help("Schedule of the exact engine: auto, tiles or events [default: auto].");
        let json = Arg::new("json").long("json").help("Print one JSON object.").action(ArgAction::SetTrue);
        let command = command.arg(files.required(true).value_parser(value_parser!(PathBuf))).arg(schedule).arg(json);
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
}

/// Results of one network.
#[derive(Serialize)]
struct Configuration {
    file: String,
    digest: Digest,
    stats: BTreeMap<String, Estimate>,
    warnings: Vec<String>,
}

/// Differences between one network and the first, by the names of measures.
#[derive(Serialize)]
struct Difference {
    first: String,
    second: String,
    measures: BTreeMap<&'static str, Comparison>,
}

#[derive(Serialize)]
struct Compared {
    seed: u64,
    replications: u64,
    configurations: Vec<Configuration>,
    comparisons: Vec<Difference>,
}

impl Compare {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let model = get(catalogue, MODEL)?;
        let files = self.matches.get_many::<PathBuf>("FILE").into_iter().flatten();
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
                digest: findings.digest(),
                stats: findings.estimates.clone(),
                warnings: of_network.chain(of_findings).collect(),
            });
            all.push(findings);
        }
        let compared = Compared { seed, replications, comparisons: differences(&configurations, &all), configurations };
        if self.matches.get_flag("json") { print_json(&compared) } else { print_text(&text(&compared)) }
    }

    fn plan(&self, model: &dyn Model, file: &Path) -> Result<Plan, Failure> {
        let configuration = configuration(model, Some(file), &self.matches)?;
        let config: NetworkConfig = configuration.parse().map_err(Failure::usage)?;
        let experiment = config.experiment().map_err(|error| match error {
            ConfigError::Toml(error) => Failure::usage(configuration.located(error)),
            other => Failure::usage(other),
        })?;
        if configuration.is_given("run.measure") {
            check_measure(&experiment.plan, false).map_err(Failure::usage)?;
        }
        Ok(Plan { file: file.display().to_string(), experiment, engine: config.run.engine })
    }
}

impl Plan {
    /// Simulates the network, with a bar of progress.
    fn find(&self, device: Option<&Device>, schedule: Schedule) -> Result<Findings, Failure> {
        let device = device.filter(|_| self.engine != Engine::Sequential);
        let (how, replications) =
            (How { engine: self.engine, device, schedule, times: false }, self.experiment.replications);
        let bar = Bar::new(replications, "replications");
        let mut watch = |progress: imminent::models::study::experiment::Progress| {
            bar.done(progress.done);
            bar.say(progress.now);
            ControlFlow::Continue(())
        };
        find(&self.experiment, &how, &Watcher::new(&mut watch, replications)).map_err(Failure::run)
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
        measures: Measure::ALL.into_iter().map(|measure| (measure.name(), before.compare(after, measure))).collect(),
    };
    others.map(difference).collect()
}

fn text(compared: &Compared) -> String {
    let mut text =
        format!("{} replications of each on common random numbers (seed {})\n", compared.replications, compared.seed);
    for difference in &compared.comparisons {
        let _ = writeln!(text, "\nfirst:  {}\nsecond: {}", difference.first, difference.second);
        let mut table = Table::new();
        let names = [
            "statistic",
            "first",
            "second",
            "second - first",
            "95 % interval",
            "differ?",
            "correlation",
            "variance ratio",
        ];
        table.load_style(UTF8_FULL_CONDENSED).set_header(names);
        for (name, comparison) in &difference.measures {
            let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.5}"));
            let ci95 = comparison.difference.ci95.map_or_else(|| "–".to_owned(), |half| format!("± {half:.5}"));
            table.add_row([
                name.replace('_', " "),
                number(comparison.first.mean),
                number(comparison.second.mean),
                number(comparison.difference.mean),
                ci95,
                if comparison.differs() { "yes" } else { "not seen" }.to_owned(),
                comparison.correlation.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
                comparison.variance_ratio.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")),
            ]);
        }
        let _ = writeln!(text, "{table}");
    }
    text.push_str("variance ratio: the difference's variance on independent streams over the one here\n");
    for configuration in &compared.configurations {
        for warning in &configuration.warnings {
            let _ = writeln!(text, "warning: {}: {warning}", configuration.file);
        }
        let _ = writeln!(text, "digest {}  {}", configuration.digest, configuration.file);
    }
    text
}
