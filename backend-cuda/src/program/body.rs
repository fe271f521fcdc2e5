//! The operations of a loop, bound and ready to be started any number of times.

use super::control;
use super::graph::Graph;
use super::nodes;
use super::prepared::Prepared;
use super::resident::{InGroups, Resident};
use crate::device::Context;
use crate::driver::Stream;
use crate::launch::{self, Planner, Scratch, Work};
use crate::memory::{DeviceBuffer, Pinned, memory};
use crate::module::{Pipeline, Source};
use crate::primitives;
use crate::queue::{FaultSlots, QueueState, fault_slots};
use crate::runtime::{BODIES_LEFT, Runtime};
use imminent_core::backend::{Buffer, Node};
use imminent_core::{Fault, Result};
use imminent_device::replay::{self, Calls, Control, LoopPlan, Operations};
use std::collections::HashMap;
use std::sync::Arc;

/// Launches of a loop's operations; single, and as graphs.
#[derive(Debug)]
pub(crate) struct Body {
    /// Graphs, by number of passes and steps of the inner loops in each. Destroyed before the memory that their
    /// launches name.
    graphs: HashMap<(u64, Vec<u32>), Graph>,
    /// The loop as WHILE nodes, once it was started that way.
    in_nodes: Option<Graph>,
    /// The loop as one launch, if one block is enough.
    resident: Option<Resident>,
    /// Inner loops that can be launches of their own, until they are.
    in_groups: Option<InGroups>,
    /// Plan in which these loops are one operation each, once they are.
    alone: Option<Arc<LoopPlan>>,
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

/// Largest number of launches of a chunk that is started launch by launch: building a graph would take longer.
const MAX_SINGLE_LAUNCHES: u64 = 16;
/// Largest number of graphs kept: with more, the oldest sizes are no longer useful.
const MAX_GRAPHS: usize = 24;

impl Body {
    pub(super) fn prepare(queue: &mut QueueState, plan: &LoopPlan) -> Result<Body> {
        let (runtime, stream) = (queue.runtime.clone(), queue.stream.clone());
        let context = &runtime.context;
        let mut gathered =
            Gathered { runtime: &runtime, stream: &stream, planner: Planner::new(Scratch::lasting(&stream)) };
        let Calls { slots, operations } = plan.calls(&mut gathered, context.lowering.faults)?;
        let scratch = gathered.planner.scratch;
        let mut launches = Vec::with_capacity(operations.len());
        for works in operations {
            let prepared = works.into_iter().map(|work| Prepared::new(context, &stream, &mut queue.staging, work));
            launches.push(prepared.collect::<Result<Vec<Prepared>>>()?);
        }
        let mut held: Vec<Buffer> = Vec::new();
        for buffer in plan.buffers() {
            if !held.iter().any(|other| other.is(&buffer)) {
                held.push(buffer);
            }
        }
        let resident = Resident::new(context, plan, &launches)?;
        let in_groups = if resident.is_none() { InGroups::new(context, plan, &launches)? } else { None };
        Ok(Body {
            graphs: HashMap::new(),
            in_nodes: None,
            resident,
            in_groups,
            alone: None,
            slots,
            launches,
            stream,
            held,
            scratch,
        })
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
        self.resident.iter_mut().for_each(Resident::begin);
        self.in_groups.iter_mut().for_each(InGroups::begin);
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
        if let Some(resident) = &mut self.resident
            && let Some(resident) = resident.compiled(context)
        {
            // SAFETY: the loop was made from `launches`, whose memories `held`, `scratch`, `slots` and they themselves
            // keep, as for `launch`.
            return unsafe { resident.start(context, &self.stream, state, passes) };
        }
        self.leave_groups_alone(context)?;
        let alone = self.alone.clone();
        let plan = alone.as_deref().unwrap_or(plan);
        let of = |operation: usize| self.launches.get(operation).into_iter().flatten();
        // Inner loops that run in nodes have ended between two passes, and must stay so.
        let in_nodes = context.loops_in_nodes;
        let one_by_one = plan.inner_loops() == 0 || !in_nodes;
        if one_by_one && passes.saturating_mul(plan.operations_of_a_pass(repeats)) <= MAX_SINGLE_LAUNCHES {
            return plan.for_each(passes, repeats, &mut |operation| {
                of(operation).try_for_each(|one| self.launch(context, one, state))
            });
        }
        if in_nodes {
            return self.start_nodes(plan, passes);
        }
        self.start_graph(context, plan, (passes, repeats))
    }

    /// Takes inner loops as launches of their own from now on, if they are compiled so. A loop that was left in its
    /// middle begins anew.
    fn leave_groups_alone(&mut self, context: &Context) -> Result<()> {
        let Some(launches) = self.in_groups.as_mut().and_then(|loops| loops.compiled(context)) else { return Ok(()) };
        self.alone = self.in_groups.take().map(|loops| Arc::new(loops.into_plan()));
        self.launches.extend(launches.into_iter().map(|launch| vec![launch]));
        // One of the graphs may still run.
        self.stream.wait("running a program")?;
        self.graphs.clear();
        Ok(())
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
            if self.graphs.len() >= MAX_GRAPHS {
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
        unsafe { launch::start(&context.primary, &one.code, one.groups, one.parameters(&state), self.stream.raw()) }
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

/// Turns operations into launches.
struct Gathered<'c> {
    runtime: &'c Runtime,
    stream: &'c Arc<Stream>,
    planner: Planner,
}

impl Operations<Source, Arc<Pipeline>, u64> for Gathered<'_> {
    type State = DeviceBuffer;

    fn slots(&mut self, capacity: u32) -> Result<FaultSlots> {
        fault_slots(&self.runtime.context, self.stream, capacity)
    }

    fn control(&mut self, slots: u32, turn: u32, control: &Control) -> Result<Work> {
        control::work(self.runtime, self.stream, (slots, turn), control)
    }

    fn command(&mut self, node: &Node) -> Result<Vec<Work>> {
        let Gathered { runtime, stream, planner } = self;
        match node {
            Node::Launch(one) => {
                launch::used_by(one, stream)?;
                planner.plan(runtime, one)
            }
            Node::Primitive(primitive) => primitives::works(runtime, stream, &mut planner.scratch, primitive),
            Node::Copy { from, to } => {
                let (from, to) = (memory(from)?, memory(to)?);
                from.used_by(stream, false)?;
                to.used_by(stream, false)?;
                launch::copy(runtime, from, to)
            }
            Node::Clear(buffer) => {
                let memory = memory(buffer)?;
                memory.used_by(stream, false)?;
                launch::clear(runtime, memory)
            }
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(replay::not_a_command()),
        }
    }
}
