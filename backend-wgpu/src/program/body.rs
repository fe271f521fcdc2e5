//! One step of a program, bound and ready to be encoded any number of times.

use super::control::Control;
use crate::device::{Context, grid};
use crate::launch::{self, Scratch, Work};
use crate::memory::{Segment, memory};
use crate::module::{Pipeline, Shared};
use crate::queue::{FaultSlots, QueueState, bind_group};
use imminent_core::backend::{Buffer, Node, Test, not_overridden};
use imminent_core::{Error, Result};
use std::sync::Arc;

/// The dispatches of a step, each with its bind group and its launch block in place, and the control dispatch that ends it.
#[derive(Debug)]
pub(super) struct Body {
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    dispatches: Vec<Prepared>,
    /// What the dispatches touch: kept so that no result goes back to its pool while the program may write it.
    held: Vec<Buffer>,
}

#[derive(Debug)]
struct Prepared {
    pipeline: Arc<Pipeline>,
    group: wgpu::BindGroup,
    offset: u32,
    grid: (u32, u32),
}

/// Dispatches that a step may have once its repetitions are written out.
const MOST_DISPATCHES: usize = 1 << 16;

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
            queue.make_fresh(memory(buffer)?);
        }
        let kernels = works.iter().filter_map(|work| work.faulting.as_ref());
        let sites = kernels.map(|kernel| kernel.flat.sites.len() as u64).sum::<u64>();
        let Ok(sites) = u32::try_from(sites) else { return Err(too_long(sites)) };
        let mut slots = FaultSlots::with_capacity(context, sites)?;
        for work in &mut works {
            if let (Some(kernel), Some(word)) = (&work.faulting, work.block.get_mut(1)) {
                *word = slots.claim(kernel);
            }
        }
        works.push(control(context, sites, tests, max_steps)?);
        let dispatches = place(context, works, slots.state())?;
        Ok(Body { slots, dispatches, held })
    }

    /// Notes that a queue runs the program from now on.
    pub(super) fn used_by(&self, queue: u64) -> Result<()> {
        self.held.iter().try_for_each(|buffer| memory(buffer).map(|memory| memory.used_by(queue)))
    }

    /// Dispatches of one step.
    pub(super) fn len(&self) -> usize {
        self.dispatches.len()
    }

    /// Encodes so many steps.
    pub(super) fn encode(&self, pass: &mut wgpu::ComputePass<'_>, steps: u64) {
        let mut pipeline = 0;
        for _ in 0..steps {
            for dispatch in &self.dispatches {
                if pipeline != dispatch.pipeline.id {
                    pass.set_pipeline(&dispatch.pipeline.compute);
                    pipeline = dispatch.pipeline.id;
                }
                pass.set_bind_group(0, &dispatch.group, &[dispatch.offset]);
                pass.dispatch_workgroups(dispatch.grid.0, dispatch.grid.1, 1);
            }
        }
    }
}

fn too_long(requested: u64) -> Error {
    Error::Limit {
        what: "dispatches and fault sites of one step of a program, repetitions written out".to_owned(),
        requested,
        limit: MOST_DISPATCHES as u64,
    }
}

/// The nodes of a step, as dispatches in order.
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
        if self.works.len() > MOST_DISPATCHES {
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
                self.works.extend(launch::clear(self.context, memory(buffer)?)?);
            }
            Node::Repeat { times, body } => {
                for _ in 0..*times {
                    let before = self.works.len();
                    self.nodes(body)?;
                    if self.works.len() == before {
                        // A body without dispatches has no effect, however often it is repeated.
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
    let most = context.limits.storage_buffers.saturating_sub(2);
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    if buffers > most {
        return Err(Error::Limit {
            what: "tables and results that the conditions of one loop look at".to_owned(),
            requested: u64::from(buffers),
            limit: u64::from(most),
        });
    }
    let pipeline = context.shared.get(context, Shared::Control { buffers, tests })?;
    Ok(Work { pipeline, buffers: values, block, groups: 1, faulting: None })
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
        words.resize(((start + work.pipeline.launch_bytes) / 4) as usize, 0);
    }
    let blocks = Segment::new(context, "launch blocks of a program", 0..words.len() as u64)?;
    context.scoped("writing launch blocks", || {
        context.queue.write_buffer(&blocks.buffer, 0, bytemuck::cast_slice(&words));
    })?;
    let bound = works.into_iter().zip(offsets).map(|(work, offset)| {
        let group = bind_group(context, &work.pipeline, state, &blocks.buffer, &work.buffers)?;
        Ok(Prepared { pipeline: work.pipeline, group, offset, grid: grid(work.groups, context.limits.groups) })
    });
    bound.collect()
}
