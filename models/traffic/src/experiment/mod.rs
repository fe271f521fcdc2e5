//! A run of a configuration, with its outcome for people, programs and files.

mod excerpts;
mod listings;
mod map;
mod outcome;
mod overrides;
mod plots;
mod prepared;
mod tables;
#[cfg(test)]
mod tests;
mod values;

use crate::TrafficConfig;
use crate::config::{ConfigError, TopologyShape};
use crate::simulation::{Kept, Results, Setup, Simulation, SimulationError, assumed, warnings};
use crate::text::span;
use imminent_common::free_memory::fits;
use imminent_core::clock::Instant;
use imminent_core::{Device, Work};
use imminent_study::Configuration;
use imminent_study::experiment::{
    Detail, Experiment, ExperimentError, Experiments, OptionValues, Progress, RunOption, RunsOn,
};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Outcome;
use prepared::Prepared;
use std::ops::ControlFlow;

/// Memory of a queue or a part of a flow in the results of a replication, with its names, in bytes.
const BYTES_OF_ROW: u64 = 512;

/// Runs of network traffic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenarios;

impl Experiments for Scenarios {
    fn options(&self) -> &'static [RunOption] {
        &[RunOption {
            name: overrides::SERIES,
            value: Some("N"),
            about: "Largest number of queues, and of flows, in the series over time [default: 200].",
        }]
    }

    fn earlier_options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("topology", "--generate (FILE for the file of a network)"),
            ("warmup", "--warm-up"),
            ("first-window", "--initial-window"),
        ]
    }

    fn tables(&self) -> &'static [&'static str] {
        &tables::NAMES
    }

    fn options_of_data(&self) -> &'static [&'static str] {
        &[overrides::SERIES]
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let mut config: TrafficConfig = configuration.parse()?;
        overrides::override_file(&mut config, configuration);
        let TopologyShape { generate, file, .. } = &config.topology;
        // The file of a network in place of a configuration is the value of its key.
        let is_named_alone = configuration.file().is_none_or(|path| Some(path) == file.as_deref());
        if is_named_alone && generate.is_none() && file.is_none() {
            return Err(
                "say which traffic: give FILE, a configuration (TOML) or the file of a network, or --generate".into()
            );
        }
        let build = |config: &mut TrafficConfig| match is_named_alone {
            true => assumed::complete(config, overrides::of(config, configuration)),
            false => Ok((config.build()?, vec![])),
        };
        let located = |error| located(configuration, error);
        let (built, mut assumed) = build(&mut config).map_err(located)?;
        assumed.extend(assumed::losses(&built.traffic));
        let setup = Setup::new(&config, &built.traffic).map_err(located)?;
        let (engine, step, work) = (setup.engine(), setup.step(), setup.work());
        let mut warnings = warnings::of_run(engine, &config, &built, step);
        warnings.extend(configuration.check_unused(warnings::unused(engine, &config, &built))?);
        let series = overrides::series(given)?;
        let configuration = configuration.clone();
        let prepared = Prepared { config, built, assumed, warnings, engine, step };
        Ok(Box::new(Scenario { configuration, prepared, work, series }))
    }
}

/// Run of a configuration.
struct Scenario {
    /// Configuration as it was given, for the lines of errors.
    configuration: Configuration,
    prepared: Prepared,
    /// Work of the fluids on a device.
    work: Option<Work>,
    /// Largest number of queues, and of flows, with series.
    series: usize,
}

impl Scenario {
    /// Says who has to mend an error: the user, or nobody.
    fn failure(&self, error: SimulationError) -> ExperimentError {
        match error {
            SimulationError::Config(error) => ExperimentError::Invalid(located(&self.configuration, error).into()),
            error if error.is_of_configuration() => ExperimentError::Invalid(error.into()),
            error => ExperimentError::Failed(error.into()),
        }
    }
}

impl Experiment for Scenario {
    fn place(&self) -> RunsOn {
        match self.work {
            Some(work) => RunsOn::Device(Some(work)),
            None => RunsOn::Host(self.prepared.engine.name()),
        }
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (Some(0), "looks")
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let (began, replications) = (Instant::now(), self.prepared.config.run.replications);
        let traffic = &self.prepared.built.traffic;
        let setup = Setup::new(&self.prepared.config, traffic).map_err(|error| self.failure(error.into()))?;
        let simulation = setup.begin(device).map_err(|error| self.failure(error))?;
        let kept = if detail.has_data() { Kept::Series(self.series) } else { Kept::MeansAlone };
        simulation.check_memory(self.series).map_err(|error| self.failure(error))?;
        let rows = (traffic.network().links().len() + 2 * traffic.flows().all().len()) as u64;
        let bytes = |replications: u64| replications.saturating_mul(rows.saturating_mul(BYTES_OF_ROW));
        fits("--replications", replications.into(), bytes).map_err(|error| self.failure(error.into()))?;
        let (schedule, mut set_up) = (simulation.schedule(), began.elapsed());
        let looks = (schedule.horizon_s() / schedule.interval_s()).ceil() as u64;
        let mut run = |number: u32, simulation: Simulation<'_>, kept: Kept| {
            simulation.run(kept, &mut |progress| {
                let done = u64::from(number) * looks + (progress.simulated_s / schedule.interval_s()) as u64;
                let of = if replications > 1 {
                    format!(", replication {} of {replications}", number + 1)
                } else {
                    String::new()
                };
                let now = format!("{} of {} simulated{of}", span(progress.simulated_s), span(progress.horizon_s));
                let has_results = number > 0 || progress.simulated_s > schedule.warm_up_s();
                watch(Progress { done, all: looks * u64::from(replications), now, has_results })
            })
        };
        let mut record = run(0, simulation, kept).map_err(|error| self.failure(error))?;
        let mut results = vec![Results::of(traffic, &record)];
        for number in 1..replications {
            if record.simulated_s < schedule.horizon_s() {
                break;
            }
            let (seed, again) = (self.prepared.config.run.seed.wrapping_add(number.into()), Instant::now());
            let simulation = setup.begin_with(seed, device).map_err(|error| self.failure(error))?;
            set_up += again.elapsed();
            match run(number, simulation, Kept::MeansAlone) {
                Ok(one) if one.simulated_s >= schedule.horizon_s() => {
                    results.push(Results::of(traffic, &one));
                    record.count(one);
                }
                // An interrupted replication does not count.
                Ok(_) | Err(SimulationError::NothingCounted { .. }) => break,
                Err(error) => return Err(self.failure(error)),
            }
        }
        Ok(outcome::outcome(&self.prepared, (record, results), schedule, (began, set_up), detail))
    }
}

/// Adds file and line to an error of a configuration.
fn located(configuration: &Configuration, error: ConfigError) -> ConfigError {
    match error {
        ConfigError::Toml(error) => ConfigError::Toml(configuration.located(error)),
        other => other,
    }
}
