//! Replications of one network, with their outcome for people, programs and files.

mod map;
mod outcome;
mod replication;
mod simulate;
mod tables;
#[cfg(test)]
mod tests;

use crate::config::{ConfigError, Engine, ManetConfig};
use crate::{Network, sequential};
use imminent_core::{Device, Work, WorkUnit};
use imminent_study::Configuration;
use imminent_study::experiment::{
    Detail, Experiment, ExperimentError, Experiments, OptionValues, Progress, RunOption, RunsOn, record,
};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Outcome;
use simulate::Plan;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Unit of the work of ad hoc networks. On one thread 20 s of 50 to 3,200 nodes take 5 to 232 ms: 0.19 to 0.28 M in a
/// second.
pub const NODE_SECONDS: WorkUnit = WorkUnit::new("simulated seconds of nodes", 0.2e6);

/// Experiments of mobile ad hoc networks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenarios;

/// Option with the file to which movements are written.
const RECORD: &str = "record";

impl Experiments for Scenarios {
    fn options(&self) -> &'static [RunOption] {
        &[RunOption {
            name: RECORD,
            value: Some("FILE"),
            about: "Write the movements of the first replication to this file, in the format of ns-2's setdest.",
        }]
    }

    fn tables(&self) -> &'static [&'static str] {
        &[tables::REPLICATIONS, tables::NODES]
    }

    fn prepare(&self, configuration: &Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let mut config: ManetConfig = configuration.parse()?;
        let network = config.build().map_err(|error| match error {
            ConfigError::Toml(error) => ConfigError::Toml(configuration.located(error)),
            other => other,
        })?;
        if configuration.is_given("run.interval") && config.run.engine != Engine::Interval {
            return Err(
                "run.interval: only the engine `interval` has a clock; add `--engine interval`, or leave it out".into(),
            );
        }
        config.network.nodes = Some(network.nodes);
        Ok(Box::new(Scenario { config, network, record: given.file(RECORD) }))
    }
}

/// Replications of one network.
struct Scenario {
    config: ManetConfig,
    network: Network,
    /// File to which movements are written.
    record: Option<PathBuf>,
}

impl Scenario {
    fn plan<'p>(&'p self, device: Option<&'p Device>, detail: Detail) -> Plan<'p> {
        let keeps_nodes = detail == Detail::Full;
        Plan { network: &self.network, replications: self.config.run.replications.into(), device, keeps_nodes }
    }
}

impl Experiment for Scenario {
    fn place(&self) -> RunsOn {
        let seconds = self.network.end as f64 / 1e6 * f64::from(self.config.run.replications);
        match self.config.run.engine {
            Engine::Sequential => RunsOn::Host("sequential"),
            _ => RunsOn::Device(Some(Work::new(NODE_SECONDS, f64::from(self.network.nodes) * seconds))),
        }
    }

    fn check_memory(&self, device: Option<&Device>, detail: Detail) -> Result<(), Fault> {
        Ok(self.plan(device, detail).check_memory()?)
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        if let Some(file) = &self.record {
            let trace = sequential::trace(&self.network, 0).map_err(|error| ExperimentError::Invalid(error.into()))?;
            record(RECORD, file, &trace.to_string()).map_err(|error| ExperimentError::Failed(error.into()))?;
        }
        let simulated = self.plan(device, detail).simulate(watch)?;
        Ok(outcome::outcome(&self.config, &self.network, simulated, detail))
    }
}
