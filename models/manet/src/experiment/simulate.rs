//! Replications of a network, in parts whose results are kept when the run is interrupted.

use super::replication::Replication;
use crate::memory::{MOST_WEIGHT, weight};
use crate::{Digest, Engine, EngineError, FlowCount, Network, NodeCount, Report, Statistics};
use imminent_common::free_memory::{MemoryError, fits};
use imminent_common::output::Sections;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::experiment::{ExperimentError, Progress};
use imminent_study::outcome::Phases;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Memory of a replication in the report, in bytes: its row and its values in statistics.
const BYTES_OF_REPLICATION: u64 = size_of::<Replication>() as u64 + 128;

/// Memory of a node of a replication in tables, in bytes: its statistics, and its row.
const BYTES_OF_NODE: u64 = 2 * (size_of::<NodeCount>() as u64 + 16);

/// Memory of a flow of a replication in tables, in bytes.
const BYTES_OF_FLOW: u64 = 2 * (size_of::<FlowCount>() as u64 + 16);

/// Results of the replications that have ended.
pub(super) struct Simulated {
    /// Number of replications that were asked for.
    asked: u64,
    /// Statistics of replications.
    pub(super) replications: Vec<Replication>,
    /// Numbers of the replications with the statistics of their nodes, if these are kept.
    pub(super) counts: Vec<(u64, Vec<NodeCount>)>,
    /// Numbers of the replications with the statistics of their flows, if these are kept.
    pub(super) flows: Vec<(u64, Vec<FlowCount>)>,
    /// Statistics of the flows that the configuration lists, over all replications.
    pub(super) listed: Vec<FlowCount>,
    /// Delays of delivered packets in µs; a replication is a section.
    pub(super) delays: Sections,
    /// Digest of the statistics of all nodes.
    pub(super) digest: String,
    /// Times of the run.
    pub(super) phases: Phases,
}

impl Simulated {
    /// Says which replications have ended, if these are not all.
    pub(super) fn partial(&self) -> Option<String> {
        let over = self.replications.len() as u64;
        (over < self.asked).then(|| format!("{over} of {} replications", self.asked))
    }
}

/// Replications to simulate.
pub(super) struct Plan<'p> {
    pub(super) network: &'p Network,
    pub(super) replications: u64,
    /// Device, or none to simulate event by event on one thread.
    pub(super) device: Option<&'p Device>,
    /// `true` to keep the statistics of nodes and flows.
    pub(super) keeps_nodes: bool,
}

impl Plan<'_> {
    /// Largest number of replications of a part. The statistics of its nodes are in memory at once.
    fn together(&self) -> u64 {
        let is_apart = self.device.is_none_or(|device| Engine::is_apart(device, self.network));
        (MOST_WEIGHT / weight(is_apart, self.network)).max(1)
    }

    /// Memory of so many replications, in bytes.
    fn bytes(&self, replications: u64) -> u64 {
        let part = Engine::bytes(self.device, self.network, replications.min(self.together()));
        let flows = BYTES_OF_FLOW.saturating_mul(self.network.traffic.flows().into());
        let nodes = BYTES_OF_NODE.saturating_mul(self.network.nodes.into()).saturating_add(flows);
        let nodes = if self.keeps_nodes { nodes } else { 0 };
        part.saturating_add(replications.saturating_mul(BYTES_OF_REPLICATION.saturating_add(nodes)))
    }

    /// Checks that the memory of the simulation and of its results is available, `beside` that of others, in bytes.
    pub(super) fn check_memory(&self, beside: u64) -> Result<(), MemoryError> {
        let (nodes, one) = (u64::from(self.network.nodes), u128::from(self.bytes(1).saturating_add(beside)));
        let of = |other: u64| u64::try_from(one * u128::from(other) / u128::from(nodes)).unwrap_or(u64::MAX);
        fits("--nodes", nodes, of)?;
        fits("--replications", self.replications, |replications| self.bytes(replications).saturating_add(beside))
    }

    /// Simulates all replications, or those that end before `watch` breaks.
    pub(super) fn simulate(
        &self,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Simulated, ExperimentError> {
        let (mut replications, mut counts, mut digest, mut begin) = (vec![], vec![], Digest::default(), 0);
        let (mut all_delays, mut phases) = (Sections::default(), Phases::default());
        let (mut all_flows, mut listed) = (vec![], vec![]);
        let mut flow = ControlFlow::Continue(());
        while begin < self.replications && flow.is_continue() {
            let end = self.replications.min(begin + self.together());
            let part = self.part(begin..end, &mut phases, &mut |progress| {
                flow = watch(progress);
                flow
            })?;
            let began = Instant::now();
            for (number, Statistics { nodes, flows, delays }) in part {
                digest.add(&nodes);
                replications.push(Replication::new(number, &nodes, &delays));
                all_delays.add(&delays);
                if self.network.traffic.listed().is_some() {
                    listed.resize(flows.len(), FlowCount::default());
                    listed.iter_mut().zip(&flows).for_each(|(sum, flow): (&mut FlowCount, _)| sum.add(flow));
                }
                if self.keeps_nodes {
                    counts.push((number, nodes));
                    all_flows.push((number, flows));
                }
            }
            phases.reading += began.elapsed();
            begin = end;
        }
        if replications.is_empty() {
            return Err(ExperimentError::NoResults { key: "--horizon" });
        }
        let (delays, flows, digest) = (all_delays, all_flows, digest.text());
        Ok(Simulated { asked: self.replications, replications, counts, flows, listed, delays, digest, phases })
    }

    /// Simulates some replications. Returns the statistics of those that ended.
    fn part(
        &self,
        numbers: Range<u64>,
        phases: &mut Phases,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<BTreeMap<u64, Statistics>, ExperimentError> {
        let fail = |error: EngineError| match error {
            EngineError::Network { .. } | EngineError::TooMany { .. } => ExperimentError::Invalid(error.into()),
            _ => ExperimentError::Failed(error.into()),
        };
        let (begin, networks) = (numbers.start, [(self.network.clone(), numbers)]);
        let began = Instant::now();
        let engine = match self.device {
            Some(device) => Engine::new(device, &networks),
            None => Engine::one_by_one(&networks),
        };
        let (mut over, all) = (BTreeMap::new(), self.replications);
        let mut engine = engine.map_err(fail)?;
        phases.set_up += began.elapsed();
        let began = Instant::now();
        let ran = engine.run_each(|report| {
            let now = match report {
                Report::Progress(progress) => format!("{} steps", progress.steps),
                Report::Ended { number, statistics } => {
                    over.insert(begin + number as u64, statistics);
                    String::new()
                }
            };
            let done = begin + over.len() as u64;
            watch(Progress { done, all, now, has_results: done > 0 })
        });
        phases.simulation += began.elapsed();
        match ran {
            Ok(()) | Err(EngineError::Cancelled { .. }) => Ok(over),
            Err(error) => Err(fail(error)),
        }
    }
}
