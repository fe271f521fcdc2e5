//! One step of a program, bound and ready to be started any number of times.

use super::control;
use super::graph::Graph;
use crate::driver::{Context, Stream};
use crate::launch::{self, Parameters, Planner, Scratch, Sink, Work};
use crate::memory::{DeviceBuffer, memory};
use crate::module::{Function, Kernel, Shared};
use crate::queue::{FaultSlots, QueueState};
use imminent_core::backend::{Buffer, Node, Test, not_overridden};
use imminent_core::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// The launches of a step, and the control launch that ends it; single, and as graphs of many steps.
#[derive(Debug)]
pub(super) struct Body {
    /// Destroyed before what their launches name.
    graphs: HashMap<u64, Graph>,
    /// State buffer of the loop, with slots for every launch of a step.
    pub(super) slots: FaultSlots,
    step: Vec<Prepared>,
    /// The stream that ran the program last.
    stream: Arc<Stream>,
    /// What the launches touch: kept so that no result goes back to its pool while the program may write it.
    held: Vec<Buffer>,
    scratch: Scratch,
}

/// A launch whose parameters are all known.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) function: Arc<Function>,
    pub(super) blocks: u32,
    pub(super) threads: u32,
    /// The launch block, or the address of `block_memory`.
    block: Vec<u32>,
    block_memory: Option<DeviceBuffer>,
    pointers: Vec<u64>,
}

impl Prepared {
    /// The values for the driver. They live as long as this and the address of the state buffer.
    pub(super) fn parameters(&self, state: &u64) -> Parameters {
        Parameters::new(state, &self.block, &self.pointers)
    }
}

/// Launches that a step may have once its repetitions are written out.
const MOST_LAUNCHES: usize = 1 << 16;
/// Up to so many launches a chunk is started launch by launch: building a graph would take longer.
const FEW: u64 = 16;

impl Body {
    pub(super) fn prepare(
        context: &Context,
        queue: &mut QueueState,
        nodes: &[Node],
        tests: &[Test],
        max_steps: u64,
    ) -> Result<Body> {
        let stream = queue.stream.clone();
        let mut gathered = Gathered {
            context,
            stream: &stream,
            planner: Planner::new(Scratch::lasting(&stream)),
            works: Works::default(),
            held: Vec::new(),
        };
        gathered.nodes(nodes)?;
        let Gathered { planner, works, mut held, .. } = gathered;
        held.extend(tests.iter().map(|test| test.buffer.clone()));
        let sites = works.faulting.iter().map(|(_, kernel)| u64::from(kernel.sites())).sum::<u64>();
        let Ok(sites) = u32::try_from(sites).map_err(drop).and_then(|n| if n < u32::MAX / 8 { Ok(n) } else { Err(()) })
        else {
            return Err(too_long(sites));
        };
        let mut step = works.step;
        let mut slots = FaultSlots::new(context, &stream, sites)?;
        for (position, kernel) in &works.faulting {
            if let Some(word) = step.get_mut(*position).and_then(|launch| launch.block.get_mut(1)) {
                *word = slots.claim(kernel);
            }
        }
        for position in &works.in_memory {
            if let Some(launch) = step.get_mut(*position) {
                let buffer = launch::upload_block(context, &stream, &mut queue.staging, &launch.block)?;
                launch.block = launch::address_words(buffer.pointer()).to_vec();
                launch.block_memory = Some(buffer);
            }
        }
        let count = u32::try_from(tests.len()).unwrap_or(u32::MAX);
        let block = control::block(&stream, sites, tests, max_steps)?;
        let control = context.shared.get(context, Shared::Control { tests: count })?;
        step.push(Prepared {
            function: control.function,
            blocks: 1,
            threads: control.threads,
            block,
            block_memory: None,
            pointers: Vec::new(),
        });
        Ok(Body { graphs: HashMap::new(), slots, step, stream, held, scratch: planner.scratch })
    }

    /// Puts a queue's stream after all work so far on what the program touches.
    pub(super) fn used_by(&mut self, stream: &Arc<Stream>) -> Result<()> {
        for buffer in &self.held {
            memory(buffer)?.used_by(stream, false)?;
        }
        for block in self.step.iter().filter_map(|launch| launch.block_memory.as_ref()) {
            block.used_by(stream)?;
        }
        self.scratch.used_by(stream)?;
        self.slots.state().used_by(stream)?;
        self.stream = stream.clone();
        Ok(())
    }

    /// Launches of one step.
    pub(super) fn len(&self) -> usize {
        self.step.len()
    }

    /// Puts so many steps on the program's stream.
    pub(super) fn start(&mut self, context: &Context, steps: u64) -> Result<()> {
        let state = self.slots.state().pointer();
        if steps.saturating_mul(self.step.len() as u64) <= FEW || steps == 1 {
            return (0..steps).try_for_each(|_| self.step.iter().try_for_each(|one| self.launch(context, one, state)));
        }
        if !self.graphs.contains_key(&steps) {
            let graph = Graph::new(&self.stream, state, &self.step, steps)?;
            self.graphs.insert(steps, graph);
        }
        match self.graphs.get(&steps) {
            Some(graph) => graph.launch(&self.stream),
            None => Err(context.driver("running a program", "a graph that was just built is gone")),
        }
    }

    fn launch(&self, context: &Context, one: &Prepared, state: u64) -> Result<()> {
        // SAFETY: the launch was planned for this very function, from memories that `held`, `scratch`, `slots` and
        // the launch itself keep; those are released on streams after this one's work (`used_by`).
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
        // A chunk may still be under way after an error; its graph must outlive it.
        if self.stream.primary.enter().is_ok() {
            let _ = self.stream.wait("releasing a program");
        }
    }
}

fn too_long(requested: u64) -> Error {
    Error::Limit {
        what: "launches and fault sites of one step of a program, repetitions written out".to_owned(),
        requested,
        limit: MOST_LAUNCHES as u64,
    }
}

/// Launches in order, which of them can raise faults, and which have their launch blocks in memory.
#[derive(Debug, Default)]
struct Works {
    step: Vec<Prepared>,
    in_memory: Vec<usize>,
    faulting: Vec<(usize, Arc<Kernel>)>,
}

impl Sink for Works {
    fn take(&mut self, work: Work<'_>) -> Result<()> {
        if let Some(kernel) = work.faulting {
            self.faulting.push((self.step.len(), kernel.clone()));
        }
        if work.block_in_memory {
            self.in_memory.push(self.step.len());
        }
        self.step.push(Prepared {
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

/// The nodes of a step, as launches in order.
struct Gathered<'c> {
    context: &'c Context,
    stream: &'c Arc<Stream>,
    planner: Planner,
    works: Works,
    held: Vec<Buffer>,
}

impl Gathered<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<()> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<()> {
        if self.works.step.len() > MOST_LAUNCHES {
            return Err(too_long(self.works.step.len() as u64));
        }
        let Gathered { context, stream, planner, works, held } = self;
        match node {
            Node::Launch(one) => {
                held.extend(launch::memories(one).cloned());
                planner.launch(context, stream, one, works)?;
            }
            Node::Primitive(primitive) => return Err(not_overridden(primitive)),
            Node::Copy { from, to } => {
                held.extend([from.clone(), to.clone()]);
                let (from, to) = (memory(from)?, memory(to)?);
                from.used_by(stream, false)?;
                to.used_by(stream, false)?;
                launch::copy(context, from, to, works)?;
            }
            Node::Clear(buffer) => {
                held.push(buffer.clone());
                let memory = memory(buffer)?;
                memory.used_by(stream, false)?;
                launch::clear(context, memory, works)?;
            }
            Node::Repeat { times, body } => {
                for _ in 0..*times {
                    let before = self.works.step.len();
                    self.nodes(body)?;
                    if self.works.step.len() == before {
                        // A body without launches has no effect, however often it is repeated.
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
