//! Transfers and marks for which the host does not wait.
//!
//! The host can only write memory that wgpu mapped for writing. The memory of a transfer is therefore ordinary memory,
//! copied once to or from a mapped buffer. All queues of a device share one queue of wgpu, which executes submissions
//! in order: work of one queue precedes work of another that is submitted later.

use super::transfer::{chunks, locate};
use super::{QueueState, WgpuQueue};
use crate::device::{Answer, Context};
use imminent_core::backend::{HostMemory, Pending, StagedColumn, Write};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::SlotWindow;
use std::any::Any;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A buffer that the device fills and the host then reads.
#[derive(Debug)]
struct Landing {
    buffer: wgpu::Buffer,
    bytes: u64,
    /// Ranges of the buffer, and the ranges of host memory to which they are copied.
    parts: Vec<(Range<usize>, Range<usize>)>,
    mapped: Answer<Result<(), wgpu::BufferAsyncError>>,
}

/// Work of a queue up to a mark, with the data that a transfer brings to the host.
#[derive(Debug)]
struct PendingWork {
    context: Arc<Context>,
    queue: Arc<Mutex<QueueState>>,
    /// The last submission of the work; `None` if there was no work.
    submission: Option<wgpu::SubmissionIndex>,
    reached: Arc<AtomicBool>,
    faults: Mutex<Option<(SlotWindow, Landing)>>,
    landings: Mutex<Vec<Landing>>,
    host: Mutex<Option<HostMemory>>,
}

const STAGE: &str = "running kernels and transfers";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Landing {
    /// Requests a mapping of the buffer once the work submitted so far is done.
    fn map(&self, context: &Context) -> Result<()> {
        let answer = self.mapped.clone();
        let slice = self.buffer.slice(..self.bytes.next_multiple_of(8).min(self.buffer.size()));
        context.noted(STAGE, || slice.map_async(wgpu::MapMode::Read, move |outcome| answer.store(outcome)))
    }

    /// Shows the bytes, which have arrived.
    fn show<T>(&self, context: &Context, f: impl FnOnce(&[u8]) -> T) -> Result<T> {
        match self.mapped.take() {
            Some(Ok(())) => {}
            Some(Err(error)) => return Err(context.driver(STAGE, error.to_string())),
            None => return Err(context.driver(STAGE, "memory was not mapped when its work was done".to_owned())),
        }
        let slice = self.buffer.slice(..self.bytes.next_multiple_of(8).min(self.buffer.size()));
        let view = slice.get_mapped_range().map_err(|error| context.driver(STAGE, error.to_string()))?;
        let length = usize::try_from(self.bytes).unwrap_or(usize::MAX).min(view.len());
        Ok(f(&view[..length]))
    }
}

impl PendingWork {
    fn arrived(&self) -> Result<()> {
        match &self.submission {
            Some(submission) => self.context.wait(STAGE, submission),
            None => Ok(()),
        }
    }

    /// Copies the data that has arrived to host memory, once.
    fn deliver(&self) -> Result<()> {
        let landings = std::mem::take(&mut *lock(&self.landings));
        let mut host = lock(&self.host);
        let Some(host) = &mut *host else { return Ok(()) };
        for landing in &landings {
            landing.show(&self.context, |bytes| {
                for (from, to) in &landing.parts {
                    if let (Some(to), Some(from)) = (host.bytes_mut().get_mut(to.clone()), bytes.get(from.clone())) {
                        to.copy_from_slice(from);
                    }
                }
            })?;
        }
        let mut queue = lock(&self.queue);
        for landing in landings {
            landing.buffer.unmap();
            queue.download.give_back(landing.buffer);
        }
        Ok(())
    }
}

impl Pending for PendingWork {
    fn is_done(&self) -> bool {
        if self.submission.is_none() || self.reached.load(Ordering::Acquire) {
            return true;
        }
        let lost = self.context.poll(wgpu::PollType::Poll).is_none() || self.context.sink.lost().is_some();
        lost || self.reached.load(Ordering::Acquire)
    }

    fn wait(&self) {
        let _ = self.arrived();
    }

    fn complete(&self) -> Result<()> {
        let arrived = self.arrived().and_then(|()| self.deliver());
        let mut queue = lock(&self.queue);
        if let (Ok(()), Some((window, landing))) = (&arrived, lock(&self.faults).take()) {
            let context = &self.context;
            let fault = landing.show(context, |bytes| queue.slots.look(context, &window, bytes))?;
            let Ok(fault) = fault;
            landing.buffer.unmap();
            queue.download.give_back(landing.buffer);
            queue.fail(fault.map(Error::Fault));
        }
        queue.failed.take().map_or(Ok(()), Err).and(arrived).and_then(|()| self.context.stray_error(STAGE))
    }

    fn take_memory(&self) -> Option<HostMemory> {
        let arrived = self.arrived().and_then(|()| self.deliver());
        lock(&self.host).take().filter(|_| arrived.is_ok())
    }
}

impl WgpuQueue {
    /// Returns the queue's state, locked for one call, and shared for unfinished work.
    fn lock_shared(&self) -> (Arc<Mutex<QueueState>>, MutexGuard<'_, QueueState>) {
        (self.state.clone(), self.lock())
    }

    /// Starts writing columns from host memory.
    pub(crate) fn upload(&self, host: HostMemory, places: &[StagedColumn]) -> Result<Arc<dyn Pending>> {
        StagedColumn::check(places, host.bytes().len())?;
        let writes = places.iter().map(|place| Write {
            buffer: &place.buffer,
            span: place.span.clone(),
            bytes: host.bytes().get(place.range()).unwrap_or_default(),
        });
        let writes: Vec<Write<'_>> = writes.collect();
        let (shared, mut state) = self.lock_shared();
        state.write(&writes)?;
        let pending_work = state.mark(shared, Vec::new())?;
        *lock(&pending_work.host) = Some(host);
        Ok(Arc::new(pending_work))
    }

    /// Starts reading columns into host memory.
    pub(crate) fn download(&self, places: &[StagedColumn], host: HostMemory) -> Result<Arc<dyn Pending>> {
        StagedColumn::check(places, host.bytes().len())?;
        let located = places.iter().map(|place| locate(&place.buffer, &place.span, place.span.bytes()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        let (shared, mut state) = self.lock_shared();
        columns.iter().for_each(|(memory, _)| state.touch(memory));
        let context = state.runtime.context.clone();
        let mut landings = Vec::new();
        for chunk in chunks(&columns, state.chunk_bytes()) {
            let buffer = state.download.take(&context, chunk.bytes)?;
            let encoder = state.pending.encoder(&context);
            let mut parts = Vec::with_capacity(chunk.parts.len());
            for part in &chunk.parts {
                let piece = &part.piece;
                encoder.copy_buffer_to_buffer(&piece.segment.buffer, piece.offset, &buffer, part.staged, piece.bytes);
                let at = places.get(part.column).map_or(0, |place| place.at);
                parts.push((part.staged(), at + part.range().start..at + part.range().end));
            }
            landings.push(Landing { buffer, bytes: chunk.bytes, parts, mapped: Answer::default() });
        }
        let pending_work = state.mark(shared, landings)?;
        *lock(&pending_work.host) = Some(host);
        Ok(Arc::new(pending_work))
    }

    /// Marks the end of the work on the queue.
    pub(crate) fn signal(&self) -> Result<Arc<dyn Pending>> {
        let (shared, mut state) = self.lock_shared();
        Ok(Arc::new(state.mark(shared, Vec::new())?))
    }

    /// Makes later work of this queue wait for work of another queue.
    pub(crate) fn wait_for(&self, other: &dyn Pending) -> Result<()> {
        match (other as &dyn Any).downcast_ref::<PendingWork>() {
            // The other work was submitted already, so work gathered here is submitted after it.
            Some(other) if Arc::ptr_eq(&other.context, &self.lock().runtime.context) => Ok(()),
            Some(_) => Err(Error::invalid("event", "it is of another device")),
            None => {
                other.wait();
                Ok(())
            }
        }
    }
}

impl QueueState {
    /// Submits the gathered work and marks its end.
    fn mark(&mut self, queue: Arc<Mutex<QueueState>>, landings: Vec<Landing>) -> Result<PendingWork> {
        let context = self.runtime.context.clone();
        let faults = match self.slots.unseen() {
            Some(window) => {
                let (offset, bytes) = (window.bytes().start, window.slots().len() as u64 * 4);
                let buffer = self.download.take(&context, bytes)?;
                let encoder = self.pending.encoder(&context);
                encoder.copy_buffer_to_buffer(self.slots.state(), offset, &buffer, 0, bytes);
                Some((window, Landing { buffer, bytes, parts: Vec::new(), mapped: Answer::default() }))
            }
            None => None,
        };
        self.flush()?;
        let of_faults = faults.iter().map(|(_, landing)| landing);
        landings.iter().chain(of_faults).try_for_each(|landing| landing.map(&context))?;
        let (submission, reached) = (self.in_flight.back().cloned(), Arc::new(AtomicBool::new(false)));
        let mark = reached.clone();
        context.queue.on_submitted_work_done(move || mark.store(true, Ordering::Release));
        let (faults, landings, host) = (Mutex::new(faults), Mutex::new(landings), Mutex::default());
        Ok(PendingWork { context, queue, submission, reached, faults, landings, host })
    }
}
