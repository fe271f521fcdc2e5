//! Transfers and marks for which the host does not wait.

use super::handed::HandedOver;
use super::transfer::locate;
use super::{CudaQueue, QueueState};
use crate::device::Context;
use crate::driver::{Event, Stream};
use crate::memory::Pinned;
use imminent_core::backend::{HostMemory, Pending, StagedColumn};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::SlotWindow;
use imminent_device::replay::Head;
use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Allocates page-locked host memory.
pub(crate) fn host_memory(context: &Context, bytes: usize) -> Result<HostMemory> {
    Pinned::new(&context.primary, bytes).map(HostMemory::new)
}

/// Work of a queue up to a mark, with the host memory of a transfer.
#[derive(Debug)]
struct PendingWork {
    stream: Arc<Stream>,
    queue: Arc<Mutex<QueueState>>,
    done: Event,
    /// Fault slots being copied to the host.
    faults: Mutex<Option<(SlotWindow, Pinned)>>,
    /// Programs before the mark, each with its head being copied to the host.
    handed: Mutex<Vec<(Arc<dyn HandedOver>, Pinned)>>,
    /// Memory of a transfer. Its own event is recorded behind the transfer, so it may be dropped at any time.
    host: Mutex<Option<Pinned>>,
}

const STAGE: &str = "running kernels and transfers";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PendingWork {
    fn arrived(&self) -> Result<()> {
        self.stream.primary.enter()?;
        self.done.wait(STAGE)
    }
}

impl Pending for PendingWork {
    fn is_done(&self) -> bool {
        // Failed work counts as done.
        self.stream.primary.enter().and_then(|()| self.done.is_done()).unwrap_or(true)
    }

    fn wait(&self) {
        let _ = self.arrived();
    }

    fn complete(&self) -> Result<()> {
        let arrived = self.arrived();
        let mut queue = lock(&self.queue);
        let looked = match (&arrived, lock(&self.faults).take()) {
            (Ok(()), Some((window, piece))) => {
                let bytes = piece.bytes().get(..window.slots().len() * 4).unwrap_or_default();
                let fault = queue.faults.slots.look(&self.stream, &window, bytes);
                queue.staging.give_back(piece);
                fault.map(|fault| queue.faults.fail(fault))
            }
            _ => Ok(()),
        };
        let judged = lock(&self.handed).drain(..).try_for_each(|(handed, head)| {
            let fault = if arrived.is_ok() { handed.judge(head.bytes(), &self.stream)? } else { None };
            queue.faults.fail(fault);
            queue.staging.give_back(head);
            Ok(())
        });
        queue.take_failure().and(arrived).and(looked).and(judged)
    }

    fn take_memory(&self) -> Option<HostMemory> {
        self.wait();
        lock(&self.host).take().map(HostMemory::new)
    }
}

/// Direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

impl CudaQueue {
    /// Starts transfers between columns and host memory.
    pub(crate) fn transfer(
        &self,
        direction: Direction,
        host: HostMemory,
        places: &[StagedColumn],
    ) -> Result<Arc<dyn Pending>> {
        StagedColumn::check(places, host.bytes().len())?;
        let mut pinned: Pinned = host.into_block()?;
        let mut state = self.lock();
        let started = places.iter().try_for_each(|place| {
            let length = place.span.bytes();
            let (memory, bytes) = locate(&place.buffer, &place.span, length)?;
            memory.used_by(&self.stream, false)?;
            if length == 0 {
                return Ok(());
            }
            let address = memory.pointer() + bytes.start;
            // SAFETY: `locate` found the stretch inside its memory, whose release comes later on the stream. The event
            // is recorded below. The host memory is not used before it is done, and dropping it waits for the event.
            unsafe {
                match direction {
                    Direction::Up => pinned.upload(place.at, length, address, &self.stream),
                    Direction::Down => pinned.download(place.at, length, address, &self.stream),
                }
            }
        });
        let recorded = pinned.record(&self.stream);
        if started.is_err() || recorded.is_err() {
            // All started transfers must be over before the memory is dropped.
            let _ = self.stream.wait(STAGE);
        }
        started.and(recorded)?;
        let pending_work = self.mark(&mut state)?;
        *lock(&pending_work.host) = Some(pinned);
        Ok(Arc::new(pending_work))
    }

    /// Marks the end of the work on the queue.
    pub(crate) fn signal(&self) -> Result<Arc<dyn Pending>> {
        let pending_work = self.mark(&mut self.lock())?;
        Ok(Arc::new(pending_work))
    }

    fn mark(&self, state: &mut QueueState) -> Result<PendingWork> {
        let faults = match state.faults.slots.unseen() {
            None => None,
            Some(window) => {
                let bytes = window.bytes();
                let length = window.slots().len() * 4;
                let mut piece = state.staging.take(&self.stream.primary, length)?;
                let from = state.faults.slots.state().pointer() + bytes.start;
                // SAFETY: the stretch lies in the state buffer, whose release comes later on the stream. The piece's
                // event is recorded at once, and the piece is read after `done`, which comes later.
                let read = unsafe { piece.download(0, length, from, &self.stream) };
                read.and(piece.record(&self.stream))?;
                Some((window, piece))
            }
        };
        let mut handed = Vec::with_capacity(state.faults.handed.len());
        for one in std::mem::take(&mut state.faults.handed) {
            let head = one.fetch(state.staging.take(&self.stream.primary, Head::BYTES)?, &self.stream)?;
            handed.push((one, head));
        }
        let done = Event::new(&self.stream.primary)?;
        done.record(&self.stream)?;
        let (faults, handed, host) = (Mutex::new(faults), Mutex::new(handed), Mutex::default());
        Ok(PendingWork { stream: self.stream.clone(), queue: self.state.clone(), done, faults, handed, host })
    }

    /// Makes later work on the queue wait for work of another queue.
    pub(crate) fn wait_for(&self, other: &dyn Pending) -> Result<()> {
        match (other as &dyn Any).downcast_ref::<PendingWork>() {
            Some(other) if Arc::ptr_eq(&other.stream.primary, &self.stream.primary) => {
                self.stream.after_event(&other.done)
            }
            Some(_) => Err(Error::invalid("event", "it is of another device")),
            None => {
                other.wait();
                Ok(())
            }
        }
    }
}
