//! Engine of mobile ad hoc networks.

use super::layout::{Layout, epoch};
use super::room::make_room;
use super::steps::{self, DONE};
use super::tables::Tables;
use crate::count::NodeCount;
use crate::error::EngineError;
use crate::kernels::attempt;
use crate::kernels::node::Law;
use crate::network::Network;
use crate::start::Start;
use imminent_core::{Device, DeviceKind, Program, Progress, Stop};
use std::ops::ControlFlow;

/// Largest number of nodes on a device: a node can have two messages under way.
const MOST: u64 = (1 << 31) - 2;

/// Simulation of networks and their replications on a device.
///
/// Times are exact, or on the clock of each network's [`interval`](Network::interval). Determinism class: exact; the
/// results equal those of [`sequential::simulate`](crate::sequential::simulate) to the bit.
///
/// ```
/// use imminent_manet::{Engine, Network, Summary, sequential};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = imminent_core::Device::open(imminent_cpu::CpuBackend::open(&Default::default())?)?;
/// let network = Network { end: 5_000_000, ..Network::scenario(20) };
/// let mut engine = Engine::new(&device, &[(network.clone(), 0..2)])?;
/// engine.run(|_| std::ops::ControlFlow::Continue(()))?;
/// let counts = engine.counts()?;
/// assert_eq!(counts[1], sequential::simulate(&network, 1)?);
/// assert!(Summary::of(&counts[1]).created() > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Engine {
    tables: Tables,
    program: Option<Program>,
    /// Number of nodes of each simulation.
    nodes: Vec<u32>,
    steps: u64,
    /// `true` if nodes with something to do are listed before they are visited.
    lists: bool,
    is_done: bool,
}

impl Engine {
    /// Creates simulations of networks, each for a range of replications. Replications of a network differ in their
    /// random numbers alone.
    ///
    /// # Errors
    /// Errors in networks, too many nodes, errors of the device.
    pub fn new(device: &Device, networks: &[(Network, std::ops::Range<u64>)]) -> Result<Self, EngineError> {
        let mut layout = Layout::default();
        for (number, (network, _)) in networks.iter().enumerate() {
            network.check().map_err(|source| EngineError::Network { number, source })?;
        }
        let shortest = networks.iter().map(|(network, _)| epoch(network)).min().unwrap_or(1);
        // Cells hold for a step of every network at least.
        let step = networks.iter().map(|(network, _)| network.lookahead() + network.interval).max().unwrap_or(1);
        let lookahead = networks.iter().map(|(network, _)| network.lookahead()).max().unwrap_or(1);
        let law = Law { epoch: shortest.max(step), lookahead };
        let all =
            || networks.iter().flat_map(|(network, of)| of.clone().map(move |replication| (network, replication)));
        for (network, _) in all() {
            layout.add(network, law.epoch);
            if layout.nodes > MOST || layout.cells > MOST {
                return Err(EngineError::TooMany { nodes: layout.nodes, most: MOST });
            }
        }
        let starts = all().map(|(network, replication)| (network, Start::new(network, replication)));
        let tables = Tables::new(device, &layout, law, starts)?;
        let nodes: Vec<_> = layout.terms.iter().map(|terms| terms.nodes).collect();
        // A device visits all nodes at once. The host visits them one after the other.
        let lists = device.info().kind == DeviceKind::Host;
        Ok(Engine { tables, program: None, is_done: nodes.is_empty(), nodes, steps: 0, lists })
    }

    /// Sets whether nodes with something to do are listed before they are visited; otherwise all nodes are visited. The
    /// default suits the device. The results are the same.
    pub fn set_listing(&mut self, lists: bool) {
        (self.lists, self.program) = (lists, None);
    }

    /// Records and compiles the steps.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn compile(&mut self) -> Result<(), EngineError> {
        if self.program.is_none() && !self.is_done {
            let program = steps::record(&mut self.tables, self.lists)?;
            program.compile()?;
            self.program = Some(program);
        }
        Ok(())
    }

    /// Runs all simulations to their ends. A run that was cancelled can be continued.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`] if `progress` breaks, errors of the device.
    pub fn run(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
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
                    let Tables { own, time, owners, .. } = &mut self.tables;
                    owners.device().queue().launch::<attempt::close>((own.args(), &time.terms))?;
                    self.is_done = true;
                }
                // Tables that have grown need a new program.
                _ => make_room(&mut self.tables)?,
            }
        }
        Ok(())
    }

    /// Number of updates of the cells so far, each followed by some steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time that all simulations have reached, in µs; the greatest time at their ends.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn time(&self) -> Result<u64, EngineError> {
        Ok(self.tables.time.clock.read()?[0].time)
    }

    /// Statistics of the nodes of each simulation, in the order of the networks and of their replications.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn counts(&self) -> Result<Vec<Vec<NodeCount>>, EngineError> {
        let mut all = self.tables.own.counts.read()?.into_iter().map(NodeCount::from);
        Ok(self.nodes.iter().map(|&nodes| all.by_ref().take(nodes as usize).collect()).collect())
    }
}
