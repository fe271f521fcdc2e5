//! Steps of networks on a device.

use super::layout::{Layout, epoch};
use super::room::{Room, make_room};
use super::steps::{self, DONE};
use super::tables::Tables;
use crate::count::NodeCount;
use crate::delays::{buckets, sketch};
use crate::error::EngineError;
use crate::kernels::attempt;
use crate::kernels::node::Law;
use crate::network::Network;
use crate::start::Start;
use crate::visits::Visits;
use imminent_common::output::Sketch;
use imminent_common::threads::side_by_side;
use imminent_core::{Device, Program, Progress, Stop};
use std::ops::ControlFlow;

/// Largest number of nodes on a device: a node can have two messages under way.
const MAX_NODES: u64 = (1 << 31) - 2;

/// Largest number of legs of paths on a device: 6 GiB.
const MAX_LEGS: u64 = 1 << 28;

/// Networks and their replications on a device, all together.
#[derive(Debug)]
pub(crate) struct OnDevice {
    tables: Tables,
    program: Option<Program>,
    /// Number of nodes of each simulation.
    nodes: Vec<u32>,
    /// Number of buckets of delays of each simulation.
    buckets: Vec<usize>,
    steps: u64,
    visits: Visits,
    is_done: bool,
}

impl OnDevice {
    /// Creates simulations of checked networks.
    pub(crate) fn new(device: &Device, networks: &[(Network, std::ops::Range<u64>)]) -> Result<Self, EngineError> {
        let mut layout = Layout::default();
        let shortest = networks.iter().map(|(network, _)| epoch(network)).min().unwrap_or(1);
        // Cells hold for a step of every network at least.
        let step = networks.iter().map(|(network, _)| network.lookahead() + network.interval).max().unwrap_or(1);
        let lookahead = networks.iter().map(|(network, _)| network.lookahead()).max().unwrap_or(1);
        let law = Law { epoch: shortest.max(step), lookahead };
        let all =
            || networks.iter().flat_map(|(network, of)| of.clone().map(move |replication| (network, replication)));
        for (network, _) in all() {
            layout.add(network, law.epoch);
            if layout.nodes.max(layout.cells).max(layout.delays) > MAX_NODES {
                return Err(EngineError::TooMany { nodes: layout.nodes, most: MAX_NODES });
            }
            if layout.legs > MAX_LEGS {
                return Err(EngineError::TooManyLegs { legs: layout.legs, most: MAX_LEGS });
            }
        }
        let starts = all().map(|(network, replication)| (network, Start::new(network, replication)));
        let tables = Tables::new(device, &layout, law, starts)?;
        let nodes: Vec<_> = layout.terms.iter().map(|terms| terms.nodes).collect();
        let visits = Visits::on(device.info().kind);
        let buckets = all().map(|(network, _)| buckets(network)).collect();
        Ok(OnDevice { tables, program: None, is_done: nodes.is_empty(), nodes, buckets, steps: 0, visits })
    }

    /// Sets how nodes are visited.
    pub(crate) fn set_visits(&mut self, visits: Visits) {
        (self.visits, self.program) = (visits, None);
    }

    /// Records the steps, and compiles the kernels of a run side by side.
    pub(crate) fn compile(&mut self) -> Result<(), EngineError> {
        if self.program.is_none() && !self.is_done {
            let program = steps::record(&mut self.tables, self.visits)?;
            let closing = self.closing()?;
            let room = Room::of(&self.tables);
            side_by_side(&[
                &|| program.compile(),
                &|| closing.compile(),
                &|| room.queue().map(drop),
                &|| room.table().map(drop),
                &|| room.deletions().map(drop),
            ])?;
            self.program = Some(program);
        }
        Ok(())
    }

    /// Records what follows the last step.
    fn closing(&mut self) -> Result<Program, EngineError> {
        let Tables { own, time, owners, .. } = &mut self.tables;
        Ok(Program::record(owners.device(), |program| {
            program.launch::<attempt::close>((own.args(), &time.terms))?;
            Ok(())
        })?)
    }

    /// Runs all simulations to their ends. A run that was cancelled can be continued.
    pub(crate) fn run(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        while !self.is_done {
            self.compile()?;
            let Some(mut program) = self.program.take() else { return Ok(()) };
            let earlier = self.steps;
            let outcome = program.run_with(|done| progress(Progress { steps: earlier + done.steps }))?;
            self.steps += outcome.steps;
            match outcome.stop {
                Stop::Cancelled => {
                    self.program = Some(program);
                    return Err(EngineError::Cancelled { steps: self.steps });
                }
                Stop::Condition(DONE) => {
                    self.closing()?.run()?;
                    self.is_done = true;
                }
                // Tables that have grown need a new program.
                _ => make_room(&mut self.tables)?,
            }
        }
        Ok(())
    }

    /// Number of updates of the cells so far, each followed by some steps.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the distribution of delays of each simulation.
    pub(crate) fn delays(&self) -> Result<Vec<Sketch>, EngineError> {
        let all = self.tables.delays.read()?;
        let mut left = all.as_slice();
        let of = |buckets: &usize| {
            let (own, others) = left.split_at((*buckets).min(left.len()));
            left = others;
            sketch(own)
        };
        Ok(self.buckets.iter().map(of).collect())
    }

    /// Returns the statistics of the nodes of each simulation.
    pub(crate) fn counts(&self) -> Result<Vec<Vec<NodeCount>>, EngineError> {
        let mut all = self.tables.own.counts.read()?.into_iter().map(NodeCount::from);
        Ok(self.nodes.iter().map(|&nodes| all.by_ref().take(nodes as usize).collect()).collect())
    }
}
