//! Page-locked host memory, which the device can access and every transfer passes through.

use crate::driver::{Event, Primary, Stream};
use cudarc::driver::sys;
use imminent_core::Result;
use imminent_core::backend::HostBlock;
use std::any::Any;
use std::sync::Arc;

/// A piece of page-locked host memory, and the event after which the device is done with it.
#[derive(Debug)]
pub(crate) struct Pinned {
    primary: Arc<Primary>,
    start: *mut u8,
    length: usize,
    done: Event,
}

// SAFETY: the memory belongs to this value alone; the driver lets any thread use and free it.
unsafe impl Send for Pinned {}
// SAFETY: shared references only read the address and the length.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Allocates zeroed page-locked memory.
    pub(crate) fn new(primary: &Arc<Primary>, length: usize) -> Result<Pinned> {
        primary.enter()?;
        let done = Event::new(primary)?;
        let mut start = std::ptr::null_mut();
        // SAFETY: one pointer is written; the context is current. Portable, so that every context of the process may
        // use it.
        let code = unsafe { sys::cuMemHostAlloc(&mut start, length.max(1), sys::CU_MEMHOSTALLOC_PORTABLE) };
        if code == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return Err(primary.out_of_memory("page-locked memory of the host for a transfer", length as u64, None));
        }
        primary.check("allocating memory for transfers", code)?;
        // SAFETY: `length` bytes were allocated just now. They are initialised here, so that slices of them are valid.
        unsafe { std::ptr::write_bytes(start.cast::<u8>(), 0, length) };
        Ok(Pinned { primary: primary.clone(), start: start.cast(), length, done })
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Returns the bytes. The device must be done with them: call [`Pinned::wait`] before.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `length` bytes from `start` on are allocated and initialised. The device writes to them only by
        // transfers that `download` starts, and its callers wait for the event before they read.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }

    /// Returns the bytes, to be filled for an upload.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`. The exclusive borrow makes it the only slice, and the pool hands out nothing that the
        // device still reads.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.length) }
    }

    /// Starts a transfer of a stretch of these bytes to device memory.
    ///
    /// # Safety
    /// `length` bytes at `to` are device memory that lives until the transfer is done; the caller records the event
    /// afterwards and neither frees nor fills these bytes before it is done.
    pub(crate) unsafe fn upload(&self, at: usize, length: usize, to: u64, stream: &Stream) -> Result<()> {
        self.has_room("writing memory", at, length)?;
        // SAFETY: the stretch lies in these bytes; the caller guarantees the rest.
        let code = unsafe { sys::cuMemcpyHtoDAsync_v2(to, self.start.add(at).cast(), length, stream.raw()) };
        self.primary.check("writing memory", code)
    }

    /// Starts a transfer of device memory to a stretch of these bytes.
    ///
    /// # Safety
    /// As for [`Pinned::upload`]; these bytes are not read before the event is done.
    pub(crate) unsafe fn download(&mut self, at: usize, length: usize, from: u64, stream: &Stream) -> Result<()> {
        self.has_room("reading memory", at, length)?;
        // SAFETY: the stretch lies in these bytes; the caller guarantees the rest.
        let code = unsafe { sys::cuMemcpyDtoHAsync_v2(self.start.add(at).cast(), from, length, stream.raw()) };
        self.primary.check("reading memory", code)
    }

    fn has_room(&self, stage: &str, at: usize, length: usize) -> Result<()> {
        if at.checked_add(length).is_some_and(|end| end <= self.length) {
            return Ok(());
        }
        Err(self.primary.driver(stage, "the staging memory is too small".to_owned()))
    }

    /// Marks the end of the transfers started so far.
    pub(crate) fn record(&self, stream: &Stream) -> Result<()> {
        self.done.record(stream)
    }

    /// Waits until the device is done with these bytes.
    pub(crate) fn wait(&self, stage: &str) -> Result<()> {
        self.done.wait(stage)
    }

    fn is_done(&self) -> bool {
        self.done.is_done().unwrap_or(false)
    }
}

impl HostBlock for Pinned {
    fn bytes(&self) -> &[u8] {
        Pinned::bytes(self)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        Pinned::bytes_mut(self)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send + Sync> {
        self
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.primary.enter().is_ok() {
            let _ = self.done.wait("releasing memory for transfers");
            // SAFETY: allocated once, freed once, and the device is done with it or lost.
            let _ = unsafe { sys::cuMemFreeHost(self.start.cast()) };
        }
    }
}

/// Bytes of the pieces for small transfers.
const SMALL: usize = 64 << 10;
/// Bytes of the pieces into which large transfers are divided.
pub(crate) const LARGE: usize = 4 << 20;
/// Number of pieces of a size that are made before one that the device still uses is waited for.
const MAX_PIECES: usize = 8;

/// Reusable page-locked pieces of two sizes.
#[derive(Debug, Default)]
pub(crate) struct PinnedPool {
    small: Vec<Pinned>,
    large: Vec<Pinned>,
    /// Number of pieces made of either size.
    made: [usize; 2],
}

impl PinnedPool {
    /// Returns a piece that the device is done with. It has `bytes` bytes, or [`LARGE`] if that is less.
    pub(crate) fn take(&mut self, primary: &Arc<Primary>, bytes: usize) -> Result<Pinned> {
        let (size, pieces, made) = if bytes <= SMALL {
            (SMALL, &mut self.small, &mut self.made[0])
        } else {
            (LARGE, &mut self.large, &mut self.made[1])
        };
        // The first is the one that was given back first: if it is not done, none is.
        let ready = pieces.first().is_some_and(Pinned::is_done);
        if ready || (*made >= MAX_PIECES && !pieces.is_empty()) {
            let piece = pieces.remove(0);
            piece.wait("waiting for a transfer")?;
            return Ok(piece);
        }
        let piece = Pinned::new(primary, size)?;
        *made += 1;
        Ok(piece)
    }

    /// Takes a piece back, whose event has been recorded after its last transfer.
    pub(crate) fn give_back(&mut self, piece: Pinned) {
        if piece.len() == SMALL { &mut self.small } else { &mut self.large }.push(piece);
    }
}
