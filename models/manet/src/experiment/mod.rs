//! Replications of one network, with their outcome for people, programs and files.

mod map;
mod named;
mod outcome;
mod replication;
mod routes;
mod simulate;
mod tables;
#[cfg(test)]
mod tests;
mod trajectories;

use crate::config::{ConfigError, Engine, ManetConfig};
use crate::kernels::team::LANES;
use crate::mobility::Mobility;
use crate::{EngineError, Network, memory, sequential};
use imminent_common::estimate::Confidence;
use imminent_core::{Device, Work, WorkUnit};
use imminent_study::experiment::{
    CONFIDENCE, Detail, Experiment, ExperimentError, Experiments, OptionValues, Progress, RunOption, RunsOn, record,
};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Outcome;
use imminent_study::{Configuration, Unused};
use routes::ROUTES;
use simulate::Plan;
use std::ops::ControlFlow;
use std::path::PathBuf;
use trajectories::{Samples, TRAJECTORIES};

/// Unit of the work of ad hoc networks. On one thread 20 s of 50 to 3,200 nodes take 5 to 232 ms: 0.19 to 0.28 M in a
/// second.
pub const NODE_SECONDS: WorkUnit = WorkUnit::new("simulated seconds of nodes", PER_SECOND);

/// Node seconds of a thread in a second.
const PER_SECOND: f64 = 0.2e6;

/// Number of flows whose searches take a thread as long as everything else: each search reaches all nodes. With as many
/// flows as nodes, AODV takes 2.8, 12.5, 28 and 75 times as long as GPSR for 50, 200, 400 and 800 nodes.
const FLOWS_OF_SEARCHES: f64 = 16.0;

/// Node seconds of a GPU in a second: 100 replications of 3,200 nodes take 0.9 s for 20 s.
const GPU_NODE_SECONDS: f64 = 10e6;

/// Node seconds of a GPU in a second for networks that lie within groups: 4,000 replications of 50 nodes take 1.14 s
/// for 20 s, 1,000 of 200 nodes 1.07 s.
const GROUPED_NODE_SECONDS: f64 = 4.5e6;

/// Seconds of a GPU for a step, of one replication and of each further one that does not lie within a group: 50 nodes
/// take 0.06 to 0.11 s for 20 s, 3,200 nodes 0.25 s, which are 2,441 steps.
const OF_STEP: f64 = 70e-6;
const OF_FURTHER: f64 = 1.7e-6;

/// Returns the work of some replications of a network.
fn work(network: &Network, replications: u32) -> Work {
    work_of(network, f64::from(replications), f64::from(replications) - 1.0)
}

/// Returns the work of one run of a study, beside others. Those with AODV take the threads of the host, whatever the
/// device is.
pub(crate) fn work_in_study(network: &Network) -> Work {
    let work = work_of(network, 1.0, 1.0);
    match network.is_for_devices() {
        true => work,
        false => {
            let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            work.on_gpu(work.seconds_of_host(threads)).compiling(0.0)
        }
    }
}

/// Returns the work of replications of a network, some of which are beside another one.
fn work_of(network: &Network, replications: f64, further: f64) -> Work {
    let amount = f64::from(network.nodes) * network.end as f64 / 1e6 * replications;
    let steps = network.end as f64 / network.lookahead().max(1) as f64;
    let on_gpu = match network.nodes <= LANES {
        true => amount / GROUPED_NODE_SECONDS,
        false => amount / GPU_NODE_SECONDS + steps * further.max(0.0) * OF_FURTHER,
    };
    if network.is_for_devices() {
        return Work::new(NODE_SECONDS, amount).on_gpu(on_gpu).in_steps(steps * OF_STEP).compiling(2.8);
    }
    let slower = 1.0 + f64::from(network.traffic.flows()) / FLOWS_OF_SEARCHES;
    let unit = WorkUnit::new("simulated seconds of nodes with AODV", PER_SECOND / slower);
    Work::new(unit, amount).on_gpu(f64::INFINITY)
}

/// Experiments of mobile ad hoc networks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenarios;

/// Memory of a leg whose movement is written, in bytes: in a list, and as a line.
const BYTES_OF_RECORD: u64 = 128;

/// Option with the file to which movements are written.
const RECORD: &str = "record";

impl Experiments for Scenarios {
    fn options(&self) -> &'static [RunOption] {
        &[
            RunOption {
                name: RECORD,
                value: Some("FILE"),
                about: "Write the movements of the first replication to this file, in the format of ns-2's setdest.",
            },
            RunOption {
                name: TRAJECTORIES,
                value: Some("SECONDS"),
                about: "Add a table with the positions of the nodes of the first replication, so many seconds apart.",
            },
            RunOption {
                name: ROUTES,
                value: None,
                about: "Add a table with the transmissions of the first replication, by packet and hop.",
            },
            CONFIDENCE,
        ]
    }

    fn tables(&self) -> &'static [&'static str] {
        &[tables::REPLICATIONS, tables::NODES, tables::FLOWS, tables::TRAJECTORIES, ROUTES]
    }

    fn options_of_data(&self) -> &'static [&'static str] {
        &[TRAJECTORIES, ROUTES]
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let mut config: ManetConfig = configuration.parse()?;
        let network = config.build().map_err(|error| match error {
            ConfigError::Toml(error) => ConfigError::Toml(configuration.located(error)),
            other => other,
        })?;
        let unused = config.unused().into_iter().map(|(key, why)| Unused::new(key, why));
        let mut warnings = configuration.check_unused(unused)?;
        warnings.extend(interruptions(&network));
        config.network.nodes = Some(network.nodes);
        let trajectories = Samples::given(given, &network)?;
        let (record, confidence) = (given.file(RECORD), given.confidence()?);
        let routes = given.is_given(ROUTES);
        Ok(Box::new(Scenario { config, network, record, trajectories, routes, confidence, warnings }))
    }
}

/// Returns a warning of nodes that the file of their movements leaves out for some time.
fn interruptions(network: &Network) -> Option<String> {
    let Mobility::Trace(trace) = &network.mobility else { return None };
    let told = match trace.interrupted() {
        0 => return None,
        1 => "1 node has no position for some time; it stays, and moves in a straight line to its next one".to_owned(),
        nodes => format!(
            "{nodes} nodes have no positions for some time; they stay, and move in straight lines to their next ones"
        ),
    };
    Some(format!("network.trace: {told}"))
}

/// Replications of one network.
struct Scenario {
    config: ManetConfig,
    network: Network,
    /// File to which movements are written.
    record: Option<PathBuf>,
    /// Times at which positions are told.
    trajectories: Option<Samples>,
    /// `true` if routes are told.
    routes: bool,
    /// Confidence of the intervals.
    confidence: Confidence,
    /// Warnings about keys without effect.
    warnings: Vec<String>,
}

impl Scenario {
    fn plan<'p>(&'p self, device: Option<&'p Device>, detail: Detail) -> Plan<'p> {
        let keeps_nodes = detail.has_data();
        Plan { network: &self.network, replications: self.config.run.replications.into(), device, keeps_nodes }
    }
}

impl Experiment for Scenario {
    fn place(&self) -> RunsOn {
        match self.config.run.engine {
            Engine::Sequential => RunsOn::Host("sequential"),
            _ => RunsOn::Device(Some(work(&self.network, self.config.run.replications))),
        }
    }

    fn check_memory(&self, device: Option<&Device>, detail: Detail) -> Result<(), Fault> {
        let routes = if self.routes && detail.has_data() { routes::BYTES } else { 0 };
        let record =
            if self.record.is_some() { memory::legs(&self.network).saturating_mul(BYTES_OF_RECORD) } else { 0 };
        Ok(self.plan(device, detail).check_memory(routes.saturating_add(record))?)
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        if let Some(device) = device.filter(|device| !device.capabilities().native_rows)
            && !self.network.is_for_devices()
        {
            let backend = device.info().backend.clone();
            return Err(ExperimentError::Invalid(EngineError::Protocol { number: 0, backend }.into()));
        }
        if let Some(file) = &self.record {
            let trace = sequential::trace(&self.network, 0).map_err(|error| ExperimentError::Invalid(error.into()))?;
            record(RECORD, file, &trace.to_string()).map_err(|error| ExperimentError::Failed(error.into()))?;
        }
        let simulated = self.plan(device, detail).simulate(watch)?;
        let samples = self.trajectories.filter(|_| detail.has_data());
        let trajectories = samples.map(|samples| samples.rows(&self.network)).transpose();
        let trajectories = trajectories.map_err(ExperimentError::Failed)?;
        let done = simulated.replications.len() as u64;
        let mut outcome =
            outcome::outcome(&self.config, &self.network, simulated, trajectories, self.confidence, detail);
        outcome.warnings.clone_from(&self.warnings);
        if self.routes && detail.has_data() {
            let all = self.config.run.replications.into();
            let progress = || Progress { done, all, now: "routes".to_owned(), has_results: true };
            let routes = routes::routes(&self.network, || watch(progress()).is_continue());
            if let Some((table, warning)) = routes {
                outcome.tables.push(table);
                outcome.warnings.extend(warning);
            }
        }
        Ok(outcome)
    }
}
