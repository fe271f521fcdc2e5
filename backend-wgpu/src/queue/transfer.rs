//! Transfers: many columns in one staging buffer, one submission and one wait.

use super::{BATCH_BYTES, QueueState, mapped};
use crate::device::Context;
use crate::memory::{Memory, Piece, Segment, memory};
use imminent_core::backend::{Buffer, Read, Span, Write};
use imminent_core::{Error, Result};
use imminent_device::fault_slots::SlotWindow;
use std::ops::Range;

/// A range of device memory, and the range of a staging buffer that holds its bytes.
#[derive(Debug)]
pub(super) struct StagedRange<'m> {
    pub(super) piece: Piece<'m>,
    /// Index of the caller's column to which it belongs; the field after it is the offset there, in bytes.
    pub(super) column: usize,
    at: usize,
    /// Offset in the staging buffer.
    pub(super) staged: u64,
}

impl StagedRange<'_> {
    /// Returns the part's range in the caller's column.
    pub(super) fn range(&self) -> Range<usize> {
        self.at..self.at + self.piece.bytes as usize
    }

    /// Returns the part's range in the staging buffer.
    pub(super) fn staged(&self) -> Range<usize> {
        self.staged as usize..(self.staged + self.piece.bytes) as usize
    }
}

/// Parts that fill one staging buffer, and the number of their bytes.
#[derive(Debug, Default)]
pub(super) struct Chunk<'m> {
    pub(super) parts: Vec<StagedRange<'m>>,
    pub(super) bytes: u64,
}

/// A column of the caller: the memory, and its range of words.
pub(super) type Located<'m> = (&'m Memory, Range<u64>);

/// Looks up a column and checks the length of the host's side.
pub(super) fn locate<'m>(buffer: &'m Buffer, span: &Span, bytes: usize) -> Result<Located<'m>> {
    if span.bytes() != bytes {
        return Err(Error::invalid("column", format!("it takes {} bytes, {bytes} were given", span.bytes())));
    }
    let memory = memory(buffer)?;
    Ok((memory, memory.shape.words_of(span)?))
}

/// Cuts columns into chunks of at most `most` bytes.
pub(super) fn chunks<'m>(columns: &[Located<'m>], most: u64) -> Vec<Chunk<'m>> {
    let most = (most & !3).max(4);
    let mut chunks: Vec<Chunk<'m>> = Vec::new();
    for (column, (memory, words)) in columns.iter().enumerate() {
        for piece in memory.pieces(words.clone()) {
            let mut done = 0;
            while done < piece.bytes {
                let mut chunk = chunks.pop().unwrap_or_default();
                if chunk.bytes >= most {
                    chunks.push(std::mem::take(&mut chunk));
                }
                let bytes = (piece.bytes - done).min(most - chunk.bytes);
                chunk.parts.push(StagedRange {
                    piece: Piece { offset: piece.offset + done, bytes, ..piece },
                    column,
                    at: (piece.at + done) as usize,
                    staged: chunk.bytes,
                });
                chunk.bytes += bytes;
                done += bytes;
                chunks.push(chunk);
            }
        }
    }
    chunks
}

impl QueueState {
    pub(super) fn chunk_bytes(&self) -> u64 {
        self.context().limits.buffer_bytes.min(BATCH_BYTES)
    }

    /// Writes columns, after the work before.
    pub(crate) fn write(&mut self, writes: &[Write<'_>]) -> Result<()> {
        let located = writes.iter().map(|write| locate(write.buffer, &write.span, write.bytes.len()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        for (memory, _) in &columns {
            self.touch(memory);
        }
        for chunk in chunks(&columns, self.chunk_bytes()) {
            let staging = upload(&self.runtime.context, &chunk, writes)?;
            let encoder = self.pending.encoder(&self.runtime.context);
            for StagedRange { piece, staged, .. } in &chunk.parts {
                encoder.copy_buffer_to_buffer(&staging, *staged, &piece.segment.buffer, piece.offset, piece.bytes);
            }
            self.pending.bytes += chunk.bytes;
            if self.pending.bytes >= BATCH_BYTES {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Waits for the work before, then reads columns.
    pub(crate) fn read(&mut self, reads: &mut [Read<'_>]) -> Result<()> {
        let located = reads.iter().map(|read| locate(read.buffer, &read.span, read.bytes.len()));
        let columns = located.collect::<Result<Vec<_>>>()?;
        for (memory, _) in &columns {
            self.touch(memory);
        }
        let chunks = chunks(&columns, self.chunk_bytes());
        if chunks.is_empty() {
            return self.finish();
        }
        for chunk in &chunks {
            self.fetch("reading memory", &chunk.parts, chunk.bytes, |part, bytes| {
                if let Some(place) = reads.get_mut(part.column).and_then(|read| read.bytes.get_mut(part.range())) {
                    place.copy_from_slice(bytes);
                }
            })?;
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
        }
        self.binds.forget_the_dead();
        self.context().stray_error("reading memory")
    }

    pub(super) fn touch(&mut self, memory: &Memory) {
        memory.used_by(&self.timeline);
        self.make_fresh(memory);
    }

    /// Waits for everything gathered so far, shows the bytes of the parts, and reads the fault slots in use; a fault is
    /// stored as the queue's failure.
    pub(super) fn fetch(
        &mut self,
        stage: &str,
        parts: &[StagedRange<'_>],
        bytes: u64,
        mut show: impl FnMut(&StagedRange<'_>, &[u8]),
    ) -> Result<()> {
        let context = self.runtime.context.clone();
        let window = self.slots.unseen();
        let slots = window.as_ref().map_or(0..0, SlotWindow::bytes);
        let slot_bytes = slots.end - slots.start;
        let staging = self.download.take(&context, bytes + slot_bytes)?;
        let encoder = self.pending.encoder(&context);
        for StagedRange { piece, staged, .. } in parts {
            encoder.copy_buffer_to_buffer(&piece.segment.buffer, piece.offset, &staging, *staged, piece.bytes);
        }
        if slot_bytes > 0 {
            encoder.copy_buffer_to_buffer(self.slots.state(), slots.start, &staging, bytes, slot_bytes);
        }
        self.flush()?;
        let Some(last) = self.in_flight.back().cloned() else { return Ok(()) };
        let slots = &mut self.slots;
        let fault = mapped(&context, stage, &staging, bytes + slot_bytes, &last, |data| {
            for part in parts {
                if let Some(bytes) = data.get(part.staged()) {
                    show(part, bytes);
                }
            }
            window.map_or(Ok(None), |window| {
                slots.look(&context, &window, data.get(bytes as usize..).unwrap_or_default())
            })
        })?;
        let Ok(fault) = fault;
        self.download.give_back(staging);
        self.in_flight.clear();
        self.fail(fault.map(Error::Fault));
        Ok(())
    }

    /// Copies the rows of a table to a table with more lanes: columns keep their order, new ones follow.
    pub(crate) fn copy_prefix(&mut self, from: &Memory, to: &Memory) -> Result<()> {
        self.touch(from);
        to.used_by(&self.timeline);
        for segment in &from.segments {
            for piece in to.pieces(segment.words.clone()) {
                let source = (segment, segment.offset + piece.at);
                self.copy_bytes(source, (piece.segment, piece.offset), piece.bytes)?;
            }
        }
        Ok(())
    }

    /// Copies bytes between buffers, each from an offset on. WebGPU copies nothing within a buffer: there the bytes go
    /// through another one.
    pub(super) fn copy_bytes(
        &mut self,
        (from, start): (&Segment, u64),
        (to, target): (&Segment, u64),
        bytes: u64,
    ) -> Result<()> {
        let encoder = self.pending.encoder(&self.runtime.context);
        if from.whole_id() != to.whole_id() {
            encoder.copy_buffer_to_buffer(&from.buffer, start, &to.buffer, target, bytes);
            return Ok(());
        }
        let between = Segment::new(&self.runtime.context, "memory to copy through", 0..bytes / 4)?.buffer;
        encoder.copy_buffer_to_buffer(&from.buffer, start, &between, 0, bytes);
        encoder.copy_buffer_to_buffer(&between, 0, &to.buffer, target, bytes);
        Ok(())
    }
}

/// Makes a staging buffer that holds the bytes of a chunk.
fn upload(context: &Context, chunk: &Chunk<'_>, writes: &[Write<'_>]) -> Result<wgpu::Buffer> {
    let stage = "staging memory to write";
    let descriptor = wgpu::BufferDescriptor {
        label: Some("memory to write from"),
        size: chunk.bytes,
        usage: wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: true,
    };
    let staging = context.create_buffer(&descriptor)?;
    {
        let mut view = staging.get_mapped_range_mut(..).map_err(|error| context.driver(stage, error.to_string()))?;
        for part in &chunk.parts {
            if let Some(bytes) = writes.get(part.column).and_then(|write| write.bytes.get(part.range())) {
                view.slice(part.staged()).copy_from_slice(bytes);
            }
        }
    }
    staging.unmap();
    Ok(staging)
}
