//! Queueing networks, compared by the statistics of their runs.

use super::common::{SCHEDULE, check_replications, same};
use super::told::{Compared, Simulated};
use clap::ArgMatches;
use imminent::Device;
use imminent::models::queueing::config::{ConfigError, Engine, NetworkConfig};
use imminent::models::queueing::engine::Schedule;
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::run::{EngineOptions, Watcher, check_measure, check_schedule, schedule, simulate};
use imminent::models::study::Configuration;
use imminent::models::study::experiment::Progress;
use imminent_console::Failure;
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use std::ops::ControlFlow;

/// Network with its experiment and engine.
struct Plan {
    file: String,
    experiment: Experiment,
    engine: Engine,
    /// Warnings about the configuration.
    warnings: Vec<String>,
}

pub(super) fn compare(
    configurations: Vec<(String, Configuration)>,
    matches: &ArgMatches,
    device: &DeviceArgs,
) -> Result<Compared, Failure> {
    let plans = configurations.into_iter().map(Plan::new).collect::<Result<Vec<_>, _>>()?;
    let (seed, replications) = common(&plans)?;
    let schedule = schedule(matches.get_one::<String>(SCHEDULE).map(String::as_str)).map_err(Failure::usage)?;
    if let Some(plan) = plans.first().filter(|_| !plans.iter().any(|plan| plan.engine == Engine::Exact)) {
        check_schedule(schedule, plan.engine).map_err(Failure::usage)?;
    }
    let device = if plans.iter().any(|plan| plan.engine != Engine::Sequential) {
        Some(device.open()?.0)
    } else {
        device.warn_unused("sequential");
        None
    };
    let simulated = plans.into_iter().map(|plan| plan.simulate(device.as_ref(), schedule));
    Ok(Compared::new(seed, replications, simulated.collect::<Result<_, _>>()?))
}

impl Plan {
    fn new((file, configuration): (String, Configuration)) -> Result<Self, Failure> {
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
        Ok(Plan { file, experiment, engine: config.run.engine, warnings })
    }

    fn simulate(self, device: Option<&Device>, schedule: Schedule) -> Result<Simulated, Failure> {
        let findings = self.find(device, schedule)?;
        let of_network = self.experiment.network.warnings().into_iter().map(|warning| warning.to_string());
        let of_findings = findings.warnings.iter().map(ToString::to_string);
        let kept: Vec<_> = findings.replications.iter().map(|replication| replication.kept()).collect();
        let values = |measure: Measure| kept.iter().map(|sample| sample.value(measure)).collect();
        Ok(Simulated {
            digest: Some(findings.digest().to_string()),
            stats: findings.estimates.clone(),
            values: Measure::ALL.map(|measure| (measure.name().to_owned(), values(measure))).into(),
            notes: vec![],
            warnings: self.warnings.into_iter().chain(of_network).chain(of_findings).collect(),
            file: self.file,
        })
    }

    /// Simulates the network, with a bar of progress.
    fn find(&self, device: Option<&Device>, schedule: Schedule) -> Result<Findings, Failure> {
        let device = device.filter(|_| self.engine != Engine::Sequential);
        let (options, replications) =
            (EngineOptions { engine: self.engine, device, schedule, times: false }, self.experiment.replications);
        let bar = Bar::new(replications, "replications");
        let mut watch = |progress: Progress| {
            bar.done(progress.done);
            bar.say(progress.now);
            ControlFlow::Continue(())
        };
        simulate(&self.experiment, &options, &Watcher::new(&mut watch, replications)).map_err(Failure::run)
    }
}

/// Returns the seed and the number of replications, which all networks must share.
fn common(plans: &[Plan]) -> Result<(u64, u64), Failure> {
    let of = |option, value: fn(&Experiment) -> u64| {
        same(option, plans.iter().map(|plan| (&*plan.file, value(&plan.experiment))))
    };
    let (seed, replications) = (of("seed", |e| e.seed)?, of("replications", |e| e.replications)?);
    check_replications(replications)?;
    Ok((seed, replications))
}
