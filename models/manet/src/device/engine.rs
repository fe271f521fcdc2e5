//! Steps of networks on a device.

use super::layout::{Layout, epoch};
use super::room::{Room, make_room};
use super::steps::{self, DONE};
use super::tables::Tables;
use crate::count::{FlowCount, NodeCount, Statistics};
use crate::delays::{buckets, sketch};
use crate::error::EngineError;
use crate::kernels::attempt;
use crate::kernels::node::{CREATED, DELAY, DELIVERED, HOPS, Law, SLOTS};
use crate::memory::MOST_LEGS;
use crate::network::Network;
use crate::start::Start;
use crate::visits::Visits;
use imminent_common::threads::side_by_side;
use imminent_core::{Device, Program, Progress, Stop};
use std::ops::ControlFlow;

/// Largest number of nodes on a device: a node can have two messages under way.
const MAX_NODES: u64 = (1 << 31) - 2;

/// Networks and their replications on a device, all together.
#[derive(Debug)]
pub(crate) struct OnDevice {
    tables: Tables,
    program: Option<Program>,
    /// Number of nodes of each simulation.
    nodes: Vec<u32>,
    /// Row of node 0 of each simulation.
    firsts: Vec<u32>,
    /// Flows of each simulation, without packets.
    flows: Vec<Vec<FlowCount>>,
    /// Number of buckets of delays of each simulation.
    buckets: Vec<usize>,
    steps: u64,
    visits: Visits,
    is_done: bool,
}

impl OnDevice {
    /// Creates simulations of checked networks, whose nodes are visited in a given way, or in that which suits the
    /// device.
    pub(crate) fn new(
        device: &Device,
        networks: &[(Network, std::ops::Range<u64>)],
        visits: Option<Visits>,
    ) -> Result<Self, EngineError> {
        let each = || networks.iter().map(|(network, _)| network);
        let visits = visits.map_or_else(|| Visits::on(device.info().kind, each()), |visits| visits.of(each()));
        let replications = |of: &std::ops::Range<u64>| of.end.saturating_sub(of.start);
        let mut layout = Layout::of(visits, networks.iter().map(|(_, of)| replications(of)).sum());
        let shortest = networks.iter().map(|(network, _)| epoch(network)).min().unwrap_or(1);
        // Cells hold for a step of every network at least.
        let step = networks.iter().map(|(network, _)| network.lookahead() + network.interval).max().unwrap_or(1);
        let lookahead = networks.iter().map(|(network, _)| network.lookahead()).max().unwrap_or(1);
        let law = Law { epoch: shortest.max(step), lookahead };
        let all =
            || networks.iter().flat_map(|(network, of)| of.clone().map(move |replication| (network, replication)));
        for (network, replications) in networks {
            let list = layout.list(network);
            for _ in replications.clone() {
                layout.add(network, law.epoch, list);
                if layout.nodes.max(layout.cells).max(layout.delays).max(layout.flows * u64::from(SLOTS)) > MAX_NODES {
                    return Err(EngineError::TooMany { nodes: layout.nodes, most: MAX_NODES });
                }
                if layout.legs > MOST_LEGS {
                    return Err(EngineError::TooManyLegs { legs: layout.legs, most: MOST_LEGS });
                }
            }
        }
        layout.close();
        let mut flows = vec![];
        let starts = all().map(|(network, replication)| {
            let start = Start::new(network, replication);
            flows.push(start.flows(network));
            (network, start)
        });
        let tables = Tables::new(device, &layout, law, starts)?;
        let nodes: Vec<_> = layout.terms.iter().map(|terms| terms.nodes).collect();
        let firsts = layout.terms.iter().map(|terms| terms.first).collect();
        let buckets = all().map(|(network, _)| buckets(network)).collect();
        let is_done = nodes.is_empty();
        Ok(OnDevice { tables, program: None, is_done, nodes, firsts, flows, buckets, steps: 0, visits })
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

    /// Returns the statistics of each simulation.
    pub(crate) fn statistics(&self) -> Result<Vec<Statistics>, EngineError> {
        let counts = self.tables.own.counts.read()?;
        let counts_of = |(first, nodes): (&u32, &u32)| {
            let rows = counts.iter().skip(*first as usize).take(*nodes as usize);
            rows.copied().map(NodeCount::from).collect()
        };
        let all_delays = self.tables.delays.read()?;
        let all_sums = self.tables.flows.sums.read()?;
        let (mut delays, mut sums) = (all_delays.as_slice(), all_sums.chunks_exact(SLOTS as usize));
        let of = |((nodes, buckets), flows): ((_, &usize), &Vec<FlowCount>)| {
            let (own, others) = delays.split_at((*buckets).min(delays.len()));
            delays = others;
            Statistics {
                nodes: counts_of(nodes),
                flows: flows.iter().zip(sums.by_ref()).map(|(flow, sums)| flow_count(flow, sums)).collect(),
                delays: sketch(own),
            }
        };
        Ok(self.firsts.iter().zip(&self.nodes).zip(&self.buckets).zip(&self.flows).map(of).collect())
    }
}

/// Returns the statistics of a flow from its slots.
fn flow_count(flow: &FlowCount, slots: &[u64]) -> FlowCount {
    let of = |slot: u32| [0, 1].map(|response| slots[slot as usize + response]);
    FlowCount { created: of(CREATED), delivered: of(DELIVERED), delay: of(DELAY), hops: of(HOPS), ..*flow }
}
