//! The operations of a loop, bound and ready to be enqueued any number of times.

use super::control;
use crate::cl::{self, CommandQueue, Kernel, Mem};
use crate::launch::{self, Planner, Scratch, Work};
use crate::memory::{WordBuffer, memory};
use crate::module::{Callable, Pipeline, Source};
use crate::primitives;
use crate::queue::{FaultSlots, QueueState, fault_slots};
use crate::runtime::Runtime;
use imminent_core::Result;
use imminent_core::backend::{Buffer, Node};
use imminent_device::pool::Timeline;
use imminent_device::replay::{self, Calls, Control, LoopPlan, Operations};
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
        let Calls { slots, operations } = plan.calls(&mut gathered, context.lowering.faults)?;
        let held = plan.buffers();
        for buffer in &held {
            queue.make_fresh(memory(buffer)?)?;
        }
        let bind = |work: Work| {
            let mut callable = Callable::new(work.code.another_kernel(context)?);
            let block = callable.bind(context, &work.code.signature, (slots.state(), &work.block, &work.places))?;
            Ok(Call { kernel: callable.kernel, work, _block: block })
        };
        let calls = operations.into_iter().map(|works| works.into_iter().map(bind).collect());
        let calls = calls.collect::<Result<Vec<Vec<Call>>>>()?;
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

/// Turns operations into kernels.
struct Gathered<'c> {
    runtime: &'c Runtime,
    queue: &'c CommandQueue,
    planner: Planner,
}

impl Operations<Source, Arc<Pipeline>, Arc<WordBuffer>> for Gathered<'_> {
    type State = Arc<WordBuffer>;

    fn slots(&mut self, capacity: u32) -> Result<FaultSlots> {
        fault_slots(&self.runtime.context, self.queue, capacity)
    }

    fn control(&mut self, slots: u32, turn: u32, control: &Control) -> Result<Work> {
        control::work(self.runtime, slots, turn, control)
    }

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
