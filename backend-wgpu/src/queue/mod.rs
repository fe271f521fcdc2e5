//! Queues, which gather commands and submit them in batches, in order.

mod arena;
mod binds;
mod pending;
mod pending_work;
mod slots;
mod staging;
mod transfer;

pub(crate) use binds::bind_group;
pub(crate) use slots::{FaultSlots, StateBuffer, fault_slots};
pub(crate) use staging::{Download, mapped};

use crate::device::{Context, grid};
use crate::launch::{self, Again, Planner, Scratch, Work};
use crate::memory::{Memory, memory};
use crate::primitives;
use crate::runtime::Runtime;
use arena::Arena;
use binds::BindGroups;
use imminent_core::backend::{Launch, Primitive, QueueHandle, Shape};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::QUEUE_SLOTS;
use imminent_device::pool::Timeline;
use pending::{Pending, UNNUMBERED};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of a device.
#[derive(Debug)]
pub(crate) struct WgpuQueue {
    state: Arc<Mutex<QueueState>>,
}

/// Gathered and unfinished work of a queue.
#[derive(Debug)]
pub(crate) struct QueueState {
    pub(crate) runtime: Arc<Runtime>,
    /// Progress of submissions, which the pool reads. All queues of the device submit to the same wgpu queue.
    timeline: Arc<Timeline>,
    pending: Pending,
    arena: Arena,
    binds: BindGroups,
    planner: Planner,
    slots: FaultSlots,
    download: Download,
    in_flight: VecDeque<wgpu::SubmissionIndex>,
    /// Number of launches that were prepared for repeated use.
    prepared: u64,
    failed: Option<Error>,
}

/// Dispatches gathered before they are submitted: enough to spread the cost of a submission, few enough for the device
/// to start early.
const BATCH: u32 = 128;
/// Bytes of writes gathered before they are submitted: they take host memory until then.
const BATCH_BYTES: u64 = 64 << 20;
/// Unfinished submissions before the host waits for the oldest.
const IN_FLIGHT: usize = 8;

impl WgpuQueue {
    pub(crate) fn new(runtime: &Arc<Runtime>) -> Result<WgpuQueue> {
        let context = &runtime.context;
        let state = QueueState {
            runtime: runtime.clone(),
            timeline: Arc::default(),
            pending: Pending::default(),
            arena: Arena::new(context)?,
            binds: BindGroups::default(),
            planner: Planner::new(Scratch::default()),
            slots: fault_slots(context, QUEUE_SLOTS)?,
            download: Download::default(),
            in_flight: VecDeque::new(),
            prepared: UNNUMBERED,
            failed: None,
        };
        Ok(WgpuQueue { state: Arc::new(Mutex::new(state)) })
    }

    /// Returns the queue behind a handle.
    pub(crate) fn of(handle: &QueueHandle) -> Result<&WgpuQueue> {
        handle.get().ok_or_else(|| Error::invalid("queue", "it belongs to another backend than wgpu"))
    }

    /// Locks the queue's state for one call.
    pub(crate) fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    /// Returns the device.
    pub(crate) fn context(&self) -> &Context {
        &self.runtime.context
    }

    /// Progress of the queue's submissions.
    pub(crate) fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }

    /// Allocates memory of a shape; it may hold data of its last owner.
    pub(crate) fn allocate(&mut self, shape: Shape) -> Result<Memory> {
        match Memory::new(&self.runtime.context, &self.timeline, shape) {
            // Gathered or unfinished work may hold the last reference to memory that was released.
            Err(Error::OutOfMemory { .. }) => {
                self.release()?;
                Memory::new(&self.runtime.context, &self.timeline, shape)
            }
            other => other,
        }
    }

    /// Compiles the kernels of a launch and checks its arguments, without launching it.
    pub(crate) fn check(&mut self, launch: &Launch) -> Result<()> {
        self.planner.plan(&self.runtime, launch).map(|works| self.planner.take_back(works))
    }

    /// Prepares a launch for repeated use, if it is a single dispatch.
    pub(crate) fn prepare(&mut self, launch: &Launch) -> Result<Option<Again>> {
        let alone = self.planner.plan_alone(&self.runtime, launch)?;
        self.prepared += 1;
        Ok(alone.map(|work| Again::new(work, self.prepared)))
    }

    /// Launches a prepared dispatch. The queue is a user of its memories since the launch was put here first.
    pub(crate) fn launch_again(&mut self, again: &mut Again, operation: Option<u64>) -> Result<()> {
        let Again { work, group, placed, number } = again;
        if work.faulting.is_some() || !self.arena.is_present(*placed) || self.pending.dispatches >= BATCH {
            *placed = Some(self.place(work, operation)?);
        }
        let blocks = self.arena.segment();
        let bound = match group {
            Some((of, group)) if *of == blocks.id => group,
            _ => {
                &mut group
                    .insert((blocks.id, self.binds.get(&self.runtime.context, work, self.slots.state(), blocks)?))
                    .1
            }
        };
        let (x, y) = grid(work.groups, self.context().limits.groups);
        let offset = placed.map_or(0, |(_, offset)| offset);
        self.pending.dispatch(&self.runtime.context, &work.code, (bound, *number), offset, (x, y));
        Ok(())
    }

    /// Puts a launch on the queue.
    pub(crate) fn launch(&mut self, launch: &Launch) -> Result<()> {
        for buffer in launch.buffers() {
            memory(buffer)?.used_by(&self.timeline);
        }
        if let Some(result) = &launch.result {
            // A launch overwrites the whole result, including data of a former owner.
            memory(result)?.take_stale();
        }
        let mut works = self.planner.plan(&self.runtime, launch)?;
        let dispatched = works.iter_mut().try_for_each(|work| self.dispatch(work, launch.operation));
        self.planner.take_back(works);
        dispatched
    }

    /// Compiles the shaders of a primitive, without launching it.
    pub(crate) fn check_primitive(&mut self, primitive: &Primitive) -> Result<()> {
        primitives::works(&self.runtime, &mut self.planner.scratch, primitive).map(drop)
    }

    /// Puts a primitive on the queue.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result<()> {
        for (buffer, _) in primitive.buffers() {
            let memory = memory(&buffer)?;
            memory.used_by(&self.timeline);
            if matches!(memory.shape, Shape::Result { .. })
                && primitive.result().is_some_and(|result| result.is(&buffer))
            {
                memory.take_stale();
            } else {
                self.make_fresh(memory);
            }
        }
        for mut work in primitives::works(&self.runtime, &mut self.planner.scratch, primitive)? {
            self.dispatch(&mut work, None)?;
        }
        Ok(())
    }

    fn dispatch(&mut self, work: &mut Work, operation: Option<u64>) -> Result<()> {
        let (_, offset) = self.place(work, operation)?;
        let group = self.binds.get(&self.runtime.context, work, self.slots.state(), self.arena.segment())?;
        let (x, y) = grid(work.groups, self.context().limits.groups);
        self.pending.dispatch(&self.runtime.context, &work.code, (&group, UNNUMBERED), offset, (x, y));
        Ok(())
    }

    /// Assigns fault slots and a place for the launch block to a dispatch, and returns the batch of blocks with the
    /// offset in it. If there is no room, the gathered work is submitted first.
    fn place(&mut self, work: &mut Work, operation: Option<u64>) -> Result<(u64, u32)> {
        if !work.finds_slots(&self.slots)? {
            self.settle("running kernels")?;
        }
        work.take_slots(&mut self.slots, operation);
        let bytes = work.code.launch_bytes;
        if !self.arena.has_room(bytes) || self.pending.dispatches >= BATCH {
            self.flush()?;
            self.arena.grow(&self.runtime.context, bytes)?;
        }
        Ok(self.arena.place(&work.block, bytes))
    }

    /// Copies a whole memory to another of the same shape.
    pub(crate) fn copy(&mut self, from: &Memory, to: &Memory) -> Result<()> {
        launch::same_shape(from, to)?;
        self.make_fresh(from);
        to.take_stale();
        from.used_by(&self.timeline);
        to.used_by(&self.timeline);
        for (from, to) in from.segments.iter().zip(&to.segments).filter(|(from, to)| from.id != to.id) {
            self.copy_bytes((from, from.offset), (to, to.offset), from.bytes())?;
        }
        Ok(())
    }

    /// Sets a whole memory to zero.
    pub(crate) fn clear(&mut self, memory: &Memory) {
        memory.take_stale();
        memory.used_by(&self.timeline);
        for segment in memory.segments.iter().filter(|segment| segment.bytes() > 0) {
            self.pending.encoder(&self.runtime.context).clear_buffer(
                &segment.buffer,
                segment.offset,
                Some(segment.bytes()),
            );
        }
    }

    /// Clears a pooled memory that still holds data of its last owner.
    pub(crate) fn make_fresh(&mut self, memory: &Memory) {
        if memory.take_stale() {
            self.clear(memory);
        }
    }

    /// Submits the gathered work.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let stretch = self.timeline.cut();
        let Some(encoder) = self.pending.take() else {
            self.timeline.reached(stretch);
            return Ok(());
        };
        let context = self.runtime.context.clone();
        let submitted = context.noted("submitting work", || {
            self.arena.upload(&context.queue);
            context.queue.submit([encoder.finish()])
        });
        self.arena.reset();
        if submitted.is_err() {
            self.arena.lost();
        }
        // Later submissions of any queue come after it; commands that could not be submitted have no effect.
        self.timeline.reached(stretch);
        self.track(submitted?)
    }

    /// Submits commands that were encoded elsewhere, after everything gathered so far.
    pub(crate) fn submit(&mut self, encoder: wgpu::CommandEncoder) -> Result<wgpu::SubmissionIndex> {
        self.flush()?;
        let context = self.runtime.context.clone();
        let submission = context.noted("submitting work", || context.queue.submit([encoder.finish()]))?;
        self.track(submission.clone())?;
        Ok(submission)
    }

    fn track(&mut self, submission: wgpu::SubmissionIndex) -> Result<()> {
        self.in_flight.push_back(submission);
        while self.in_flight.len() > IN_FLIGHT {
            if let Some(oldest) = self.in_flight.pop_front() {
                self.context().wait("running kernels", &oldest)?;
            }
        }
        Ok(())
    }

    /// Waits until all work is done, and returns its earliest error.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let settled = self.settle("running kernels");
        self.binds.forget_the_dead();
        match self.failed.take() {
            Some(error) => Err(error),
            None => settled,
        }
    }

    /// Waits until all work is done, which frees memory without an owner.
    fn release(&mut self) -> Result<()> {
        self.settle("making room")?;
        self.context().trim();
        self.binds.forget_the_dead();
        Ok(())
    }

    /// Waits until all work is done and reads the fault slots; a fault is stored as the queue's failure.
    fn settle(&mut self, stage: &str) -> Result<()> {
        if self.slots.unseen().is_some() {
            self.fetch(stage, &[], 0, |_, _| {})?;
        } else {
            self.flush()?;
            if let Some(last) = self.in_flight.back() {
                self.context().wait(stage, last)?;
            }
        }
        self.in_flight.clear();
        self.context().stray_error(stage)
    }

    fn fail(&mut self, error: Option<Error>) {
        if let Some(error) = error {
            self.failed.get_or_insert(error);
        }
    }
}

impl Drop for QueueState {
    fn drop(&mut self) {
        // Commands that were gathered and not submitted are never executed.
        self.timeline.closed();
    }
}
