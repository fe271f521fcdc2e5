//! The operations of a loop, bound and ready to be enqueued any number of times.

use super::control;
use crate::cl::{self, CommandQueue, Kernel, Mem};
use crate::launch::{self, Planner, Scratch, Work};
use crate::memory::memory;
use crate::module::Callable;
use crate::primitives;
use crate::queue::{FaultSlots, QueueState, fault_slots};
use crate::runtime::Runtime;
use imminent_core::Result;
use imminent_core::backend::{Buffer, Node};
use imminent_device::pool::Timeline;
use imminent_device::replay::{self, LoopPlan, Task};
use std::sync::Arc;

/// Kernels of a loop's operations, each with its arguments set.
#[derive(Debug)]
pub(crate) struct Body {
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    /// Calls of each operation.
    calls: Vec<Vec<Call>>,
    /// Buffers that the kernels touch: kept so that no result returns to its pool while the program may write it.
    held: Vec<Buffer>,
}

/// A separate kernel object, whose arguments are set once.
#[derive(Debug)]
struct Call {
    kernel: Kernel,
    /// Keeps the buffers that the kernel's arguments name.
    work: Work,
    _block: Option<Mem>,
}

impl Body {
    pub(super) fn prepare(queue: &mut QueueState, plan: &LoopPlan) -> Result<Body> {
        let (runtime, commands) = (queue.runtime.clone(), queue.queue.clone());
        let context = &runtime.context;
        let mut gathered = Gathered { runtime: &runtime, queue: &commands, planner: Planner::new(Scratch::default()) };
        let mut works = Vec::with_capacity(plan.operations.len());
        for operation in &plan.operations {
            works.push(match &operation.task {
                Task::Command(node) => gathered.command(node)?,
                Task::Control(_) => Vec::new(),
            });
        }
        let held = plan.buffers();
        for buffer in &held {
            queue.make_fresh(memory(buffer)?)?;
        }
        let kernels = works.iter().flatten().filter_map(|work| work.faulting.as_ref());
        let sites = replay::fault_slots(kernels.map(|kernel| &kernel.flat), context.lowering.faults)?;
        let mut slots = fault_slots(context, &queue.queue, sites)?;
        let mut calls = Vec::with_capacity(works.len());
        for (operation, mut works) in plan.operations.iter().zip(works) {
            if let Task::Control(control) = &operation.task {
                works.push(control::work(&runtime, sites, operation.turn, control)?);
            }
            for work in &mut works {
                let first = work.faulting.as_ref().map(|kernel| slots.claim(kernel, None));
                operation.complete(&mut work.block, first);
            }
            let bound = works.into_iter().map(|work| {
                let mut callable = Callable::new(work.code.another_kernel(context)?);
                let block = callable.bind(context, &work.code.signature, (slots.state(), &work.block, &work.places))?;
                Ok(Call { kernel: callable.kernel, work, _block: block })
            });
            calls.push(bound.collect::<Result<Vec<Call>>>()?);
        }
        Ok(Body { slots, calls, held })
    }

    /// Records that a queue runs the program from now on.
    pub(super) fn used_by(&self, queue: &Arc<Timeline>) -> Result<()> {
        self.held.iter().try_for_each(|buffer| memory(buffer).map(|memory| memory.used_by(queue)))
    }

    /// Enqueues an operation.
    pub(super) fn enqueue(&self, queue: &mut QueueState, operation: usize) -> Result<()> {
        for Call { kernel, work, .. } in self.calls.get(operation).into_iter().flatten() {
            // SAFETY: `prepare` has set every argument, to buffers that the call owns. The argument that the kernel
            // stays inside them stands where the queue launches one.
            unsafe { cl::enqueue(&queue.queue, kernel, work.groups, work.code.workgroup) }
                .map_err(|failure| queue.context().failed("launching a kernel", failure))?;
            queue.count()?;
        }
        Ok(())
    }
}

/// Turns commands into kernels.
struct Gathered<'c> {
    runtime: &'c Runtime,
    queue: &'c CommandQueue,
    planner: Planner,
}

impl Gathered<'_> {
    fn command(&mut self, node: &Node) -> Result<Vec<Work>> {
        match node {
            Node::Launch(one) => self.planner.plan(self.runtime, one),
            Node::Primitive(primitive) => {
                primitives::works(self.runtime, self.queue, &mut self.planner.scratch, primitive)
            }
            Node::Copy { from, to } => launch::copy(self.runtime, memory(from)?, memory(to)?),
            Node::Clear(buffer) => launch::clear(self.runtime, memory(buffer)?),
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(replay::not_a_command()),
        }
    }
}
