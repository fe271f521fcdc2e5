//! The operations of a loop, bound and ready to be enqueued any number of times.

use super::control;
use crate::cl::{self, CommandQueue, Kernel, Mem};
use crate::device::Context;
use crate::launch::{self, Planner, Work};
use crate::memory::memory;
use crate::primitives;
use crate::queue::{Callable, FaultSlots, QueueState, not_enqueued};
use imminent_core::Result;
use imminent_core::backend::{Buffer, Node};
use imminent_core::pool::Timeline;
use imminent_core::replay::{self, LoopPlan, Task};
use std::sync::Arc;

/// Kernels of a loop's operations, each with its arguments set.
#[derive(Debug)]
pub(super) struct Body {
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
    pub(super) fn prepare(context: &Context, queue: &mut QueueState, plan: &LoopPlan) -> Result<Body> {
        let commands = queue.queue.clone();
        let mut gathered = Gathered { context, queue: &commands, planner: Planner::default() };
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
        let mut slots = FaultSlots::with_capacity(context, &queue.queue, sites)?;
        let mut calls = Vec::with_capacity(works.len());
        for (operation, mut works) in plan.operations.iter().zip(works) {
            if let Task::Control(control) = &operation.task {
                works.push(control::work(context, sites, operation.turn, control)?);
            }
            for work in &mut works {
                let first = work.faulting.as_ref().map(|kernel| slots.claim(kernel));
                operation.complete(&mut work.block, first);
            }
            let bound = works.into_iter().map(|work| {
                let mut callable = Callable::new(work.pipeline.another_kernel(context)?);
                let block = callable.bind(context, &work, slots.state())?;
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
            unsafe { cl::enqueue(&queue.queue, kernel, work.groups, work.pipeline.workgroup) }
                .map_err(|failure| not_enqueued(&queue.context, failure))?;
            queue.count()?;
        }
        Ok(())
    }
}

/// Turns commands into kernels.
struct Gathered<'c> {
    context: &'c Context,
    queue: &'c CommandQueue,
    planner: Planner,
}

impl Gathered<'_> {
    fn command(&mut self, node: &Node) -> Result<Vec<Work>> {
        match node {
            Node::Launch(one) => self.planner.plan(self.context, one),
            Node::Primitive(primitive) => {
                primitives::works(self.context, self.queue, &mut self.planner.scratch, primitive)
            }
            Node::Copy { from, to } => {
                Ok(launch::copy(self.context, memory(from)?, memory(to)?)?.into_iter().collect())
            }
            Node::Clear(buffer) => Ok(vec![launch::clear(self.context, memory(buffer)?)?]),
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(replay::not_a_command()),
        }
    }
}
