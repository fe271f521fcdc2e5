//! Streams: work in order, and one stream waiting for another.

use super::primary::Primary;
use cudarc::driver::sys::{self, CUevent_flags, CUstream_flags};
use imminent_core::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A stream of a device.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) primary: Arc<Primary>,
    raw: sys::CUstream,
    /// Unique in the process.
    pub(crate) id: u64,
    /// Event recorded when another stream is to wait for this one.
    tail: Event,
    /// `true` if another library owns the stream and destroys it.
    adopted: bool,
}

// SAFETY: the driver lets any thread use a stream whose context is current there, and locks internally.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

/// A point in a stream.
#[derive(Debug)]
pub(crate) struct Event {
    primary: Arc<Primary>,
    raw: sys::CUevent,
}

// SAFETY: the driver lets any thread use an event, and locks internally.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// Creates an event that has not been recorded: it counts as done.
    pub(crate) fn new(primary: &Arc<Primary>) -> Result<Event> {
        primary.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: one pointer is written; the context is current.
        let code = unsafe { sys::cuEventCreate(&mut raw, CUevent_flags::CU_EVENT_DISABLE_TIMING as u32) };
        primary.check("making an event", code)?;
        Ok(Event { primary: primary.clone(), raw })
    }

    /// Marks the end of the work now on the stream.
    pub(crate) fn record(&self, stream: &Stream) -> Result<()> {
        // SAFETY: event and stream live and belong to the current context.
        let code = unsafe { sys::cuEventRecord(self.raw, stream.raw) };
        self.primary.check("recording an event", code)
    }

    /// Returns `true` if the device has passed the mark.
    pub(crate) fn is_done(&self) -> Result<bool> {
        // SAFETY: the event lives.
        match unsafe { sys::cuEventQuery(self.raw) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => self.primary.check("looking at an event", code).map(|()| true),
        }
    }

    /// Waits until the device has passed the mark.
    pub(crate) fn wait(&self, stage: &str) -> Result<()> {
        // SAFETY: the event lives.
        let code = unsafe { sys::cuEventSynchronize(self.raw) };
        self.primary.check(stage, code)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.primary.enter().is_ok() {
            // SAFETY: created once, destroyed once; the driver allows it before the device reaches the event.
            let _ = unsafe { sys::cuEventDestroy_v2(self.raw) };
        }
    }
}

/// Returns a number that no other stream of the process has.
fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Stream {
    pub(crate) fn new(primary: &Arc<Primary>) -> Result<Stream> {
        let tail = Event::new(primary)?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: one pointer is written; the context is current since `Event::new`.
        let code = unsafe { sys::cuStreamCreate(&mut raw, CUstream_flags::CU_STREAM_NON_BLOCKING as u32) };
        primary.check("making a queue", code)?;
        Ok(Stream { primary: primary.clone(), raw, id: fresh_id(), tail, adopted: false })
    }

    /// Wraps a stream of another library.
    ///
    /// # Safety
    /// The stream belongs to this context. It lives longer than this value and the work that is put on it.
    pub(crate) unsafe fn adopt(primary: &Arc<Primary>, raw: sys::CUstream) -> Result<Stream> {
        let tail = Event::new(primary)?;
        Ok(Stream { primary: primary.clone(), raw, id: fresh_id(), tail, adopted: true })
    }

    /// Returns the driver's handle, valid while this lives.
    pub(crate) fn raw(&self) -> sys::CUstream {
        self.raw
    }

    /// Blocks the host until all work on the stream is done.
    pub(crate) fn wait(&self, stage: &str) -> Result<()> {
        // SAFETY: the stream lives and its context is current.
        let code = unsafe { sys::cuStreamSynchronize(self.raw) };
        self.primary.check(stage, code)
    }

    /// Makes later work on this stream wait for the work now on another one.
    pub(crate) fn after(&self, other: &Stream) -> Result<()> {
        if self.id == other.id {
            return Ok(());
        }
        other.tail.record(other)?;
        // Between recording and waiting another thread may record the event again, further along the same stream. Then
        // this waits for more than it must.
        self.after_event(&other.tail)
    }

    /// Makes later work on this stream wait for an event of the same context.
    pub(crate) fn after_event(&self, event: &Event) -> Result<()> {
        // SAFETY: stream and event live and belong to the same context.
        let code = unsafe { sys::cuStreamWaitEvent(self.raw, event.raw, 0) };
        self.primary.check("ordering two queues", code)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.adopted && self.primary.enter().is_ok() {
            // SAFETY: created once, destroyed once; the driver completes the stream's work first.
            let _ = unsafe { sys::cuStreamDestroy_v2(self.raw) };
        }
    }
}
