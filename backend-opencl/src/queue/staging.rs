//! Host memory through which transfers go.
//!
//! A block belongs to the code that fills or reads it. While the device works on it, it belongs to the list of blocks
//! in flight, where it is inaccessible. So the memory of a transfer in progress is neither touched nor released,
//! whatever the caller does with his own memory.

use crate::cl::{self, CommandQueue, Event, Failure, Mem};
use crate::device::Context;
use imminent_core::{Error, Result};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

/// Pinned host memory, mapped for as long as it lives.
#[derive(Debug)]
pub(crate) struct Block {
    mem: Mem,
    start: NonNull<u8>,
    bytes: usize,
    queue: Arc<CommandQueue>,
}

// SAFETY: the pointer is to memory that belongs to this block alone, and OpenCL's objects are not tied to a thread.
unsafe impl Send for Block {}
// SAFETY: shared references only read the bytes.
unsafe impl Sync for Block {}

impl Block {
    pub(super) fn new(context: &Context, queue: &Arc<CommandQueue>, bytes: usize) -> Result<Block> {
        let failed = |failure| context.allocation_failed("memory for transfers", bytes as u64, failure);
        let mem = cl::create_pinned(&context.cl, bytes).map_err(failed)?;
        let start = cl::map(queue, &mem, bytes).map_err(failed)?;
        // SAFETY: the mapping is valid for this many bytes, and is not shared. The bytes are initialised here, so that
        // they can be read.
        unsafe { start.as_ptr().write_bytes(0, bytes) };
        Ok(Block { mem, start, bytes, queue: queue.clone() })
    }

    /// Returns the bytes for writing. A block that can be borrowed has no transfer in progress.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping lasts until the block is dropped, is valid for this many bytes, which are initialised,
        // and is borrowed from the block. Transfers take the block away until they are done.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }

    /// Returns the bytes.
    pub(super) fn as_slice(&self) -> &[u8] {
        // SAFETY: as for `bytes`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    /// Checks that a stretch lies inside, and returns its start.
    pub(super) fn place(&self, at: usize, bytes: usize) -> std::result::Result<*mut u8, Failure> {
        match at.checked_add(bytes) {
            // SAFETY: `at` is no larger than the length of the mapping.
            Some(end) if end <= self.bytes => Ok(unsafe { self.start.as_ptr().add(at) }),
            _ => Err(Failure { call: "a transfer", status: -30 }),
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the pointer is this mapping's, and is dropped with the block. A transfer of the block that is still
        // in progress is in this queue, which is done in order: the mapping ends after it. The memory is released after
        // that.
        let _ = unsafe { cl::unmap(&self.queue, &self.mem, self.start) };
    }
}

/// A block with the transfers for which it is filled.
#[derive(Debug)]
pub(crate) struct Transfer {
    block: Block,
    last: Option<Event>,
}

impl Transfer {
    /// Begins transfers of a block.
    pub(crate) fn new(block: Block) -> Transfer {
        Transfer { block, last: None }
    }

    /// Enqueues copying bytes of the block to device memory.
    pub(crate) fn upload(
        &mut self,
        at: usize,
        bytes: usize,
        to: &Mem,
        offset: usize,
    ) -> std::result::Result<(), Failure> {
        let from = self.block.place(at, bytes)?;
        // SAFETY: the place has room for the bytes. The block is inaccessible until `wait`, or until `done` returns
        // `true`. If it is dropped before, its mapping ends after this command.
        self.last = Some(unsafe { cl::write(&self.block.queue, to, offset, from, bytes) }?);
        Ok(())
    }

    /// Enqueues copying device memory to bytes of the block.
    pub(crate) fn download(
        &mut self,
        at: usize,
        bytes: usize,
        from: &Mem,
        offset: usize,
    ) -> std::result::Result<(), Failure> {
        let to = self.block.place(at, bytes)?;
        // SAFETY: as for `upload`; and the bytes cannot be read meanwhile.
        self.last = Some(unsafe { cl::read(&self.block.queue, from, offset, to, bytes) }?);
        Ok(())
    }

    fn done(&self) -> std::result::Result<bool, Failure> {
        // The queue's commands are done in order: the last is done last.
        self.last.as_ref().map_or(Ok(true), Event::done)
    }

    /// Waits until the transfers are done and returns the block.
    pub(crate) fn wait(self) -> std::result::Result<Block, Failure> {
        if let Some(last) = &self.last {
            last.wait()?;
        }
        Ok(self.block)
    }
}

/// The blocks of a queue.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    idle: Vec<Block>,
    in_flight: VecDeque<Transfer>,
}

/// Bytes of the smallest block.
const SMALLEST: usize = 64 << 10;
/// Bytes of the largest block, and of the largest single transfer.
pub(crate) const LARGEST: usize = 16 << 20;
/// Number of uploads in progress before the host waits for the oldest.
const MAX_IN_FLIGHT: usize = 32;
/// Bytes of the uploads in progress before the host waits for the oldest.
const MAX_BYTES: usize = 4 * LARGEST;
/// Largest number of idle blocks kept.
const MAX_IDLE: usize = 8;

impl Staging {
    /// Returns a block of at least `bytes` bytes.
    pub(crate) fn take(&mut self, context: &Context, queue: &Arc<CommandQueue>, bytes: usize) -> Result<Block> {
        let failed = |failure| context.failed("transferring memory", failure);
        loop {
            while let Some(first) = self.in_flight.front() {
                if !first.done().map_err(failed)? {
                    break;
                }
                self.wait_for_oldest().map_err(failed)?;
            }
            let under_way: usize = self.in_flight.iter().map(|transfer| transfer.block.bytes).sum();
            if self.in_flight.len() < MAX_IN_FLIGHT && under_way + bytes <= MAX_BYTES.max(bytes) {
                break;
            }
            self.wait_for_oldest().map_err(failed)?;
        }
        let fitting = self.idle.iter().enumerate().filter(|(_, block)| block.bytes >= bytes);
        if let Some((position, _)) = fitting.min_by_key(|(_, block)| block.bytes) {
            return Ok(self.idle.swap_remove(position));
        }
        let size = bytes.max(SMALLEST).next_power_of_two();
        match Block::new(context, queue, size) {
            Err(Error::OutOfMemory { .. }) if !self.idle.is_empty() => {
                self.idle.clear();
                Block::new(context, queue, size)
            }
            other => other,
        }
    }

    fn wait_for_oldest(&mut self) -> std::result::Result<(), Failure> {
        match self.in_flight.pop_front() {
            Some(oldest) => oldest.wait().map(|block| self.give_back(block)),
            None => Ok(()),
        }
    }

    /// Keeps a transfer's block until the device is done with it.
    pub(crate) fn keep(&mut self, transfer: Transfer) {
        self.in_flight.push_back(transfer);
    }

    /// Keeps a block for reuse.
    pub(crate) fn give_back(&mut self, block: Block) {
        if self.idle.len() < MAX_IDLE {
            self.idle.push(block);
        }
    }
}
