//! Memory: the words of a table, tally or result in the canonical layout.

use crate::NAME;
use imminent_core::backend::{Allocation, Buffer, DeviceMemory, Ragged, Shape, Span};
use imminent_core::ir::Scalar;
use imminent_core::{Error, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct Memory {
    /// Contents of the memory, and the words of each column.
    shape: Shape,
    /// Positions of the lanes of a ragged table.
    room: Option<Ragged>,
    words: Mutex<Vec<u32>>,
    /// Bytes of all memories of the device.
    allocated: Arc<AtomicU64>,
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = NAME;

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn starts(&self) -> &[u32] {
        self.room.as_ref().map_or(&[], Ragged::starts)
    }
}

impl Memory {
    pub(crate) fn allocate(allocation: &Allocation, allocated: &Arc<AtomicU64>) -> Buffer {
        let room = match allocation {
            Allocation::Ragged { room, .. } => Some(room.clone()),
            _ => None,
        };
        Buffer::new(Memory::new(Shape::of(allocation), room, allocated))
    }

    fn new(shape: Shape, room: Option<Ragged>, allocated: &Arc<AtomicU64>) -> Memory {
        allocated.fetch_add(shape.bytes(), Ordering::Relaxed);
        let words = Mutex::new(vec![0; shape.words() as usize]);
        Memory { shape, room, words, allocated: Arc::clone(allocated) }
    }

    pub(crate) fn words(&self) -> MutexGuard<'_, Vec<u32>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a table with the same rows and more lanes. Columns of lanes are the last ones, lane by lane.
    pub(crate) fn grown(&self, lanes: u32) -> Result<Buffer> {
        let grown = Memory::new(self.shape.grown(lanes)?, None, &self.allocated);
        let words = self.words();
        grown.words()[..words.len()].copy_from_slice(&words);
        Ok(Buffer::new(grown))
    }

    pub(crate) fn copy_from(&self, other: &Memory) -> Result<()> {
        other.shape.check_copy(&self.shape)?;
        let words = other.words().clone();
        self.words().copy_from_slice(&words);
        Ok(())
    }

    fn range(&self, span: &Span) -> Result<Range<usize>> {
        self.shape.words_of(span).map(|words| words.start as usize..words.end as usize)
    }

    pub(crate) fn write(&self, span: &Span, bytes: &[u8]) -> Result<()> {
        let (words, _) = bytes.as_chunks();
        let to = &mut self.words()[self.range(span)?];
        to.iter_mut().zip(words).for_each(|(to, word)| *to = u32::from_le_bytes(*word));
        Ok(())
    }

    pub(crate) fn read(&self, span: &Span, bytes: &mut [u8]) -> Result<()> {
        let (to, _) = bytes.as_chunks_mut();
        to.iter_mut().zip(&self.words()[self.range(span)?]).for_each(|(to, word)| *to = word.to_le_bytes());
        Ok(())
    }

    /// Returns the number of lanes of a row.
    pub(crate) fn lanes_of(&self, row: u32) -> u32 {
        self.room.as_ref().map_or(self.shape.capacity(), |room| room.of(row).len() as u32)
    }

    /// Returns the bits of a scalar of a row, or of a lane of the row.
    pub(crate) fn get(&self, row: u32, lane: Option<u32>, word: u32) -> Result<u64> {
        let range = self.scalar(row, lane, word)?;
        Ok(self.words()[range].iter().rev().fold(0, |bits, word| bits << 32 | u64::from(*word)))
    }

    pub(crate) fn set(&self, row: u32, lane: Option<u32>, word: u32, bits: u64) -> Result<()> {
        let range = self.scalar(row, lane, word)?;
        let bits = [bits as u32, (bits >> 32) as u32];
        self.words()[range].iter_mut().zip(bits).for_each(|(word, bits)| *word = bits);
        Ok(())
    }

    /// Returns the words of a scalar.
    fn scalar(&self, row: u32, lane: Option<u32>, word: u32) -> Result<Range<usize>> {
        let scalar: Option<Scalar> = match &self.shape {
            Shape::Table { layout, .. } | Shape::Ragged { layout, .. } => {
                let mut columns = layout.columns.iter();
                columns.find(|column| column.word == word && column.lane == lane.is_some()).map(|column| column.scalar)
            }
            Shape::Tally { scalar, .. } => Some(*scalar),
            Shape::Result { scalars } => scalars.iter().find(|(at, _)| *at == word).map(|(_, scalar)| scalar),
        };
        let scalar = scalar.ok_or_else(|| Error::invalid(self.shape.name(), format!("it has no word {word}")))?;
        let (lane, at) = match (&self.room, lane) {
            // The lanes of all rows are one pool.
            (Some(room), Some(lane)) => (Some(0), room.of(row).start + lane),
            (_, lane) => (lane, row),
        };
        self.range(&Span::column(lane, word, scalar, at..at + 1))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.allocated.fetch_sub(self.shape.bytes(), Ordering::Relaxed);
    }
}
