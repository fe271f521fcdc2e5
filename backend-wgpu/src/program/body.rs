//! The operations of a loop, bound and ready for repeated encoding.

use super::control;
use crate::device::{Context, grid};
use crate::launch::{self, Planner, Scratch, Work};
use crate::memory::{Segment, memory};
use crate::module::Pipeline;
use crate::primitives;
use crate::queue::{FaultSlots, QueueState, StateBuffer, bind_group, fault_slots};
use crate::runtime::Runtime;
use imminent_core::backend::{Buffer, Node};
use imminent_core::{Error, Limit, Result};
use imminent_device::pool::Timeline;
use imminent_device::replay::{self, Calls, Control, LoopPlan, MAX_OPERATIONS, Operations};
use imminent_lowering::wgsl::WgslSource;
use std::sync::Arc;

/// The dispatches of a loop's operations, each with its bind group and its launch block.
#[derive(Debug)]
pub(crate) struct Body {
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    /// End of each operation's dispatches; the next operation's begin there.
    ends: Vec<usize>,
    dispatches: Vec<Prepared>,
    /// Buffers that the dispatches use; holding them keeps results out of the pool while the program may write them.
    held: Vec<Buffer>,
}

#[derive(Debug)]
struct Prepared {
    pipeline: Arc<Pipeline>,
    group: wgpu::BindGroup,
    offset: u32,
    grid: (u32, u32),
}

impl Body {
    pub(super) fn prepare(queue: &mut QueueState, plan: &LoopPlan) -> Result<Body> {
        let runtime = queue.runtime.clone();
        let context = &runtime.context;
        let mut gathered = Gathered { runtime: &runtime, planner: Planner::new(Scratch::default()) };
        let Calls { slots, operations } = plan.calls(&mut gathered, context.lowering.faults)?;
        let held = plan.buffers();
        for buffer in &held {
            queue.make_fresh(memory(buffer)?);
        }
        let (mut ends, mut all) = (Vec::with_capacity(operations.len()), Vec::new());
        for works in operations {
            all.extend(works);
            ends.push(all.len());
        }
        let dispatches = place(context, all, slots.state())?;
        Ok(Body { slots, ends, dispatches, held })
    }

    /// Notes that a queue runs the program from now on.
    pub(super) fn used_by(&self, queue: &Arc<Timeline>) -> Result<()> {
        self.held.iter().try_for_each(|buffer| memory(buffer).map(|memory| memory.used_by(queue)))
    }

    /// Encodes an operation. `pipeline` is the identifier of the current pipeline, 0 if there is none.
    pub(super) fn encode(&self, pass: &mut wgpu::ComputePass<'_>, operation: usize, pipeline: &mut u64) {
        let end = self.ends.get(operation).copied().unwrap_or(0);
        let start = operation.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        for dispatch in self.dispatches.get(start..end).into_iter().flatten() {
            if *pipeline != dispatch.pipeline.id {
                pass.set_pipeline(&dispatch.pipeline.compute);
                *pipeline = dispatch.pipeline.id;
            }
            pass.set_bind_group(0, &dispatch.group, &[dispatch.offset]);
            pass.dispatch_workgroups(dispatch.grid.0, dispatch.grid.1, 1);
        }
    }
}

fn too_long(requested: u64) -> Error {
    Error::limit(Limit::StepDispatches, requested, MAX_OPERATIONS as u64)
}

/// Converts operations to dispatches.
struct Gathered<'c> {
    runtime: &'c Runtime,
    planner: Planner,
}

impl Operations<WgslSource, Arc<Pipeline>, Segment> for Gathered<'_> {
    type State = StateBuffer;

    fn slots(&mut self, capacity: u32) -> Result<FaultSlots> {
        fault_slots(&self.runtime.context, capacity)
    }

    fn control(&mut self, slots: u32, turn: u32, control: &Control) -> Result<Work> {
        control::work(self.runtime, slots, turn, control)
    }

    fn command(&mut self, node: &Node) -> Result<Vec<Work>> {
        match node {
            Node::Launch(one) => self.planner.plan(self.runtime, one),
            Node::Primitive(primitive) => primitives::works(self.runtime, &mut self.planner.scratch, primitive),
            Node::Copy { from, to } => launch::copy(self.runtime, memory(from)?, memory(to)?),
            Node::Clear(buffer) => launch::clear(self.runtime, memory(buffer)?),
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(replay::not_a_command()),
        }
    }
}

/// Writes the launch blocks one after another and binds every dispatch.
fn place(context: &Context, works: Vec<Work>, state: &wgpu::Buffer) -> Result<Vec<Prepared>> {
    let alignment = context.limits.launch_alignment;
    let mut words: Vec<u32> = Vec::new();
    let mut offsets = Vec::with_capacity(works.len());
    for work in &works {
        let start = (words.len() as u64 * 4).next_multiple_of(alignment);
        offsets.push(u32::try_from(start).map_err(|_| too_long(works.len() as u64))?);
        words.resize((start / 4) as usize, 0);
        words.extend_from_slice(&work.block);
        words.resize(((start + work.code.launch_bytes) / 4) as usize, 0);
    }
    let blocks = Segment::new(context, "launch blocks of a program", 0..words.len() as u64)?;
    context.noted("writing launch blocks", || {
        context.queue.write_buffer(&blocks.buffer, 0, bytemuck::cast_slice(&words));
    })?;
    let bound = works.into_iter().zip(offsets).map(|(work, offset)| {
        let group = bind_group(context, &work.code, state, &blocks.buffer, &work.places)?;
        Ok(Prepared { pipeline: work.code, group, offset, grid: grid(work.groups, context.limits.groups) })
    });
    bound.collect()
}
