//! Queues: commands are enqueued as they come and executed in order.

mod pending_work;
mod slots;
mod staging;
mod transfer;

pub(crate) use pending_work::{Direction, host_memory};
pub(crate) use slots::{FaultSlots, fault_slots};
pub(crate) use staging::{Staging, Transfer};

use crate::cl::{self, CommandQueue, Event, Failure};
use crate::device::Context;
use crate::launch::{Planner, Scratch, Work};
use crate::memory::{Memory, memory};
use crate::primitives;
use crate::runtime::Runtime;
use imminent_core::backend::{Allocation, Launch, Primitive, QueueHandle, Shape};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::QUEUE_SLOTS;
use imminent_device::pool::Timeline;
use imminent_ir::launch::{EVERY_TURN, TURN_WORD};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of a device.
#[derive(Debug)]
pub(crate) struct OpenClQueue {
    state: Arc<Mutex<QueueState>>,
}

/// Work that a queue has in progress.
#[derive(Debug)]
pub(crate) struct QueueState {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) queue: Arc<CommandQueue>,
    /// Progress of the work, for the pool.
    timeline: Arc<Timeline>,
    planner: Planner,
    slots: FaultSlots,
    pub(crate) staging: Staging,
    enqueued: u32,
    /// Marks, each with the stretch of work that it ends.
    markers: VecDeque<(u64, Event)>,
    failed: Option<Error>,
}

/// Number of kernels enqueued before a flush starts them.
const BATCH: u32 = 32;
/// Number of kernels between two markers: several batches.
const MARKER_INTERVAL: u32 = 1024;
/// Number of stretches in progress before the host waits for the oldest: drivers keep commands in host memory.
const MAX_INTERVALS: usize = 4;

impl OpenClQueue {
    pub(crate) fn new(runtime: &Arc<Runtime>) -> Result<OpenClQueue> {
        let context = &runtime.context;
        let queue = CommandQueue::new(&context.cl, context.device)
            .map_err(|failure| context.failed("making a queue", failure))?;
        Self::with(runtime, queue)
    }

    /// Wraps an in-order queue of OpenCL.
    pub(crate) fn with(runtime: &Arc<Runtime>, queue: CommandQueue) -> Result<OpenClQueue> {
        let state = QueueState {
            runtime: runtime.clone(),
            timeline: Arc::default(),
            planner: Planner::new(Scratch::default()),
            slots: fault_slots(&runtime.context, &queue, QUEUE_SLOTS)?,
            queue: Arc::new(queue),
            staging: Staging::default(),
            enqueued: 0,
            markers: VecDeque::new(),
            failed: None,
        };
        Ok(OpenClQueue { state: Arc::new(Mutex::new(state)) })
    }

    /// Returns the queue behind a handle.
    pub(crate) fn of(handle: &QueueHandle) -> Result<&OpenClQueue> {
        handle.get().ok_or_else(|| Error::invalid("queue", "it belongs to another backend than opencl"))
    }

    /// Locks the queue's state for one call.
    pub(crate) fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shares the queue's state with work in progress.
    fn share(&self) -> Arc<Mutex<QueueState>> {
        self.state.clone()
    }

    /// Allocates zeroed memory.
    pub(crate) fn allocate(&self, allocation: &Allocation) -> Result<Memory> {
        let shape = Shape::of(allocation);
        let mut state = self.lock();
        let context = state.runtime.context.clone();
        state.with_room(|state| {
            let memory = Memory::new(&context, &state.timeline, shape)?;
            // A result is cleared when an operation other than a launch that sets it comes first.
            if !matches!(shape, Shape::Result { .. }) {
                state.zero_from(&memory, 0)?;
            }
            Ok(memory)
        })
    }

    /// Allocates a table with the rows of another and more lanes.
    pub(crate) fn grow(&self, old: &Memory, shape: Shape) -> Result<Memory> {
        let mut state = self.lock();
        let context = state.runtime.context.clone();
        old.used_by(&state.timeline);
        state.make_fresh(old)?;
        state.with_room(|state| {
            let grown = Memory::new(&context, &state.timeline, shape)?;
            // Columns keep their order; new ones follow.
            cl::copy(&state.queue, &old.buffer.mem, &grown.buffer.mem, old.bytes())
                .map_err(|failure| context.allocation_failed(&shape.name(), shape.bytes(), failure))?;
            state.zero_from(&grown, old.bytes())?;
            Ok(grown)
        })
    }
}

impl QueueState {
    /// Returns the device.
    pub(crate) fn context(&self) -> &Context {
        &self.runtime.context
    }

    /// Returns the progress of the queue's work.
    pub(crate) fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }

    /// Compiles the kernels of a launch and checks its arguments, without launching it.
    pub(crate) fn check(&mut self, launch: &Launch) -> Result<()> {
        self.planner.plan(&self.runtime, launch).map(|works| self.planner.take_back(works))
    }

    /// Prepares a launch for repetition, if it is a single call of its kernel.
    pub(crate) fn prepare(&mut self, launch: &Launch) -> Result<Option<Work>> {
        self.planner.plan_alone(&self.runtime, launch)
    }

    /// Puts a prepared launch on the queue. The queue has been a user of its memories since the first launch.
    pub(crate) fn launch_again(&mut self, work: &mut Work, operation: Option<u64>) -> Result<()> {
        self.enqueue(work, operation)
    }

    /// Puts a launch on the queue.
    pub(crate) fn launch(&mut self, launch: &Launch) -> Result<()> {
        for buffer in launch.buffers() {
            memory(buffer)?.used_by(&self.timeline);
        }
        if let Some(result) = &launch.result {
            // A launch writes the whole result, so no old contents of a pooled buffer remain.
            memory(result)?.take_stale();
        }
        let mut works = self.planner.plan(&self.runtime, launch)?;
        let enqueued = works.iter_mut().try_for_each(|work| self.enqueue(work, launch.operation));
        self.planner.take_back(works);
        enqueued
    }

    /// Compiles the kernels of a primitive, without launching it.
    pub(crate) fn check_primitive(&mut self, primitive: &Primitive) -> Result<()> {
        primitives::works(&self.runtime, &self.queue, &mut self.planner.scratch, primitive).map(drop)
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
                self.make_fresh(memory)?;
            }
        }
        for mut work in primitives::works(&self.runtime, &self.queue, &mut self.planner.scratch, primitive)? {
            self.enqueue(&mut work, None)?;
        }
        Ok(())
    }

    fn enqueue(&mut self, work: &mut Work, operation: Option<u64>) -> Result<()> {
        if !work.finds_slots(&self.slots)? {
            self.settle("running kernels")?;
        }
        work.take_slots(&mut self.slots, operation);
        if let Some(word) = work.block.get_mut(TURN_WORD as usize) {
            *word = EVERY_TURN;
        }
        let mut callable = work.code.callable.lock().unwrap_or_else(PoisonError::into_inner);
        let _block =
            callable.bind(self.context(), &work.code.signature, (self.slots.state(), &work.block, &work.places))?;
        // SAFETY: `bind` has set every argument, to buffers that `work` and `_block` own; OpenCL keeps them until the
        // command is done. The text comes from the lowering or from this crate, never from a user, and stays inside.
        // The lowering tests or clamps every index against the sizes in the launch block, which `dispatch::block`
        // fills from the very buffers that are bound. Its fault slots lie inside the state buffer.
        unsafe { cl::enqueue(&self.queue, &callable.kernel, work.groups, work.code.workgroup) }
            .map_err(|failure| self.context().failed("launching a kernel", failure))?;
        drop(callable);
        self.count()
    }

    /// Counts an enqueued kernel.
    pub(crate) fn count(&mut self) -> Result<()> {
        self.enqueued = self.enqueued.wrapping_add(1);
        if !self.enqueued.is_multiple_of(BATCH) {
            return Ok(());
        }
        let context = self.runtime.context.clone();
        let failed = |failure| context.failed("running kernels", failure);
        self.queue.flush().map_err(failed)?;
        if self.enqueued.is_multiple_of(MARKER_INTERVAL) {
            let stretch = self.timeline.cut();
            self.markers.push_back((stretch, self.queue.marker().map_err(failed)?));
            if self.markers.len() > MAX_INTERVALS
                && let Some((stretch, oldest)) = self.markers.pop_front()
            {
                oldest.wait().map_err(failed)?;
                self.timeline.reached(stretch);
            }
        }
        Ok(())
    }

    /// Copies a whole memory to another of the same shape.
    pub(crate) fn copy(&mut self, from: &Memory, to: &Memory) -> Result<()> {
        from.shape.check_copy(&to.shape)?;
        self.make_fresh(from)?;
        to.take_stale();
        from.used_by(&self.timeline);
        to.used_by(&self.timeline);
        if from.buffer.id == to.buffer.id || from.bytes() == 0 {
            return Ok(());
        }
        cl::copy(&self.queue, &from.buffer.mem, &to.buffer.mem, from.bytes())
            .map_err(|failure| self.context().failed("copying memory", failure))
    }

    /// Sets a whole memory to zero.
    pub(crate) fn clear(&mut self, memory: &Memory) -> Result<()> {
        self.zero_from(memory, 0)
    }

    /// Sets a memory to zero from a byte on; the bytes before were written.
    fn zero_from(&mut self, memory: &Memory, byte: usize) -> Result<()> {
        memory.used_by(&self.timeline);
        memory.take_stale();
        let (buffer, all) = (&memory.buffer, memory.bytes());
        if byte >= all {
            return Ok(());
        }
        // If a driver promises memory that does not exist, the first command that uses it fails.
        cl::fill(&self.queue, &buffer.mem, 0, byte, all - byte)
            .map_err(|failure| self.context().allocation_failed(&memory.shape.name(), all as u64, failure))
    }

    /// Clears a pooled memory that still holds its last owner's contents.
    pub(crate) fn make_fresh(&mut self, memory: &Memory) -> Result<()> {
        if memory.take_stale() { self.zero_from(memory, 0) } else { Ok(()) }
    }

    /// Allocates memory. If there is no room, retries after the work that may hold the last reference to released
    /// memory.
    fn with_room<T>(&mut self, mut allocate: impl FnMut(&mut QueueState) -> Result<T>) -> Result<T> {
        match allocate(self) {
            Err(Error::OutOfMemory { .. }) => {
                self.settle("making room")?;
                self.context().pool.trim();
                allocate(self)
            }
            other => other,
        }
    }

    /// Waits until all work is done, and returns its earliest error.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let settled = self.settle("running kernels");
        match self.failed.take() {
            Some(error) => Err(error),
            None => settled,
        }
    }

    /// Waits until all work is done and examines the fault slots; a fault is kept as the queue's failure.
    fn settle(&mut self, stage: &str) -> Result<()> {
        let stretch = self.timeline.cut();
        let faults = self.begin_faults()?;
        let context = self.runtime.context.clone();
        let failed = |failure: Failure| context.failed(stage, failure);
        self.queue.finish().map_err(failed)?;
        self.timeline.reached(stretch);
        self.markers.clear();
        match faults {
            Some(faults) => self.end_faults(stage, faults),
            None => Ok(()),
        }
    }

    fn fail(&mut self, error: Option<Error>) {
        if let Some(error) = error {
            self.failed.get_or_insert(error);
        }
    }
}

impl Drop for QueueState {
    fn drop(&mut self) {
        // The queue's work may be using memory that was returned to the pool.
        let _ = self.queue.finish();
        self.timeline.closed();
    }
}
