//! Runs of a configuration: replications with an outcome for people, programs and files.

mod answer;
mod costs;
mod distribution;
mod engine;
mod facts;
mod figures;
mod finished;
mod listing;
mod node_times;
mod nodes;
mod options;
mod outcome;
mod periods;
mod pools;
mod recording;
mod replications;
mod series;
mod tables;
mod units;
mod watching;

pub use engine::{EngineOptions, simulate};
pub use options::{check_measure, check_schedule, schedule};
pub use watching::Watcher;

use crate::analysis::{Ending, Plan, WarmUp};
use crate::config::{ConfigError, Engine};
use crate::experiment::Experiment as Setting;
use crate::study::{Kind, Queueing};
use finished::FinishedRun;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::Configuration;
use imminent_study::experiment::{
    Detail, Experiment, ExperimentError, Experiments, OptionValues, Progress, RunOption, RunsOn,
};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Outcome, Phases};
use options::Options;
use recording::Recorder;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

impl<C: Kind> Experiments for Queueing<C> {
    fn options(&self) -> &'static [RunOption] {
        &options::ALL
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            nodes::NODES,
            nodes::CLASSES,
            costs::COSTS,
            tables::END_TO_END,
            node_times::NODE_TIMES,
            distribution::DISTRIBUTION,
            pools::POOLS,
            periods::PERIODS,
            periods::CLASS_PERIODS,
            series::SERIES,
            tables::HISTOGRAM,
        ]
    }

    fn measures_replications(&self) -> bool {
        true
    }

    fn options_of_measures(&self) -> &'static [&'static str] {
        &[options::BEYOND, options::BY_CLASS]
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let config: C = configuration.take()?;
        let options = Options::of(given, config.run().engine)?;
        let (mut setting, unused) = config.experiment_and_unused().map_err(|error| match error {
            ConfigError::Toml(error) => ConfigError::Toml(configuration.located(error)),
            other => other,
        })?;
        let warnings = configuration.check_unused(unused)?;
        options.check(&setting)?;
        setting.plan.by_class |= options.by_class;
        setting.plan.wanted = options.wanted(&setting.network)?;
        let asked = config.run().engine;
        let engine = match options.suits_host() && !given.names_device() {
            true => asked.gathering(&setting.network, setting.replications),
            false => asked.of(&setting.network),
        };
        let recorder = Recorder::begin(given, &options)?;
        let has_measure = configuration.is_given("run.measure");
        Ok(Box::new(Prepared {
            config,
            engine,
            setting: Arc::new(setting),
            options,
            recorder,
            has_measure,
            warnings,
            finished: None,
        }))
    }
}

/// Experiment that is ready to start.
struct Prepared<C> {
    config: C,
    engine: Engine,
    setting: Arc<Setting>,
    options: Options,
    recorder: Recorder,
    /// `true` if an option gives the measure.
    has_measure: bool,
    /// Warnings about the configuration.
    warnings: Vec<String>,
    /// The run, once it is over: its results are freed with the experiment, and not before they are shown.
    finished: Option<Arc<FinishedRun>>,
}

impl<C: Kind> Experiment for Prepared<C> {
    fn place(&self) -> RunsOn {
        match self.engine {
            Engine::Sequential => RunsOn::Host(self.engine.name()),
            Engine::Host => RunsOn::Threads(self.engine.name()),
            Engine::Auto | Engine::Exact | Engine::Interval => RunsOn::Device(Some(self.setting.work())),
        }
    }

    fn select(&mut self, replications: Range<u64>) -> Result<(), Fault> {
        // The run before shares the setting.
        self.finished = None;
        let setting = Arc::make_mut(&mut self.setting);
        let Plan { warm_up, ending, .. } = &setting.plan;
        if *warm_up == WarmUp::Mser5 {
            return Err(
                "run.warm_up: `mser5` finds the warm-up from all replications, and they are added here: give a time"
                    .into(),
            );
        }
        if matches!(ending, Ending::Precision(_)) {
            return Err("run.precision: replications are added until the choice is sure: remove it".into());
        }
        setting.first = replications.start;
        setting.replications = replications.end.saturating_sub(replications.start);
        Ok(setting.check()?)
    }

    fn check_memory(&self, _: Option<&Device>, detail: Detail) -> Result<(), Fault> {
        // The memory was checked with the configuration. The report of a run shows the measure.
        if self.has_measure { options::check_measure(&self.setting.plan, detail.has_data()) } else { Ok(()) }
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let watcher = Watcher::new(watch, self.setting.replications);
        let engine_options = EngineOptions {
            engine: self.engine,
            device,
            schedule: self.options.schedule,
            times: self.options.histogram,
        };
        let began = Instant::now();
        let findings = simulate(&self.setting, &engine_options, &watcher)?;
        let set_up = began.elapsed().saturating_sub(findings.spent.total());
        let (simulation, reading) = (findings.spent.simulation, findings.spent.reading);
        let began = Instant::now();
        let run = FinishedRun::new(&self.setting, findings, detail);
        let mut run = run.map_err(|error| ExperimentError::Failed(error.into()))?;
        let reading = reading + began.elapsed();
        let phases = Phases { set_up, simulation, reading, ..Phases::default() };
        // After an interruption the run is not simulated once more.
        let mut trouble = None;
        if run.partial.is_none() {
            let recorded = self.recorder.record(&self.setting, &run.findings, &watcher)?;
            (run.partial, run.tally) = (recorded.missing, recorded.tally);
            trouble = recorded.trouble;
        } else {
            run.tally.clone_from(&run.findings.tally);
        }
        if self.options.by_class {
            run.count_classes().map_err(|error| ExperimentError::Failed(error.into()))?;
        }
        let run = self.finished.insert(Arc::new(run));
        let mut outcome = outcome::outcome(&self.config, self.engine, run, self.warnings.clone(), phases, detail);
        outcome.failures.extend(trouble);
        Ok(outcome)
    }
}
