//! One step of a program, bound and ready to be enqueued any number of times.

use super::control::Control;
use crate::cl::{self, Kernel, Mem};
use crate::device::Context;
use crate::launch::{self, Scratch, Work};
use crate::memory::memory;
use crate::module::Shared;
use crate::queue::{Callable, FaultSlots, QueueState, not_enqueued};
use imminent_core::backend::{Buffer, Node, Test, not_overridden};
use imminent_core::{Error, Result};

/// The kernels of a step, each with its arguments in place, and the control kernel that ends it.
#[derive(Debug)]
pub(super) struct Body {
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    calls: Vec<Call>,
    /// What the kernels touch: kept so that no result goes back to its pool while the program may write it.
    held: Vec<Buffer>,
}

/// A kernel object of its own, whose arguments are set once.
#[derive(Debug)]
struct Call {
    kernel: Kernel,
    /// Keeps the buffers that the kernel's arguments name.
    work: Work,
    _block: Option<Mem>,
}

/// Kernels that a step may have once its repetitions are written out.
const MOST_CALLS: usize = 1 << 16;

impl Body {
    pub(super) fn prepare(
        context: &Context,
        queue: &mut QueueState,
        nodes: &[Node],
        tests: &[Test],
        max_steps: u64,
    ) -> Result<Body> {
        let mut gathered = Gathered { context, scratch: Scratch::default(), works: Vec::new(), held: Vec::new() };
        gathered.nodes(nodes)?;
        let Gathered { mut works, mut held, .. } = gathered;
        held.extend(tests.iter().map(|test| test.buffer.clone()));
        for buffer in &held {
            queue.make_fresh(memory(buffer)?)?;
        }
        let kernels = works.iter().filter_map(|work| work.faulting.as_ref());
        let sites = kernels.map(|kernel| kernel.flat.sites.len() as u64).sum::<u64>();
        let Ok(sites) = u32::try_from(sites) else { return Err(too_long(sites)) };
        let mut slots = FaultSlots::with_capacity(context, &queue.queue, sites)?;
        for work in &mut works {
            if let (Some(kernel), Some(word)) = (&work.faulting, work.block.get_mut(1)) {
                *word = slots.claim(kernel);
            }
        }
        works.push(control(context, sites, tests, max_steps)?);
        let calls = works.into_iter().map(|work| {
            let mut callable = Callable::new(work.pipeline.another_kernel(context)?);
            let block = callable.bind(context, &work, slots.state())?;
            Ok(Call { kernel: callable.kernel, work, _block: block })
        });
        let calls = calls.collect::<Result<Vec<Call>>>()?;
        Ok(Body { slots, calls, held })
    }

    /// Notes that a queue runs the program from now on.
    pub(super) fn used_by(&self, queue: u64) -> Result<()> {
        self.held.iter().try_for_each(|buffer| memory(buffer).map(|memory| memory.used_by(queue)))
    }

    /// Kernels of one step.
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Enqueues so many steps.
    pub(super) fn enqueue(&self, queue: &mut QueueState, steps: u64) -> Result<()> {
        for _ in 0..steps {
            for Call { kernel, work, .. } in &self.calls {
                // SAFETY: `prepare` has set every argument, to buffers that the call owns. That the kernel stays inside them is
                // argued where the queue launches one.
                unsafe { cl::enqueue(&queue.queue, kernel, work.groups, work.pipeline.workgroup) }
                    .map_err(|failure| not_enqueued(&queue.context, failure))?;
                queue.count()?;
            }
        }
        Ok(())
    }
}

fn too_long(requested: u64) -> Error {
    Error::Limit {
        what: "kernels and fault sites of one step of a program, repetitions written out".to_owned(),
        requested,
        limit: MOST_CALLS as u64,
    }
}

/// The nodes of a step, as calls of kernels in order.
struct Gathered<'c> {
    context: &'c Context,
    scratch: Scratch,
    works: Vec<Work>,
    held: Vec<Buffer>,
}

impl Gathered<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<()> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<()> {
        if self.works.len() > MOST_CALLS {
            return Err(too_long(self.works.len() as u64));
        }
        match node {
            Node::Launch(one) => {
                self.held.extend(launch::memories(one).cloned());
                let works = launch::plan(self.context, one, &mut self.scratch)?;
                self.works.extend(works);
            }
            Node::Primitive(primitive) => return Err(not_overridden(primitive)),
            Node::Copy { from, to } => {
                self.held.extend([from.clone(), to.clone()]);
                self.works.extend(launch::copy(self.context, memory(from)?, memory(to)?)?);
            }
            Node::Clear(buffer) => {
                self.held.push(buffer.clone());
                self.works.push(launch::clear(self.context, memory(buffer)?)?);
            }
            Node::Repeat { times, body } => {
                for _ in 0..*times {
                    let before = self.works.len();
                    self.nodes(body)?;
                    if self.works.len() == before {
                        // A body without kernels has no effect, however often it is repeated.
                        break;
                    }
                }
            }
            Node::LoopUntil(_) => {
                return Err(Error::invalid(
                    "loop_until",
                    "it stands inside another loop_until: put one of the loops on the host",
                ));
            }
        }
        Ok(())
    }
}

fn control(context: &Context, slots: u32, tests: &[Test], max_steps: u64) -> Result<Work> {
    let Control { block, values, tests } = Control::new(slots, tests, max_steps)?;
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let pipeline = Shared::Control { buffers, tests }.pipeline(context)?;
    Ok(Work { pipeline, buffers: values, block, groups: 1, faulting: None })
}
