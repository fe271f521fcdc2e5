//! Transfers: columns are packed into page-locked pieces, and several pieces are in progress at a time.

use super::QueueState;
use crate::memory::{LARGE, Memory, Pinned, memory};
use imminent_core::backend::{Buffer, Read, Span, Write};
use imminent_core::{Error, Result};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;

/// A stretch of device memory, and the stretch of a staging piece that holds its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StagedRange {
    /// Address on the device.
    address: u64,
    /// Index of the caller's column.
    column: usize,
    /// Range of bytes in the caller's column.
    range: Range<usize>,
    /// Offset in the staging piece.
    staged: usize,
}

impl StagedRange {
    fn staged(&self) -> Range<usize> {
        self.staged..self.staged + self.range.len()
    }
}

/// Parts that fill one staging piece, and their number of bytes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chunk {
    parts: Vec<StagedRange>,
    bytes: usize,
}

/// Divides columns, given by address and length, into chunks of at most `most` bytes.
fn chunks(columns: &[(u64, usize)], most: usize) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut chunk = Chunk::default();
    for (column, (address, length)) in columns.iter().enumerate() {
        let mut done = 0;
        while done < *length {
            if chunk.bytes >= most {
                chunks.push(std::mem::take(&mut chunk));
            }
            let bytes = (length - done).min(most - chunk.bytes);
            chunk.parts.push(StagedRange {
                address: address + done as u64,
                column,
                range: done..done + bytes,
                staged: chunk.bytes,
            });
            chunk.bytes += bytes;
            done += bytes;
        }
    }
    if chunk.bytes > 0 {
        chunks.push(chunk);
    }
    chunks
}

/// Looks up a column and checks the length of the host's side.
pub(super) fn locate<'m>(buffer: &'m Buffer, span: &Span, bytes: usize) -> Result<(&'m Memory, Range<u64>)> {
    if span.bytes() != bytes {
        return Err(Error::invalid("column", format!("it takes {} bytes, {bytes} were given", span.bytes())));
    }
    let memory = memory(buffer)?;
    Ok((memory, memory.bytes_of(span)?))
}

/// Number of pieces in progress at a time when reading.
const UNDER_WAY: usize = 4;
/// Number of bytes from which on several threads copy between the caller's memory and a piece.
const SHARED: usize = 1 << 20;
/// Bytes that one thread copies at a time.
const STRIP: usize = 256 << 10;

/// Copies bytes between two places of the same length.
fn copy(to: &mut [u8], from: &[u8]) {
    if to.len() < SHARED {
        to.copy_from_slice(from);
    } else {
        to.par_chunks_mut(STRIP).zip(from.par_chunks(STRIP)).for_each(|(to, from)| to.copy_from_slice(from));
    }
}

impl QueueState {
    fn locate(&self, columns: impl Iterator<Item = Result<(u64, usize)>>) -> Result<Vec<Chunk>> {
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok(chunks(&columns, LARGE))
    }

    /// Writes columns, after earlier work.
    pub(crate) fn write(&mut self, writes: &[Write<'_>]) -> Result<()> {
        let chunks = self.locate(writes.iter().map(|write| {
            let (memory, bytes) = locate(write.buffer, &write.span, write.bytes.len())?;
            memory.used_by(&self.stream, false)?;
            Ok((memory.pointer() + bytes.start, write.bytes.len()))
        }))?;
        for chunk in chunks {
            let mut piece = self.staging.take(&self.runtime.context.primary, chunk.bytes)?;
            for part in &chunk.parts {
                let source = writes.get(part.column).and_then(|write| write.bytes.get(part.range.clone()));
                if let (Some(target), Some(source)) = (piece.bytes_mut().get_mut(part.staged()), source) {
                    copy(target, source);
                }
            }
            let started = chunk.parts.iter().try_for_each(|part| {
                // SAFETY: `locate` found the stretch inside its memory, whose release comes later on the stream. The
                // event is recorded below, and the pool hands out the piece again only when it is done.
                unsafe { piece.upload(part.staged, part.range.len(), part.address, &self.stream) }
            });
            self.retire(piece, started)?;
        }
        Ok(())
    }

    /// Gives a piece back after its transfers.
    fn retire(&mut self, piece: Pinned, started: Result<()>) -> Result<()> {
        let recorded = piece.record(&self.stream);
        self.staging.give_back(piece);
        started.and(recorded)
    }

    /// Waits for earlier work, then reads columns.
    pub(crate) fn read(&mut self, reads: &mut [Read<'_>]) -> Result<()> {
        let chunks = self.locate(reads.iter().map(|read| {
            let (memory, bytes) = locate(read.buffer, &read.span, read.bytes.len())?;
            memory.used_by(&self.stream, false)?;
            Ok((memory.pointer() + bytes.start, read.bytes.len()))
        }))?;
        if chunks.is_empty() {
            return self.finish();
        }
        // The slots come first: they are there when the first column is.
        self.faults.fetch(&self.stream)?;
        let mut under_way: VecDeque<(Chunk, Pinned)> = VecDeque::new();
        let mut waiting = chunks.into_iter();
        let mut outcome = Ok(());
        loop {
            while outcome.is_ok() && under_way.len() < UNDER_WAY {
                let Some(chunk) = waiting.next() else { break };
                let mut piece = self.staging.take(&self.runtime.context.primary, chunk.bytes)?;
                outcome = chunk.parts.iter().try_for_each(|part| {
                    // SAFETY: `locate` found the stretch inside its memory, whose release comes later on the stream.
                    // The event is recorded at once and waited for before the bytes are read.
                    unsafe { piece.download(part.staged, part.range.len(), part.address, &self.stream) }
                });
                outcome = outcome.and(piece.record(&self.stream));
                under_way.push_back((chunk, piece));
            }
            let Some((chunk, piece)) = under_way.pop_front() else { break };
            outcome = outcome.and_then(|()| piece.wait("running kernels and reading memory"));
            if outcome.is_ok() {
                for part in &chunk.parts {
                    let target = reads.get_mut(part.column).and_then(|read| read.bytes.get_mut(part.range.clone()));
                    if let (Some(target), Some(source)) = (target, piece.bytes().get(part.staged())) {
                        copy(target, source);
                    }
                }
            }
            self.staging.give_back(piece);
        }
        outcome?;
        self.faults.look(&self.stream)?;
        self.take_failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_cover_every_byte_once_and_are_full(
            lengths in proptest::collection::vec(0usize..300, 0..12), most in 1usize..100,
        ) {
            let columns: Vec<(u64, usize)> = lengths.iter().enumerate().map(|(i, n)| (1000 * i as u64, *n)).collect();
            let chunks = chunks(&columns, most);
            let mut next = vec![0; columns.len()];
            for (position, chunk) in chunks.iter().enumerate() {
                prop_assert!(chunk.bytes == most || position + 1 == chunks.len() && chunk.bytes > 0);
                let mut staged = 0;
                for part in &chunk.parts {
                    prop_assert_eq!(part.staged, staged);
                    prop_assert_eq!(part.range.start, next[part.column]);
                    prop_assert_eq!(part.address, columns[part.column].0 + part.range.start as u64);
                    next[part.column] = part.range.end;
                    staged += part.range.len();
                }
                prop_assert_eq!(staged, chunk.bytes);
            }
            prop_assert_eq!(next, lengths);
        }
    }

    #[test]
    fn large_copies_are_the_same_as_small_ones() {
        let from: Vec<u8> = (0..3 * SHARED + 17).map(|i| (i % 251) as u8).collect();
        let mut to = vec![0; from.len()];
        copy(&mut to, &from);
        assert_eq!(to, from);
    }
}
