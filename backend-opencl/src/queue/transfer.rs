//! Transfers: many columns in one block, with a single wait.

use super::QueueState;
use super::staging::{LARGEST, Transfer};
use crate::cl::Failure;
use crate::memory::{Memory, memory};
use imminent_core::backend::{Buffer, Read, Span, Write};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::SlotWindow;
use std::collections::VecDeque;
use std::ops::Range;

/// A stretch of device memory, and the stretch of a block that holds its bytes.
#[derive(Debug)]
struct StagedRange<'m> {
    memory: &'m Memory,
    /// Offset in the memory, in bytes.
    offset: usize,
    bytes: usize,
    /// Index of the caller's column, and the offset in it, in bytes.
    column: usize,
    at: usize,
    /// Offset in the block, in bytes.
    staged: usize,
}

impl StagedRange<'_> {
    /// Returns the part's range of bytes in the caller's column.
    fn range(&self) -> Range<usize> {
        self.at..self.at + self.bytes
    }

    /// Returns the part's range of bytes in the block.
    fn staged(&self) -> Range<usize> {
        self.staged..self.staged + self.bytes
    }
}

/// Parts that fill one block, and their number of bytes.
#[derive(Debug, Default)]
struct Chunk<'m> {
    parts: Vec<StagedRange<'m>>,
    bytes: usize,
}

/// One of the caller's columns: the memory, and its range of bytes.
pub(super) type Located<'m> = (&'m Memory, Range<usize>);

/// Looks up a column and checks the length of the host's side.
pub(super) fn locate<'m>(buffer: &'m Buffer, span: &Span, bytes: usize) -> Result<Located<'m>> {
    if span.bytes() != bytes {
        return Err(Error::invalid("column", format!("it takes {} bytes, {bytes} were given", span.bytes())));
    }
    let memory = memory(buffer)?;
    Ok((memory, memory.bytes_of(span)?))
}

/// Divides columns into chunks of at most `most` bytes.
fn chunks<'m>(columns: &[Located<'m>], most: usize) -> Vec<Chunk<'m>> {
    let mut chunks: Vec<Chunk<'m>> = Vec::new();
    for (column, (memory, range)) in columns.iter().enumerate() {
        let mut at = 0;
        while range.start + at < range.end {
            let mut chunk = chunks.pop().unwrap_or_default();
            if chunk.bytes >= most {
                chunks.push(std::mem::take(&mut chunk));
            }
            let bytes = (range.len() - at).min(most - chunk.bytes);
            let offset = range.start + at;
            chunk.parts.push(StagedRange { memory, offset, bytes, column, at, staged: chunk.bytes });
            chunk.bytes += bytes;
            at += bytes;
            chunks.push(chunk);
        }
    }
    chunks
}

/// Number of chunks being read: while one is copied to the caller, the next is in progress.
const UNDER_WAY: usize = 2;

impl QueueState {
    /// Writes columns, after earlier work.
    pub(crate) fn write(&mut self, writes: &[Write<'_>]) -> Result<()> {
        let located = writes.iter().map(|write| locate(write.buffer, &write.span, write.bytes.len()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        self.touch(&columns)?;
        let context = self.runtime.context.clone();
        let failed = |failure: Failure| context.failed("writing memory", failure);
        for chunk in chunks(&columns, LARGEST) {
            let mut block = self.staging.take(&context, &self.queue, chunk.bytes)?;
            let bytes = block.bytes();
            for part in &chunk.parts {
                let from = writes.get(part.column).and_then(|write| write.bytes.get(part.range()));
                if let (Some(to), Some(from)) = (bytes.get_mut(part.staged()), from) {
                    to.copy_from_slice(from);
                }
            }
            let mut transfer = Transfer::new(block);
            for part in &chunk.parts {
                transfer.upload(part.staged, part.bytes, &part.memory.buffer.mem, part.offset).map_err(failed)?;
            }
            self.staging.keep(transfer);
            self.queue.flush().map_err(failed)?;
        }
        Ok(())
    }

    /// Waits for earlier work, then reads columns.
    pub(crate) fn read(&mut self, reads: &mut [Read<'_>]) -> Result<()> {
        let located = reads.iter().map(|read| locate(read.buffer, &read.span, read.bytes.len()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        self.touch(&columns)?;
        let stage = "reading memory";
        let stretch = self.timeline.cut();
        let faults = self.begin_faults()?;
        let mut under_way = VecDeque::new();
        for chunk in chunks(&columns, LARGEST) {
            if under_way.len() >= UNDER_WAY
                && let Some((chunk, transfer)) = under_way.pop_front()
            {
                self.deliver(stage, &chunk, transfer, reads)?;
            }
            let transfer = self.begin_read(stage, &chunk)?;
            under_way.push_back((chunk, transfer));
        }
        if under_way.is_empty() {
            self.queue.finish().map_err(|failure| self.context().failed(stage, failure))?;
        }
        for (chunk, transfer) in under_way {
            self.deliver(stage, &chunk, transfer, reads)?;
        }
        self.timeline.reached(stretch);
        if let Some(faults) = faults {
            self.end_faults(stage, faults)?;
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    pub(super) fn touch(&mut self, columns: &[Located<'_>]) -> Result<()> {
        columns.iter().try_for_each(|(memory, _)| {
            memory.used_by(&self.timeline);
            self.make_fresh(memory)
        })
    }

    fn begin_read(&mut self, stage: &str, chunk: &Chunk<'_>) -> Result<Transfer> {
        let context = self.runtime.context.clone();
        let failed = |failure: Failure| context.failed(stage, failure);
        let mut transfer = Transfer::new(self.staging.take(&context, &self.queue, chunk.bytes)?);
        for part in &chunk.parts {
            transfer.download(part.staged, part.bytes, &part.memory.buffer.mem, part.offset).map_err(failed)?;
        }
        self.queue.flush().map_err(failed)?;
        Ok(transfer)
    }

    fn deliver(&mut self, stage: &str, chunk: &Chunk<'_>, transfer: Transfer, reads: &mut [Read<'_>]) -> Result<()> {
        let mut block = transfer.wait().map_err(|failure| self.context().failed(stage, failure))?;
        let bytes = block.bytes();
        for part in &chunk.parts {
            let to = reads.get_mut(part.column).and_then(|read| read.bytes.get_mut(part.range()));
            if let (Some(to), Some(from)) = (to, bytes.get(part.staged())) {
                to.copy_from_slice(from);
            }
        }
        self.staging.give_back(block);
        Ok(())
    }

    /// Enqueues reading the fault slots that were not yet examined, if there are any.
    pub(super) fn begin_faults(&mut self) -> Result<Option<FaultRead>> {
        let Some(window) = self.slots.unseen() else { return Ok(None) };
        let (offset, bytes) = (window.bytes().start as usize, window.slots().len() * 4);
        let context = self.runtime.context.clone();
        let mut transfer = Transfer::new(self.staging.take(&context, &self.queue, bytes)?);
        transfer
            .download(0, bytes, &self.slots.state().mem, offset)
            .map_err(|failure| context.failed("reading faults", failure))?;
        Ok(Some(FaultRead { window, bytes, transfer }))
    }

    /// Examines the fault slots that were read; a fault is kept as the queue's failure.
    pub(super) fn end_faults(&mut self, stage: &str, read: FaultRead) -> Result<()> {
        let context = self.runtime.context.clone();
        let failed = |failure: Failure| context.failed(stage, failure);
        let FaultRead { window, bytes, transfer } = read;
        let mut block = transfer.wait().map_err(failed)?;
        let fault = self.slots.look(&self.queue, &window, block.bytes().get(..bytes).unwrap_or_default());
        self.staging.give_back(block);
        self.fail(fault.map_err(failed)?.map(Error::Fault));
        Ok(())
    }
}

/// Fault slots being copied to the host.
#[derive(Debug)]
pub(super) struct FaultRead {
    window: SlotWindow,
    bytes: usize,
    transfer: Transfer,
}
