//! Transfers and marks for which the host does not wait.

use super::staging::Block;
use super::transfer::{FaultRead, locate};
use super::{OpenClQueue, QueueState};
use crate::cl::{self, Event, Failure};
use crate::device::Context;
use crate::memory::Memory;
use imminent_core::backend::{HostBlock, HostMemory, Pending, StagedColumn};
use imminent_core::{Error, Result};
use imminent_device::pool::Timeline;
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pinned host memory that no transfer uses.
#[derive(Debug)]
struct Pinned(Block);

impl HostBlock for Pinned {
    fn bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send + Sync> {
        self
    }
}

/// Allocates pinned host memory.
pub(crate) fn host_memory(context: &Context, bytes: usize) -> Result<HostMemory> {
    Block::new(context, &context.mapper()?, bytes.max(1)).map(|block| HostMemory::new(Pinned(block)))
}

/// Work of a queue up to a mark, with the host memory of a transfer.
#[derive(Debug)]
struct PendingWork {
    context: Arc<Context>,
    queue: Arc<Mutex<QueueState>>,
    done: Event,
    /// Stretch of work that the mark ends.
    stretch: u64,
    timeline: Arc<Timeline>,
    faults: Mutex<Option<FaultRead>>,
    block: Mutex<Option<Block>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pending for PendingWork {
    fn is_done(&self) -> bool {
        // Failed work counts as done.
        let done = self.done.done().unwrap_or(true);
        if done {
            self.timeline.reached(self.stretch);
        }
        done
    }

    fn wait(&self) {
        let _ = self.done.wait();
        self.timeline.reached(self.stretch);
    }

    fn complete(&self) -> Result<()> {
        let stage = "running kernels and transfers";
        let waited = self.done.wait().map_err(|failure| self.context.failed(stage, failure));
        self.timeline.reached(self.stretch);
        let mut queue = lock(&self.queue);
        let looked = match lock(&self.faults).take() {
            Some(faults) => queue.end_faults(stage, faults),
            None => Ok(()),
        };
        queue.failed.take().map_or(Ok(()), Err).and(waited).and(looked)
    }

    fn take_memory(&self) -> Option<HostMemory> {
        self.wait();
        lock(&self.block).take().map(|block| HostMemory::new(Pinned(block)))
    }
}

impl Drop for PendingWork {
    fn drop(&mut self) {
        // The device may still use the block.
        if lock(&self.block).is_some() {
            self.wait();
        }
    }
}

/// Direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

impl OpenClQueue {
    /// Starts transfers between columns and host memory.
    pub(crate) fn transfer(
        &self,
        direction: Direction,
        host: HostMemory,
        places: &[StagedColumn],
    ) -> Result<Arc<dyn Pending>> {
        StagedColumn::check(places, host.bytes().len())?;
        let Pinned(block) = host.into_block()?;
        let located = places.iter().map(|place| locate(&place.buffer, &place.span, place.span.bytes()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        let mut state = self.lock();
        state.touch(&columns)?;
        // From here on the device may use the block: it is kept until the device has gone past `done`.
        let started = columns.iter().zip(places).try_for_each(|((memory, bytes), place)| {
            state.start(direction, &block, memory, bytes, place.at).map_err(|failure| {
                state
                    .context()
                    .failed(if direction == Direction::Up { "writing memory" } else { "reading memory" }, failure)
            })
        });
        match started.and_then(|()| self.mark(&mut state, None)) {
            Ok(pending_work) => {
                *lock(&pending_work.block) = Some(block);
                Ok(Arc::new(pending_work))
            }
            Err(error) => {
                let _ = state.queue.finish();
                Err(error)
            }
        }
    }

    /// Marks the end of the work on the queue.
    pub(crate) fn signal(&self) -> Result<Arc<dyn Pending>> {
        let pending_work = self.mark(&mut self.lock(), None)?;
        Ok(Arc::new(pending_work))
    }

    fn mark(&self, state: &mut QueueState, block: Option<Block>) -> Result<PendingWork> {
        let (stretch, timeline) = (state.timeline.cut(), state.timeline.clone());
        let faults = state.begin_faults()?;
        let context = state.runtime.context.clone();
        let failed = |failure: Failure| context.failed("marking a queue", failure);
        let done = state.queue.marker().map_err(failed)?;
        state.queue.flush().map_err(failed)?;
        let (queue, faults, block) = (self.share(), Mutex::new(faults), Mutex::new(block));
        Ok(PendingWork { context: context.clone(), queue, done, stretch, timeline, faults, block })
    }

    /// Makes later work wait for work of another queue.
    pub(crate) fn wait_for(&self, other: &dyn Pending) -> Result<()> {
        let state = self.lock();
        match (other as &dyn Any).downcast_ref::<PendingWork>() {
            Some(other) if Arc::ptr_eq(&other.context, &state.runtime.context) => {
                state.queue.after(&other.done).map_err(|failure| state.context().failed("ordering two queues", failure))
            }
            Some(_) => Err(Error::invalid("event", "it is of another device")),
            None => {
                other.wait();
                Ok(())
            }
        }
    }
}

impl QueueState {
    /// Enqueues one transfer.
    fn start(
        &self,
        direction: Direction,
        block: &Block,
        memory: &Memory,
        bytes: &Range<usize>,
        at: usize,
    ) -> std::result::Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        let host = block.place(at, bytes.len())?;
        let mem = &memory.buffer.mem;
        // SAFETY: the place has room for the bytes. The block belongs to the transfer alone: it is not read, changed or
        // released before the mark behind this command is reached, or the queue has been waited for.
        let _event = unsafe {
            match direction {
                Direction::Up => cl::write(&self.queue, mem, bytes.start, host, bytes.len())?,
                Direction::Down => cl::read(&self.queue, mem, bytes.start, host, bytes.len())?,
            }
        };
        Ok(())
    }
}
