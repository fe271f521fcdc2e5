//! `imminent compare`: differences between two or more networks, on common random numbers.

use super::engine::{How, find};
use super::options::RunArgs;
use super::{located, read};
use clap::Args;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::estimate::Estimate;
use imminent::models::output::Comparison;
use imminent::models::queueing::config::{Engine, NetworkConfig};
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::outcome::Digest;
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Options of `imminent compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// GraphML or TOML files: each is compared with the first.
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
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
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        if self.run.config.is_some() {
            return Err(Failure::usage("--config is not for `compare`: give the configurations as FILEs"));
        }
        let plans = self.files.iter().map(|file| self.plan(file)).collect::<Result<Vec<_>, _>>()?;
        let (seed, replications) = common(&plans)?;
        if let Some(plan) = plans.first().filter(|_| !plans.iter().any(|plan| plan.engine == Engine::Exact)) {
            self.run.check_schedule(plan.engine)?;
        }
        if plans.iter().any(|plan| plan.engine != Engine::Sequential) {
            self.device.opened = Some(self.device.open()?);
        } else {
            self.device.warn_unused("sequential");
        }
        let mut configurations = vec![];
        let mut all = vec![];
        for plan in plans {
            let how = How {
                engine: plan.engine,
                device: &self.device,
                schedule: self.run.schedule,
                times: false,
                stop: || false,
            };
            let (findings, _) = find(&plan.experiment, &how)?;
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
        if self.json { print_json(&compared) } else { print_text(&text(&compared)) }
    }

    fn plan(&self, file: &PathBuf) -> Result<Plan, Failure> {
        let mut config = NetworkConfig::from_file(file).map_err(Failure::usage)?;
        self.run.apply(&mut config.run);
        let text = if config.network.graph.as_ref() == Some(file) { None } else { Some(read(file)?) };
        let engine = config.run.engine;
        let experiment = located(config.experiment(), &Some(file.clone()), text)?;
        self.run.check_measure(&experiment.plan, false)?;
        Ok(Plan { file: file.display().to_string(), experiment, engine })
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
