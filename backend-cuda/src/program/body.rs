//! The operations of a loop, bound and ready to be started any number of times.

use super::control::{self, BODIES_LEFT};
use super::graph::Graph;
use super::nodes;
use crate::driver::{Context, Stream};
use crate::launch::{self, Parameters, Planner, Scratch, Sink, Work};
use crate::memory::{DeviceBuffer, Pinned, memory};
use crate::module::{Function, Kernel, Shared};
use crate::queue::{FaultSlots, QueueState};
use imminent_core::backend::{Buffer, Node};
use imminent_core::replay::{self, LoopPlan, Task};
use imminent_core::{Fault, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Launches of a loop's operations; single, and as graphs.
#[derive(Debug)]
pub(super) struct Body {
    /// Graphs, by number of passes and steps of the inner loops in each. Destroyed before the memory that their
    /// launches name.
    graphs: HashMap<(u64, Vec<u32>), Graph>,
    /// The loop as WHILE nodes, once it was started that way.
    in_nodes: Option<Graph>,
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    /// Launches of each operation.
    launches: Vec<Vec<Prepared>>,
    /// Stream that ran the program last.
    stream: Arc<Stream>,
    /// Buffers that the launches touch: kept so that no result returns to its pool while the program may write it.
    held: Vec<Buffer>,
    scratch: Scratch,
}

/// A launch whose parameters are all known.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) function: Arc<Function>,
    pub(super) blocks: u32,
    pub(super) threads: u32,
    /// Launch block, or the address of `block_memory`.
    block: Vec<u32>,
    block_memory: Option<DeviceBuffer>,
    pointers: Vec<u64>,
}

impl Prepared {
    /// Returns the values for the driver. They live as long as this and the address of the state buffer.
    pub(super) fn parameters(&self, state: &u64) -> Parameters {
        Parameters::new(state, &self.block, &self.pointers)
    }

    /// Returns the values for a control operation that controls a WHILE node; `told` is the node's handle, and the
    /// role.
    pub(super) fn parameters_of_control(&self, state: &u64, told: &[u64; 2]) -> Parameters {
        Parameters::new(state, &self.block, told)
    }
}

/// Largest number of launches of a chunk that is started launch by launch: building a graph would take longer.
const FEW: u64 = 16;
/// Largest number of graphs kept: with more, the oldest sizes are no longer useful.
const MOST_GRAPHS: usize = 24;

impl Body {
    pub(super) fn prepare(context: &Context, queue: &mut QueueState, plan: &LoopPlan) -> Result<Body> {
        let stream = queue.stream.clone();
        let mut gathered = Gathered { context, stream: &stream, planner: Planner::new(Scratch::lasting(&stream)) };
        let mut works = Vec::with_capacity(plan.operations.len());
        for operation in &plan.operations {
            let mut one = Works::default();
            if let Task::Command(node) = &operation.task {
                gathered.command(node, &mut one)?;
            }
            works.push(one);
        }
        let scratch = gathered.planner.scratch;
        let faulting = works.iter().flat_map(|one| &one.faulting);
        let sites = replay::fault_slots(faulting.map(|(_, kernel)| (**kernel).as_ref()), context.lowering.faults)?;
        let mut slots = FaultSlots::new(context, &stream, sites)?;
        let mut launches = Vec::with_capacity(works.len());
        for (operation, Works { mut prepared, in_memory, faulting }) in plan.operations.iter().zip(works) {
            if let Task::Control(control) = &operation.task {
                let block = control::block(&stream, sites, operation.turn, control)?;
                let tests = u32::try_from(control.tests.len()).unwrap_or(u32::MAX);
                let in_nodes = context.loops_in_nodes;
                let kernel = context.shared.get(context, Shared::Control { tests, in_nodes })?;
                let (function, threads) = (kernel.function, kernel.threads);
                prepared.push(Prepared {
                    function,
                    blocks: 1,
                    threads,
                    block,
                    block_memory: None,
                    pointers: if in_nodes { control::NO_NODE.to_vec() } else { Vec::new() },
                });
            }
            for (position, one) in prepared.iter_mut().enumerate() {
                let kernel = faulting.iter().find(|(at, _)| *at == position).map(|(_, kernel)| kernel);
                operation.complete(&mut one.block, kernel.map(|kernel| slots.claim(kernel)));
            }
            for position in in_memory {
                if let Some(launch) = prepared.get_mut(position) {
                    let buffer = launch::upload_block(context, &stream, &mut queue.staging, &launch.block)?;
                    launch.block = launch::address_words(buffer.pointer()).to_vec();
                    launch.block_memory = Some(buffer);
                }
            }
            launches.push(prepared);
        }
        let mut held: Vec<Buffer> = Vec::new();
        for buffer in plan.buffers() {
            if !held.iter().any(|other| other.is(&buffer)) {
                held.push(buffer);
            }
        }
        Ok(Body { graphs: HashMap::new(), in_nodes: None, slots, launches, stream, held, scratch })
    }

    /// Makes a queue's stream wait for all work so far on the memory that the program touches.
    pub(super) fn used_by(&mut self, stream: &Arc<Stream>) -> Result<()> {
        for buffer in &self.held {
            memory(buffer)?.used_by(stream, false)?;
        }
        for block in self.launches.iter().flatten().filter_map(|launch| launch.block_memory.as_ref()) {
            block.used_by(stream)?;
        }
        self.scratch.used_by(stream)?;
        self.slots.state().used_by(stream)?;
        self.stream = stream.clone();
        Ok(())
    }

    /// Puts `passes` passes on the program's stream, to be repeated by the device itself. Further passes may follow, up
    /// to the end of the node's body.
    fn start_nodes(&mut self, plan: &LoopPlan, passes: u64) -> Result<()> {
        let graph = match &mut self.in_nodes {
            Some(graph) => graph,
            none => none.insert(nodes::graph(&self.stream, self.slots.state().pointer(), plan, &self.launches)?),
        };
        let bodies = u32::try_from(passes.div_ceil(nodes::passes_of_a_body(plan))).unwrap_or(u32::MAX);
        let word = u64::from(BODIES_LEFT);
        self.slots.state().fill(&self.stream, bodies, word..word + 1, "running a program")?;
        graph.launch(&self.stream)
    }

    /// Puts `passes` passes on the program's stream.
    pub(super) fn start(&mut self, context: &Context, plan: &LoopPlan, passes: u64, repeats: &[u32]) -> Result<()> {
        let state = self.slots.state().pointer();
        let of = |operation: usize| self.launches.get(operation).into_iter().flatten();
        // Inner loops that run in nodes have ended between two passes, and must stay so.
        let in_nodes = context.loops_in_nodes;
        let one_by_one = plan.inner_loops() == 0 || !in_nodes;
        if one_by_one && passes.saturating_mul(plan.operations_of_a_pass(repeats)) <= FEW {
            return plan.for_each(passes, repeats, &mut |operation| {
                of(operation).try_for_each(|one| self.launch(context, one, state))
            });
        }
        if in_nodes {
            return self.start_nodes(plan, passes);
        }
        self.start_graph(context, plan, (passes, repeats))
    }

    /// Puts `passes` passes on the program's stream, as one graph, which is kept.
    pub(super) fn start_graph(
        &mut self,
        context: &Context,
        plan: &LoopPlan,
        (passes, repeats): (u64, &[u32]),
    ) -> Result<()> {
        let state = self.slots.state().pointer();
        let key = (passes, repeats.to_vec());
        if !self.graphs.contains_key(&key) {
            let mut sequence = Vec::new();
            plan.for_each(passes, repeats, &mut |operation| {
                sequence.extend(self.launches.get(operation).into_iter().flatten());
                Ok(())
            })?;
            let graph = Graph::new(&self.stream, |chain| {
                sequence.iter().try_for_each(|one| chain.launch(one, one.parameters(&state)))
            })?;
            if self.graphs.len() >= MOST_GRAPHS {
                // One of the graphs may still run.
                self.stream.wait("running a program")?;
                self.graphs.clear();
            }
            self.graphs.insert(key.clone(), graph);
        }
        match self.graphs.get(&key) {
            Some(graph) => graph.launch(&self.stream),
            None => Err(context.driver("running a program", "a graph that was just built is gone")),
        }
    }

    /// Returns the fault that halted the program, if a slot records one. The slots are empty afterwards; the stream is
    /// waited for.
    pub(super) fn take_fault(&self, stream: &Stream) -> Result<Option<Fault>> {
        let used = self.slots.used();
        let length = (used.end - used.start) as usize;
        let mut host = Pinned::new(&stream.primary, length)?;
        // SAFETY: the stretch lies in the state buffer, which lives as long as this; the stream is waited for before
        // the bytes are read.
        unsafe { host.download(0, length, self.slots.state().pointer() + used.start, stream) }?;
        stream.wait("reading a fault")?;
        let fault = self.slots.decode(host.bytes());
        self.slots.empty(stream)?;
        Ok(fault)
    }

    fn launch(&self, context: &Context, one: &Prepared, state: u64) -> Result<()> {
        // SAFETY: the launch was planned for this very function, from memories that `held`, `scratch`, `slots` and the
        // launch itself keep. Those are released on streams after this one's work (`used_by`).
        unsafe {
            launch::start(
                &context.primary,
                &one.function,
                (one.blocks, one.threads),
                one.parameters(&state),
                self.stream.raw(),
            )
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        // A chunk may still be in progress after an error; its graph must outlive it.
        if self.stream.primary.enter().is_ok() {
            let _ = self.stream.wait("releasing a program");
        }
    }
}

/// Launches in order, with those that can raise faults and those with launch blocks in memory.
#[derive(Debug, Default)]
struct Works {
    prepared: Vec<Prepared>,
    in_memory: Vec<usize>,
    faulting: Vec<(usize, Arc<Kernel>)>,
}

impl Sink for Works {
    fn take(&mut self, work: Work<'_>) -> Result<()> {
        if let Some(kernel) = work.faulting {
            self.faulting.push((self.prepared.len(), kernel.clone()));
        }
        if work.block_in_memory {
            self.in_memory.push(self.prepared.len());
        }
        self.prepared.push(Prepared {
            function: work.function.clone(),
            blocks: work.blocks,
            threads: work.threads,
            block: work.block.to_vec(),
            block_memory: None,
            pointers: work.pointers.to_vec(),
        });
        Ok(())
    }
}

/// Turns commands into launches.
struct Gathered<'c> {
    context: &'c Context,
    stream: &'c Arc<Stream>,
    planner: Planner,
}

impl Gathered<'_> {
    fn command(&mut self, node: &Node, works: &mut Works) -> Result<()> {
        let Gathered { context, stream, planner } = self;
        match node {
            Node::Launch(one) => planner.launch(context, stream, one, works),
            Node::Primitive(primitive) => planner.primitive(context, stream, primitive, works),
            Node::Copy { from, to } => {
                let (from, to) = (memory(from)?, memory(to)?);
                from.used_by(stream, false)?;
                to.used_by(stream, false)?;
                launch::copy(context, from, to, works)
            }
            Node::Clear(buffer) => {
                let memory = memory(buffer)?;
                memory.used_by(stream, false)?;
                launch::clear(context, memory, works)
            }
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(replay::not_a_command()),
        }
    }
}
